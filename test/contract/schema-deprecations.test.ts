import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { deprecated, deprecatedParts, deprecationOf, problemOfReason } from '../../src/graphql/deprecation.ts';
import { buildSchemas } from '../../src/schema.ts';

const DATED = { since: '2027-01-10', sunset: '2027-07-10', instead: 'use `title`' };

/** Finds the mistakes in the deprecations of a schema. */
function mistakesIn(schema: Parameters<typeof deprecatedParts>[0]): string[] {
  return deprecatedParts(schema).flatMap(({ coordinate, reason }) => {
    const problem = problemOfReason(reason);
    return problem === undefined ? [] : [`${coordinate}: ${problem}`];
  });
}

test('each deprecation of our schema says since when and until when, with the notice that is promised', () => {
  expect(mistakesIn(buildSchemas().forSessions.schema)).toEqual([]);
});

test('the dates stand in the reason, where every client reads them', () => {
  const { deprecationReason } = deprecated(DATED);
  expect(deprecationReason).toBe('Since 2027-01-10, gone from 2027-07-10 on: use `title`.');
  expect(deprecationOf(deprecationReason)).toEqual(DATED);
});

describe('a deprecation is refused', () => {
  test.each([
    ['whose end is too near', { ...DATED, sunset: '2027-07-09' }, /short of 6 months.*2027-07-10/],
    ['that ends before it begins', { ...DATED, sunset: '2026-01-10' }, /short of 6 months/],
    ['of a day that is in no calendar', { ...DATED, since: '2027-02-30' }, /no calendar/],
    ['of a day that is written otherwise', { ...DATED, since: '10.1.2027' }, /no dates/],
    ['that does not say what to use', { ...DATED, instead: '' }, /no dates/],
  ])('%s', (_why, given, problem) => {
    expect(() => deprecated(given)).toThrow(problem);
  });

  test('without dates, wherever it stands, and its place is named', () => {
    const schema = buildSchema(`
      directive @d(old: Int @deprecated) on FIELD
      interface Named { name: String @deprecated(reason: "old") }
      enum Mood { CALM GRIM @deprecated(reason: "${deprecated(DATED).deprecationReason}") SAD @deprecated }
      input In { a: Int, b: Int @deprecated }
      type Query { a(x: Mood, y: In @deprecated): Int  b: Int @deprecated }`);
    expect(new Set(mistakesIn(schema).map((mistake) => mistake.split(': ')[0]))).toEqual(
      new Set(['@d(old:)', 'In.b', 'Mood.SAD', 'Named.name', 'Query.a(y:)', 'Query.b']),
    );
  });
});
