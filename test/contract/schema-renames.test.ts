/** docs/renames.json says what became of names that the schema had before, in GraphQL schema coordinates. */
import { readFileSync } from 'node:fs';
import { parseSchemaCoordinate, resolveSchemaCoordinate } from 'graphql';
import { expect, test } from 'vitest';
import { buildSchemas } from '../../src/schema.ts';

const { renames, changedValues, byHand, ...others } = JSON.parse(readFileSync('docs/renames.json', 'utf8')) as Record<
  'renames' | 'changedValues' | 'byHand',
  Readonly<Record<string, string>>
>;
const { schema } = buildSchemas().forSessions;
/** A coordinate whose type has gone resolves to nothing, or throws. */
const exists = (coordinate: string): boolean => {
  try {
    return resolveSchemaCoordinate(schema, coordinate) !== undefined;
  } catch {
    return false;
  }
};

const isSentence = (advice: string): boolean => /^[A-Z`].+\.$/.test(advice);

test('renames leave what has gone for what is there', () => {
  const targets = new Set(Object.values(renames));
  expect(Object.keys(others)).toEqual([]);
  expect([...targets].filter((to) => !exists(to))).toEqual([]);
  // A name may have been given to something else.
  expect(Object.keys(renames).filter((from) => exists(from) && !targets.has(from))).toEqual([]);
});

test('a renamed coordinate stays what it was: a type, a field, an argument or a value', () => {
  const kinds = Object.entries(renames).map((pair) => pair.map((one) => parseSchemaCoordinate(one).kind));
  expect(kinds.filter(([from, to]) => from !== to)).toEqual([]);
});

test('what a codemod cannot do is said with what to write instead, and is no rename', () => {
  for (const coordinate of Object.keys(byHand)) parseSchemaCoordinate(coordinate);
  expect(Object.keys(byHand).filter((coordinate) => coordinate in renames)).toEqual([]);
  expect(Object.values(byHand).filter((advice) => !isSentence(advice))).toEqual([]);
});

test('what has other values by its new name is renamed, and the values are told', () => {
  expect(Object.keys(changedValues).filter((coordinate) => !(coordinate in renames))).toEqual([]);
  expect(Object.values(changedValues).filter((remark) => !isSentence(remark))).toEqual([]);
});

test('each uid that became an id is said to be another value', () => {
  const became = Object.entries(renames).filter(([from, to]) => /uid\b/i.test(from) && !/uid\b/i.test(to));
  expect(became.map(([from]) => from)).toEqual(Object.keys(changedValues));
});

test.each(Object.entries({ renames, changedValues, byHand }))('%s are sorted', (_name, entries) => {
  expect(Object.keys(entries)).toEqual(Object.keys(entries).toSorted());
});
