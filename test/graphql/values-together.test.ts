/** Values that come together (batch.ts) are written as the executor gives them, whatever stands beside, above and below them. */
import {
  buildSchema,
  execute,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OUT } from '../../src/core/json-text.ts';
import { Ending } from '../../src/database/deadline.ts';
import { batched, batchedEach } from '../../src/graphql/batch.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import { listInTurns } from '../../src/graphql/limits/price.ts';
import { OneOfMany } from '../../src/graphql/one-of-many.ts';
import { compileQuery } from '../../src/graphql/plan.ts';
import { type Random, randomFrom } from '../support/random-documents.ts';
import { executed as executedRows, randomRows, written as writtenRows } from '../support/written-rows.ts';

const schema = buildSchema(/* GraphQL */ `
  type Query { node(of: Int): Node, must: Node!, nodes: [Node], list: [Node], none: Node }
  type Node { name: String!, soon: String!, one(by: Int): Node, other: Node, many(by: Int): [Node!], items: [Node], none: Node, bad: String!, badLater: Int!, throws: String }
`);

/** A node of a tree without end, known by its path. */
interface Node {
  readonly name: string;
}

const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

/** The keys that each loader was asked for, call by call. */
let calls: string[][];
/** A loader whose name is in here fails. */
let failing: Set<string>;
const loaders = {
  one: batchedEach(async (_context, items: readonly string[], _by: unknown) =>
    loaded('one', items, (name) => ({ name: `${name}.one` })),
  ),
  other: batched(async (_context, names, _by: unknown) => {
    const found = await loaded('other', names, (name) => ({ name: `${name}.other` }), 2);
    return new Map(names.flatMap((name, index) => (name.length % 3 ? [[name, found[index] as Node] as const] : [])));
  }),
  many: batchedEach(async (_context, items: readonly string[], by: number) =>
    loaded('many', items, (name) => Array.from({ length: by }, (_, index) => ({ name: `${name}.${index}` }))),
  ),
};

async function loaded<Value>(
  name: string,
  items: readonly string[],
  make: (name: string) => Value,
  turns = 1,
): Promise<Value[]> {
  calls.push([name, ...items]);
  for (let count = 0; count < turns; count += 1) await turn();
  if (failing.has(name)) throw new Error(`${name} failed`);
  return items.map(make);
}

type Resolver = GraphQLFieldResolver<Node, GraphQLContext>;
const RESOLVERS: Readonly<Record<string, Resolver>> = {
  soon: async ({ name }) => `${name}, soon`,
  one: ({ name }, { by }, context) => loaders.one(context, name, by),
  other: ({ name }, _args, context) => loaders.other(context, name, undefined),
  many: ({ name }, { by = 2 }, context) => loaders.many(context, name, by),
  items: ({ name }, _args, context) => [
    { name: `${name}(0)` },
    loaders.one(context, `${name}(1)`, undefined),
    null,
    loaders.other(context, `${name}(33)`, undefined),
    Promise.resolve({ name: `${name}(4)` }),
  ],
  none: ({ name }, _args, context) => loaders.other(context, `${name}${'x'.repeat(3 - (name.length % 3))}`, undefined),
  bad: () => null,
  badLater: ({ name }, _args, context) => loaders.one(context, name, undefined),
  throws: () => {
    throw new Error('thrown');
  },
};
const ROOT: Node = { name: 'root' };
const resolve = (type: string, name: string, resolver: Resolver): void => {
  const field = (schema.getType(type) as GraphQLObjectType).getFields()[name];
  if (field) field.resolve = (source: Node | undefined, ...rest) => resolver(source ?? ROOT, ...rest);
};
for (const [name, resolver] of Object.entries(RESOLVERS)) resolve('Node', name, resolver);
resolve('Query', 'node', ({ name }, { of = 0 }, context) => loaders.one(context, `${name}${of}`, undefined));
resolve('Query', 'must', ({ name }, _args, context) => loaders.other(context, name, undefined));
resolve('Query', 'nodes', ({ name }, _args, context) => loaders.many(context, name, 40));
resolve('Query', 'list', RESOLVERS['items'] as Resolver);
resolve('Query', 'none', RESOLVERS['none'] as Resolver);

