/**
 * Settles a leaver's bookings one by one, each decided and carried out for itself: slow, and what the batch has to
 * equal.
 */

import { timeOfId } from '../../../../src/core/id.ts';
import { databaseNow } from '../../../../src/database/database-clock.ts';
import { type Em, LATER, rows, sql } from '../../../../src/database/sql.ts';
import { recordEvent } from '../../../../src/events/record-event.ts';
import { BOOKING_COLUMNS, type BookingRow } from '../../../../src/modules/bookings/booking.queries.ts';
import { timeOf } from '../../../../src/modules/bookings/booking-transitions.rules.ts';
import { goesOnWithout } from '../../../../src/modules/bookings/departures/departure-choice.rules.ts';
import type { Departing } from '../../../../src/modules/bookings/departures/settle-bookings.ts';
import { occupy, release } from '../../../../src/modules/bookings/occupancy/take-time.ts';
import {
  type BookableEventType,
  findEventTypeRules,
} from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { type Host, type OccupiedTime, withBuffers } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { loadSlotRequest } from '../../../../src/modules/bookings/slots/slot-request.queries.ts';
import { factsOf, saveBooking } from '../../../../src/modules/bookings/stored-booking.ts';
import { MINUTE } from '../../../../src/modules/schedules/interval.rules.ts';
import { assignHosts } from '../support/at-once.ts';

type Taken = Map<string, (OccupiedTime & { readonly madeAt: number })[]>;

/** @throws Error where a booking goes to nobody and nothing is said of that */
export async function settleOneByOne(em: Em, departing: Departing): Promise<void> {
  const { userId, choice, mandatoryIn, groupId } = departing;
  const bookings = await rows(
    em,
    sql<BookingRow>`select ${BOOKING_COLUMNS} from bookings b
      where b.owner_id = ${groupId} and b.host_ids @> array[${userId}::uuid] and b.status in ('PENDING', 'ACCEPTED')
        and b.starts_at > now()
      order by b.starts_at, b.id`,
  );
  const suspended = await rows(em, sql<{ id: string }>`select id from users where suspended_at is not null`);
  const isAble = (id: string): boolean => id !== userId && !suspended.some((one) => one.id === id);
  const taken: Taken = new Map();
  const plans: (() => Promise<void>)[] = [];
  for (const booking of bookings) {
    const eventType = await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId });
    const isRoundRobin = eventType?.rules.schedulingType === 'ROUND_ROBIN';
    const hasOthers = booking.hostIds.some(isAble);
    const release = goesOnWithout({ hasOthers, isRoundRobin, isMandatory: mandatoryIn.has(booking.eventTypeId) });
    let what: string = release ? 'RELEASE' : choice.upcomingBookings;
    let toHostId: string | undefined;
    if (what === 'REASSIGN') {
      toHostId = eventType && (await substituteOf(em, eventType, booking, choice.toUserId, taken));
      if (toHostId === undefined) what = choice.ifNobodyIsFree ?? 'NOBODY';
    }
    if (what === 'NOBODY') throw new Error('Nobody has time.');
    if (toHostId !== undefined && eventType) {
      const time = { ...withBuffers(timeOf(booking), eventType.rules), bookingId: booking.id };
      taken.getOrInsertComputed(toHostId, () => []).push({ ...time, madeAt: timeOfId(booking.id) });
    }
    if (what === 'REASSIGN' || what === 'RELEASE') {
      plans.push(() => handOverOne(em, eventType, booking, toHostId ?? null, departing));
    }
    if (what === 'CANCEL') plans.push(() => cancelOne(em, booking, departing));
  }
  for (const carryOut of plans) await carryOut();
}

async function substituteOf(
  em: Em,
  eventType: BookableEventType,
  booking: BookingRow,
  toHostId: string | null,
  taken: Taken,
): Promise<string | undefined> {
  const { start, end } = timeOf(booking);
  const durationInMinutes = (end - start) / MINUTE;
  const hosts = eventType.hosts
    .filter(({ userId }) => !booking.hostIds.includes(userId) && (toHostId === null || userId === toHostId))
    .map((host) => ({ ...host, isMandatory: false }));
  const rules = {
    ...eventType.rules,
    schedulingType: 'ROUND_ROBIN',
    durationInMinutesOptions: [durationInMinutes],
    slotIntervalInMinutes: 1,
    minimumBookingNoticeInMinutes: 0,
    bookingWindow: null,
    bookingLimits: {},
    seats: null,
  } as const;
  const question = { range: { start, end: start + 1 }, durationInMinutes, replaces: null, reservationId: null };
  const request = await loadSlotRequest(em, { ...eventType, rules, hosts }, question, await databaseNow(em));
  const planned = (host: Host): Host => {
    const times = taken.get(host.userId) ?? [];
    const lastBookedAt = Math.max(host.lastBookedAt ?? 0, ...times.map(({ madeAt }) => madeAt));
    const turn = times.length > 0 ? { bookingCount: host.bookingCount + times.length, lastBookedAt } : {};
    return { ...host, ...turn, occupied: [...host.occupied, ...times] };
  };
  return assignHosts({ ...request, hosts: request.hosts.map(planned) }, start)?.hostIds[0];
}

async function handOverOne(
  em: Em,
  eventType: BookableEventType | undefined,
  booking: BookingRow,
  toHostId: string | null,
  { userId: fromHostId, choice: { reason }, by }: Departing,
): Promise<void> {
  const { ownerId, id } = booking;
  if (toHostId !== null && eventType) {
    const time = { ...withBuffers(timeOf(booking), eventType.rules), hostIds: [toHostId], holderId: id, ownerId };
    if (!(await occupy(em, time))) throw new Error('The time is taken.');
  }
  await release(em, [fromHostId], id);
  const hostIds = booking.hostIds.map((one) => (one === fromHostId ? toHostId : one)).filter((one) => one !== null);
  await rows(
    em,
    sql`update bookings set host_ids = ${hostIds}::uuid[], reassignment_reason = ${reason}, updated_at = ${LATER},
          ics_sequence = ics_sequence + 1 where owner_id = ${ownerId} and id = ${id}`,
  );
  await rows(
    em,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select ${toHostId}::uuid, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, false, ${LATER}
        from booking_hosts where user_id = ${fromHostId} and booking_id = ${id} and ${toHostId}::uuid is not null`,
  );
  await rows(em, sql`delete from booking_hosts where user_id = ${fromHostId} and booking_id = ${id}`);
  const facts = { ...factsOf(booking), hostIds };
  await recordEvent(em, ownerId, { type: 'BOOKING_REASSIGNED', booking: facts, fromHostId, toHostId, reason, by });
}

async function cancelOne(em: Em, booking: BookingRow, { choice: { reason }, by }: Departing): Promise<void> {
  await saveBooking(em, booking, { status: 'CANCELLED', cancellationReason: reason });
  const event = { type: 'BOOKING_CANCELLED', booking: factsOf(booking), rescheduleRequested: false } as const;
  await recordEvent(em, booking.ownerId, { ...event, reason, byHostId: by.userId, by, leaving: null });
}
