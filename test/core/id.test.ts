import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  decodedId,
  encodedId,
  ID_TAGS,
  type IdKind,
  idOf,
  isOwnedKind,
  isTeam,
  newId,
  newTeamId,
  newUserId,
  ownedIdOf,
  type PlainKind,
  publicId,
  publicOwnedId,
  timeOfId,
  wrongKindInWords,
} from '../../src/core/id.ts';
import { spoiltIds } from '../support/ids.ts';

const KINDS = Object.keys(ID_TAGS) as IdKind[];
const OWNED = KINDS.filter(isOwnedKind);
const PLAIN = KINDS.filter((kind): kind is PlainKind => !isOwnedKind(kind));
const ID = '01934b9f-0c2a-7def-8003-456789abcdef';
const OWNER_ID = '01934b9f-0c2a-7def-800f-fffffffffffe';

test('ids are UUIDs of version 7 and tell when they were made', () => {
  // They never go back, and another test may have set the clock forward in this process.
  const before = Math.max(Date.now(), timeOfId(newId()));
  const id = newId();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const madeAt = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  expect(madeAt).toBeLessThan(before + 10_000);
});

test('ids sort in the order in which they were made, also within a millisecond, whatever they are for', () => {
  const makers = [newId, newUserId, newTeamId];
  const ids = Array.from({ length: 1_000 }, (_, index) => (makers[index % 3] ?? newId)());
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids)).toHaveLength(1_000);
});

/** The 128 bits of a UUID. */
const bitsOf = (id: string) => BigInt(`0x${id.replaceAll('-', '')}`);

test.each([
  ['a thing', newId],
  ['a user', newUserId],
  ['a team or an organization', newTeamId],
])('the ten bits behind the variant name the cell, 0, in the id of %s', (_, make) => {
  for (const id of Array.from({ length: 100 }, make)) expect([id, (bitsOf(id) >> 52n) & 0x3ffn]).toEqual([id, 0n]);
});

describe.each(Array.from({ length: 10 }, (_, bit) => 1n << BigInt(52 + bit)))(
  'an id with another cell (bit %o)',
  (bit) => {
    const elsewhere = (id: string) => {
      const hex = (bitsOf(id) ^ bit).toString(16).padStart(32, '0');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    };

    test('is no id here, whether the owner or the thing itself is of it', () => {
      expect(idOf('user', publicId('user', elsewhere(ID)))).toBeUndefined();
      expect(decodedId(encodedId(elsewhere(ID)))).toBeUndefined();
      const named = { ownerId: OWNER_ID, id: ID };
      expect(ownedIdOf('booking', publicOwnedId('booking', named))).toEqual(named);
      for (const away of [{ ownerId: elsewhere(OWNER_ID) }, { id: elsewhere(ID) }]) {
        expect(ownedIdOf('booking', publicOwnedId('booking', { ...named, ...away }))).toBeUndefined();
      }
    });
  },
);

const madeNow = (howMany: number) => Array.from({ length: howMany }, newId);

describe('by a clock,', () => {
  const START = Date.now() + 3_600_000;
  let now = START;
  beforeEach(() => {
    now += 60_000;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => vi.restoreAllMocks());

  test('two thousand ids of one millisecond have that millisecond', () => {
    expect(new Set(madeNow(2_000).map(timeOfId))).toEqual(new Set([now]));
  });

  test('so many of one millisecond that they cannot be counted stay in order, and are of the next ones', () => {
    const ids = madeNow(20_000);
    expect(ids.toSorted()).toEqual(ids);
    const last = timeOfId(ids.at(-1) ?? '');
    expect([last > now, last <= now + 10]).toEqual([true, true]);
  });

  test('that goes back a little, ids stay in order', () => {
    const [before] = madeNow(1);
    now -= 999;
    expect(newId() > String(before)).toBe(true);
  });

  test('that is set back, ids tell what it says', () => {
    newId();
    now -= 1_800_000;
    expect(timeOfId(newId())).toBe(now);
  });

  test('ids of one millisecond have nothing in common but it, their version, their cell and the beginning of their count', () => {
    const tails = madeNow(500).map((id) => bitsOf(id) & ((1n << 52n) - 1n));
    expect(new Set(tails)).toHaveLength(500);
    // Each of the 52 bits is set in some and not in others.
    expect(tails.reduce((all, one) => all | one)).toBe((1n << 52n) - 1n);
    expect(tails.reduce((all, one) => all & one)).toBe(0n);
  });
});

test('the last bit of an id tells teams from users', () => {
  const [users, teams] = [newUserId, newTeamId].map((make) => Array.from({ length: 100 }, make));
  expect(users?.some(isTeam)).toBe(false);
  expect(teams?.every(isTeam)).toBe(true);
});

test('a public id is the tag and the sixteen bytes, and leads back to the UUID', () => {
  expect(publicId('user', ID)).toBe('usr_AZNLnwwqfe-AA0VniavN7w');
  for (const kind of PLAIN) {
    const id = newId();
    expect(publicId(kind, id)).toMatch(/^[a-z]{3}_[\w-]{22}$/);
    expect(idOf(kind, publicId(kind, id))).toBe(id);
  }
});

test('the public id of what belongs to somebody holds the owner, and leads back to both', () => {
  expect(publicOwnedId('booking', { ownerId: OWNER_ID, id: ID })).toBe(
    'bkg_AZNLnwwqfe-AD________gGTS58MKn3vgANFZ4mrze8',
  );
  for (const kind of OWNED) {
    const named = { ownerId: newTeamId(), id: newId() };
    expect(publicOwnedId(kind, named)).toMatch(/^[a-z]{3}_[\w-]{43}$/);
    expect(ownedIdOf(kind, publicOwnedId(kind, named))).toEqual(named);
  }
});

test('codes and tokens hold an id without its tag', () => {
  expect(encodedId(ID)).toBe('AZNLnwwqfe-AA0VniavN7w');
  expect(decodedId(encodedId(ID))).toBe(ID);
});

test('tags are of three letters, and no two kinds have the same', () => {
  const tags = Object.values(ID_TAGS);
  expect(tags.every((tag) => /^[a-z]{3}$/.test(tag))).toBe(true);
  expect(new Set(tags)).toHaveLength(tags.length);
});

const GOOD = [publicId('user', ID), publicOwnedId('booking', { ownerId: OWNER_ID, id: ID })];

test.each(GOOD.flatMap((good) => Object.entries(spoiltIds(good))))('a text %s is no id', (_, text) => {
  expect(idOf('user', text)).toBeUndefined();
  expect(ownedIdOf('booking', text)).toBeUndefined();
});

test('an id of one thing is none of a thing with an owner, nor the other way round', () => {
  expect(ownedIdOf('booking', `bkg_${encodedId(ID)}`)).toBeUndefined();
  expect(idOf('user', `usr_${publicOwnedId('booking', { ownerId: OWNER_ID, id: ID }).slice(4)}`)).toBeUndefined();
});

test('nothing but a UUID gets a public id', () => {
  for (const text of ['', 'usr_AZNLnwwqfe-AA0VniavN7w', ID.slice(1), `${ID}00`, 'z'.repeat(32)]) {
    expect(() => publicId('user', text)).toThrow('is no UUID');
  }
});

test.each([
  ['evt_anything', ''],
  [
    'sch_anything',
    ' It is the id of another kind of thing (schedule): the id of a thing of that kind begins with evt_.',
  ],
  ['42', ' It is no id: the id of a thing of that kind begins with evt_.'],
])('the mistake of %s where an event type is named', (text, words) => {
  expect(wrongKindInWords('eventType', text)).toBe(words);
});
