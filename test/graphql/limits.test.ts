import { buildSchema, getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/graphql/limits/limits.ts';
import { SINGLE } from '../../src/graphql/mutation.ts';
import { paced } from '../support/pace.ts';
import { plainGraphql, post } from '../support/plain-graphql.ts';

const schema = buildSchema(`
  type Query { me: Person, people(first: Int, last: Int): Connection, echo(value: Any): Int }
  type Mutation { rename(name: String): Person, verifiedEmailCreate(code: String): Person, verifiedPhoneCreate(code: String): Person }
  type Person { id: ID, name: String, friend: Person, people(first: Int, last: Int): Connection }
  type Connection { nodes: [Person] }
  scalar Any
`);

for (const name of ['verifiedEmailCreate', 'verifiedPhoneCreate']) {
  const field = schema.getMutationType()?.getFields()[name];
  if (field) field.extensions = { [SINGLE]: true };
}
const server = plainGraphql(schema);

interface Answer {
  readonly status: number;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
    readonly extensions?: Record<string, unknown>;
  };
}

async function send(
  query: string,
  variables?: unknown,
  operationName?: string,
  accept = 'application/graphql-response+json',
): Promise<Answer> {
  const response = await post(server, { query, variables, operationName }, accept);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
const { document, cost } = LIMITS;

/** By the code of the limit: a document of a given size, and the size that is still within the limit. */
/** Pages in pages, which cost as much together. */
const COST_OF_PAGES = 49_905;
const PAGES = [100, 100, 100, 100, 89]
  .map((size, index) => `p${index}: people(first: 100) { nodes { people(first: ${size}) { nodes { id } } } }`)
  .join(' ');
const LIMITED: [code: string, most: number, write: (size: number) => string][] = [
  ['QUERY_TOO_LONG', LIMITS.characters, (size) => '{ me { id } }'.padEnd(size)],
  ['TOO_MANY_TOKENS', LIMITS.tokens, (size) => `{ echo(value: [${times(size - 9, () => '1')}]) }`],
  ['QUERY_TOO_DEEP', document.depth, (size) => `{ me { ${'friend { '.repeat(size - 2)} id ${'}'.repeat(size)}`],
  ['QUERY_TOO_LARGE', document.selections / 50 - 1, (size) => `{ me { ${times(size, () => '...Fifty')} } } ${FIFTY}`],
  ['TOO_MANY_ALIASES', document.aliases, (size) => `{ me { ${times(size, (index) => `a${index}: id`)} } }`],
  ['TOO_MANY_ALIASES', document.aliases / 3, (size) => `{ me { ${times(size, () => '...Three')} } } ${THREE}`],
  [
    'TOO_MANY_ALIASES',
    document.introspectionAliases,
    (size) => `{ __schema { types { name } } ${times(size, () => 'a: __schema { types { name } }')} }`,
  ],
  [
    'TOO_MANY_ALIASES',
    document.introspectionAliases,
    (size) => `{ __schema { types { name ${times(size, () => 'a: name')} } } }`,
  ],
  [
    'TOO_MANY_DIRECTIVES',
    document.directives,
    (size) => `{ me { ${times(size, () => '... @include(if: true) { id }')} name } }`,
  ],
  ['TOO_MANY_ROOT_FIELDS', document.rootFields, (size) => `{ ${times(size, () => 'me { id }')} }`],
  ['TOO_MANY_REPETITIONS', document.repetitions, (size) => `{ me { ${times(size, () => 'id')} } }`],
  [
    'TOO_MANY_REPETITIONS',
    document.repetitions - 1,
    (size) => `{ me { id ...More } } fragment More on Person { ${times(size, () => 'id')} }`,
  ],
  ['VALUE_TOO_DEEP', document.valueDepth, (size) => `{ echo(value: ${'['.repeat(size)}${']'.repeat(size)}) }`],
  ['VALUE_TOO_DEEP', document.valueDepth, (size) => `{ echo(value: ${'{ a: '.repeat(size)} 1 ${'}'.repeat(size)}) }`],
  [
    'INTROSPECTION_TOO_DEEP',
    document.introspectionLists,
    (size) => `{ __schema { types { ${size > 3 ? DEEPER : '...Type'} } } } ${TYPE}`,
  ],
  [
    'TOO_MANY_MUTATIONS',
    document.singleMutations,
    (size) => `mutation { rename { id } ${times(size, (index) => `a${index}: verifiedEmailCreate { id }`)} }`,
  ],
  [
    'TOO_MANY_MUTATIONS',
    document.singleMutations,
    (size) =>
      `mutation { verifiedEmailCreate { id } ...M } fragment M on Mutation { ${size > 1 ? 'verifiedPhoneCreate' : 'rename'} { id } }`,
  ],
  [
    'COST_LIMIT_EXCEEDED',
    cost - COST_OF_PAGES - 1,
    (size) => `{ ${PAGES} z: people(first: ${size}) { nodes { id } } }`,
  ],
];
const FIFTY = `fragment Fifty on Person { ${times(10, () => '...Five')} } fragment Five on Person { friend { friend { friend { friend { id } } } } }`;
const THREE = 'fragment Three on Person { a: id b: id c: id }';
const TYPE = 'fragment Type on __Type { fields { args { name } } interfaces { name } }';
const DEEPER = '...Type fields { type { ...Type } }';

describe('an operation over a limit is refused as a whole, with a code of its own; within the limit it runs', () => {
  test.each(LIMITED)('%s', async (code, most, write) => {
    const within = await send(write(most));
    expect(within.body.errors).toBeUndefined();
    expect(within.status).toBe(200);

    const over = await send(write(most + 1));
    expect(over.status).toBe(400);
    expect(over.body).not.toHaveProperty('data');
    expect(over.body.errors).toHaveLength(1);
    expect(over.body.errors?.[0]?.extensions).toMatchObject({ code });
  });

  test.each([
    [LIMITS.variableValues - 1, 0, undefined],
    [LIMITS.variableValues, 0, 'VARIABLES_TOO_LARGE'],
    [0, document.valueDepth, undefined],
    [0, document.valueDepth + 1, 'VALUE_TOO_DEEP'],
  ])('variables with %i values, %i deep: %s', async (count, depth, code) => {
    let value: unknown = Array.from({ length: count }, () => 1);
    for (let level = 1; level < depth; level += 1) value = [value];
    const { body } = await send('query ($value: Any) { echo(value: $value) }', { value });
    expect(body.errors?.[0]?.extensions?.['code']).toBe(code);
  });

  test('the largest of a document with several operations counts, whichever is chosen', async () => {
    const small = 'query Small { me { id } }';
    const large = `query Large { me { ${times(document.aliases + 1, (index) => `a${index}: id`)} } }`;
    expect((await send(`${small} ${large}`, {}, 'Small')).body.errors?.[0]?.extensions?.['code']).toBe(
      'TOO_MANY_ALIASES',
    );
    expect((await send(`${small} query Other { me { name } }`, {}, 'Small')).status).toBe(200);
  });

  test('a limit holds for a document that came before, too', async () => {
    const query = `{ me { ${times(document.aliases + 1, (index) => `a${index}: id`)} } }`;
    const first = await send(query);
    expect(await send(query)).toEqual(first);
    expect(first.status).toBe(400);
  });
});

test('an error says which limit, what was found and what is allowed', async () => {
  const query = `{ me { ${times(31, (index) => `a${index}: id`)} } }`;
  const { status, body } = await send(query, {}, undefined, 'application/json');
  expect(status).toBe(400);
  expect(body.errors?.[0]).toMatchObject({
    message: 'The operation has 31 aliases; 30 are allowed: split it.',
    extensions: { code: 'TOO_MANY_ALIASES', found: 31, limit: 30 },
  });
});

test('the full introspection query, as tools send it, is within all limits', async () => {
  const query = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  expect((await send(query)).body.errors).toBeUndefined();
});

test('an answer says what its operation cost, an error has no cost unless that is the reason', async () => {
  expect((await send('{ people(first: 5) { nodes { id } } }')).body.extensions).toEqual({
    cost: { requested: 6, limit: cost },
  });
  expect((await send('{ unknown }')).body.extensions).toBeUndefined();
  const pages = 'people(first: 100) { nodes { people(first: $n) { nodes { friend { friend { friend { id } } } } } } }';
  const inside = `query ($n: Int) { a: ${pages} b: ${pages} }`;
  const { body } = await send(inside, { n: 100 });
  expect(body.errors?.[0]?.extensions).toMatchObject({ cost: { requested: expect.any(Number), limit: cost } });
});

test.each([
  ['($n: Int)', 'first: $n', { n: 3_000_000_000 }, 'first is 3000000000; give a number from 1 to 100.'],
  ['($n: Int)', 'first: $n', { n: 50_000 }, 'first is 50000; give a number from 1 to 100.'],
  ['($n: Int)', 'last: $n', { n: 50_000 }, 'last is 50000; give a number from 1 to 100.'],
  ['($n: Int = 60000)', 'first: $n', {}, 'first is 60000; give a number from 1 to 100.'],
  ['', 'first: 70000', {}, 'first is 70000; give a number from 1 to 100.'],
])('a page that no list has is told by what its size may be: %s %s %o', async (head, size, variables, message) => {
  const fragment = `fragment F on Person { people(${size}) { nodes { id } } }`;
  const { status, body } = await send(`query ${head} { people(first: 2) { nodes { ...F } } } ${fragment}`, variables);
  expect([status, body.errors]).toMatchObject([
    400,
    [{ message, extensions: { code: 'BAD_INPUT', argument: [size.slice(0, size.indexOf(':'))] } }],
  ]);
});

describe('a hostile document gets a clear error within 50 ms of CPU', () => {
  const circle = (count: number): string =>
    times(count, (index) => `fragment F${index} on Person { friend { ...F${(index + 1) % count} } }`);
  const wide = (levels: number): string =>
    `${times(levels, (index) => `fragment F${index} on Person { friend { ...F${index + 1} ...F${index + 1} } }`)} fragment F${levels} on Person { id }`;
  const hostile: [string, string, unknown?][] = [
    ['400 levels of fragment fan-out', `{ me { ...F0 } } ${wide(400)}`],
    ['as many as its tokens allow', `{ me { ...F0 } } ${wide(130)}`],
    ['10,000 aliases', `{ me { ${times(10_000, (index) => `a${index}: id`)} } }`],
    ['1,000 repeated objects', `{ me { ${times(1_000, () => 'friend { id }')} } }`],
    [
      'objects repeated as often as is allowed',
      `{ me { ${times(450, (index) => (index < 50 ? 'friend { id }' : index < 100 ? 'friend { name }' : 'people { nodes }'))} } }`,
    ],
    ['a document of 1 MB', `{ me { ${times(250_000, () => 'id')} } }`],
    ['1 MB of one string', `{ echo(value: "${'x'.repeat(999_000)}") }`],
    ['1 MB of comments', `${'#\n'.repeat(330_000)} { me { id } }`],
    ['a list 100,000 deep', `{ echo(value: ${'['.repeat(100_000)}${']'.repeat(100_000)}) }`],
    ['a list as deep as its tokens allow', `{ echo(value: ${'['.repeat(990)}${']'.repeat(990)}) }`],
    ['a type 900 lists deep', `query ($a: ${'['.repeat(900)}Int${']'.repeat(900)}) { echo(value: $a) }`],
    ['selections 100,000 deep', '{ me '.repeat(100_000)],
    ['selections as deep as its tokens allow', `{ me ${'{ friend '.repeat(900)} { id } ${'}'.repeat(901)}`],
    ['a fragment that spreads itself', '{ me { ...F0 } } fragment F0 on Person { ...F0 }'],
    ['200 fragments in a circle', `{ me { ...F0 } } ${circle(200)}`],
    ['a circle that nothing leads to', `{ me { id } } ${circle(200)}`],
    [
      'a chain of 280 fragments',
      `{ me { ...F0 } } ${times(280, (index) => `fragment F${index} on Person { ...F${index + 1} }`)} fragment F280 on Person { id }`,
    ],
    ['500 directives on one field', `{ me { id ${times(500, () => '@skip(if: false)')} } }`],
    ['900 unknown directives', `{ me { id ${times(900, (index) => `@d${index}`)} } }`],
    [
      'introspection in circles',
      `{ __schema { types ${'{ fields { type '.repeat(100)} { name } ${'} }'.repeat(100)} } }`,
    ],
    [
      'variables 100,000 lists deep',
      'query ($a: Any) { echo(value: $a) }',
      { a: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown },
    ],
    [
      'variables with 400,000 values',
      'query ($a: Any) { echo(value: $a) }',
      { a: Array.from({ length: 400_000 }, () => 1) },
    ],
    ['a page of 2^31', '{ people(first: 2147483647) { nodes { people(first: 2147483647) { nodes { id } } } } }'],
    ['a page of 1e308 by variable', 'query ($n: Int) { people(first: $n) { nodes { id } } }', { n: 1e308 }],
  ];
  test.each(hostile)('%s', async (_name, query, variables) => {
    const { answer, milliseconds } = await measured(query, variables);
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.[0]?.message).toMatch(/\w/);
    // Other work on the machine costs time too: the document is slow only if it takes this long each time.
    const again = milliseconds < paced(50) ? [] : [await measured(query, variables), await measured(query, variables)];
    expect(Math.min(milliseconds, ...again.map((other) => other.milliseconds))).toBeLessThan(paced(50));
  });
});

/** The answer, and the CPU that it took. */
async function measured(query: string, variables: unknown) {
  const before = process.cpuUsage();
  const answer = await send(query, variables);
  const { user, system } = process.cpuUsage(before);
  return { answer, milliseconds: (user + system) / 1000 };
}

describe('an alias "then", with which the executor cannot answer,', () => {
  test.each([
    '{ then: me { id } }',
    '{ me { friend { then: name } } }',
    '{ ...F } fragment F on Query { me { then: id } }',
  ])('is refused: %s', async (query) => {
    const { status, body } = await send(query);
    expect([status, body.errors?.map(({ extensions }) => extensions?.['code'])]).toEqual([400, ['BAD_REQUEST']]);
  });

  test('is one as an alias only', async () => {
    expect((await send('{ then_: me { id } echo(value: { then: "then" }) }')).status).toBe(200);
  });
});
