import { expect, test } from 'vitest';
import { inTurn, SlotClosed } from '../../../../src/modules/bookings/occupancy/take-time.ts';

const closed = () => new SlotClosed('SLOT_TAKEN', 'The slot is taken.', ['start']);

/** Work that is under way until the test ends it, and how often it was begun. */
function aTurn(eventTypeId: string, question?: string) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<string>();
  let isBegun = false;
  const result = inTurn(eventTypeId, question, 2, () => {
    isBegun = true;
    begun.resolve();
    return end.promise;
  });
  result.catch(() => undefined);
  return { result, begun: begun.promise, done: end.resolve, fail: end.reject, isBegun: () => isBegun };
}

test('two of those who book one event type have the turn at a time, in their order', async () => {
  const [a, b, c, d] = [aTurn('one'), aTurn('one'), aTurn('one'), aTurn('one')];
  await b.begun;
  expect([a.isBegun(), c.isBegun(), d.isBegun()]).toEqual([true, false, false]);
  a.done('a');
  await c.begun;
  expect(d.isBegun()).toBe(false);
  b.fail(new Error('A fault passes the turn on too.'));
  await d.begun;
  c.done('c');
  d.done('d');
  expect(await Promise.all([a.result, c.result, d.result])).toEqual(['a', 'c', 'd']);
  await expect(b.result).rejects.toThrow('A fault');
});

test('those who book another event type wait for nobody', async () => {
  const [one, two, other] = [aTurn('one'), aTurn('one'), aTurn('another')];
  await other.begun;
  other.done('other');
  expect(await other.result).toBe('other');
  for (const turn of [one, two]) turn.done('');
});

test('a closed slot is the answer to all who waited with the same question, and they are not begun', async () => {
  const busy = aTurn('one');
  const [first, second, third, fourth] = [nine(), nine(), aTurn('one', 'ten'), nine()];
  await first.begun;
  first.fail(closed());
  for (const { result } of [first, second, fourth]) await expect(result).rejects.toThrow('The slot is taken.');
  await third.begun;
  expect([second.isBegun(), fourth.isBegun()]).toEqual([false, false]);
  for (const turn of [third, busy]) turn.done('ten');
  expect(await third.result).toBe('ten');
});

test('a caller who asks after the turn has begun is heard: the slot may have been given back meanwhile', async () => {
  const [busy, first] = [aTurn('one'), nine()];
  await first.begun;
  const later = nine();
  first.fail(closed());
  await later.begun;
  for (const turn of [later, busy]) turn.done('booked');
  expect(await later.result).toBe('booked');
});

test.each([
  ['another refusal', 'nine', () => new Error('Something else.')],
  ['a closed slot, to those without a question,', undefined, closed],
])('%s is nobody else’s answer', async (_, question, error) => {
  const [busy, first, second] = [aTurn('one'), aTurn('one', question), aTurn('one', question)];
  await first.begun;
  first.fail(error());
  await second.begun;
  for (const turn of [second, busy]) turn.done('booked');
  expect(await second.result).toBe('booked');
});

const nine = () => aTurn('one', 'nine');
