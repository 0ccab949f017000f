import { describe, expect, test } from 'vitest';
import { ID_TAGS, newId, newUserId, publicOwnedId } from '../../../src/core/id.ts';
import { Uids } from '../../../src/modules/bookings/booking-key.rules.ts';

const FIRST = new Uint8Array(32).fill(1);
const SECOND = new Uint8Array(32).fill(2);

/** The last one writes. */
function uidsOf(...keys: readonly Uint8Array[]): Uids {
  return new Uids(() => ({ keys: new Map(keys.entries()), writer: keys.length - 1 }));
}

function aKey() {
  return { ownerId: newUserId(), id: newId(), isSeat: false, version: 3 };
}

describe('uids', () => {
  test('open what they were written for', () => {
    const uids = uidsOf(FIRST);
    const booking = aKey();
    const seat = { ...aKey(), isSeat: true, version: 32_767 };
    expect(uids.read(uids.of(booking))).toEqual(booking);
    expect(uids.read(uids.of(seat))).toEqual(seat);
  });

  test('are no ids, and ids are no uids', () => {
    const uids = uidsOf(FIRST);
    const key = aKey();
    for (const kind of ['booking', 'seat', 'reservation'] as const) {
      expect(uids.read(publicOwnedId(kind, key))).toBeUndefined();
    }
    const tags = Object.values(ID_TAGS).map((tag) => `${tag}_`);
    expect(tags).not.toContain(uids.of(key).slice(0, 4));
    expect(tags).not.toContain(uids.of({ ...key, isSeat: true }).slice(0, 4));
  });

  test('hold 128 bits that only the key gives', () => {
    const key = aKey();
    const [one, other] = [uidsOf(FIRST).of(key), uidsOf(SECOND).of(key)];
    expect(one.slice(0, -22)).toBe(other.slice(0, -22));
    expect(one.slice(-22)).not.toBe(other.slice(-22));
    expect(Buffer.from(one.slice(-22), 'base64url')).toHaveLength(16);
    expect(uidsOf(SECOND).read(one)).toBeUndefined();
  });

  test('open nothing once a character of them is another', () => {
    const uids = uidsOf(FIRST);
    const uid = uids.of(aKey());
    const others = Array.from(uid).flatMap((character, at) =>
      ['0', '1', 'A', '_']
        .filter((other) => other !== character)
        .map((other) => uid.slice(0, at) + other + uid.slice(at + 1)),
    );
    expect(others.filter((other) => uids.read(other) !== undefined)).toEqual([]);
    expect(uids.read(`${uid}A`)).toBeUndefined();
    expect(uids.read(` ${uid}`)).toBeUndefined();
    expect(uids.read(uid.slice(0, -1))).toBeUndefined();
  });

  test('of a seat are not those of a booking with the same id', () => {
    const uids = uidsOf(FIRST);
    const key = aKey();
    const uid = uids.of(key);
    expect(uids.read(uid.replace('uid_', 'uis_'))).toBeUndefined();
  });

  test('of an old key go on beside a new one', () => {
    const key = aKey();
    const old = uidsOf(FIRST).of(key);
    const both = uidsOf(FIRST, SECOND);
    expect(both.read(old)).toEqual(key);
    expect(both.of(key)).not.toBe(old);
    expect(both.read(both.of(key))).toEqual(key);
    expect(uidsOf(FIRST).read(both.of(key))).toBeUndefined();
  });

  test('that nobody has written are counted', () => {
    const uids = uidsOf(FIRST);
    const uid = uids.of(aKey());
    uids.read(uid);
    uids.read('something else');
    expect(uids.metrics()).toContain('gatehouse_wrong_uids_total 0\n');
    uids.read(uid.slice(0, -2) + (uid.endsWith('AA') ? 'BA' : 'AA'));
    expect(uids.metrics()).toContain('gatehouse_wrong_uids_total 1\n');
  });
});
