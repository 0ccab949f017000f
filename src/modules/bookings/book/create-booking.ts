/**
 * book/ makes bookings out of slots: alone, with seats or as a series, and after the code that was mailed to a booker.
 * It may import slots/ and occupancy/.
 */

import { Problem } from '../../../core/problem.ts';
import type { Em } from '../../../database/sql.ts';
import { violatedConstraint } from '../../../database/violated-constraint.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import type { Verification } from '../../../limits/verification.ts';
import type { Asking } from '../../calendars/fresh-calendars.ts';
import {
  findPrivatelyLinked,
  privateLinkNotFound,
  usePrivateLink,
} from '../../event-types/private-links/use-private-link.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { IDEMPOTENCY_KEY_INDEX } from '../booking-attendee.entity.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { joinedLocationMistake } from '../booking-location.rules.ts';
import { factsOf, factsOfSeat, saveBooking } from '../locked-booking.ts';
import { withBuffers } from '../occupancy/booking-time.rules.ts';
import { occupy } from '../occupancy/occupy.ts';
import { SlotLost, whileSlotIsLost } from '../occupancy/slot-lost.ts';
import type { Assignment } from '../slots/assign-hosts.rules.ts';
import { SLOT_CODES } from '../slots/closed-slot.rules.ts';
import { lockSeat } from '../slots/lock-seat.ts';
import { requireSignedIn } from '../slots/offered-event-type.queries.ts';
import { makeRoom, type OpenSeries, requireOpenSeries, seriesWanted } from '../slots/open-series.ts';
import { START_CODES } from '../slots/requested-start.ts';
import { bookAtOnce } from './book-at-once.ts';
import { type Booked, bookedAs, findBooked, keyedBy } from './booked-by-key.ts';
import { spendBookerEmailCode, tryBookerEmailCode } from './booker-email-code.ts';
import { type BookingRequest, checkedRequest, REQUEST_CODES } from './booking-request.rules.ts';
import { insertAttendee, insertBooking } from './insert-booking.ts';
import { creationOf, type Place, personOf, type RequestOf, requestedBooking } from './requested-booking.ts';

export const CREATE_BOOKING_CODES = [
  'NOT_FOUND',
  'AUTHENTICATION_REQUIRED',
  'EMAIL_VERIFICATION_REQUIRED',
  'INVALID_VERIFICATION_CODE',
  'TOO_MANY_GUESSES',
  ...REQUEST_CODES,
  ...SLOT_CODES,
  ...START_CODES,
] as const;

/** How a booker shows that the attendee's e-mail address is theirs. */
export interface EmailProof {
  /** Null when they show nothing. */
  readonly code: string | null;
  /** Their network address. */
  readonly address: string;
  readonly verification: Verification;
}

/** Throws in the transaction of the booking when the caller may not make it. */
export type Guard = (inner: Em) => Promise<void>;

/**
 * Books an event type. `by` is who calls: what is mailed about the booking counts for them. The same request with the same idempotency key finds
 * what it booked. @throws Problem SLOT_TAKEN, SLOT_RESERVED and whatever else closes a slot; AUTHENTICATION_REQUIRED;
 * EMAIL_VERIFICATION_REQUIRED, INVALID_VERIFICATION_CODE, TOO_MANY_GUESSES; NOT_FOUND for a private link that does not
 * serve; every mistake of the input at once
 */
export async function createBooking(
  em: Em,
  eventType: BookableEventType,
  request: BookingRequest,
  by: Actor,
  proof?: EmailProof,
  guard?: Guard,
): Promise<Booked> {
  const keyed = keyedBy(eventType, request, by.userId);
  const findEarlier = async (within: Em) => (keyed === null ? undefined : findBooked(within, eventType.ownerId, keyed));
  // Once the private link is over, nothing but that is told of a hidden event type. Only a caller who repeats the request
  // of an earlier booking gets that booking.
  if (await isLinkOver(em, eventType, request)) {
    const known = await findEarlier(em);
    if (known) return known;
    throw privateLinkNotFound();
  }
  requireSignedIn(eventType, by.userId);
  const shown = shownCode(eventType, proof);
  const checked = checkedRequest(eventType, request);
  // A booking uses up the code, so a repeated request gets its booking without a new one.
  const earlier = shown && (await findEarlier(em));
  if (earlier) return earlier;
  const { email } = checked.attendee;
  // Outside the transaction: a wrong try must outlive what it fails, or guessing would be free.
  const code = shown && (await tryBookerEmailCode(em, eventType, { ...shown, email }, shown.verification));
  const wanted = seriesWanted(eventType, request, request.privateLinkToken ?? null);
  try {
    const order = { ...checked, keyed, by, isEmailVerified: code !== null };
    const inTransaction = async (inner: Em, seen: OpenSeries | undefined, asking: Asking): Promise<Booked> => {
      await guard?.(inner);
      // Before anything is used up: a request that is sent again uses nothing.
      const known = await findEarlier(inner);
      if (known) return known;
      await useLinkOf(inner, eventType, request);
      if (code !== null) await spendBookerEmailCode(inner, code);
      return book(inner, eventType, seen ?? (await requireOpenSeries(inner, eventType, request, asking)), order);
    };
    const isPlain = code === null && request.privateLinkToken == null && guard === undefined;
    const atOnce = isPlain ? (seen: OpenSeries) => bookAtOnce(em, eventType, seen, order) : undefined;
    return await whileSlotIsLost(em, wanted, inTransaction, atOnce);
  } catch (error) {
    // It may be this very request, sent before, that has taken the slot.
    const isRival = error instanceof Problem || violatedConstraint(error) === IDEMPOTENCY_KEY_INDEX;
    const known = isRival ? await findEarlier(em) : undefined;
    if (known) return known;
    throw error;
  }
}

