import { readFile } from 'node:fs/promises';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { extractDocuments } from '../../src/cli/documents/extract.ts';
import { migrateFiles, type Renames, readRenames } from '../../src/cli/documents/migrate.ts';
import { wholeFile } from '../../src/cli/documents/source-text.ts';
import { buildSchemas } from '../../src/schema.ts';

const schema = buildSchema(`
  type Query { me(view: View): Person, things(first: Int, where: Filter): [Thing!], thing(id: ID!): Thing, found: Found }
  type Mutation { thingSave(input: ThingSaveInput!): ThingSavePayload! }
  input ThingSaveInput { thingId: ID, title: String, filter: Filter, place: Place }
  input Filter { colour: Colour, not: Filter }
  input Place @oneOf { room: String, link: String }
  type ThingSavePayload { thing: Thing, userErrors: [UserError!]! }
  type UserError { code: String! }
  enum Colour { RED GREEN }
  enum View { FULL }
  interface Named { title: String }
  type Person implements Named { id: ID!, title: String, friend: Person }
  type Thing implements Named { id: ID!, title: String, place: Room, count: Int }
  type Room { name: String }
  union Found = Person | Thing
`);
const RENAMES: Renames = {
  renames: {
    'Colour.CRIMSON': 'Colour.RED',
    'Filter.color': 'Filter.colour',
    'Member.caption': 'Person.title',
    'Member.name': 'Person.title',
    'Named.name': 'Named.title',
    'Mutation.saveThing': 'Mutation.thingSave',
    'Query.thing(key:)': 'Query.thing(id:)',
    'Query.things(limit:)': 'Query.things(first:)',
    'SaveThingInput.name': 'ThingSaveInput.title',
    'SaveThingPayload.object': 'ThingSavePayload.thing',
    'Thing.key': 'Thing.id',
    'Thing.name': 'Thing.title',
    'Thing.uid': 'Thing.id',
    'ThingSaveInput.uid': 'ThingSaveInput.thingId',
    Member: 'Person',
    SaveThingInput: 'ThingSaveInput',
    SaveThingPayload: 'ThingSavePayload',
    SaveThingUserError: 'UserError',
  },
  changedValues: { 'Thing.uid': 'Another value.', 'ThingSaveInput.uid': 'Another value.' },
  byHand: {
    Payload: 'Write it on `UserError`.',
    'SaveThingInput.place': 'Name one of its fields.',
    'Thing.place': 'Select its `name`.',
  },
};

function firstOf<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw new RangeError('There is none.');
  return item;
}

async function migratedAll(files: Readonly<Record<string, string>>) {
  const read = await Promise.all(
    Object.entries(files).map(async ([file, content]) => ({ content, ...(await extractDocuments(file, content)) })),
  );
  expect(read.flatMap(({ faults }) => faults)).toEqual([]);
  return migrateFiles(read, schema, RENAMES).map(({ content, changes, faults }) => ({
    content,
    changes,
    left: faults.map(({ line, column, message }) => `${line}:${column} ${message}`),
  }));
}

async function migrated(file: string, before: string) {
  return firstOf(await migratedAll({ [file]: before }));
}

describe('gatehouse scopes --migrate rewrites', () => {
  test.each([
    ['a field', '{ things { key } }', '{ things { id } }'],
    ['a field, and leaves its alias', '{ things { key: key name: title } }', '{ things { key: id name: title } }'],
    [
      'an argument, and the type of its variable where a text became an id',
      'query ($k: String!) { thing(key: $k) { title } ...F } fragment F on Query { again: thing(key: $k) { id } }',
      'query ($k: ID!) { thing(id: $k) { title } ...F } fragment F on Query { again: thing(id: $k) { id } }',
    ],
    ['an argument', '{ things(limit: 3) { id } }', '{ things(first: 3) { id } }'],
    [
      'what is written in an argument',
      '{ things(where: { color: CRIMSON, not: { color: GREEN } }) { id } }',
      '{ things(where: { colour: RED, not: { colour: GREEN } }) { id } }',
    ],
    [
      'a mutation with the types of its input, its answer and its mistakes',
      'mutation ($n: String) { saveThing(input: { name: $n }) { object { key } userErrors { ... on SaveThingUserError { code } } } }',
      'mutation ($n: String) { thingSave(input: { title: $n }) { thing { id } userErrors { ... on UserError { code } } } }',
    ],
    [
      'fragments, wherever they are spread',
      'fragment F on Member { name caption friend { ...F } } query { found { ... on Thing { name } ... on Member { name } } }',
      'fragment F on Person { title title friend { ...F } } query { found { ... on Thing { title } ... on Person { title } } }',
    ],
    ['a field of an interface', 'fragment F on Named { name }', 'fragment F on Named { title }'],
    [
      'nothing that is named as now',
      '{ me(view: FULL) { id title __typename } }',
      '{ me(view: FULL) { id title __typename } }',
    ],
  ])('%s', async (_what, before, after) => {
    expect(await migrated('a.graphql', before)).toMatchObject({ content: after, left: [] });
    expect(await migrated('a.graphql', after)).toEqual({ content: after, changes: 0, left: [] });
  });

  test('documents where they stand in sources, and nothing beside them', async () => {
    const script =
      'const name = "name";\r\nconst q = gql`\r\n  # name\r\n  { things { name } }`;\nexport const key = /* GraphQL */ "{ things { key } }";\n';
    expect(await migrated('a.ts', script)).toEqual({
      content: script.replace('{ name }', '{ title }').replace('{ key }', '{ id }'),
      changes: 2,
      left: [],
    });
    expect(await migrated('a.vue', `<template>name</template>\n<script>\n${script}</script>`)).toMatchObject({
      changes: 2,
    });
  });
});

