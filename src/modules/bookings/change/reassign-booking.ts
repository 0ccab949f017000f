/** Hands hosts' parts in bookings to other hosts: one by `reassignBooking`, all of somebody who leaves by `handOver`. */

import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { type Em, LATER, rows, sql } from '../../../database/sql.ts';
import { type Actor, recordEvents } from '../../../events/record-event.ts';
import { hostIdsOf } from '../booking.entity.ts';
import type { BookingRow } from '../booking.queries.ts';
import { checkedReason, requireStanding, STANDING_CODES, timeOf } from '../booking-transitions.rules.ts';
import { byHost, type HostedBooking, lockHostedBooking } from '../locked-booking.ts';
import { lockHosts, occupyEach, requireMembers, SlotLost, whileSlotIsLost } from '../occupancy/take-time.ts';
import { substitutesFor } from '../slots/availability.ts';
import type { BookableEventType } from '../slots/bookable-event-type.queries.ts';
import { withBuffers } from '../slots/open-slots.rules.ts';
import { factsOf, historyWith } from '../stored-booking.ts';

export const REASSIGN_BOOKING_CODES = [
  'HOST_NOT_AVAILABLE',
  'SLOT_TAKEN',
  ...STANDING_CODES,
  ...OPTIONAL_TEXT_CODES,
] as const;

interface Handover {
  /** The host whose part an administrator hands over; null: the only one. A host hands over their own. */
  readonly fromHostId?: string | null;
  readonly reason?: string | null;
}

/**
 * Hands a host's part in a booking to another host of its event type who has time: to the named one, or to the one
 * whose turn it is. Answers who it is.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, HOST_NOT_AVAILABLE, REQUIRED without the host of several whose
 * part it is, and mistakes of the reason
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
  return whileSlotIsLost(em, wanted, async (inner, _, asking) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    requireStanding(booking, now);
    const fromId = requirePart(booking, hosted.right ? fromHostId : hosted.hostId);
    const findSubstitute = await substitutesFor(inner, eventType, [booking], now);
    const newHost = await findSubstitute(booking, toHostId);
    if (!newHost) throw notAvailable();
    asking.requireFresh([newHost], timeOf(booking));
    const newHostId = newHost.userId;
    await requireMembers(inner, booking.ownerId, [newHostId]);
    await lockHosts(inner, [fromId, newHostId]);
    const by = byHost(hosted);
    const part = { booking, toHostId: newHostId, rules: eventType.rules };
    await handOver(inner, [part], { fromHostId: fromId, reason, by });
    return newHostId;
  });
}

/** The host whose part is handed over. @throws Problem NOT_FOUND, REQUIRED */
function requirePart({ hostIds }: BookingRow, fromHostId: string | null): string {
  const [only, ...others] = hostIds;
  if (fromHostId === null && only !== undefined && others.length === 0) return only;
  if (fromHostId === null) {
    throw new Problem('REQUIRED', 'The booking has several hosts; say whose part is handed over.', ['fromUserId']);
  }
  if (hostIds.includes(fromHostId)) return fromHostId;
  throw new Problem('NOT_FOUND', 'This user does not host the booking; name one of its hosts.', ['fromUserId']);
}

/** A host without time and a user who is no host get the same answer: nobody learns who is in a team. */
function notAvailable(): Problem {
  const message = 'No other host of this event type has time then; name somebody else, or reschedule the booking.';
  return new Problem('HOST_NOT_AVAILABLE', message, ['toUserId']);
}

/** A part of the same host in one of their bookings, and its new host; null: the other hosts do it without them. */
export interface HandedOver {
  readonly booking: BookingRow;
  readonly toHostId: string | null;
  /** The rules of the event type; undefined when it is gone, and then nobody else takes part. */
  readonly rules: BookableEventType['rules'] | undefined;
}

/** The host whose parts are handed over, and the reason. */
interface HandingOver {
  readonly fromHostId: string;
  readonly reason: string | null;
  readonly by: Actor;
}

/**
 * Gives parts of locked bookings to hosts whose time is free, and tells of it in their order. All hosts are locked
 * (`lockHosts`), and who gets one as a member of the team (`requireMembers`).
 * @throws SlotLost when somebody else was faster
 */
export async function handOver(em: Em, parts: readonly HandedOver[], handing: HandingOver): Promise<void> {
  if (parts.length === 0) return;
  const times = parts.flatMap(({ booking, toHostId: hostId, rules }) => {
    if (hostId === null || !rules) return [];
    return [{ ...withBuffers(timeOf(booking), rules), hostId, holderId: booking.id, ownerId: booking.ownerId }];
  });
  if (!(await occupyEach(em, times))) throw new SlotLost();
  await writeParts(em, parts, handing);
  await recordEvents(
    em,
    parts.map((part) => ({ ownerId: part.booking.ownerId, event: eventOf(part, handing) })),
  );
}

function writeParts(em: Em, parts: readonly HandedOver[], { fromHostId, reason, by }: HandingOver): Promise<unknown> {
  const entry = { kind: 'HANDED_OVER', by: by.userId, reason, fromHostId } as const;
  const bookings = parts.map(({ booking }) => booking);
  const hostIds = hostIdsOf('b');
  // A new row in the list of hosts, not a changed one: it moves to the list, and the shard, of another host.
  return rows(
    em,
    sql`with part as materialized (
          select * from unnest(${bookings.map(({ ownerId }) => ownerId)}::uuid[], ${bookings.map(({ id }) => id)}::uuid[],
            ${parts.map(({ toHostId }) => toHostId)}::uuid[]) as part (part_owner_id, part_id, to_host_id)
        ), released as (
          delete from occupied_times t where t.host_id = ${fromHostId} and t.holder_id in (select part_id from part)
        ), changed as (
          update bookings b set host_ids = case when to_host_id is null then array_remove(${hostIds}, ${fromHostId}::uuid)
              else array_replace(${hostIds}, ${fromHostId}::uuid, to_host_id) end,
            reassignment_reason = ${reason}, history = ${historyWith(entry, { history: sql`b.history`, more: sql`jsonb_build_object('toHostId', to_host_id)` })}, updated_at = ${LATER}, ics_sequence = ics_sequence + 1
          from part where b.owner_id = part_owner_id and b.id = part_id
          returning b.id, ${hostIds} as host_ids
        ), dated as (
          update booking_hosts h set updated_at = ${LATER} from changed
          where h.user_id = any(changed.host_ids) and h.booking_id = changed.id
        ), added as (
          insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at,
            absent, updated_at)
          select to_host_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, false, ${LATER}
          from booking_hosts join part on booking_id = part_id where user_id = ${fromHostId} and to_host_id is not null
        )
        delete from booking_hosts h where h.user_id = ${fromHostId} and h.booking_id in (select part_id from part)`,
  );
}

function eventOf({ booking, toHostId }: HandedOver, { fromHostId, reason, by }: HandingOver) {
  const hostIds = booking.hostIds.map((one) => (one === fromHostId ? toHostId : one)).filter((one) => one !== null);
  const facts = { ...factsOf(booking), hostIds };
  return { type: 'BOOKING_REASSIGNED', booking: facts, fromHostId, toHostId, reason, by } as const;
}
