import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OwnerTurns } from '../../src/limits/owner-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turns = () => new OwnerTurns({ share: 2, waiting: 3, waitInMs: 250, awayInSeconds: 2 });

test('each owner has a share, whatever another one’s work does', async () => {
  const all = turns();
  expect(await Promise.all([all.take('a'), all.take('a'), all.take('b')])).toEqual([undefined, undefined, undefined]);
});

test('work that ends soon is followed by what waits, in its order', async () => {
  const all = turns();
  await Promise.all([all.take('a'), all.take('a')]);
  const began: number[] = [];
  const waiting = [0, 1].map((index) => all.take('a').then((away) => began.push(away ?? index)));
  all.giveBack('a');
  await waiting[0];
  expect(began).toEqual([0]);
  all.giveBack('a');
  await waiting[1];
  expect(began).toEqual([0, 1]);
});

test('when nothing ends, more is refused: after a wait at first, then at once, and for longer and longer', async () => {
  const all = turns();
  await Promise.all([all.take('a'), all.take('a')]);
  const first = all.take('a');
  vi.advanceTimersByTime(250);
  expect(await first).toBe(2);
  expect(await Promise.all([all.take('a'), all.take('a'), all.take('a')])).toEqual([2, 4, 4]);
  for (let sent = 0; sent < 100; sent += 1) await all.take('a');
  expect(await all.take('a')).toBe(60);
  all.giveBack('a');
  expect(await all.take('a')).toBeUndefined();
});

test('no more than a few of one owner wait', async () => {
  const all = turns();
  await Promise.all([all.take('a'), all.take('a')]);
  const waiting = [0, 1, 2].map(() => all.take('a'));
  expect(await all.take('a')).toBe(2);
  for (let ended = 0; ended < 3; ended += 1) all.giveBack('a');
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined]);
});

test('an owner whose work has ended has their whole share again', async () => {
  const all = turns();
  for (let round = 0; round < 3; round += 1) {
    expect(await Promise.all([all.take('a'), all.take('a')])).toEqual([undefined, undefined]);
    all.giveBack('a');
    all.giveBack('a');
  }
});