describe('it names with line and column what is left to do by hand:', () => {
  test.each([
    ['a value that changed its shape', '{ things {\n  place } }', '2:3 place: Select its `name`.'],
    ['a type that has gone', 'fragment F on Payload { a }', '1:15 Payload: Write it on `UserError`.'],
    [
      'an input that changed its shape',
      'mutation { saveThing(input: { place: "x" }) { object { id } } }',
      '1:31 place: Name one of its fields.',
    ],
    ['a value that became an object', '{ me { friend } }', '1:8 friend: is of Person now: select fields of it.'],
    ['an object that became a value', '{ things { count { a } } }', '1:12 count: has no fields any more.'],
    ['what nobody says anything of', '{ me { shoe } }', '1:8 shoe: is not in Person.'],
    [
      'a name that is written with an escape',
      'export const q = gql("{ things { n\\u0061me } }")',
      '1:34 is written with escapes: write "title" instead of "name".',
    ],
  ])('%s', async (_what, before, left) => {
    const file = before.startsWith('export') ? 'a.ts' : 'a.graphql';
    expect((await migrated(file, before)).left).toEqual([left]);
  });

  test('the values of a variable, which are made elsewhere', async () => {
    const { content, left } = await migrated(
      'a.graphql',
      'mutation M($input: SaveThingInput!) { saveThing(input: $input) { object { id } } }',
    );
    expect(content).toBe('mutation M($input: ThingSaveInput!) { thingSave(input: $input) { thing { id } } }');
    expect(left).toEqual([
      '1:13 input: has values to change: ThingSaveInput.uid is ThingSaveInput.thingId. Another value. SaveThingInput.name is ThingSaveInput.title. SaveThingInput.place: Name one of its fields. Filter.color is Filter.colour. Colour.CRIMSON is Colour.RED.',
    ]);
  });
});

const says = (name: string, to: string) =>
  `${name}: is "${to}" now, which another field is called in this answer: write "${name}: ${to}", or another alias.`;

describe('it leaves a name that another field of the answer has, and says so:', () => {
  test.each([
    ['an alias', '{ things { id: title key } }', '{ things { id: title key } }', [`1:22 ${says('key', 'id')}`]],
    [
      'an alias of an object',
      'mutation { saveThing(input: {}) { thing: userErrors { code } object { name } } }',
      'mutation { thingSave(input: {}) { thing: userErrors { code } object { title } } }',
      [`1:62 ${says('object', 'thing')}`],
    ],
    [
      'an alias in an inline fragment',
      '{ things { ... { title: count } name } }',
      '{ things { ... { title: count } name } }',
      [`1:33 ${says('name', 'title')}`],
    ],
    [
      'an alias in a fragment that is spread, of fields inside the same ones',
      '{ me { friend { name } } ...F } fragment F on Query { me { friend { title: id } } }',
      '{ me { friend { name } } ...F } fragment F on Query { me { friend { title: id } } }',
      [`1:17 ${says('name', 'title')}`],
    ],
    [
      'an alias beside which a fragment has the name',
      '{ me { title: id ...F } } fragment F on Member { name }',
      '{ me { title: id ...F } } fragment F on Person { name }',
      [`1:50 ${says('name', 'title')}`],
    ],
    [
      'the same field with other arguments',
      'mutation { saveThing(input: {}) { object { id } } thingSave(input: { title: "x" }) { thing { id } } }',
      'mutation { saveThing(input: {}) { thing { id } } thingSave(input: { title: "x" }) { thing { id } } }',
      [`1:12 ${says('saveThing', 'thingSave')}`],
    ],
    ['the field itself, which is no clash', '{ things { key id } }', '{ things { id id } }', []],
    [
      'an alias of another type, whose values are of another kind',
      '{ found { ... on Thing { name } ... on Person { title: id } } }',
      '{ found { ... on Thing { name } ... on Person { title: id } } }',
      [`1:26 ${says('name', 'title')}`],
    ],
  ])('%s', async (_what, before, after, left) => {
    expect(await migrated('a.graphql', before)).toMatchObject({ content: after, left });
  });

  test('an alias in another file', async () => {
    const spreads = 'query { things { title: id ...F } }';
    const fragment = 'fragment F on Thing { name }';
    expect(await migratedAll({ 'a.graphql': spreads, 'b.graphql': fragment })).toEqual([
      { content: spreads, changes: 0, left: [] },
      { content: fragment, changes: 0, left: [`1:23 ${says('name', 'title')}`] },
    ]);
  });
});

