import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
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
import { checkedReason } from './cancel-booking.ts';

export const REASSIGN_BOOKING_CODES = [
  'HOST_NOT_AVAILABLE',
  'SLOT_TAKEN',
  ...STANDING_CODES,
  ...OPTIONAL_TEXT_CODES,
] as const;

export interface Handover {
  /** Of which host an administrator hands over the part; null: of the only one. A host hands over their own. */
  readonly fromHostId?: string | null;
  readonly reason?: string | null;
}

/**
 * Hands a host's part in a booking to another host of its event type who has time: to whom is named, or to whose turn it
 * is. Answers who it is. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, HOST_NOT_AVAILABLE, REQUIRED without the host
 * of several whose part it is, and mistakes of the reason
 */
export async function reassignBooking(
  em: Em,
  eventType: BookableEventType,
  hosted: HostedBooking,
  toHostId: string | null,
  { fromHostId = null, reason: given = null }: Handover = {},
): Promise<string> {
  const reason = checkedReason(given);
  const wanted = { eventType, start: null, isCounted: true };
  return whileSlotIsLost(em, wanted, async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    requireStanding(booking, now);
    const oldHostId = requirePart(booking, hosted.right ? fromHostId : hosted.hostId);
    const newHostId = await findSubstitute(inner, eventType, booking, toHostId, now);
    if (newHostId === undefined) throw notAvailable();
    await lockHosts(inner, [oldHostId, newHostId]);
    await release(inner, [oldHostId], booking.id);
    const { ownerId, id } = booking;
    const time = withBuffers(timeOf(booking), eventType.rules);
    if (!(await occupy(inner, { ...time, hostIds: [newHostId], holderId: id, ownerId }))) throw new SlotLost();
    await replaceHost(inner, booking, { oldHostId, newHostId, reason });
    const hostIds = booking.hostIds.map((id) => (id === oldHostId ? newHostId : id));
    await recordEvent(inner, ownerId, {
      type: 'BOOKING_REASSIGNED',
      booking: { ...factsOf(booking), hostIds },
      fromHostId: oldHostId,
      toHostId: newHostId,
      reason,
      by: byHost(hosted),
    });
    return newHostId;
  });
}

/** The host whose part is handed over. @throws Problem NOT_FOUND, REQUIRED */
function requirePart({ hostIds }: BookingRow, fromHostId: string | null): string {
  const [only, ...others] = hostIds;
  if (fromHostId === null && only !== undefined && others.length === 0) return only;
  if (fromHostId === null) {
    throw new Problem('REQUIRED', 'Several people host it; say whose part is handed over.', ['fromHostId']);
  }
  if (hostIds.includes(fromHostId)) return fromHostId;
  throw new Problem('NOT_FOUND', 'This user does not host the booking; name one of its hosts.', ['fromHostId']);
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

interface Replacement {
  readonly oldHostId: string;
  readonly newHostId: string;
  readonly reason: string | null;
}

async function replaceHost(
  em: Em,
  { ownerId, id }: BookingRow,
  { oldHostId: fromId, newHostId: toId, reason }: Replacement,
): Promise<void> {
  await changed(
    em,
    updateTable(Booking, { ownerId, id }).set((eb) => ({
      hostIds: sql`array_replace(${hostIdsOf('item')}, ${fromId}::uuid, ${toId}::uuid)`,
      reassignmentReason: reason,
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
