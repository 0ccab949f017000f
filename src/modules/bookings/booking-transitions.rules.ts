/** The life of a booking: how it begins, and who may do what with it then, until when, and for what reason. */
import type { OwnedId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import { optionalTextMistake, type Path, tidyText } from '../../core/text.ts';
import type { AttendeePolicy, Confirmation, EventTypeRules } from '../event-types/settings/scheduling.rules.ts';
import { type Interval, MINUTE } from '../schedules/interval.rules.ts';
import { bookingNotFound } from './booking-key.rules.ts';

export const BOOKING_STATUSES = ['PENDING', 'ACCEPTED', 'REJECTED', 'CANCELLED'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** One column has why a booking was moved, or why a host has cancelled it to have it at another time. */
export function reschedulingReasons(booking: {
  readonly rescheduleRequested: boolean;
  readonly reschedulingReason: string | null;
}): { readonly reschedulingReason: string | null; readonly rescheduleRequestReason: string | null } {
  const { rescheduleRequested, reschedulingReason: reason } = booking;
  return rescheduleRequested
    ? { reschedulingReason: null, rescheduleRequestReason: reason }
    : { reschedulingReason: reason, rescheduleRequestReason: null };
}

export const BOOKING_ACTIONS = [
  'CONFIRM',
  'DECLINE',
  'CANCEL',
  'RESCHEDULE',
  'REQUEST_RESCHEDULE',
  'MARK_ABSENT',
] as const;
export type BookingAction = (typeof BOOKING_ACTIONS)[number];

/**
 * The roles in which somebody acts: a host, an administrator of its team or organization, or the holder of the uid.
 * Token or session and the uid decide it, never the input.
 */
export const BOOKING_ACTORS = ['HOST', 'ADMIN', 'UID_HOLDER'] as const;
export type BookingActor = (typeof BOOKING_ACTORS)[number];

/**
 * Says as what somebody acts: as the holder of the uid, without a `callerId`, or as one of its hosts.
 * @throws Problem NOT_FOUND for a caller who does not host it, or no longer: an id opens nothing to them
 */
export function bookingActorOf(
  { ownerId, id, hostIds }: OwnedId & { readonly hostIds: readonly string[] },
  callerId: string | null,
): BookingActor {
  if (callerId === null) return 'UID_HOLDER';
  if (hostIds.includes(callerId)) return 'HOST';
  throw bookingNotFound({ ownerId, id });
}

interface Transition {
  readonly from: readonly BookingStatus[];
  readonly to: BookingStatus;
  readonly by: readonly BookingActor[];
  readonly needsReasonFrom?: readonly BookingActor[];
  readonly afterStart?: true;
  /** Also of a booking that a host has cancelled to have it at another time. */
  readonly onRequest?: true;
}

const HOLDS_TIME = ['PENDING', 'ACCEPTED'] as const satisfies readonly BookingStatus[];

/**
 * The whole life of a booking after it is made. A host and an admin hold the uid too. REJECTED and CANCELLED are for ever;
 * only what a host has cancelled to have it at another time can still be moved there.
 */
const BOOKING_TRANSITIONS: Readonly<Record<BookingAction, Transition>> = {
  CONFIRM: { from: ['PENDING'], to: 'ACCEPTED', by: ['HOST', 'ADMIN'] },
  DECLINE: { from: ['PENDING'], to: 'REJECTED', by: ['HOST', 'ADMIN'] },
  // A host who cancels owes the attendee a reason; attendees may keep theirs to themselves.
  CANCEL: { from: HOLDS_TIME, to: 'CANCELLED', by: BOOKING_ACTORS, needsReasonFrom: ['HOST', 'ADMIN'] },
  RESCHEDULE: { from: HOLDS_TIME, to: 'CANCELLED', by: BOOKING_ACTORS, onRequest: true },
  REQUEST_RESCHEDULE: { from: ['ACCEPTED'], to: 'CANCELLED', by: ['HOST', 'ADMIN'] },
  MARK_ABSENT: { from: ['ACCEPTED'], to: 'ACCEPTED', by: ['HOST', 'ADMIN'], afterStart: true },
};

/** The codes of what the table refuses, by the action. */
export const TRANSITION_CODES = {
  CONFIRM: ['FORBIDDEN', 'NOT_POSSIBLE'],
  DECLINE: ['FORBIDDEN', 'NOT_POSSIBLE'],
  CANCEL: ['NOT_POSSIBLE', 'REASON_REQUIRED'],
  RESCHEDULE: ['NOT_POSSIBLE'],
  REQUEST_RESCHEDULE: ['FORBIDDEN', 'NOT_POSSIBLE'],
  MARK_ABSENT: ['FORBIDDEN', 'NOT_POSSIBLE', 'NOT_STARTED'],
} as const satisfies Readonly<Record<BookingAction, readonly ProblemCode[]>>;

export type TransitionOutcome =
  | { readonly kind: 'DONE'; readonly status: BookingStatus }
  | { readonly kind: 'REFUSED'; readonly mistake: Mistake };

interface TransitionRequest {
  readonly action: BookingAction;
  readonly actor: BookingActor;
  readonly reason: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** When a booking is: RFC 3339, as the database writes it. */
interface BookingTime {
  readonly start: string;
  readonly end: string;
}

/** The state of a booking, which decides what may follow. */
interface BookingState extends BookingTime {
  readonly status: BookingStatus;
  readonly rescheduleRequested: boolean;
  readonly rescheduledToId: string | null;
  readonly attendees: readonly unknown[];
  readonly moves: number;
}

/** The status that an action leads to. @throws Problem when it is not possible, not allowed, or lacks its reason */
export function statusAfter(booking: BookingState, request: TransitionRequest): BookingStatus {
  const outcome = transitionOf(booking, request);
  if (outcome.kind === 'REFUSED') Problem.throwIfAny([outcome.mistake]);
  return outcome.kind === 'DONE' ? outcome.status : booking.status;
}

/** The outcome of an action, by the state of the booking. */
function transitionOf(booking: BookingState, request: TransitionRequest): TransitionOutcome {
  const { status } = booking;
  return transition({ status, start: timeOf(booking).start, awaitsReschedule: awaitsReschedule(booking) }, request);
}

/** The state of a booking after an action. The caller stores it, under the lock that it read the booking with (`lockBooking`). */
export function transition(
  booking: { readonly status: BookingStatus; readonly start: number; readonly awaitsReschedule?: boolean },
  { action, actor, reason, now }: TransitionRequest,
): TransitionOutcome {
  const { from, to, by, needsReasonFrom, afterStart, onRequest } = BOOKING_TRANSITIONS[action];
  if (!by.includes(actor)) return refused('FORBIDDEN', `Only ${listed(by)} can ${WORDS[action]} a booking.`);
  if (!from.includes(booking.status) && !(onRequest && booking.awaitsReschedule)) {
    const possible = from.map((status) => status.toLowerCase()).join(' or ');
    const message = `The booking is ${booking.status.toLowerCase()}; to ${WORDS[action]} it, it must be ${possible}.`;
    return refused('NOT_POSSIBLE', message);
  }
  if (afterStart && now < booking.start) {
    return refused('NOT_STARTED', `The booking has not started; to ${WORDS[action]} it, wait until it has.`);
  }
  if (needsReasonFrom?.includes(actor) && (reason?.trim() ?? '') === '') {
    const message = 'The reason is missing; tell the attendee why.';
    return { kind: 'REFUSED', mistake: { code: 'REASON_REQUIRED', message, path: ['reason'] } };
  }
  return { kind: 'DONE', status: to };
}

const WORDS: Readonly<Record<BookingAction, string>> = {
  CONFIRM: 'confirm',
  DECLINE: 'decline',
  CANCEL: 'cancel',
  RESCHEDULE: 'reschedule',
  REQUEST_RESCHEDULE: 'ask to reschedule',
  MARK_ABSENT: 'mark somebody absent in',
};

const NAMES: Readonly<Record<BookingActor, string>> = {
  HOST: 'a host',
  ADMIN: 'an admin of its team or organization',
  UID_HOLDER: 'who holds its uid',
};

function listed(actors: readonly BookingActor[]): string {
  return actors.map((actor) => NAMES[actor]).join(' or ');
}

function refused(code: (typeof TRANSITION_CODES)[BookingAction][number], message: string): TransitionOutcome {
  return { kind: 'REFUSED', mistake: { code, message, path: ['bookingId'] } };
}

/** Whether a host has cancelled it to have it at another time, which somebody has still to choose. */
export function awaitsReschedule({ status, rescheduleRequested, rescheduledToId, attendees }: BookingState): boolean {
  // With seats, each moves separately: nobody can move what the last one leaves behind.
  return status === 'CANCELLED' && rescheduleRequested && rescheduledToId === null && attendees.length > 0;
}

/** When it is, in epoch milliseconds. */
export function timeOf({ start, end }: BookingTime): Interval {
  return {
    start: instantOf(start).epochMilliseconds,
    end: instantOf(end).epochMilliseconds,
  };
}

export function isOver(booking: BookingTime, now: number): boolean {
  return timeOf(booking).end <= now;
}

/** @throws Problem BOOKING_OVER: what is over is history */
export function requireNotOver(booking: BookingTime, now: number): void {
  if (!isOver(booking, now)) return;
  throw new Problem('BOOKING_OVER', 'The booking is over and can no longer be changed.', ['bookingId']);
}

/** The codes of a change to a booking that must not be over: there is no such booking, or it is over. */
export const STANDING_CODES = ['NOT_FOUND', 'NOT_POSSIBLE', 'BOOKING_OVER'] as const;

/** Whether it still takes place, or may. @throws Problem NOT_POSSIBLE, BOOKING_OVER */
export function requireStanding(booking: BookingTime & Pick<BookingState, 'status'>, now: number): void {
  if (!holdsTime(booking.status)) {
    const message = `The booking is ${booking.status.toLowerCase()} and can no longer be changed.`;
    throw new Problem('NOT_POSSIBLE', message, ['bookingId']);
  }
  requireNotOver(booking, now);
}

/** Why a booking cannot be moved by somebody: the list of slots that it can move to and the move itself ask this. */
export function movingMistake(
  rules: Rules,
  booking: BookingState,
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

/**
 * The most moves of a booking, by anybody: a reader who follows it from where it was made to where it is reads a row
 * for each move, and the holder of its uid, a stranger say, could make as many as they like.
 */
export const MAX_MOVES = 100;

/** Why a booking that was moved so often is not moved once more. */
export function movesMistake(moves: number): Mistake | undefined {
  if (moves < MAX_MOVES) return undefined;
  const message = `The booking was rescheduled ${moves} times, which is the limit; cancel it and book another time.`;
  return { code: 'TOO_MANY_MOVES', message, path: ['bookingId'] };
}

export const CUT_OFF_CODES = {
  cancel: ['BOOKING_OVER', 'CANCELLING_DISABLED'],
  reschedule: ['BOOKING_OVER', 'RESCHEDULING_DISABLED'],
} as const;

type Rules = Pick<EventTypeRules, 'cancellationPolicy' | 'reschedulingPolicy'>;

/** A booking, the actor who wants to change it, and the time at which they do. */
type Change = readonly [booking: Interval, actor: BookingActor, now: number];

/** Why it is too late to cancel. The policy binds attendees, not hosts and admins; what is over is history for all. */
export function cancellingMistake({ cancellationPolicy }: Rules, ...change: Change): Mistake | undefined {
  return lateMistake('CANCELLING_DISABLED', 'cancelled', cancellationPolicy, change);
}

/** Why it is too late to reschedule, likewise. */
export function reschedulingMistake({ reschedulingPolicy }: Rules, ...change: Change): Mistake | undefined {
  return lateMistake('RESCHEDULING_DISABLED', 'rescheduled', reschedulingPolicy, change);
}

function lateMistake(
  code: ProblemCode,
  done: string,
  policy: AttendeePolicy,
  [booking, actor, now]: Change,
): Mistake | undefined {
  if (booking.end <= now) return over(done);
  return actor === 'UID_HOLDER' && isTooLate(policy, booking, now) ? disabled(code, done, policy) : undefined;
}

function isTooLate(policy: AttendeePolicy, { start }: Interval, now: number): boolean {
  return policy.type === 'WITH_NOTICE' ? start - now < policy.noticeInMinutes * MINUTE : policy.type === 'NEVER';
}

function over(done: string): Mistake {
  return { code: 'BOOKING_OVER', message: `The booking is over and can no longer be ${done}.`, path: ['bookingId'] };
}

function disabled(code: ProblemCode, done: string, policy: AttendeePolicy): Mistake {
  const when = policy.type === 'WITH_NOTICE' ? ` in the last ${policy.noticeInMinutes} minutes before its start` : '';
  const message = `The booking cannot be ${done} by its attendees${when}; ask a host to do it.`;
  return { code, message, path: ['bookingId'] };
}

export const MAX_REASON_LENGTH = 1_000;

/** Checks the reason for a cancellation, a reschedule or a refusal. The transition says whether there must be one. */
export function reasonMistake(path: Path, reason: string | null): Mistake | undefined {
  return reason === null ? undefined : optionalTextMistake(path, reason, { max: MAX_REASON_LENGTH, multiline: true });
}

/** The reason as it is stored; a blank one counts as none. @throws Problem */
export function checkedReason(given: string | null): string | null {
  const reason = given === null ? null : tidyText(given) || null;
  const mistake = reasonMistake(['reason'], reason);
  Problem.throwIfAny(mistake ? [mistake] : []);
  return reason;
}

/** PENDING when a host has to confirm it, else ACCEPTED. Times are epoch milliseconds. */
export function initialStatus(confirmation: Confirmation, start: number, now: number): 'PENDING' | 'ACCEPTED' {
  switch (confirmation.type) {
    case 'NEVER':
      return 'ACCEPTED';
    case 'ALWAYS':
      return 'PENDING';
    default:
      return start - now < confirmation.noticeInMinutes * MINUTE ? 'PENDING' : 'ACCEPTED';
  }
}

/** A seat that is cancelled leaves the booking to the others; with the last one, the booking is cancelled. */
export function statusWithoutSeat(status: BookingStatus, otherSeats: number): BookingStatus {
  return otherSeats > 0 ? status : 'CANCELLED';
}

/** Whether a booking of this status keeps its hosts' time, its seats and its place in the limits. */
export function holdsTime(status: BookingStatus): boolean {
  return HOLDS_TIME.some((one) => one === status);
}

/** The status that an event led to, whatever has become of the booking since, which has this status now. */
export function statusAfterEvent(eventType: string, status: BookingStatus): BookingStatus {
  return LED_TO[eventType] ?? (holdsTime(status) ? status : 'ACCEPTED');
}

const LED_TO: Readonly<Record<string, BookingStatus>> = {
  BOOKING_CREATED: 'ACCEPTED',
  BOOKING_CONFIRMED: 'ACCEPTED',
  BOOKING_REQUESTED: 'PENDING',
  BOOKING_REJECTED: 'REJECTED',
  BOOKING_CANCELLED: 'CANCELLED',
};
