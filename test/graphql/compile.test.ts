import {
  buildSchema,
  execute,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as turns from '../../src/core/turns.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import { compileQuery, type Text } from '../../src/graphql/plan.ts';

const schema = buildSchema(/* GraphQL */ `
  type Query { item: Item, must: Item!, items: [Item], mustItems: [Item!]!, grid: [[Int]], named: Named, either: Either, say(text: String = "é", n: Int, filter: Filter): String, list(first: Int, after: String, filter: Filter): String, one(id: ID!, size: Int = 3): String, wrong: Int!, none: Int }
  type Mutation { item: Item }
  interface Named { name: String }
  union Either = Item | Other
  type Item implements Named { id: ID!, name: String, item: Item, items: [Item], later: Int, number: Float, size(of: Int): Int }
  type Other { id: ID }
  input Filter { text: String = "inner", list: [Int!] }
`);

const context = {} as GraphQLContext;

/** The plan's text, with `resolve` in the place of every resolver. */
function written(
  source: string,
  root: object,
  variables: Record<string, unknown> = {},
  of: GraphQLSchema = schema,
): Text | undefined {
  const document = parse(source);
  const operation = document.definitions.find(
    (one) => one.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode;
  const fragments = Object.fromEntries(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  // The root's own values: a resolver is called with undefined there.
  const roots = [of.getQueryType(), of.getMutationType()].flatMap((type) => Object.entries(type?.getFields() ?? {}));
  for (const [name, field] of roots) {
    const value = (root as Record<string, unknown>)[name];
    field.resolve = (_root, args, ctx, info) => (typeof value === 'function' ? value(args, ctx, info) : value);
  }
  return compileQuery(of, fragments, operation, { conditions: variables })?.run({ context, variables });
}

async function executed(source: string, variableValues: Record<string, unknown> = {}): Promise<string> {
  const { data, errors } = await execute({ schema, document: parse(source), variableValues, contextValue: context });
  if (errors) throw new Error(errors.join('; '));
  return JSON.stringify(data);
}

const ITEM = {
  id: 1,
  name: 'one "1"',
  item: { id: 'b', name: null, items: [] },
  items: [{ id: 2 }, null, { id: 3 }],
  later: Promise.resolve(4),
  number: -0,
};
const ROOT = {
  item: ITEM,
  must: Promise.resolve(ITEM),
  items: [ITEM, Promise.resolve({ id: 'late', later: Promise.resolve(null) }), null],
  mustItems: [],
  grid: [[1, null, 3], null, [], [Promise.resolve(-0)]],
  none: undefined,
  say: (args: object) => JSON.stringify(args),
  list: (args: object) => JSON.stringify(args),
  one: (args: object) => JSON.stringify(args),
};

const rejections: unknown[] = [];
const onRejection = (reason: unknown): unknown => rejections.push(reason);
beforeEach(() => {
  rejections.length = 0;
  process.on('unhandledRejection', onRejection);
});
afterEach(() => {
  process.off('unhandledRejection', onRejection);
  vi.restoreAllMocks();
});
/** Until Node has told of every rejection that nobody handles. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a plan writes what the executor gives', () => {
  test.each([
    '{ item { id name } }',
    '{ __typename a: __typename item { __typename } }',
    '{ item { b: name a: id c: name } must { later } none }',
    '{ items { id later } mustItems { id } grid }',
    '{ item { id } item { name item { id } } item { item { name items { id } } } }',
    '{ item { ...F ...F } ...G } fragment F on Item { id items { ...H } } fragment H on Item { id } fragment G on Query { item { name ...F } must { id } }',
    '{ ... { item { ... on Item { id } ... on Named { name } } } }',
    '{ item { __proto__: id constructor: name then: id toJSON: name hasOwnProperty: later } }',
    '{ say a: say(text: "") b: say(text: null) c: say(n: -3, filter: {}) d: say(filter: { text: null, list: 4 }) e: say(filter: { list: [] }) f: say(text: """ block "quoted" """) }',
    '{ item { number } }',
    '{ __schema { types { name kind description fields(includeDeprecated: true) { name args { name defaultValue } isDeprecated type { name kind ofType { name } } } inputFields { name defaultValue } enumValues { name } possibleTypes { name } interfaces { name } } directives { name args { name } locations isRepeatable } queryType { name } subscriptionType { name } } }',
    '{ __type(name: "Item") { ...T } none: __type(name: "None") { name } item { id } } fragment T on __Type { name fields { name __typename } }',
  ])('%s', async (source) => {
    const text = await written(source, ROOT);
    expect(text).toBe(await executed(source));
  });

  test.each<[string, Record<string, unknown>]>([
    ['query ($t: String) { say(text: $t) }', {}],
    ['query ($t: String) { say(text: $t) }', { t: null }],
    ['query ($t: String = "default") { say(text: $t) }', { t: 'default' }],
    ['query ($f: Filter, $n: Int!) { say(filter: $f, n: $n) }', { f: { text: 'x', list: [1] }, n: 0 }],
    ['query ($a: String, $f: Int) { list(after: $a, first: $f) }', { a: 'x', f: 3 }],
    ['query ($a: String, $f: Int) { list(after: $a, first: $f) }', { a: 'x', f: null }],
    ['query ($a: String, $f: Int) { list(after: $a, first: $f) }', { f: 0 }],
    ['query ($f: Int) { list(first: $f, filter: { list: 4 }) }', { f: 3 }],
    ['query ($f: Filter) { list(filter: $f) }', { f: { text: 'inner' } }],
    ['query ($constructor: String, $toString: Int) { list(after: $constructor, first: $toString) }', {}],
    ['query ($__proto__: String) { list(after: $__proto__) }', {}],
    ['query ($i: ID!, $n: Int = 4) { one(id: $i) b: one(id: $i, size: $n) }', { i: 'x', n: 4 }],
    ['query ($l: [Int!]) { say(filter: { list: $l }) b: say(filter: { text: "x" }) }', { l: [] }],
    // Each condition by itself (GraphQL §3.13), and both before the same selection: it is there if neither leaves it out.
    ...[true, false].flatMap((s) =>
      [true, false].map((i): [string, Record<string, unknown>] => [
        `query ($s: Boolean!, $i: Boolean = ${i}) {
          item { id a: name @skip(if: $s) b: name @include(if: $i) c: name @skip(if: $s) @include(if: $i) name @include(if: true) later @skip(if: true) }
          say @include(if: $s) ...F @skip(if: $s) ...F @include(if: $i)
          ... @include(if: $i) { must { id items @skip(if: $s) { id } } } ... on Query @skip(if: $i) { must { name } }
        } fragment F on Query { item { number } grid @skip(if: $i) none @include(if: $s) }`,
        { s, i },
      ]),
    ),
  ])('%s of %j', async (source, variables) => {
    expect(await written(source, ROOT, variables)).toBe(await executed(source, variables));
  });
});

test('a value that needs no waiting is written at once', () => {
  expect(written('{ item { id } mustItems { id } }', ROOT)).toBe('{"item":{"id":"1"},"mustItems":[]}');
});

test('mutations are carried out one after the other, each with what stands below it', async () => {
  const begun: string[] = [];
  const change = (_args: object, _context: unknown, { fieldNodes: [node] }: GraphQLResolveInfo) => {
    const key = node?.alias?.value ?? '';
    begun.push(key);
    return Promise.resolve({ later: Promise.resolve().then(() => begun.push(`below ${key}`)) });
  };
  const text = await written('mutation { a: item { later } b: item { later } c: item { later } }', { item: change });
  expect(text).toBe('{"a":{"later":2},"b":{"later":4},"c":{"later":6}}');
  expect(begun).toEqual(['a', 'below a', 'b', 'below b', 'c', 'below c']);
});

test('a field behind a mutation that fails is not begun', async () => {
  const begun: string[] = [];
  const change = (_args: object, _context: unknown, { fieldNodes: [node] }: GraphQLResolveInfo) => {
    begun.push(node?.alias?.value ?? '');
    return Promise.reject(new Error('refused'));
  };
  await expect(written('mutation { a: item { id } b: item { id } }', { item: change })).rejects.toThrow('refused');
  expect(begun).toEqual(['a']);
});

const spoil = (args: Record<string, unknown>): string => {
  const before = JSON.stringify(args);
  for (const name of Object.keys(args)) delete args[name];
  return before;
};

test('each object is resolved with arguments of its own, so that a resolver may do with them as it likes', () => {
  const root = { ...ROOT, say: spoil };
  expect(written('{ a: say(text: "x") b: say(text: "x") }', root)).toBe(
    written('{ a: say(text: "x") b: say(text: "x") }', root),
  );
  expect(written('{ a: say(text: "x") }', root)).toBe('{"a":"{\\"text\\":\\"x\\"}"}');
});

test.each([
  'subscription { item { id } }',
  '{ item { id @include(if: false) } }',
  'query ($unknown: Boolean!) { item { id @include(if: $unknown) } }',
  '{ named { name } }',
  '{ either { ... on Item { id } } }',
])('%s is for the executor', (source) => {
  expect(written(source, ROOT)).toBeUndefined();
});

test('a query whose fragments are far larger than itself is for the executor', () => {
  const document = parse('{ item { ...F item { ...F item { ...F } } } } fragment F on Item { id name number }');
  const [operation, fragment] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error();
  expect(compileQuery(schema, { F: fragment }, operation, { mostFields: 12 })).toBeDefined();
  expect(compileQuery(schema, { F: fragment }, operation, { mostFields: 11 })).toBeUndefined();
});

describe('a plan rejects everything that the executor would have to report:', () => {
  const refused: readonly [string, string, object][] = [
    ['null where there has to be something', '{ must { id } }', { must: null }],
    ['nothing where there has to be something', '{ item { id } }', { item: {} }],
    ['null in a list of what is there', '{ mustItems { id } }', { mustItems: [ITEM, null] }],
    ['an error as a value', '{ item { name } }', { item: new Error('as a value') }],
    ['an error in a list', '{ items { name } }', { items: [ITEM, new Error('in a list')] }],
    ['an error of a scalar', '{ item { name } }', { item: { name: new Error('of a scalar') } }],
    ['no list', '{ items { id } }', { items: { length: 1, 0: ITEM } }],
    ['a text that is no number', '{ wrong }', { wrong: 'x' }],
    ['a number too large', '{ wrong }', { wrong: 2 ** 31 }],
    ['a number that is none', '{ item { number } }', { item: { number: Number.NaN } }],
    [
      'a resolver that throws',
      '{ say }',
      {
        say: () => {
          throw new Error('thrown');
        },
      },
    ],
    ['a resolver that rejects', '{ item { id } say }', { ...ROOT, say: () => Promise.reject(new Error('rejected')) }],
    ['an argument that does not fit', 'query { say(n: 3000000000) }', ROOT],
  ];
  test.each(refused)('%s', async (_what, source, root) => {
    await expect((async () => written(source, root))()).rejects.toThrow(/./);
    await settled();
    expect(rejections).toEqual([]);
  });
});

const failing = () => Promise.reject(new Error('late'));

describe('no rejection is left unhandled that nobody waits for any more:', () => {
  const late = {
    id: 1,
    get later() {
      return failing();
    },
  };

  test('a field beside one that throws at once', async () => {
    await expect(
      (async () => written('{ item { later id name } }', { item: { later: failing(), id: null } }))(),
    ).rejects.toThrow(/./);
    await settled();
    expect(rejections).toEqual([]);
  });

  test('items before and behind one that throws at once', async () => {
    const items = [late, failing(), new Error('at once'), failing(), failing()];
    await expect((async () => written('{ items { later id } }', { items }))()).rejects.toThrow('at once');
    await settled();
    expect(rejections).toEqual([]);
  });

  test('items of a list that pauses meanwhile', async () => {
    // Every look at the time says that others wait.
    const start = performance.now();
    let calls = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => start + 20 * calls++);
    expect(turns.turnIsOver()).toBe(false);
    const items = Array.from({ length: 60 }, () => late);
    const text = (async () => written('{ items { id later } }', { items }))();
    await expect(text).rejects.toThrow('late');
    await settled();
    expect(rejections).toEqual([]);
  });
});

test('a resolver that asks for variables is left to the executor: they are in its arguments', () => {
  const root = { say: (_args: object, _context: unknown, info: GraphQLResolveInfo) => info.variableValues };
  expect(() => written('query ($n: Int) { say(n: $n) }', root, { n: 1 })).toThrow('no variables');
});
