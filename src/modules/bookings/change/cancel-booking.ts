/** Cancels bookings: one, a seat in one, or all that remains of a series; and says beforehand whether that is possible. */

import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { deleteFrom } from '../../../database/statements.ts';
import { type Actor, type DomainEvent, recordEvent, recordEvents } from '../../../events/record-event.ts';
import { forgetKeys } from '../../../limits/at-most-once.ts';
import { EVENT_TYPE_DEFAULTS, type EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import { BookingAttendee } from '../booking.entity.ts';
import { type BookingRow, leadsToSeries } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import {
  type BookingActor,
  type BookingStatus,
  bookingActorOf,
  CUT_OFF_CODES,
  cancellingMistake,
  checkedReason,
  holdsTime,
  isOver,
  statusAfter,
  statusWithoutSeat,
  TRANSITION_CODES,
  timeOf,
} from '../booking-transitions.rules.ts';
import { actorIn, bookedTogether, type HostedBooking, lockHostedBooking, lockNamed } from '../locked-booking.ts';
import { attendeeFacts, cancelAll, factsOf, lockBooking, saveBooking } from '../stored-booking.ts';

export const CANCEL_BOOKING_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  ...TRANSITION_CODES.CANCEL,
  ...CUT_OFF_CODES.cancel,
  ...OPTIONAL_TEXT_CODES,
] as const;

export interface Cancellation {
  /** The key of the booking, or of one seat in it. */
  readonly key: BookingKey;
  readonly reason: string | null;
  /** The host or administrator who acts; null for the holder of the uid. */
  readonly callerId: string | null;
  /** Left out: the caller. */
  readonly by?: Actor;
  /** The booking at the level of its administrator, where one cancels it. */
  readonly acting?: HostedBooking | undefined;
}

/**
 * Cancels a booking, or gives back one seat. `rules` are those of its event type, undefined when that is gone. Answers
 * the booking as it is afterwards, the seat still in it. @throws Problem NOT_FOUND, NOT_POSSIBLE, REASON_REQUIRED,
 * BOOKING_OVER, CANCELLING_DISABLED, and mistakes of the reason
 */
export async function cancelBooking(
  em: Em,
  rules: EventTypeRules | undefined,
  { key, reason: given, callerId, by = { userId: callerId, network: null }, acting }: Cancellation,
): Promise<BookingRow> {
  const reason = checkedReason(given);
  return em.transactional(async (inner) => {
    const booking = await (acting ? lockHostedBooking(inner, acting) : lockBooking(inner, key));
    const actor = acting ? actorIn(acting) : bookingActorOf(booking, callerId);
    const now = await databaseNow(inner);
    const status = requireCancellable(rules, { booking, actor, reason, now });
    const byHostId = actor === 'UID_HOLDER' ? null : callerId;
    const seat = key.isSeat ? booking.attendees.find(({ seatId }) => seatId === key.id) : undefined;
    const remaining = seat ? statusWithoutSeat(booking.status, booking.attendees.length - 1) : status;
    if (seat && remaining === booking.status) await removeSeat(inner, booking, key.id);
    else
      await saveBooking(
        inner,
        booking,
        { status: remaining, cancellationReason: reason },
        { kind: 'CANCELLED', by: byHostId, reason },
      );
    await recordEvent(inner, booking.ownerId, {
      type: 'BOOKING_CANCELLED',
      booking: { ...factsOf(booking), ...(seat && { seatId: key.id, seated: seat }) },
      reason,
      rescheduleRequested: false,
      byHostId,
      by,
      leaving: seat && remaining === booking.status ? attendeeFacts(seat) : null,
    });
    return { ...booking, status, cancellationReason: reason };
  });
}

/** The others keep their booking. */
async function removeSeat(em: Em, booking: BookingRow, seatId: string): Promise<void> {
  const { ownerId, id: bookingId } = booking;
  await changed(em, deleteFrom(BookingAttendee, { ownerId, bookingId, seatId }));
  await forgetKeys(em, ownerId, sql`result_id = ${seatId}`);
  await saveBooking(em, booking, {});
}

