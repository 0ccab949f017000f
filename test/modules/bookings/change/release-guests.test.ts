import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Em, row, rows, sql } from '../../../../src/database/sql.ts';
import { findBooking } from '../../../../src/modules/bookings/booking.queries.ts';
import { inviterOf, releaseGuests, releaseToken } from '../../../../src/modules/bookings/change/release-guests.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { meanwhile } from '../../../support/meanwhile.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

const KEY = new Uint8Array(32);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = (): Em => database.em.fork();

/** Two bookings of a series, the first of which has moved to another time: their ids. */
async function aSeries(): Promise<{
  readonly ownerId: string;
  readonly first: string;
  readonly standing: readonly string[];
}> {
  const hosts = await newHosts(em(), 1);
  const eventType = eventTypeOf(hosts);
  const keys = [];
  for (const time of ['09:00', '12:00', '10:00']) keys.push((await book(em(), eventType, slotOn(0, time))).key);
  const [first = '', second = '', moved = ''] = keys.map(({ id }) => id);
  await rows(
    em(),
    sql`update bookings set recurring_id = ${first},
          status = case when id = ${first} then 'CANCELLED' else status end,
          rescheduled_to_id = case when id = ${first} then ${moved}::uuid end,
          held_guest_emails = case when id <> ${first} then array['max@example.test'] end
        where id = any(${[first, second, moved]}::uuid[])`,
  );
  return { ownerId: eventType.ownerId, first, standing: [second, moved] };
}

async function release({ ownerId, first }: Awaited<ReturnType<typeof aSeries>>) {
  const key = { ownerId, id: first };
  const linked = await findBooking(em(), key);
  const token = linked && releaseToken(KEY, inviterOf(linked));
  return releaseGuests(em(), KEY, { key, token: token ?? '' }, { userId: null, network: null });
}

const locking = (id: string) => (open: Em) => row(open, sql`select 1 from bookings where id = ${id} for no key update`);

const heldIn = (ids: readonly string[]) =>
  rows(em(), sql`select 1 from bookings where id = any(${ids}::uuid[]) and held_guest_emails is not null`);

test('the guests of all bookings of a series are released, wherever those have moved', async () => {
  const series = await aSeries();
  expect(await heldIn(series.standing)).toHaveLength(2);
  expect((await release(series)).id).toBe(series.standing[1]);
  expect(await heldIn(series.standing)).toEqual([]);
});

test.runIf(isOnPostgres)(
  'a host who releases guests waits for changes of the same bookings, in the order of their ids',
  async () => {
    const series = await aSeries();
    const [second = '', moved = ''] = series.standing;
    await meanwhile(database, locking(second), () => release(series), locking(moved));
    expect(await heldIn(series.standing)).toEqual([]);
  },
);

test.runIf(isOnPostgres)('a booking that moves while its guests are released is followed', async () => {
  const series = await aSeries();
  const [second = '', moved = ''] = series.standing;
  const moves = sql`update bookings set status = 'CANCELLED', rescheduled_to_id = ${moved} where id = ${second}`;
  const booking = await meanwhile(
    database,
    (open) => row(open, moves),
    () => release(series),
  );
  expect([booking.id, await heldIn([moved])]).toEqual([moved, []]);
  expect(await heldIn([second])).toHaveLength(1);
});
