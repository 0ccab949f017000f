import { expect, test } from 'vitest';
import { inTurn, SlotClosed } from '../../../src/modules/bookings/take-turn.ts';

const closed = () => new SlotClosed('SLOT_TAKEN', 'The slot is taken.', ['start']);

/** Work that is under way until the test ends it, and how often it was begun. */
function aTurn(eventTypeId: string, question?: string) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<string>();
  let isBegun = false;
  const result = inTurn(eventTypeId, question, () => {
    isBegun = true;
    begun.resolve();
    return end.promise;
  });
  result.catch(() => undefined);
  return { result, begun: begun.promise, done: end.resolve, fail: end.reject, isBegun: () => isBegun };
}

test('those who book one event type do so one after the other, in their order', async () => {
  const [a, b, c] = [aTurn('one'), aTurn('one'), aTurn('one')];
  await a.begun;
  expect([b.isBegun(), c.isBegun()]).toEqual([false, false]);
  a.done('a');
  await b.begun;
  expect(c.isBegun()).toBe(false);
  b.fail(new Error('A fault passes the turn on too.'));
  await c.begun;
  c.done('c');
  expect(await a.result).toBe('a');
  await expect(b.result).rejects.toThrow('A fault');
  expect(await c.result).toBe('c');
});

test('those who book another event type wait for nobody', async () => {
  const [one, other] = [aTurn('one'), aTurn('another')];
  await other.begun;
  other.done('other');
  expect(await other.result).toBe('other');
  one.done('one');
});

test('a closed slot is the answer to all who waited with the same question, and they are not begun', async () => {
  const turns = [aTurn('one', 'nine'), aTurn('one', 'nine'), aTurn('one', 'ten'), aTurn('one', 'nine')];
  const [first, second, third, fourth] = turns as [Turn, Turn, Turn, Turn];
  await first.begun;
  first.fail(closed());
  for (const { result } of [first, second, fourth]) await expect(result).rejects.toThrow('The slot is taken.');
  await third.begun;
  third.done('ten');
  expect(await third.result).toBe('ten');
  expect([second.isBegun(), fourth.isBegun()]).toEqual([false, false]);
});

test('who asks after the turn has begun is heard: the slot may have been given back meanwhile', async () => {
  const first = aTurn('one', 'nine');
  await first.begun;
  const later = aTurn('one', 'nine');
  first.fail(closed());
  await later.begun;
  later.done('booked');
  expect(await later.result).toBe('booked');
});

test.each([
  ['another refusal', 'nine', () => new Error('Something else.')],
  ['a closed slot, to those without a question,', undefined, closed],
])('%s is nobody else’s answer', async (_, question, error) => {
  const blocking = aTurn('one');
  const [first, second] = [aTurn('one', question), aTurn('one', question)];
  blocking.done('');
  await first.begun;
  first.fail(error());
  await second.begun;
  second.done('booked');
  expect(await second.result).toBe('booked');
});

type Turn = ReturnType<typeof aTurn>;
