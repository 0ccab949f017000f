/**
 * book/ makes bookings out of slots: alone, with seats or as a series, and after the code that was mailed to a booker.
 * It may import slots/ and occupancy/. This file is the whole story of a booking, from the request to the rows.
 */

import { newId } from '../../../core/id.ts';
import { type KeyedRequest, keyedRequest } from '../../../core/idempotency-key.ts';
import { Problem } from '../../../core/problem.ts';
import { violatedConstraint } from '../../../database/failure.ts';
import { type Em, row } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import { findEarlier } from '../../../limits/at-most-once.ts';
import type { Verification } from '../../../limits/guess-limit.ts';
import { IDEMPOTENCY_KEY_INDEX } from '../../../limits/idempotency-key.entity.ts';
import { networkDigest } from '../../../limits/network.ts';
import { findPrivatelyLinked, privateLinkNotFound, usePrivateLink } from '../../event-types/private-links.ts';
import { Booking } from '../booking.entity.ts';
import { findSeries } from '../booking.queries.ts';
import { type AttendeeKey, keyOfBooking, keyOfSeat } from '../booking-key.rules.ts';
import {
  type BookingRequest,
  type CheckedRequest,
  checkedRequest,
  joinedLocationMistake,
  REQUEST_CODES,
} from '../booking-request.rules.ts';
import { type BookingStatus, initialStatus } from '../booking-transitions.rules.ts';
import { whileSlotIsLost } from '../occupancy/take-time.ts';
import { type Assignment, SLOT_CODES, START_CODES } from '../slots/assign-hosts.rules.ts';
import { type BookableEventType, requireSignedIn } from '../slots/bookable-event-type.queries.ts';
import { lockSeat, makeRoom, type OpenSeries, requireOpen, seriesWanted } from '../slots/take-slot.ts';
import {
  factsOf,
  factsOfSeat,
  insertAttendee,
  insertBooking,
  type NewAttendee,
  saveBooking,
} from '../stored-booking.ts';
import { spendBookerEmailCode, tryBookerEmailCode } from './booker-email-code.ts';

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
interface EmailProof {
  /** Null when they show nothing. */
  readonly code: string | null;
  /** Their network address. */
  readonly address: string;
  readonly verification: Verification;
}

/** Throws in the transaction of the booking when the caller may not make it. */
type Guard = (inner: Em) => Promise<void>;

/** The result of a booking: the booking or the seat in it, and all bookings of a series. */
export interface Booked {
  readonly key: AttendeeKey;
  readonly keys: readonly AttendeeKey[];
}

/** A request that was checked, and who makes it. */
interface Order extends CheckedRequest {
  readonly keyed: KeyedRequest | null;
  readonly by: Actor;
  /** Whether the booker has proven their address by a code. */
  readonly isEmailVerified: boolean;
}

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
  const findRepeated = async (within: Em) =>
    keyed === null ? undefined : findBooked(within, eventType.ownerId, keyed);

  // Check. Once the private link is over, nothing but that is told of a hidden event type. Only a caller who repeats the request
  // of an earlier booking gets that booking.
  if (await isLinkOver(em, eventType, request)) {
    const known = await findRepeated(em);
    if (known) return known;
    throw privateLinkNotFound();
  }
  requireSignedIn(eventType, by.userId);
  const shown = shownCode(eventType, proof);
  const checked = checkedRequest(eventType, request);
  // A booking uses up the code, so a repeated request gets its booking without a new one.
  const earlier = shown && (await findRepeated(em));
  if (earlier) return earlier;
  const { email } = checked.attendee;
  // Outside the transaction: a wrong try must outlive what it fails, or guessing would be free.
  const code = shown && (await tryBookerEmailCode(em, eventType, { ...shown, email }, shown.verification));
  const order = { ...checked, keyed, by, isEmailVerified: code !== null };

  // Decide and insert, as often as somebody else is faster.
  const isPlain = code === null && request.privateLinkToken == null && guard === undefined;
  try {
    return await whileSlotIsLost(
      em,
      seriesWanted(eventType, request, request.privateLinkToken ?? null),
      async (inner, seen, asking) => {
        await guard?.(inner);
        // Before anything is used up: a request that is sent again uses nothing.
        const known = await findRepeated(inner);
        if (known) return known;
        await useLinkOf(inner, eventType, request);
        if (code !== null) await spendBookerEmailCode(inner, code);
        return insertAll(inner, eventType, seen ?? (await requireOpen(inner, eventType, request, asking)), order);
      },
      (seen) => (isPlain && isOneStatement(eventType, seen) ? insertAll(em, eventType, seen, order) : undefined),
    );
  } catch (error) {
    // It may be this very request, sent before, that has taken the slot.
    const isRival = error instanceof Problem || violatedConstraint(error) === IDEMPOTENCY_KEY_INDEX;
    const known = isRival ? await findRepeated(em) : undefined;
    if (known) return known;
    throw error;
  }
}

async function isLinkOver(em: Em, { id }: BookableEventType, { privateLinkToken }: BookingRequest): Promise<boolean> {
  return privateLinkToken != null && (await findPrivatelyLinked(em, privateLinkToken))?.id !== id;
}

/** Uses the private link up. A throw here rolls that back, so that a link which leads elsewhere has lost nothing. */
async function useLinkOf(em: Em, { id }: BookableEventType, { privateLinkToken }: BookingRequest): Promise<void> {
  if (privateLinkToken == null) return;
  if ((await usePrivateLink(em, privateLinkToken))?.id !== id) throw privateLinkNotFound();
}

