import { Problem } from '../../core/problem.ts';
import { timeZoneMistake } from '../../core/text.ts';
import type { Em } from '../../database/sql.ts';
import type { BookableEventType } from '../event-types/event-type-rules.queries.ts';
import { findBooking } from './booking.queries.ts';
import { holdsTime } from './booking-transitions.rules.ts';
import { timeOf } from './held-booking.ts';
import { openSlots } from './open-slots.rules.ts';
import { slotRangeMistakes } from './slot-range.rules.ts';
import { databaseNow, loadSlotRequest } from './slot-request.queries.ts';
import type { ReplacedBooking, Slot } from './slot-request.rules.ts';

export interface SlotsAsked {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly timeZone: string;
  /** Null is the event type's own length. */
  readonly lengthInMinutes: number | null;
  /** A booking whose time counts as free, since it is to be moved; or null. */
  readonly rescheduledUid: string | null;
}

/** When an event type can be booked, in order. @throws Problem for a range, a zone or a length that cannot be */
export async function listSlots(em: Em, eventType: BookableEventType, asked: SlotsAsked): Promise<readonly Slot[]> {
  const zone = timeZoneMistake(['timeZone'], asked.timeZone);
  Problem.throwIfAny(zone ? [zone] : []);
  const now = await databaseNow(em);
  Problem.throwIfAny(slotRangeMistakes(asked.start, asked.end, Temporal.Instant.fromEpochMilliseconds(now)));
  const range = { start: Math.max(asked.start.epochMilliseconds, now), end: asked.end.epochMilliseconds };
  if (range.start >= range.end) return [];

  const replaces = await findReplaced(em, eventType, asked.rescheduledUid);
  const own = replaces ? (replaces.end - replaces.start) / 60_000 : eventType.rules.lengthInMinutes;
  const lengthInMinutes = asked.lengthInMinutes ?? own;
  return openSlots(
    await loadSlotRequest(em, eventType, { range, lengthInMinutes, replaces, reservationId: null }, now),
  );
}

/** The booking as it stands in the way of its own new time: not at all, unless others keep their seats in it. */
async function findReplaced(em: Em, { id }: BookableEventType, uid: string | null): Promise<ReplacedBooking | null> {
  const booking = uid === null ? undefined : await findBooking(em, uid);
  if (!booking || booking.eventTypeId !== id || !holdsTime(booking.status)) return null;
  if (booking.uid !== uid && booking.attendees.length > 1) return null;
  return { uid: booking.uid, hostIds: booking.hostIds, ...timeOf(booking) };
}
