import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES, tidyText } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { deleteFrom } from '../../../database/statements.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import { forgetKeys } from '../../../limits/at-most-once.ts';
import { EVENT_TYPE_DEFAULTS, type EventTypeRules } from '../../event-types/settings/event-type-scheduling.rules.ts';
import { reasonMistake } from '../attendee.rules.ts';
import type { BookingRow } from '../booking.queries.ts';
import { bookingActorOf } from '../booking-actor.ts';
import { BookingAttendee } from '../booking-attendee.entity.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import {
  type BookingActor,
  type BookingStatus,
  statusWithoutSeat,
  TRANSITION_CODES,
} from '../booking-transitions.rules.ts';
import { CUT_OFF_CODES, cancellingMistake } from '../cut-off.rules.ts';
import { actorIn, type HostedBooking, lockHostedBooking } from '../hosted-booking.ts';
import { attendeeFacts, factsOf, lockBooking, saveBooking, statusAfter, timeOf } from '../locked-booking.ts';

export const CANCEL_BOOKING_CODES = [
  'NOT_FOUND',
  ...TRANSITION_CODES,
  ...CUT_OFF_CODES.cancel,
  ...OPTIONAL_TEXT_CODES,
] as const;

export interface Cancellation {
  /** The key of the booking, or of one seat in it. */
  readonly key: BookingKey;
  readonly reason: string | null;
  /** The signed-in user, if there is one. */
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

/** A booking that somebody wants to cancel, and when. */
export interface CancellationOf {
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

/** The reason as it is stored; a blank one counts as none. @throws Problem */
export function checkedReason(given: string | null): string | null {
  const reason = given === null ? null : tidyText(given) || null;
  const mistake = reasonMistake(['reason'], reason);
  Problem.throwIfAny(mistake ? [mistake] : []);
  return reason;
}

/** The others keep their booking. */
async function removeSeat(em: Em, booking: BookingRow, seatId: string): Promise<void> {
  const { ownerId, id: bookingId } = booking;
  await changed(em, deleteFrom(BookingAttendee, { ownerId, bookingId, seatId }));
  await forgetKeys(em, ownerId, sql`result_id = ${seatId}`);
  await saveBooking(em, booking, {});
}
