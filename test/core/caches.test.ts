import { describe, expect, test, vi } from 'vitest';
import { Caches, Hanging, isFull } from '../../src/core/caches.ts';

const BUDGET = 1_000_000;
/** An entry takes 300 bytes beside this, and its key. */
const weigh = () => 9_000;

function opened({ fromFirstUse = true } = {}) {
  const caches = new Caches(BUDGET);
  return { caches, share: caches.share<object>({ name: 'things', weigh, fromFirstUse }) };
}

describe('a cache', () => {
  test('keeps from the second use on, and what comes once not at all', () => {
    const { caches, share } = opened({ fromFirstUse: false });
    expect(share.set('a', {})).toBe(false);
    expect([share.get('a'), caches.bytes]).toEqual([undefined, 0]);
    const value = {};
    expect(share.set('a', value)).toBe(true);
    expect(share.get('a')).toBe(value);
    for (let n = 0; n < 10_000; n += 1) share.set(`once ${n}`, {});
    expect(share.size).toBe(1);
  });

  test('counts a use in one cache as none in another', () => {
    const { caches, share } = opened({ fromFirstUse: false });
    const other = caches.share<object>({ name: 'things', weigh });
    share.set('a', {});
    expect(other.set('a', {})).toBe(false);
  });

  test('forgets what was used longest ago, of all caches together', () => {
    const { caches, share } = opened();
    const other = caches.share<object>({ name: 'others', weigh, fromFirstUse: true });
    other.set('first', {}, 'KNOWN');
    other.set('second', {}, 'KNOWN');
    for (let n = 0; n < 1_000; n += 1) {
      share.set(`n${n}`, {}, 'KNOWN');
      other.get('first', 'KNOWN');
    }
    expect(caches.bytes).toBeLessThanOrEqual(BUDGET);
    expect([other.has('first'), other.has('second'), share.has('n0'), share.has('n999')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(caches.bytes).toBe(share.bytes + other.bytes);
  });

  test('is filled by anonymous callers up to half, and they displace nothing of others’ half', () => {
    const { caches, share } = opened();
    for (let n = 0; n < 50; n += 1) share.set(`known ${n}`, {}, 'KNOWN');
    for (let n = 0; n < 10_000; n += 1) share.set(`anonymous ${n}`, {}, 'ANONYMOUS');
    expect(caches.anonymousBytes).toBeLessThanOrEqual(BUDGET / 2);
    expect(caches.bytes).toBeLessThanOrEqual(BUDGET);
    for (let n = 0; n < 50; n += 1) expect(share.has(`known ${n}`)).toBe(true);
  });

  test('takes no more than the budget when anonymous callers have filled their half, too', () => {
    const { caches, share } = opened();
    for (let n = 0; n < 1_000; n += 1) share.set(`anonymous ${n}`, {}, 'ANONYMOUS');
    for (let n = 0; n < 1_000; n += 1) share.set(`known ${n}`, {}, 'KNOWN');
    expect(caches.bytes).toBeLessThanOrEqual(BUDGET);
  });

  test('does not keep one entry that would take more than a sixteenth of the budget', () => {
    const caches = new Caches(BUDGET);
    const share = caches.share<{ bytes: number }>({ name: 'things', weigh: ({ bytes }) => bytes, fromFirstUse: true });
    expect(share.set('a', { bytes: BUDGET / 16 })).toBe(false);
    expect(share.set('b', { bytes: BUDGET / 17 })).toBe(true);
    expect([...share.entries()].map(([key]) => key)).toEqual(['b']);
  });

  test('keeps for known callers what they use, too', () => {
    const { caches, share } = opened();
    share.set('shared', {}, 'ANONYMOUS');
    share.get('shared', 'KNOWN');
    for (let n = 0; n < 1_000; n += 1) share.set(`anonymous ${n}`, {}, 'ANONYMOUS');
    expect(share.has('shared')).toBe(true);
    expect(caches.bytes).toBe(share.bytes);
  });

  test('does not give what is out of date', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const share = new Caches(BUDGET).share<object>({ name: 'things', weigh, fromFirstUse: true, ttl: 1_000 });
    share.set('a', {});
    vi.advanceTimersByTime(999);
    expect(share.get('a')).toBeDefined();
    vi.advanceTimersByTime(1);
    expect([share.get('a'), share.bytes]).toEqual([undefined, 0]);
    vi.useRealTimers();
  });
});

describe('a value that depends on an entry', () => {
  const hanging = new Hanging<object, { readonly bytes: number }>(({ bytes }) => bytes);

  test('counts with it, and goes with it', () => {
    const { caches, share } = opened();
    const document = {};
    share.set('a', document, 'ANONYMOUS', [document]);
    const before = caches.bytes;
    const made = hanging.of(document, document, () => ({ bytes: 5_000 }));
    expect(hanging.of(document, document, () => ({ bytes: 1 }))).toBe(made);
    expect(caches.bytes).toBe(before + 5_100);
    share.delete('a');
    expect([caches.bytes, share.bytes]).toEqual([0, 0]);
  });

  test('is not kept where one entry would take more than a sixteenth of the budget', () => {
    const { caches, share } = opened();
    const document = {};
    const parts = Array.from({ length: 150 }, () => ({}));
    share.set('a', document, 'ANONYMOUS', [document]);
    for (const part of parts) hanging.of(part, document, () => ({ bytes: 5_000 }));
    expect(caches.bytes).toBeLessThanOrEqual(BUDGET / 16);
    expect(parts.filter((part) => hanging.get(part)).length).toBeLessThan(12);
    expect(isFull(document)).toBe(true);
  });

  test('is kept without being counted on what is not kept, and goes with that', () => {
    const loose = {};
    expect(hanging.of(loose, loose, () => ({ bytes: 1e9 }))).toBe(hanging.get(loose));
    expect(isFull(loose)).toBe(false);
  });
});
