/** Each change of a booking dates it, and its place in the list of each of its hosts: `updated` filters and orders find it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, row, rows, sql } from '../../../../src/database/sql.ts';
import { hostIdsOf } from '../../../../src/modules/bookings/booking.entity.ts';
import { addGuests } from '../../../../src/modules/bookings/change/add-guests-and-attendees.ts';
import { reassignBooking } from '../../../../src/modules/bookings/change/reassign-booking.ts';
import { rescheduleBooking } from '../../../../src/modules/bookings/change/reschedule-booking.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

let database: TestDatabase;
const em = (): Em => database.em.fork();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const LIN = { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC', locale: null, phone: null };
const SEATS = { rules: { seats: { perSlot: 4, showsAttendees: true } } } as const;
const BY_NOBODY = { userId: null, network: null };

/** The id of the booking that holds a seat, or of the booking itself. */
async function bookingIdOf(id: string): Promise<string> {
  const found = await row(
    em(),
    sql<{ bookingId: string }>`select booking_id as "bookingId" from booking_attendees where seat_id = ${id}`,
  );
  return found?.bookingId ?? id;
}

/** As of yesterday, so that a change is told from what was. */
async function makeOld(bookingId: string): Promise<void> {
  await rows(em(), sql`update bookings set updated_at = now() - interval '1 day' where id = ${bookingId}`);
  await rows(em(), sql`update booking_hosts set updated_at = now() - interval '1 day' where booking_id = ${bookingId}`);
}

/** Whether the booking, and each row of its hosts, is dated anew; and how many hosts it has. */
function dating(bookingId: string) {
  const isNew = sql`> now() - interval '1 hour'`;
  return row(
    em(),
    sql<{ booking: boolean; hosts: number; dated: number }>`
      select b.updated_at ${isNew} as booking, cardinality(${hostIdsOf('b')}) as hosts,
        (select count(*)::int from booking_hosts h where h.booking_id = b.id and h.updated_at ${isNew}) as dated
      from bookings b where b.id = ${bookingId}`,
  );
}

describe('a booking and its place in the lists of all its hosts are dated when', () => {
  test('somebody takes a seat', async () => {
    const hostIds = await newHosts(em(), 2);
    const eventType = eventTypeOf(hostIds, SEATS);
    const { key } = await book(em(), eventType, slotOn(0, '09:00'));
    const id = await bookingIdOf(key.id);
    await makeOld(id);
    await book(em(), eventType, slotOn(0, '09:00'), { attendee: LIN });
    expect(await dating(id)).toEqual({ booking: true, hosts: 2, dated: 2 });
  });

  test('a seat moves there, and where it was', async () => {
    const hostIds = await newHosts(em(), 2);
    const eventType = eventTypeOf(hostIds, SEATS);
    const [there, left, stays] = [
      await book(em(), eventType, slotOn(1, '10:00')),
      await book(em(), eventType, slotOn(1, '09:00'), { attendee: LIN }),
      await book(em(), eventType, slotOn(1, '09:00'), { attendee: { ...LIN, email: 'stays@example.test' } }),
    ];
    const ids = await Promise.all([there, stays].map(({ key }) => bookingIdOf(key.id)));
    for (const id of ids) await makeOld(id);
    await rescheduleBooking(em(), eventType, {
      key: left.key,
      start: slotOn(1, '10:00'),
      durationInMinutes: null,
      reason: null,
      reservationId: null,
      callerId: null,
      by: BY_NOBODY,
    });
    expect(await bookingIdOf(left.key.id)).toBe(ids[0]);
    for (const id of ids) expect(await dating(id)).toEqual({ booking: true, hosts: 2, dated: 2 });
  });

  test('one of them hands a part over, or adds guests', async () => {
    const [mandatory = '', ...others] = await newHosts(em(), 3);
    const eventType = eventTypeOf([mandatory, ...others], { rules: { schedulingType: 'ROUND_ROBIN' } });
    const hosts = eventType.hosts.map((host) => ({ ...host, isMandatory: host.userId === mandatory }));
    const offered = { ...eventType, hosts };
    const { key } = await book(em(), offered, slotOn(2, '09:00'));
    const before = await row(
      em(),
      sql<{ ids: string[] }>`select ${hostIdsOf('b')}::text[] as ids from bookings b where b.id = ${key.id}`,
    );
    const from = before?.ids.find((id) => id !== mandatory) ?? '';
    expect(before?.ids).toHaveLength(2);
    await makeOld(key.id);
    await reassignBooking(em(), offered, { ...key, hostId: from, network: 'unknown' }, null);
    expect(await dating(key.id)).toEqual({ booking: true, hosts: 2, dated: 2 });
    await makeOld(key.id);
    await addGuests(em(), { ...key, hostId: mandatory, network: 'unknown' }, ['guest@example.test'], {
      allowsGuests: true,
    });
    expect(await dating(key.id)).toEqual({ booking: true, hosts: 2, dated: 2 });
  });
});