/** Null when the event type asks for no code: one that is shown all the same is not looked at. */
function shownCode(
  { requiresBookerEmailVerification }: BookableEventType,
  proof: EmailProof | undefined,
): (EmailProof & { readonly code: string }) | null {
  if (!requiresBookerEmailVerification) return null;
  if (proof && proof.code !== null) return { ...proof, code: proof.code };
  const message =
    'This event type is booked with a verified e-mail address only; send the code that bookerEmailVerificationRequest mails.';
  throw new Problem('EMAIL_VERIFICATION_REQUIRED', message, ['emailVerificationCode']);
}

/** Null without an idempotency key. A key belongs to one event type, and to the user who is signed in, if any. */
function keyedBy({ id }: BookableEventType, request: BookingRequest, callerId: string | null): KeyedRequest | null {
  const { idempotencyKey } = request;
  return idempotencyKey === null ? null : keyedRequest(idempotencyKey, ['book', id, callerId], request);
}

/**
 * Finds the booking that an earlier request of the same key and content has made.
 * @throws Problem IDEMPOTENCY_KEY_REUSED
 */
async function findBooked(em: Em, ownerId: string, keyed: KeyedRequest): Promise<Booked | undefined> {
  const id = (await findEarlier(em, ownerId, keyed))?.resultId;
  if (id == null) return undefined;
  const booking = await row(em, selectFrom(Booking, { ownerId, id }).select('recurringId'));
  if (!booking) return bookedAs([newSeatKey(ownerId, id)]);
  if (booking.recurringId !== id) return bookedAs([newKey(ownerId, id)]);
  return bookedAs((await findSeries(em, { ownerId, id })).map((one) => newKey(ownerId, one.id)));
}

// The keys as they were when it was booked: a repeated request is not given what was ended since.
const newKey = (ownerId: string, id: string): AttendeeKey => keyOfBooking({ ownerId, id, uidVersion: 0 });
const newSeatKey = (ownerId: string, seatId: string): AttendeeKey => keyOfSeat(ownerId, seatId, { uidVersion: 0 });

function bookedAs(keys: readonly AttendeeKey[]): Booked {
  const [key] = keys;
  if (!key) throw new Error('Nothing was booked.');
  return { key, keys };
}

/** Whether it needs no transaction, as most bookings: one alone, of one host, with nothing counted and nothing reserved. */
function isOneStatement({ rules }: BookableEventType, { reservation, assignments }: OpenSeries): boolean {
  return !reservation && rules.seats === null && assignments.length === 1 && assignments[0]?.hostIds.length === 1;
}

async function insertAll(em: Em, eventType: BookableEventType, series: OpenSeries, order: Order): Promise<Booked> {
  const { now, assignments } = series;
  await makeRoom(em, series);
  const keys: AttendeeKey[] = [];
  for (const assignment of assignments) {
    const place = { now, isSeries: assignments.length > 1, firstId: keys[0]?.id ?? null };
    keys.push(await insertOne(em, eventType, assignment, order, place));
  }
  return bookedAs(keys);
}

/** Where a booking stands among those of its request. */
interface Place {
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
  readonly isSeries: boolean;
  /** The key of the first booking; null for the first itself. */
  readonly firstId: string | null;
}

/** Makes one booking and records it, or takes a seat in one that is there. @throws SlotLost */
async function insertOne(
  em: Em,
  eventType: BookableEventType,
  { start, end, hostIds, joins }: Assignment,
  order: Order,
  { now, isSeries, firstId }: Place,
): Promise<AttendeeKey> {
  const { ownerId, rules } = eventType;
  const { guests, location, isLocationChosen, metadata, by, isEmailVerified } = order;
  const person = personOf(eventType, order, firstId === null);
  const { seatId } = person;
  if (joins !== null && seatId !== null) {
    const booking = await lockSeat(em, eventType, joins);
    const elsewhere = isLocationChosen ? joinedLocationMistake(['location'], booking.location, location) : undefined;
    Problem.throwIfAny(elsewhere ? [elsewhere] : []);
    await insertAttendee(em, booking, person, by.userId);
    await saveBooking(em, booking, {});
    const facts = await factsOfSeat(em, ownerId, factsOf(booking), seatId);
    await recordEvent(em, ownerId, { type: creationOf(booking.status), booking: facts, by });
    return newSeatKey(ownerId, seatId);
  }

  const id = newId();
  const status = initialStatus(rules.confirmation, start, now);
  const booking = {
    id,
    start,
    end,
    status,
    hostIds,
    location,
    guestEmails: guests,
    heldGuestEmails: isEmailVerified ? [] : guests,
    bookedById: by.userId,
    seats: rules.seats,
    metadata,
    attendees: [person],
    recurringId: isSeries ? (firstId ?? id) : null,
  };
  const type = creationOf(status);
  if (seatId === null) {
    await insertBooking(em, eventType, booking, (facts) => ({ type, booking: facts, by }));
    return newKey(ownerId, id);
  }
  const facts = await factsOfSeat(em, ownerId, await insertBooking(em, eventType, booking), seatId);
  await recordEvent(em, ownerId, { type, booking: facts, by });
  return newSeatKey(ownerId, seatId);
}

/** The booker, as an attendee: in a booking with seats, on a seat of their own. The first booking of a request keeps its key. */
function personOf(
  { rules }: BookableEventType,
  { attendee, notes, responses, keyed, by: { network }, isEmailVerified }: Order,
  isFirst: boolean,
): NewAttendee {
  return {
    ...attendee,
    notes,
    responses,
    seatId: rules.seats ? newId() : null,
    verified: isEmailVerified,
    bookedFrom: network === null ? null : networkDigest(network),
    request: isFirst ? keyed : null,
  };
}

function creationOf(status: BookingStatus): 'BOOKING_REQUESTED' | 'BOOKING_CREATED' {
  return status === 'PENDING' ? 'BOOKING_REQUESTED' : 'BOOKING_CREATED';
}
