import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsMore, namesIn } from '../../src/core/json-text.ts';

/** Every value inside of another, and every list and object. */
function counted(value: unknown): { readonly values: number; readonly containers: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, containers: 0 };
  const inner = Object.values(value);
  const all = inner.map(counted);
  return {
    values: inner.length + all.reduce((sum, one) => sum + one.values, 0),
    containers: 1 + all.reduce((sum, one) => sum + one.containers, 0),
  };
}

describe('a JSON text', () => {
  test('that has as many values as are allowed is never one of more, whatever its texts hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { values, containers } = counted(value);
        expect(holdsMore(JSON.stringify(value), Math.max(values, containers))).toBe(false);
      }),
    );
  });

  test.each([
    ['names', (n: number) => JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])))],
    ['entries', (n: number) => JSON.stringify(Array.from({ length: n }, () => ',"[{'))],
    ['lists in lists', (n: number) => '['.repeat(n) + ']'.repeat(n)],
    ['objects in objects', (n: number) => '{"a":'.repeat(n) + 1 + '}'.repeat(n)],
    ['empty lists', (n: number) => JSON.stringify(Array.from({ length: n }, () => []))],
  ])('with more %s is one of more', (_what, jsonOf) => {
    expect(holdsMore(jsonOf(90), 100)).toBe(false);
    expect(holdsMore(jsonOf(110), 100)).toBe(true);
  });

  test('has the names of its objects, each by the object it is in, and repeated ones', () => {
    const json = String.raw`{"a":1,"b" : {"a":2,"\"{":"a:b"},"c":[{"a":3},{"a":4}],"a":"}"}`;
    expect([...namesIn(json)].map(({ object, name }) => `${object} ${name}`)).toEqual([
      '1 a',
      '1 b',
      '2 a',
      '2 "{',
      '1 c',
      '3 a',
      '4 a',
      '1 a',
    ]);
  });
});
