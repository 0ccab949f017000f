import { assert, integer, property, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  covers,
  FIRST_PARTY_BIT,
  grantable,
  isEmpty,
  minus,
  NO_SCOPES,
  NOBODY_BIT,
  type ScopeSet,
  scopeAt,
  union,
} from '../../src/scopes/scope-set.ts';

const positions = uniqueArray(integer({ min: 0, max: 63 }));
const setOf = (members: readonly number[]): ScopeSet => members.map(scopeAt).reduce(union, NO_SCOPES);

describe('a set of bits agrees with a set of numbers on', () => {
  test('which scopes cover which', () => {
    assert(
      property(positions, positions, (held, required) => {
        expect(covers(setOf(held), setOf(required))).toBe(new Set(required).isSubsetOf(new Set(held)));
      }),
    );
  });

  test('union and difference', () => {
    assert(
      property(positions, positions, (a, b) => {
        expect(union(setOf(a), setOf(b))).toEqual(setOf([...a, ...b]));
        expect(minus(setOf(a), setOf(b))).toEqual(setOf(a.filter((position) => !b.includes(position))));
      }),
    );
  });

  test('emptiness', () => {
    assert(property(positions, (members) => isEmpty(setOf(members)) === (members.length === 0)));
  });
});

test('each of the 64 positions is a bit of its own', () => {
  const all = Array.from({ length: 64 }, (_, position) => scopeAt(position));
  for (const [index, one] of all.entries()) {
    expect(all.filter((other) => covers(one, other))).toEqual([all[index]]);
  }
});

test('the engine keeps the last two positions, and no grant can hold them', () => {
  expect(FIRST_PARTY_BIT).toEqual(scopeAt(62));
  expect(NOBODY_BIT).toEqual(scopeAt(63));
  expect(grantable(setOf([0, 31, 32, 61, 62, 63]))).toEqual(setOf([0, 31, 32, 61]));
});
