import { buildSchema, executeSync, type GraphQLObjectType, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { costOf } from '../../src/graphql/limits/cost.ts';
import { type Price, priced } from '../../src/graphql/limits/price.ts';
import { chooseOperation } from '../../src/scopes/compile.ts';

const PAGES = '(first: Int, last: Int, after: String)';
const schema = buildSchema(`
  type Query { me: Person, named: Named, people${PAGES}: Connection, short(first: Int = 3): Connection }
  type Mutation { rename: Person }
  interface Named { name: String, friends${PAGES}: [Person] }
  type Person implements Named { id: ID, name: String, status: String, friend: Person, friends${PAGES}: [Person], hosts: [Person], rota: [[Person]], people${PAGES}: Connection,
    tags: [String], words: [String], bio: String, hours: [Person], slots(start: String, end: String): [Person], byId(ids: [ID!]): [Person], unknown: [Person] }
  type Connection { nodes: [Person!]!, edges: [Edge!], pageInfo: PageInfo! }
  type Edge { node: Person }
  type PageInfo { hasNextPage: Boolean }
`);
const PRICES: Readonly<Record<string, Price>> = {
  status: { weight: 7 },
  hosts: { max: 10 },
  rota: { max: 10 },
  tags: { max: 20, characters: 200 },
  words: { max: 20, together: 2_500 },
  bio: { characters: 3_000 },
  hours: { max: 100, weight: 0.25 },
  slots: { range: ['start', 'end'] },
  byId: { max: 100, sizedBy: 'ids' },
};
for (const [name, price] of Object.entries(PRICES)) {
  Object.assign((schema.getType('Person') as GraphQLObjectType).getFields()[name] ?? {}, { extensions: priced(price) });
}

const TYPES = Object.keys(schema.getTypeMap()).length;

function cost(source: string, variables?: unknown): number {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const operation = chooseOperation(document);
  if (!operation) throw new Error('The document has no operation.');
  return costOf(schema, document, operation, variables);
}

describe('an operation costs one for each object that its answer may hold', () => {
  test.each([
    ['no object', '{ __typename }', 0],
    ['an object', '{ me { id name } }', 1],
    ['an object in another', '{ me { friend { id } } }', 2],
    ['a page with its connection', '{ people(first: 20) { nodes { id } } }', 21],
    ['a page read backwards', '{ people(last: 20) { nodes { id } } }', 21],
    ['a page without a size', '{ people { nodes { id } } }', 26],
    ['a page whose size is null', '{ people(first: null) { nodes { id } } }', 26],
    ['a page with a default size of its own', '{ short { nodes { id } } }', 4],
    ['edges, each with its node', '{ people(first: 20) { edges { node { id } } pageInfo { hasNextPage } } }', 42],
    ['a list that is a page itself', '{ me { friends(first: 5) { id } } }', 6],
    ['a list without pages', '{ me { hosts { id } } }', 11],
    ['a list of lists', '{ me { rota { id } } }', 101],
    ['an empty page', '{ people(first: 0) { nodes { friend { id } } } }', 1],
    [
      'a page in a page',
      '{ people(first: 20) { nodes { people(first: 10) { nodes { id } } } } }',
      1 + 20 * (1 + 1 + 10),
    ],
    ['a page size that holds for its own list only', '{ people(first: 20) { nodes { hosts { id } } } }', 1 + 20 * 11],
    ['an interface', '{ named { name friends(first: 4) { id } ... on Person { friend { id } } } }', 1 + 4 + 1],
    [
      'a fragment, wherever it stands',
      '{ me { ...F friend { ...F } } } fragment F on Person { friends(first: 4) { id } }',
      10,
    ],
    [
      'a fragment on a connection',
      '{ people(first: 4) { ...F } a: people(first: 6) { ...F } } fragment F on Connection { nodes { id } }',
      12,
    ],
    ['aliases, each by itself', '{ a: me { id } b: me { id } }', 2],
    ['a field with a weight', '{ people(first: 2) { nodes { status } } }', 1 + 2 * (1 + 7)],
    ['a mutation', 'mutation { rename { friend { id } } }', 10 + 1],
    ['a text that is longer than 1,000 characters', '{ me { id bio } }', 4],
    ['a list of texts', '{ me { tags } }', 5],
    ['a list of texts that are bounded together', '{ me { words } }', 3],
    ['long texts in fragments', '{ me { ...F ... { a: bio } } } fragment F on Person { b: bio }', 7],
    ['small values', '{ me { hours { id } } }', 1 + 25],
    ['small values that are long', '{ me { hours { bio } } }', 1 + 301],
    ['a page for each day', '{ me { slots(start: "2030-01-01T00:00:00Z", end: "2030-01-11T00:00:00Z") { id } } }', 11],
    ['a day for a time that is none', '{ me { slots(start: "later", end: "2030-01-11T00:00:00Z") { id } } }', 2],
    ['one for each that is looked up', '{ me { byId(ids: ["a", "b", "b"]) { friend { id } } } }', 1 + 3 * 2],
    ['one for a single id in the place of a list', '{ me { byId(ids: "a") { id } } }', 2],
    ['no end of what nobody has bounded', '{ me { unknown { id } } }', Number.POSITIVE_INFINITY],
    ['the schema itself, 3 for each of its types', '{ __schema { types { name } } }', 3 * (1 + TYPES)],
    ['a type, with its fields and their types', '{ __type(name: "PageInfo") { fields { type { name } } } }', 3 * 3],
  ])('%s', (_what, source, expected) => {
    expect(cost(source)).toBe(expected);
  });

  test.each([
    ['as sent', '($n: Int)', { n: 8 }, 9],
    ['the default of the variable when it is not sent', '($n: Int = 3)', {}, 4],
    ['the default of the page when it is not sent', '($n: Int)', undefined, 26],
    ['the default of the page when it is null', '($n: Int = 3)', { n: null }, 26],
    ['no less than none when it is negative', '($n: Int)', { n: -5 }, 1],
    ['the default when it is no number', '($n: Int)', { n: 'many' }, 26],
    ['the default when it is no whole number', '($n: Int)', { n: 1.5 }, 26],
    ['the largest number there is when it is larger', '($n: Int)', { n: 1e300 }, 2 ** 31],
    ['the default when only the prototype has it', '($constructor: Int)', {}, 26],
  ])('a page whose size is a variable: %s', (_what, declared, variables, expected) => {
    const name = /\$(\w+)/.exec(declared)?.[1];
    expect(cost(`query ${declared} { people(first: $${name}) { nodes { id } } }`, variables)).toBe(expected);
  });

  test('a range whose ends are variables counts its days', () => {
    const source =
      'query ($a: String, $b: String = "2030-01-03T00:00:00Z") { me { slots(start: $a, end: $b) { id } } }';
    expect(cost(source, { a: '2030-01-01T00:00:00Z' })).toBe(3);
    expect(cost(source, { a: '2030-01-01T00:00:00Z', b: '2030-01-01T12:00:00Z' })).toBe(2);
    expect(cost(source, { a: '2030-01-01T00:00:00Z', b: '2030-03-02T00:00:00Z' })).toBe(61);
  });

  test.each([
    ['as many as are sent', { ids: ['a', 'b', 'c'] }, 4],
    ['none', { ids: [] }, 1],
    ['one for a single one', { ids: 'a' }, 2],
    ['the default where nothing is sent', {}, 3],
  ])('ids in a variable: %s', (_what, variables, expected) => {
    expect(cost('query ($ids: [ID!] = ["a", "b"]) { me { byId(ids: $ids) { id } } }', variables)).toBe(expected);
  });

  test('a variable counts in each list that it sizes, and the same document again with another value', () => {
    const source = 'query ($n: Int, $b: Int) { people(first: $n, last: $b) { nodes { friends(first: $n) { id } } } }';
    expect(cost(source, { n: 2 })).toBe(1 + 2 * (1 + 2));
    expect(cost(source, { n: 10 })).toBe(1 + 10 * (1 + 10));
    expect(cost(source, { b: 4 })).toBe(1 + 4 * (1 + 25));
  });
});

const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

test('an answer whose lists are all full holds as many objects as its operation costs', () => {
  const source = `{ people(first: 3) { nodes { ...F friends(first: 2) { id } } edges { node { id } } pageInfo { hasNextPage } } }
    fragment F on Person { hosts { id friend { id } } rota { id } }`;
  let objects = 0;
  const full = (list: unknown): unknown => (Array.isArray(list) ? list.map(full) : ((objects += 1), list));
  const lists: Record<string, unknown> = {
    nodes: many(3, {}),
    edges: many(3, {}),
    friends: many(2, {}),
    hosts: many(10, {}),
    rota: many(10, many(10, {})),
  };
  const result = executeSync({
    schema,
    document: parse(source),
    fieldResolver: (_source, _args, _context, { fieldName }) =>
      ['id', 'hasNextPage'].includes(fieldName) ? null : full(lists[fieldName] ?? {}),
  });
  expect(result.errors).toBeUndefined();
  expect(objects).toBe(cost(source));
});
