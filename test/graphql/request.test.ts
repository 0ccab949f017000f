import { describe, expect, test } from 'vitest';
import { acceptedLanguages, preferredType, prefersGzip } from '../../src/graphql/request.ts';
import { paced } from '../support/pace.ts';

const TYPES = ['application/json', 'application/graphql-response+json'] as const;
const [JSON_TYPE, GRAPHQL] = TYPES;

describe('a client is given, among the media types that there are,', () => {
  test.each([
    ['the first, where it says nothing', undefined, JSON_TYPE],
    ['the first, where it takes all', '*/*', JSON_TYPE],
    ['the one that it names', GRAPHQL, GRAPHQL],
    ['the one that it names first, between equals', `${GRAPHQL}, ${JSON_TYPE}`, GRAPHQL],
    ['the one with the higher weight', `${JSON_TYPE};q=0.5, ${GRAPHQL}`, GRAPHQL],
    ['the one with the higher weight, named last', `${GRAPHQL};q=0.8,${JSON_TYPE};q=0.9`, JSON_TYPE],
    ['not the one with the weight 0', `${GRAPHQL};q=0, ${JSON_TYPE}`, JSON_TYPE],
    ['not the one with the weight 0.000', `${JSON_TYPE};q=0.000, */*`, GRAPHQL],
    ['not the one that is ruled out beside a range', `application/*, ${JSON_TYPE};q=0`, GRAPHQL],
    ['the more specific range before the wider one', `*/*;q=0.1, application/*;q=0, ${JSON_TYPE};q=0.3`, JSON_TYPE],
    ['the one that it names, whatever the case', 'APPLICATION/GRAPHQL-RESPONSE+JSON;Q=0.5', GRAPHQL],
    ['the one in UTF-8, where it says so', `${GRAPHQL};charset=utf-8`, GRAPHQL],
    ['the one in UTF-8, in quotes', `${GRAPHQL}; charset="UTF-8"; q=0.5`, GRAPHQL],
    ['none in another charset', `${JSON_TYPE};charset=iso-8859-1`, undefined],
    ['none that it rules out', `${JSON_TYPE};q=0, ${GRAPHQL};q=0`, undefined],
    ['none where all are ruled out', '*/*;q=0', undefined],
    ['none beside what it asks for', 'text/event-stream, multipart/mixed', undefined],
    ['none where it names none', '', undefined],
    // A weight that is none makes its range none (RFC 9110 §12.4.2), and the others go on.
    ['the next, where a weight cannot be read', `${GRAPHQL};q=high, ${JSON_TYPE};q=0.1`, JSON_TYPE],
    ['one with a weight below all that are possible: none', `${JSON_TYPE};q=-1`, undefined],
    ['one beside commas and semicolons', `,, ;;q=1 ,${GRAPHQL},`, GRAPHQL],
  ])('%s: %j', (_, accept, type) => {
    expect(preferredType(accept, TYPES)).toBe(type);
    expect(preferredType(accept, TYPES)).toBe(type);
  });

  test('in no time, however long the header is', () => {
    const before = performance.now();
    for (const text of ['a/b,', ',', 'a/b;q="\\', ';=', ' ', `${JSON_TYPE};a=b;`]) {
      preferredType(text.repeat(16_000), TYPES);
      prefersGzip(text.repeat(16_000));
      acceptedLanguages(text.repeat(16_000));
    }
    expect(performance.now() - before).toBeLessThan(paced(1_000));
  });
});

describe('an answer is compressed', () => {
  test.each([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP;Q=0.1', true],
    ['gzip, deflate, br', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['br', false],
    ['identity', false],
    ['identity;q=1, gzip;q=0.5', false],
    ['identity;q=0.5, gzip', true],
    ['*;q=0', false],
  ])('for %j: %s', (acceptEncoding, isCompressed) => {
    expect(prefersGzip(acceptEncoding)).toBe(isCompressed);
  });
});

test('languages come by their weights, without those that are ruled out', () => {
  expect(acceptedLanguages('en;q=0.5, de-AT, fr;q=0, de;q=0.9')).toEqual(['de-AT', 'de', 'en']);
  expect(acceptedLanguages(undefined)).toEqual([]);
});