/** A booking that somebody wants to cancel, and when. */
interface CancellationOf {
  readonly booking: BookingRow;
  readonly actor: BookingActor;
  readonly reason: string | null;
  readonly now: number;
}

/** The status of the booking after it is cancelled. @throws Problem NOT_POSSIBLE, REASON_REQUIRED, BOOKING_OVER, CANCELLING_DISABLED */
export function requireCancellable(
  rules: EventTypeRules | undefined,
  { booking, actor, reason, now }: CancellationOf,
): BookingStatus {
  const status = statusAfter(booking, { action: 'CANCEL', actor, reason, now });
  const late = cancellingMistake(rules ?? EVENT_TYPE_DEFAULTS, timeOf(booking), actor, now);
  Problem.throwIfAny(late ? [late] : []);
  return status;
}

/** The result for each booking of a series that still took place, in order of their starts. */
export interface SeriesCancellation {
  readonly cancelled: readonly BookingRow[];
  /** These still take place, as it was too late for the attendee to cancel them. */
  readonly kept: readonly BookingRow[];
}

/**
 * Cancels all that remains of a series, in one transaction: what is over or was cancelled before stays as it is, and so does
 * what its attendees can no longer cancel. A host cancels what they host. The people of each booking are mailed once for all.
 * `key`: of any booking, for a host or an administrator; for everybody else, of the first.
 * @throws Problem NOT_FOUND; NOT_POSSIBLE where nothing remains, or the key does not lead to a series; REASON_REQUIRED;
 * CANCELLING_DISABLED where it is too late for each; mistakes of the reason
 */
export async function cancelSeries(
  em: Em,
  rules: EventTypeRules | undefined,
  cancellation: Cancellation,
): Promise<SeriesCancellation> {
  const { callerId, by = { userId: callerId, network: null } } = cancellation;
  const reason = checkedReason(cancellation.reason);
  return em.transactional(async (inner) => {
    const { bookings, actor } = await lockSeries(inner, cancellation);
    const now = await databaseNow(inner);
    const { cancelled, kept, problem } = sorted(standing(bookings, now), rules, { actor, reason, now });
    if (cancelled.length === 0) throw problem ?? notPossible('Nothing of the series remains that could be cancelled.');
    const byHostId = actor === 'UID_HOLDER' ? null : callerId;
    await cancelAll(inner, cancelled, { reason, by: byHostId });
    const act = { reason, rescheduleRequested: false, byHostId, by };
    await recordEvents(inner, eventsOf(cancelled, act));
    const changes = { status: 'CANCELLED', cancellationReason: reason } as const;
    return { cancelled: cancelled.map((booking) => ({ ...booking, ...changes })), kept };
  });
}

/** The bookings of a series that the caller may cancel at this moment. */
export interface RestOfSeries {
  /** The bookings that `cancelSeries` would cancel. */
  readonly cancellable: readonly BookingRow[];
  /** How many bookings still take place, as it is too late to cancel them. */
  readonly kept: number;
  /** Some of it was cancelled before. */
  readonly wasCut: boolean;
}

const NO_SERIES: RestOfSeries = { cancellable: [], kept: 0, wasCut: false };

/** Finds the bookings for a page that offers `cancelSeries`; none where the caller may not. */
export async function findRestOfSeries(
  em: Em,
  rules: EventTypeRules | undefined,
  booking: BookingRow,
  by: Pick<Cancellation, 'key' | 'callerId'>,
): Promise<RestOfSeries> {
  if (booking.recurringId === null) return NO_SERIES;
  try {
    const { bookings, actor } = await partOf(em, booking, await bookedTogether(em, booking), by);
    const now = await databaseNow(em);
    // A host has to give a reason, but need not have it yet.
    const reason = actor === 'HOST' ? '…' : null;
    const { cancelled, kept } = sorted(standing(bookings, now), rules, { actor, reason, now });
    const wasCut = bookings.some(({ status }) => status === 'CANCELLED');
    return { cancellable: cancelled, kept: kept.length, wasCut };
  } catch (error) {
    if (error instanceof Problem) return NO_SERIES;
    throw error;
  }
}

