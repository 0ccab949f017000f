import { expect, test } from 'vitest';
import { Silence } from '../../src/limits/silence.ts';

test('a call without an answer is expected to be followed by others of the same owner, for a while', () => {
  let now = 0;
  const silence = new Silence(30_000, () => now);
  silence.note('ada');
  expect(['ada', 'bob'].map((owner) => silence.isLikelyFor(owner))).toEqual([true, false]);
  now = 30_000;
  expect(silence.isLikelyFor('ada')).toBe(false);
});

test('when several owners had none, nobody is expected to have one, until fewer are left', () => {
  let now = 0;
  const silence = new Silence(30_000, () => now);
  for (const owner of ['ada', 'ada', 'bob']) silence.note(owner);
  expect(silence.isLikelyFor('grace')).toBe(false);
  now = 10_000;
  silence.note('eve');
  expect(silence.isLikelyFor('grace')).toBe(true);
  now = 30_000;
  expect(['grace', 'eve'].map((owner) => silence.isLikelyFor(owner))).toEqual([false, true]);
});