async function written(source: string, ending?: Ending): Promise<string> {
  const [operation, ...others] = parse(source).definitions;
  const fragments = Object.fromEntries(
    others.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  const plan = compileQuery(schema, fragments, operation as OperationDefinitionNode);
  if (!plan) throw new Error('It has no plan.');
  return plan.run({ context: {} as GraphQLContext, variables: {}, ...(ending && { ending }) });
}

async function executed(source: string): Promise<string | undefined> {
  const { data, errors } = await execute({ schema, document: parse(source), contextValue: {} });
  return errors ? undefined : JSON.stringify(data);
}

/** Each call's items in any order: which field of an object is asked first is nobody's business. */
async function callsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  calls = [];
  await work();
  return calls.map(([name, ...items]) => `${name}: ${items.toSorted().join()}`).toSorted();
}

const rejections: unknown[] = [];
const onRejection = (reason: unknown): unknown => rejections.push(reason);
beforeEach(() => {
  [calls, failing] = [[], new Set()];
  rejections.length = 0;
  process.on('unhandledRejection', onRejection);
});
afterEach(async ({ expect: expectHere }) => {
  vi.restoreAllMocks();
  // Until Node has told of every rejection that nobody handles.
  for (let count = 0; count < 8; count += 1) await turn();
  process.off('unhandledRejection', onRejection);
  expectHere(rejections).toEqual([]);
  expectHere(OUT.length).toBe(0);
});

const DOCUMENTS: readonly string[] = [
  '{ node { name } }',
  '{ node { one { name } } must { name } none { name } }',
  '{ b: node(of: 2) { name } a: node(of: 1) { name } c: node(of: 2) { soon } }',
  '{ a: node { name } b: node { other { name } } must { one { one { one { name } } } } }',
  '{ node { soon one { name } other { name } name } }',
  '{ node { one { name } soon other { soon } } list { name } }',
  '{ node { a: many(by: 2) { name } b: many(by: 3) { name } c: many(by: 2) { one { name } } d: many(by: 0) { name } } }',
  '{ node { items { name one { name } items { other { name } } } } }',
  '{ nodes { name } }',
  '{ nodes { one { name } other { name } } }',
  '{ nodes { one { other { many { name one { name } } } } name } }',
  '{ nodes { none { name } many(by: 17) { name one { name } } } }',
  '{ list { one { name } } x: list { many { other { soon } } } }',
];

describe('a plan writes values that come together as the executor gives them', () => {
  test.each(DOCUMENTS)('%s', async (source) => {
    const expected = await executed(source);
    expect(expected).toBeDefined();
    expect(await written(source)).toBe(expected);
  });

  test.each(DOCUMENTS)('with as many calls of each loader: %s', async (source) => {
    expect(await callsOf(() => written(source))).toEqual(await callsOf(() => executed(source)));
  });

  test('in documents made at random', async () => {
    const random = randomFrom(5);
    for (let count = 0; count < 150; count += 1) {
      const source = `{ ${selection(random, 4, ['node', 'must', 'nodes', 'list', 'none'])} }`;
      expect([source, await written(source)]).toEqual([source, await executed(source)]);
    }
  });

  test('when every look at the time says that others wait', async () => {
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
    for (const source of DOCUMENTS) expect(await written(source)).toBe(await executed(source));
  });

  test('in many requests at the same moment, each its own', async () => {
    const sources = Array.from({ length: 60 }, (_, index) => `{ a${index}: node(of: ${index}) { name one { name } } }`);
    const texts = await Promise.all(sources.map((source) => written(source)));
    expect(texts).toEqual(await Promise.all(sources.map((source) => executed(source))));
  });
});