interface PartOfSeries {
  readonly bookings: readonly BookingRow[];
  /** The role in which the caller acts. */
  readonly actor: BookingActor;
}

/** The bookings that the caller may cancel, under their locks. @throws Problem NOT_FOUND, NOT_POSSIBLE */
async function lockSeries(em: Em, cancellation: Cancellation): Promise<PartOfSeries> {
  const { key, callerId, acting } = cancellation;
  const { linked, together } = await lockNamed(em, key, callerId, acting);
  return partOf(em, linked, together, cancellation);
}

/** Finds the bookings of a series that the caller may cancel. @throws Problem NOT_FOUND, NOT_POSSIBLE */
async function partOf(
  em: Em,
  linked: BookingRow,
  bookings: readonly BookingRow[],
  { key, callerId, acting }: Pick<Cancellation, 'key' | 'callerId' | 'acting'>,
): Promise<PartOfSeries> {
  const { id, recurringId } = linked;
  // The booking may have another host since it was read.
  const named = bookings.find((one) => one.id === id) ?? linked;
  const actor = acting?.right ? actorIn(acting) : bookingActorOf(named, callerId);
  if (key.isSeat || recurringId === null) throw notPossible('The booking is not part of a series; cancel it alone.');
  if (actor === 'HOST') return { bookings: bookings.filter(({ hostIds }) => hostIds.includes(callerId ?? '')), actor };
  if (actor === 'ADMIN') return { bookings, actor };
  if (await leadsToSeries(em, linked, recurringId)) return { bookings, actor };
  throw notPossible('This is one booking of a series; to cancel all that remain, give the uid of the first.');
}

function standing(bookings: readonly BookingRow[], now: number): readonly BookingRow[] {
  return bookings.filter((booking) => holdsTime(booking.status) && !isOver(booking, now));
}

/** Nothing of it can be cancelled any more, and some was: what a form that asks for that wants is so by now. */
export function isCutShort({ cancellable, wasCut }: RestOfSeries): boolean {
  return wasCut && cancellable.length === 0;
}

/**
 * Sorts the bookings that are cancelled from those for which it is too late, as the problem says.
 * @throws Problem REASON_REQUIRED
 */
function sorted(
  remaining: readonly BookingRow[],
  rules: EventTypeRules | undefined,
  by: Omit<CancellationOf, 'booking'>,
): SeriesCancellation & { readonly problem: Problem | undefined } {
  const late: { booking: BookingRow; problem: Problem }[] = [];
  const cancelled = remaining.filter((booking) => {
    try {
      requireCancellable(rules, { booking, ...by });
      return true;
    } catch (error) {
      if (!(error instanceof Problem) || error.mistakes.some(({ code }) => code !== 'CANCELLING_DISABLED')) throw error;
      late.push({ booking, problem: error });
      return false;
    }
  });
  return { cancelled, kept: late.map(({ booking }) => booking), problem: late[0]?.problem };
}

type Cancelled = Extract<DomainEvent, { readonly type: 'BOOKING_CANCELLED' }>;

/** One event for each booking. The first of those with the same people tells them of all. */
function eventsOf(bookings: readonly BookingRow[], act: Omit<Cancelled, 'type' | 'booking'>) {
  const groups = [...Map.groupBy(bookings, peopleOf).values()];
  return groups.flatMap((group) =>
    group.map((booking, index) => {
      const together = index === 0 ? group.map(({ id }) => id) : [];
      const event = { type: 'BOOKING_CANCELLED', booking: factsOf(booking), ...act, together } as const;
      return { ownerId: booking.ownerId, event };
    }),
  );
}

function peopleOf({ hostIds, attendees, guestEmails, heldGuestEmails }: BookingRow): string {
  const emails = attendees.map(({ email }) => email);
  return JSON.stringify([hostIds, emails, guestEmails, heldGuestEmails].map((people) => people.toSorted()));
}

function notPossible(message: string): Problem {
  return new Problem('NOT_POSSIBLE', message, ['bookingId']);
}
