import { Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { LATER } from '../../../database/expressions.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { deleteFrom, updateTable } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { MINUTE } from '../../schedules/interval.rules.ts';
import { Booking } from '../booking.entity.ts';
import type { BookingRow } from '../booking.queries.ts';
import { BookingHost } from '../booking-host.entity.ts';
import { hostIdsOf } from '../host-ids.queries.ts';
import { byHost, type HostedBooking, lockHostedBooking } from '../hosted-booking.ts';
import { factsOf, requireStanding, STANDING_CODES, timeOf } from '../locked-booking.ts';
import { withBuffers } from '../occupancy/booking-time.rules.ts';
import { lockHosts, occupy, release } from '../occupancy/occupy.ts';
import { SlotLost, whileSlotIsLost } from '../occupancy/slot-lost.ts';
import { assignHosts } from '../slots/assign-hosts.rules.ts';
import { loadSlotRequest } from '../slots/slot-request.queries.ts';

export const REASSIGN_BOOKING_CODES = ['HOST_NOT_AVAILABLE', 'SLOT_TAKEN', ...STANDING_CODES] as const;

/**
 * Hands a host's part in a booking to another host of its event type who has time: to whom is named, or to whose turn it
 * is. Answers who it is. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, HOST_NOT_AVAILABLE
 */
export async function reassignBooking(
  em: Em,
  eventType: BookableEventType,
  hosted: HostedBooking,
  toHostId: string | null,
): Promise<string> {
  const wanted = { eventType, start: null, isCounted: true };
  return whileSlotIsLost(em, wanted, async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    requireStanding(booking, now);
    const newHostId = await findSubstitute(inner, eventType, booking, toHostId, now);
    if (newHostId === undefined) throw notAvailable();
    await lockHosts(inner, [hosted.hostId, newHostId]);
    await release(inner, [hosted.hostId], booking.id);
    const { ownerId, id } = booking;
    const time = withBuffers(timeOf(booking), eventType.rules);
    if (!(await occupy(inner, { ...time, hostIds: [newHostId], holderId: id, ownerId }))) throw new SlotLost();
    await replaceHost(inner, booking, hosted.hostId, newHostId);
    const hostIds = booking.hostIds.map((id) => (id === hosted.hostId ? newHostId : id));
    await recordEvent(inner, ownerId, {
      type: 'BOOKING_REASSIGNED',
      booking: { ...factsOf(booking), hostIds },
      fromHostId: hosted.hostId,
      toHostId: newHostId,
      by: byHost(hosted),
    });
    return newHostId;
  });
}

/**
 * Who else could have it, as round robin finds them. It is agreed on already, so that notice, window, limits and the grid
 * of slots no longer count; hours and everything that stands in the way do.
 */
async function findSubstitute(
  em: Em,
  eventType: BookableEventType,
  booking: BookingRow,
  toHostId: string | null,
  now: number,
): Promise<string | undefined> {
  const { start, end } = timeOf(booking);
  const lengthInMinutes = (end - start) / MINUTE;
  const candidates = eventType.hosts
    .filter(({ userId }) => !booking.hostIds.includes(userId) && (toHostId === null || userId === toHostId))
    .map((host) => ({ ...host, isMandatory: false }));
  const rules = {
    ...eventType.rules,
    schedulingType: 'ROUND_ROBIN',
    lengthInMinutesOptions: [lengthInMinutes],
    slotIntervalInMinutes: 1,
    minimumBookingNoticeInMinutes: 0,
    bookingWindow: null,
    bookingLimits: {},
    seats: null,
  } as const;
  const range = { start, end: start + 1 };
  const question = { range, lengthInMinutes, replaces: null, reservationId: null };
  const request = await loadSlotRequest(em, { ...eventType, rules, hosts: candidates }, question, now);
  return assignHosts(request, start)?.hostIds[0];
}

async function replaceHost(em: Em, { ownerId, id }: BookingRow, fromId: string, toId: string): Promise<void> {
  await changed(
    em,
    updateTable(Booking, { ownerId, id }).set((eb) => ({
      hostIds: sql`array_replace(${hostIdsOf('item')}, ${fromId}::uuid, ${toId}::uuid)`,
      updatedAt: LATER,
      icsSequence: eb('icsSequence', '+', 1),
    })),
  );
  // A new row, not a changed one: it moves to the list, and the shard, of another host.
  await changed(
    em,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at,
          absent, updated_at)
        select ${toId}::uuid, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, false, ${LATER}
        from booking_hosts where user_id = ${fromId} and booking_id = ${id}`,
  );
  await changed(em, deleteFrom(BookingHost, { userId: fromId, bookingId: id }));
}

/** The same answer for a host who has no time and for who is no host: nobody learns who is in a team. */
function notAvailable(): Problem {
  const message = 'No other host of this event type has time then; name somebody else, or reschedule the booking.';
  return new Problem('HOST_NOT_AVAILABLE', message, ['hostId']);
}