function selection(random: Random, depth: number, fields: readonly string[]): string {
  const count = 1 + Math.floor(random() * 3);
  return Array.from({ length: count }, (_, index) => {
    const name = fields[Math.floor(random() * fields.length)] ?? '';
    const alias = `${'abcdef'[Math.floor(random() * 6)]}${depth}${index}: `;
    if (name === 'name' || name === 'soon') return alias + name;
    const below = depth === 0 ? ['name', 'soon'] : ['name', 'soon', 'one', 'other', 'many', 'items', 'none'];
    return `${alias}${name} { ${selection(random, Math.max(0, depth - 1), below)} }`;
  }).join(' ');
}

test('values that come together ask for what stands below them in one call, beyond sixteen, too', async () => {
  expect(await callsOf(() => written('{ nodes { one { other { name } } } }'))).toHaveLength(3);
  expect(calls.map(([name, ...items]) => `${name} ${items.length}`)).toEqual(['many 1', 'one 40', 'other 40']);
});

describe('a failure is reported once, and leaves no rejection that nobody handles:', () => {
  test.each<[what: string, fails: string, source: string]>([
    ['a batch that many fields wait for', 'one', '{ nodes { one { name } a: one { name } } }'],
    ['a batch that one field waits for', 'one', '{ node { name } }'],
    ['one of two batches in an object', 'other', '{ node { one { name } other { name } soon } }'],
    ['the other of them', 'one', '{ must { one { name } other { name } soon } }'],
    ['both', 'one other', '{ node { name } must { name } }'],
    ['a batch beside a resolver that throws', 'one', '{ nodes { one { name } throws } }'],
    ['a batch beside nothing where something has to be', 'many', '{ node { many { name } bad } }'],
    ['batches of items of a list', 'other', '{ list { name } }'],
    ['batches of items, all of them', 'one other', '{ list { name } b: list { name } }'],
    ['a batch below another one', 'other', '{ nodes { one { other { name } } one { other { soon } } } }'],
    ['batches below others, at two depths', 'many other', '{ nodes { name } node { other { name } many { name } } }'],
  ])('%s', async (_what, fails, source) => {
    for (const name of fails.split(' ')) failing.add(name);
    expect(await executed(source)).toBeUndefined();
    await expect(written(source)).rejects.toThrow(/failed|thrown|cannot be null/);
  });

  test.each([
    ['one value that cannot be written while others wait', '{ nodes { one { bad } soon } }'],
    ['a value that cannot be written before others that can', '{ a: node { badLater } b: node { one { name } } }'],
    ['one that cannot be written behind others that wait', '{ a: node { one { name } soon } b: node { badLater } }'],
    ['one of a batch, while another batch of its object is awaited', '{ node { badLater other { name } soon } }'],
    ['a resolver that throws below values that came together', '{ nodes { a: one { soon } b: one { throws } } }'],
  ])('%s', async (_what, source) => {
    expect(await executed(source)).toBeUndefined();
    await expect(written(source)).rejects.toThrow(/./);
  });

  test('a batch that fails after one beside it could not be written', async () => {
    failing.add('other');
    await expect(written('{ node { other { name } bad } }')).rejects.toThrow('cannot be null');
    await expect(written('{ nodes { other { name } bad } }')).rejects.toThrow('cannot be null');
    await expect(written('{ a: node { badLater } must { name } }')).rejects.toThrow(/./);
  });

  test('a batch below one of the values that came together, behind which another could not be written', async () => {
    failing.add('other');
    const source = '{ node { one { other { name } } badLater } }';
    await expect(written(source)).rejects.not.toThrow('other failed');
    expect(calls.map(([name]) => name)).toEqual(['one', 'one', 'other']);
  });

  test('batches of a list that pauses, and has more items that fail', async () => {
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
    failing.add('other');
    await expect(written('{ nodes { name other { name } soon } }')).rejects.toThrow('other failed');
  });

  test('a batch that fails when nobody waits for the answer any more', async () => {
    failing.add('one');
    const ending = new Ending();
    const text = written('{ nodes { soon one { name } } }', ending);
    await turn();
    ending.end(new Error('The client has gone away.'));
    await expect(text).rejects.toThrow(/gone away|one failed/);
  });
});