test('it renames what has other values than before, and says which', async () => {
  expect(await migrated('a.graphql', '{ things { uid } }')).toEqual({
    content: '{ things { id } }',
    changes: 1,
    left: ['1:12 uid: Another value.'],
  });
  const input = 'mutation { thingSave(input: { uid: "x" }) { thing { title } } }';
  expect(await migrated('a.graphql', input)).toMatchObject({
    content: input.replace('uid', 'thingId'),
    left: ['1:31 uid: Another value.'],
  });
});

async function migratedNow(content: string) {
  const sources = [wholeFile('a.graphql', content)];
  return firstOf(migrateFiles([{ content, sources }], buildSchemas().forSessions.schema, await readRenames()));
}

describe('by the list of this version,', () => {
  test.each([
    ['{ me { bookings { nodes { id: title uid } } } }', 'uid: is "id" now'],
    ['{ me { eventTypes { nodes { isHidden: slug hidden } } } }', 'hidden: is "isHidden" now'],
    [
      '{ me { eventTypes { nodes { cancellationPolicy: title disableCancelling { __typename } } } } }',
      'disableCancelling: is "cancellationPolicy" now',
    ],
  ])('%s stays, and is told', async (before, message) => {
    const { content, faults } = await migratedNow(before);
    expect(content).toBe(before);
    expect(faults.map((fault) => fault.message)).toContainEqual(expect.stringContaining(message));
  });

  test.each([
    ['eventTypes { nodes { disableCancelling { minutesBefore } } }', /^minutesBefore: .*NEVER.*ALWAYS/],
    ['bookings { nodes { uid } }', /^uid: .*opens nothing/],
    ['bookings { nodes { rescheduledToUid } }', /^rescheduledToUid: .*opens nothing/],
    ['bookings { nodes { rescheduledFromUid } }', /^rescheduledFromUid: .*opens nothing/],
    ['bookings { nodes { recurringUid } }', /^recurringUid: .*opens nothing/],
    ['bookings { nodes { attendees { seatUid } } }', /^seatUid: .*opens nothing/],
    ['booking(uid: "x") { title }', /^uid: .*finds nothing/],
  ])('it says that the values of %s are others', async (selection, message) => {
    const { faults } = await migratedNow(`{ me { ${selection} } }`);
    expect(faults.map((fault) => fault.message)).toEqual([expect.stringMatching(message)]);
  });
});

/** Documents of pages, tests and benchmarks as they were before anything was renamed, which select all that any of them did. */
const BEFORE = 'test/cli/support/before-renames.graphql';

test('what documents of ours selected is there by its name, by that in the list, or by hand', async () => {
  const { schema: now } = buildSchemas().forSessions;
  const renames = await readRenames();
  const before = await readFile(BEFORE, 'utf8');
  const files = [{ content: before, sources: [wholeFile(BEFORE, before)] }];
  const { content, changes, faults } = firstOf(migrateFiles(files, now, renames));
  expect(changes).toBeGreaterThan(10);
  const remarks = Object.values(renames.changedValues);
  const advice = [...Object.values(renames.byHand), ...remarks];
  const isListed = ({ message }: (typeof faults)[number]) =>
    message.includes(': has values to change: ') || advice.some((one) => message.endsWith(`: ${one}`));
  expect(faults.filter((fault) => !isListed(fault))).toEqual([]);

  const isRenamed = ({ message }: (typeof faults)[number]) =>
    message.includes(': has values to change: ') || remarks.some((one) => message.endsWith(`: ${one}`));
  const left = new Set(faults.filter((fault) => !isRenamed(fault)).map(({ line }) => line));
  let line = 1;
  const invalid = content.split(/^(?=# )/m).flatMap((text) => {
    const first = line;
    line += text.split('\n').length - 1;
    if (Array.from({ length: line - first }, (_, index) => first + index).some((one) => left.has(one))) return [];
    return validate(now, parse(text)).map(({ message }) => `${BEFORE}:${first} ${message}`);
  });
  expect(invalid).toEqual([]);
});