/** Null when the event type asks for no code: one that is shown all the same is not looked at. */
function shownCode(
  { requiresBookerEmailVerification }: BookableEventType,
  proof: EmailProof | undefined,
): (EmailProof & { readonly code: string }) | null {
  if (!requiresBookerEmailVerification) return null;
  if (!proof || proof.code === null) throw verificationRequired();
  return { ...proof, code: proof.code };
}

async function isLinkOver(em: Em, { id }: BookableEventType, { privateLinkToken }: BookingRequest): Promise<boolean> {
  return privateLinkToken != null && (await findPrivatelyLinked(em, privateLinkToken))?.id !== id;
}

/** Uses the private link up. A throw here rolls that back, so that a link which leads elsewhere has lost nothing. */
async function useLinkOf(em: Em, { id }: BookableEventType, { privateLinkToken }: BookingRequest): Promise<void> {
  if (privateLinkToken == null) return;
  if ((await usePrivateLink(em, privateLinkToken))?.id !== id) throw privateLinkNotFound();
}

async function book(em: Em, eventType: BookableEventType, series: OpenSeries, checked: RequestOf): Promise<Booked> {
  const { now, assignments } = series;
  await makeRoom(em, series);
  const keys: BookingKey[] = [];
  for (const assignment of assignments) {
    const place = { now, isSeries: assignments.length > 1, firstId: keys[0]?.id ?? null };
    keys.push(await bookOne(em, eventType, assignment, checked, place));
  }
  return bookedAs(keys);
}

async function bookOne(
  em: Em,
  eventType: BookableEventType,
  assignment: Assignment,
  request: RequestOf,
  place: Place,
): Promise<BookingKey> {
  const { ownerId, rules } = eventType;
  const { start, end, hostIds, joins } = assignment;
  const { location, isLocationChosen, by } = request;
  const person = personOf(eventType, request, place);
  const { seatId } = person;
  if (joins !== null && seatId !== null) {
    const booking = await lockSeat(em, eventType, joins);
    const elsewhere = isLocationChosen ? joinedLocationMistake(['location'], booking.location, location) : undefined;
    Problem.throwIfAny(elsewhere ? [elsewhere] : []);
    await insertAttendee(em, booking, person, by.userId);
    await saveBooking(em, booking, {});
    const facts = await factsOfSeat(em, ownerId, factsOf(booking), seatId);
    await recordEvent(em, ownerId, { type: creationOf(booking.status), booking: facts, by });
    return { ownerId, id: seatId, isSeat: true };
  }

  const booking = requestedBooking(eventType, assignment, request, place, person);
  const { id, status } = booking;
  if (!(await occupy(em, { ...withBuffers({ start, end }, rules), hostIds, holderId: id, ownerId })))
    throw new SlotLost();
  const facts = await insertBooking(em, eventType, booking);
  await recordEvent(em, ownerId, {
    type: creationOf(status),
    booking: seatId === null ? facts : await factsOfSeat(em, ownerId, facts, seatId),
    by,
  });
  return seatId === null ? { ownerId, id } : { ownerId, id: seatId, isSeat: true };
}

function verificationRequired(): Problem {
  const message =
    'This event type is booked with a verified e-mail address only; send the code that bookerEmailVerificationRequest mails.';
  return new Problem('EMAIL_VERIFICATION_REQUIRED', message, ['emailVerificationCode']);
}
