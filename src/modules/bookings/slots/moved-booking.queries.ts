import type { Mistake } from '../../../core/problem.ts';
import type { Em } from '../../../database/sql.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';
import { type BookingRow, findBooking } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { type BookingActor, holdsTime, movesMistake, reschedulingMistake } from '../booking-transitions.rules.ts';
import { awaitsReschedule, timeOf, transitionOf } from '../locked-booking.ts';
import type { BookableEventType } from './bookable-event-type.queries.ts';
import type { ReplacedBooking } from './slot-request.rules.ts';

/** A booking, or a seat in one, that somebody wants to move. */
export interface Moving {
  readonly key: BookingKey;
  /** Only the holder of the uid is bound by cut-offs. */
  readonly actor: BookingActor;
}

/** A booking that moves decides this about its new time: the list of slots and the move itself ask it. */
export interface MovedBooking {
  /** Its own, unless another one is chosen. */
  readonly durationInMinutes: number;
  /** The time that it gives back: nothing where others stay in it, or where it was cancelled to be moved. */
  readonly replaces: ReplacedBooking | null;
  /** A seat moves to another time, and a whole booking to a time of its own, not into the seats of another booking. */
  readonly fits: (slot: Interval & { readonly joins: string | null }) => boolean;
}

export function movedBooking(booking: BookingRow, { isSeat = false }: BookingKey): MovedBooking {
  const old = timeOf(booking);
  const isHeld = holdsTime(booking.status);
  const isAlone = !isSeat || booking.attendees.length === 1;
  return {
    durationInMinutes: (old.end - old.start) / MINUTE,
    replaces: isAlone && isHeld ? { id: booking.id, hostIds: booking.hostIds, ...old } : null,
    fits: ({ start, end, joins }) => (isSeat ? !(isHeld && start === old.start && end === old.end) : joins === null),
  };
}

/** The booking that is to move; null when it cannot, undefined when it is not of this event type, and so no matter of it. */
export async function findMoved(
  em: Em,
  { id, rules }: BookableEventType,
  { key, actor }: Moving,
  now: number,
): Promise<MovedBooking | null | undefined> {
  const booking = await findBooking(em, key);
  if (booking?.eventTypeId !== id) return undefined;
  return movingMistake(rules, booking, actor, now) ? null : movedBooking(booking, key);
}

/** Why a booking cannot be moved by somebody: the list of slots that it can move to and the move itself ask this. */
export function movingMistake(
  rules: EventTypeRules,
  booking: BookingRow,
  actor: BookingActor,
  now: number,
): Mistake | undefined {
  const outcome = transitionOf(booking, { action: 'RESCHEDULE', actor, reason: null, now });
  if (outcome.kind === 'REFUSED') return outcome.mistake;
  const often = movesMistake(booking.moves);
  // A host has requested another time: no cut-off applies, and the old time may be over.
  if (often || awaitsReschedule(booking)) return often;
  return reschedulingMistake(rules, timeOf(booking), actor, now);
}
