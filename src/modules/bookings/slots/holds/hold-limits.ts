import type { OwnedId } from '../../../../core/id.ts';
import { instantText } from '../../../../core/instant.ts';
import { Problem } from '../../../../core/problem.ts';
import { inTurns } from '../../../../core/turns.ts';
import { databaseNow } from '../../../../database/database-clock.ts';
import { type Em, row, sql } from '../../../../database/sql.ts';
import type { BookableEventType } from '../../../event-types/public/event-type-rules.queries.ts';
import { MINUTE } from '../../../schedules/interval.rules.ts';
import { loadSlotRequest } from '../slot-request.queries.ts';
import type { ReservationRow } from '../slot-reservation.queries.ts';
import { daysOfShare, leavesItsShareInSteps, type WantedHold } from './hold-share.rules.ts';

/** The caller who holds a slot. */
export interface SlotHolder {
  /** The user as whom hosts see the caller act (`hostIdOf`), or null. */
  readonly hostId: string | null;
  /** An app is counted by itself: it may keep slots for many people, from one server. */
  readonly isApp: boolean;
  /**
   * The names by which it is counted. A caller without a session cannot be told from others of their network; a
   * signed-in one is counted by both, since an account costs nothing.
   */
  readonly names: readonly string[];
}

/** How many slots a caller may keep: at a time, of an event type and of a host; and of an event type within `HELD_MINUTES`. */
const HOLDS = {
  stranger: { ofEventType: 3, ofHost: 6, made: 20 },
  app: { ofEventType: 10, ofHost: 20, made: 100 },
  host: { ofEventType: 20, ofHost: 40, made: 200 },
} as const;

/** How many may be kept of a host's time at once, by whomever. */
const HOLDS_OF_HOST = 40;

/** For how long somebody who is no host may keep one time, however often they renew it; afterwards it is free of them for as long. */
export const HELD_MINUTES = 15;

/** How what is kept is counted for a caller. */
interface Kept {
  readonly ofEventType: number;
  readonly ofHost: number;
  readonly made: number;
  /** The most that is held of any one of the hosts, by all callers. */
  readonly ofAll: number;
  /** For how long they have kept this time by now. */
  readonly seconds: number;
}

/** The time until which somebody may keep a slot, and since when they have. */
export interface HoldTerm {
  readonly secondsLeft: number;
  readonly secondsHeld: number;
}

/**
 * How long a slot may be kept, at most for these seconds. Its event type and its hosts must be locked, so that what is counted stays
 * so. @throws Problem RESERVATION_LIMIT_REACHED
 */
export async function requireRoomToHold(
  em: Em,
  eventType: BookableEventType,
  holder: SlotHolder,
  hold: WantedHold,
  replaced: ReservationRow | undefined,
  seconds: number,
): Promise<HoldTerm> {
  const isHost = isHostOf(eventType, holder);
  const limits = HOLDS[isHost ? 'host' : holder.isApp ? 'app' : 'stranger'];
  const kept = await findKept(em, eventType, namesOf(eventType, holder), hold, replaced);
  if (kept.ofEventType >= limits.ofEventType) throw refused(`you keep ${limits.ofEventType} slots of this event type`);
  if (kept.ofHost >= limits.ofHost) throw refused(`you keep ${limits.ofHost} slots of its host`);
  if (kept.made >= limits.made) throw refused(`you have kept ${limits.made} slots within ${HELD_MINUTES} minutes`);
  if (isHost) return { secondsLeft: seconds, secondsHeld: 0 };

  const secondsHeld = Math.floor(kept.seconds);
  const secondsLeft = Math.min(seconds, HELD_MINUTES * 60 - secondsHeld);
  if (secondsLeft <= 0) throw refused(`you have kept this time for ${HELD_MINUTES} minutes`);
  if (kept.ofAll >= HOLDS_OF_HOST) throw refused(`${HOLDS_OF_HOST} slots of its host are kept`);
  if (!(await leavesItsShare(em, eventType, hold, replaced))) throw refused('half of what is open is kept');
  return { secondsLeft, secondsHeld };
}

/** Whether the caller hosts the event type. */
export function isHostOf({ hosts }: BookableEventType, { hostId }: SlotHolder): boolean {
  return hosts.some(({ userId }) => userId === hostId);
}

/** A host is counted by the account, wherever they call from. */
export function namesOf(eventType: BookableEventType, holder: SlotHolder): readonly string[] {
  return isHostOf(eventType, holder) ? [`user ${holder.hostId}`] : holder.names;
}

async function findKept(
  em: Em,
  { ownerId, id }: OwnedId,
  names: readonly string[],
  { withBuffers, hostIds }: WantedHold,
  replaced: ReservationRow | undefined,
): Promise<Kept> {
  const [from, to] = [instantText(withBuffers.start), instantText(withBuffers.end)];
  const found = await row(
    em,
    sql<Kept>`
      select (count(*) filter (where is_live and is_of_event_type))::int as "ofEventType",
        (count(*) filter (where is_live and is_of_hosts))::int as "ofHost",
        (count(*) filter (where is_of_event_type))::int as made,
        date_part('epoch', now() - least(now(), ${replaced?.heldSince ?? null}::timestamptz,
          min(held_since) filter (where is_of_hosts and starts_at < ${to}::timestamptz and ends_at > ${from}::timestamptz))) as seconds,
        (select coalesce(max(count), 0)::int from (
          select count(*) from occupied_times t
          where t.host_id = any(${hostIds}::uuid[]) and t.expires_at > now() and t.holder_id is distinct from ${replaced?.id ?? null}::uuid
          group by t.host_id
        ) of_host) as "ofAll"
      from (
        select r.starts_at, r.ends_at, r.held_since, r.host_ids && ${hostIds}::uuid[] as is_of_hosts,
          r.owner_id = ${ownerId} and r.event_type_id = ${id} as is_of_event_type,
          r.expires_at > now() and r.id is distinct from ${replaced?.id ?? null}::uuid as is_live
        from slot_reservations r
        where r.callers && ${names}::text[] and r.expires_at > now() - make_interval(mins => ${HELD_MINUTES}::int)
      ) kept`,
  );
  return found ?? { ofEventType: 0, ofHost: 0, made: 0, ofAll: 0, seconds: 0 };
}

async function leavesItsShare(
  em: Em,
  eventType: BookableEventType,
  hold: WantedHold,
  replaced: ReservationRow | undefined,
): Promise<boolean> {
  const now = await databaseNow(em);
  const days = daysOfShare(hold.start, now, eventType.rules.timeZone);
  const question = {
    range: { start: Math.max(days[0].start, now), end: Math.max(...days.map(({ end }) => end)) },
    lengthInMinutes: Math.round((hold.end - hold.start) / MINUTE),
    replaces: null,
    reservationId: replaced?.id ?? null,
  };
  const request = await loadSlotRequest(em, eventType, question, now);
  return inTurns(leavesItsShareInSteps(request, hold, days));
}

function refused(because: string): Problem {
  const message = `The slot cannot be kept, since ${because} already; go on without: it can be booked as long as it is open.`;
  return new Problem('RESERVATION_LIMIT_REACHED', message);
}