test('nothing more is resolved below values that come when nobody waits any more', async () => {
  const ending = new Ending();
  const text = written('{ node { one { other { name } } } }', ending);
  await Promise.resolve();
  ending.end(new Error('The client has gone away.'));
  await expect(text).rejects.toThrow('gone away');
  expect(calls.map(([name]) => name)).toEqual(['one']);
});

describe('one of values that come together is a promise like any other:', () => {
  const together = Promise.resolve(['a', 'b', undefined]);

  test('its value is its own', async () => {
    const all = [0, 1, 2].map((index) => new OneOfMany(together, index));
    expect(await Promise.all(all)).toEqual(['a', 'b', undefined]);
    expect(await all[1]).toBe('b');
    expect(await new OneOfMany(together, 1).then((value) => `${value}!`)).toBe('b!');
    expect(await new OneOfMany(together, 1).catch(() => 'none')).toBe('b');
    const done = vi.fn<() => void>();
    expect(await new OneOfMany(together, 0).finally(done)).toBe('a');
    expect(done).toHaveBeenCalledExactlyOnceWith();
  });

  test('it fails with all', async () => {
    const failed = Promise.reject(new Error('failed'));
    await expect(new OneOfMany(failed, 0)).rejects.toThrow('failed');
    await expect(new OneOfMany(failed, 0).then(() => 'x')).rejects.toThrow('failed');
    expect(await new OneOfMany(failed, 0).then(null, () => 'handled')).toBe('handled');
    expect(await new OneOfMany(failed, 0).catch((error: unknown) => (error as Error).message)).toBe('failed');
    const done = vi.fn<() => void>();
    await expect(new OneOfMany(failed, 0).finally(done)).rejects.toThrow('failed');
    expect(done).toHaveBeenCalledTimes(1);
  });

  test('a list that comes so is shown to the executor in turns, like another', async () => {
    const list = Array.from({ length: 250 }, (_, index) => index);
    const shown = listInTurns(new OneOfMany(Promise.resolve(['x', list]), 1));
    expect(await shown).not.toBe(list);
    expect(await Array.fromAsync((await shown) as AsyncIterable<number>)).toEqual(list);
    expect(await listInTurns(new OneOfMany(Promise.resolve(['x', list]), 0))).toBe('x');
  });
});

/** By turns. */
function inOrder(rows: readonly unknown[]): OneOfMany<unknown>[] {
  const all = Promise.resolve(rows);
  return rows.map((_, index) => new OneOfMany(all, (index * 7) % rows.length));
}

function rootTogether(rows: readonly unknown[]) {
  const [row, must] = inOrder(rows);
  return { rows: inOrder(rows), maybe: [null, ...inOrder(rows), rows[0]], row, must };
}

test('items that fail together behind one that throws at once are no rejection that nobody handles', async () => {
  const failed = Promise.reject(new Error('failed'));
  const rows = [new Error('at once'), new OneOfMany(failed, 0), new OneOfMany(failed, 1)];
  await expect(writtenRows('{ maybe { name } }', { maybe: rows })).rejects.toThrow('at once');
});

test('rows that come together are written as bytes, in their places', async () => {
  const { wire, objects } = randomRows(randomFrom(3), 30);
  const document = '{ rows { name label later one { name } } maybe { later id } row { note } must { name later } }';
  expect(await writtenRows(document, rootTogether(wire))).toBe(await executedRows(document, rootTogether(objects)));
});
