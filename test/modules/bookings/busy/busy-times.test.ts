import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/core/id.ts';
import { findBusyTimes } from '../../../../src/modules/bookings/busy/busy-times.graphql.ts';
import { reserveSlot } from '../../../../src/modules/bookings/slots/holds/reserve-slot.ts';
import { replaceBusyPeriods } from '../../../../src/modules/calendars/busy-periods.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { aHolder, book, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const range = { from: slotOn(0, '08:00'), to: slotOn(0, '18:00'), timeZone: 'UTC' };

const clock = (text: string): string => new Date(text).toISOString().slice(11, 16);

async function timesOf(userId: string, changes: Partial<typeof range> = {}): Promise<string[]> {
  const found = await findBusyTimes(em(), userId, { ...range, ...changes });
  return found.map(({ start, end }) => `${clock(start)}-${clock(end)}`);
}

const says = (userId: string, ...times: [string, string][]) =>
  replaceBusyPeriods(
    em(),
    { userId, sourceId: newId() },
    times.map(([start, end]) => ({
      start: slotOn(0, start).epochMilliseconds,
      end: slotOn(0, end).epochMilliseconds,
      icsUid: null,
    })),
  );

test('bookings with their buffers and events of all calendars are one list, merged and cut to the range', async () => {
  const [me = '', other = ''] = await newHosts(em(), 2);
  const talk = eventTypeOf([me], { rules: { bufferAfterInMinutes: 15 } });
  await book(em(), talk, slotOn(0, '10:00'));
  await says(me, ['07:00', '08:30'], ['10:45', '11:00'], ['12:00', '13:00']);
  await says(me, ['12:30', '14:00'], ['17:30', '19:00']);
  await says(other, ['15:00', '16:00']);
  expect(await timesOf(me)).toEqual(['08:00-08:30', '10:00-11:00', '12:00-14:00', '17:30-18:00']);
  expect(await timesOf(other)).toEqual(['15:00-16:00']);
  expect(await timesOf(me, { from: slotOn(1, '00:00'), to: slotOn(2, '00:00') })).toEqual([]);
});

test('a slot that somebody has reserved for some minutes is not told of', async () => {
  const [me = ''] = await newHosts(em(), 1);
  const wanted = {
    start: slotOn(0, '10:00'),
    durationInMinutes: null,
    expiresInMinutes: null,
    replacesId: null,
    holder: aHolder(),
  };
  await reserveSlot(em(), eventTypeOf([me]), wanted);
  expect(await timesOf(me)).toEqual([]);
});

test.each([
  [{ to: range.from }, 'INVERTED_RANGE'],
  [{ to: range.from.add({ hours: 93 * 24, milliseconds: 1 }) }, 'RANGE_TOO_LONG'],
  [{ to: range.from.add({ hours: 93 * 24 }) }, 'done'],
  [{ timeZone: 'Mars/Olympus' }, 'INVALID_TIME_ZONE'],
])('a question with %j is %s', async (changes, outcome) => {
  const [me = ''] = await newHosts(em(), 1);
  expect(await outcomeOf(findBusyTimes(em(), me, { ...range, ...changes }))).toBe(outcome);
});
