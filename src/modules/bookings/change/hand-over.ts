/** How a host's part in a booking gets to another host: found among those of its event type, taken in one transaction. */
import { LATER } from '../../../database/expressions.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { announcing, type Doer, recording } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { MINUTE } from '../../schedules/interval.rules.ts';
import type { BookingRow } from '../booking.queries.ts';
import { factsOf, timeOf } from '../locked-booking.ts';
import { withBuffers } from '../occupancy/booking-time.rules.ts';
import { occupy, release } from '../occupancy/occupy.ts';
import { SlotLost } from '../occupancy/slot-lost.ts';
import { assignHosts } from '../slots/assign-hosts.rules.ts';
import { loadSlotRequest } from '../slots/slot-request.queries.ts';
import type { Host } from '../slots/slot-request.rules.ts';

/** A host's part in a booking, and who has it from now on; null: the other hosts do it without them. */
export interface HandingOver {
  readonly fromHostId: string;
  readonly toHostId: string | null;
  readonly reason: string | null;
  readonly by: Doer;
}

/**
 * Who else could have it, as round robin finds them. It is agreed on already, so that notice, window, limits and the grid
 * of slots no longer count; hours and everything that stands in the way do. `planned` adds to what is known of a host.
 */
export async function findSubstitute(
  em: Em,
  eventType: BookableEventType,
  booking: BookingRow,
  toHostId: string | null,
  now: number,
  planned: (host: Host) => Host = (host) => host,
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
  return assignHosts({ ...request, hosts: request.hosts.map(planned) }, start)?.hostIds[0];
}

/**
 * Gives a part of a locked booking to a host whose time is free, and tells of it. Both hosts are locked (`lockHosts`), and who gets
 * it as a member of the team (`requireMembers`).
 * @throws SlotLost when somebody else was faster
 */
export async function handOver(
  em: Em,
  eventType: Pick<BookableEventType, 'rules'> | undefined,
  booking: BookingRow,
  { fromHostId, toHostId, reason, by }: HandingOver,
): Promise<void> {
  const { ownerId, id } = booking;
  if (toHostId !== null && eventType) {
    const time = withBuffers(timeOf(booking), eventType.rules);
    if (!(await occupy(em, { ...time, hostIds: [toHostId], holderId: id, ownerId }))) throw new SlotLost();
  }
  await release(em, [fromHostId], id);
  const others = booking.hostIds.map((one) => (one === fromHostId ? toHostId : one));
  const hostIds = others.filter((one) => one !== null);
  const facts = { ...factsOf(booking), hostIds };
  const event = { type: 'BOOKING_REASSIGNED', booking: facts, fromHostId, toHostId, reason, by } as const;
  // A new row in the list of hosts, not a changed one: it moves to the list, and the shard, of another host.
  await rows(
    em,
    sql`with changed as (
          update bookings set host_ids = ${hostIds}::uuid[], reassignment_reason = ${reason}, updated_at = ${LATER},
            ics_sequence = ics_sequence + 1
          where owner_id = ${ownerId} and id = ${id}
        ), added as (
          insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at,
            absent, updated_at)
          select ${toHostId}::uuid, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, false, ${LATER}
          from booking_hosts where user_id = ${fromHostId} and booking_id = ${id} and ${toHostId}::uuid is not null
        ), gone as (
          delete from booking_hosts where user_id = ${fromHostId} and booking_id = ${id}
        ), recorded as (${recording(ownerId, event)})
        ${announcing()}`,
  );
}
