/**
 * A slot for whoever takes it: whether it can be had, and by what it is closed (`requireOpen`); then, under the lock, how room is
 * made for it (`makeRoom`), or a seat kept in a booking that is there (`lockSeat`).
 */

import type { OwnedId } from '../../../core/id.ts';
import { instantAt, instantOf } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { inTurns } from '../../../core/turns.ts';
import type { RowOf } from '../../../database/columns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { COUNT, changed, type Em, NOW, row } from '../../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../../database/statements.ts';
import type { Asking } from '../../calendars/fresh-calendars.ts';
import { isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import { occurrencesOf, recurrenceWanted } from '../../event-types/settings/recurrence.rules.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';
import type { BookingRow } from '../booking.queries.ts';
import { type BookingKey, reservationNotFound } from '../booking-key.rules.ts';
import { holdsTime, timeOf } from '../booking-transitions.rules.ts';
import { lockHosts, release, SlotClosed, SlotLost, slotTaken, type TimeWanted } from '../occupancy/take-time.ts';
import { lockBooking } from '../stored-booking.ts';
import { type Assignment, decideInSteps, hostsTaken, requireBookableStart, spanOf } from './assign-hosts.rules.ts';
import type { BookableEventType } from './bookable-event-type.queries.ts';
import type { ReplacedBooking } from './open-slots.rules.ts';
import { loadHostsOf, loadSlotRequest } from './slot-request.queries.ts';
import { SlotReservation } from './slot-reservation.entity.ts';

/** New bookings, a reservation or another time of a booking, that somebody wants. */
interface SeriesWanted {
  readonly start: Temporal.Instant;
  /** Null is the event type's own length, or that of the booking that moves. */
  readonly durationInMinutes: number | null;
  /** The number of bookings of a recurring event type; null is all. A booking moves by itself. */
  readonly occurrences: number | null;
  /** A reservation that the caller holds, or null. */
  readonly reservationId: OwnedId | null;
  /** It is not to be booked but to be exchanged for another one, for which the rules count as of now. */
  readonly isExchange?: boolean;
  /** The booking that gives its time back for this one, by the key that moves it or a seat in it. */
  readonly moved?: { readonly booking: BookingRow; readonly key: BookingKey };
  /** The database's clock, where the caller has just read it. */
  readonly now?: number;
}

/**
 * New bookings as a question, for `whileSlotIsLost`. Nobody is refused by a look alone with seats, where the first booking of
 * a slot both closes and opens it, nor with a private link, which must serve before it lets anybody see.
 */
export function seriesWanted(
  eventType: BookableEventType,
  wanted: SeriesWanted,
  privateLinkToken: string | null,
): TimeWanted<OpenSeries> {
  const { start, durationInMinutes, occurrences, reservationId } = wanted;
  // The rules too: a request from before a change of the rules is judged by the old ones.
  const question = JSON.stringify([eventType, start, durationInMinutes, occurrences, reservationId, privateLinkToken]);
  const common = { eventType, start, question, isCounted: isCounted(eventType.rules) };
  if (eventType.rules.seats !== null || privateLinkToken !== null) return common;
  return { ...common, look: (em, asking) => requireOpen(em, eventType, wanted, asking) };
}

/** Bookings for limits, seats, and whose turn it is with round robin. */
function isCounted({ seats, bookingLimits, schedulingType }: EventTypeRules): boolean {
  return (
    seats !== null || LIMIT_UNITS.some((unit) => isLimited(bookingLimits[unit])) || schedulingType === 'ROUND_ROBIN'
  );
}

export interface OpenSeries {
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
  /** The caller's reservation, if it is live and of this event type. */
  readonly reservation: ReservationRow | undefined;
  readonly assignments: readonly Assignment[];
}

/**
 * Finds the bookings that a request would make.
 * @throws SlotClosed when one of them cannot be had; Problem SLOT_IN_PAST, TOO_FAR_AHEAD, SLOT_TAKEN where a booking cannot move to, and
 * NOT_FOUND for an id that is no live reservation of this event type, where the slot is open without it: its holder counts on it.
 * `asking`: for a caller who takes the time of the hosts now; left out, their calendars are not asked
 */
export async function requireOpen(
  em: Em,
  eventType: BookableEventType,
  wanted: SeriesWanted,
  asking?: Asking,
): Promise<OpenSeries> {
  const { start, reservationId } = wanted;
  const now = wanted.now ?? (await databaseNow(em));
  requireBookableStart(start, now);
  const reservation = await findReservation(em, eventType, reservationId);
  const starts = startsOf(eventType, wanted);
  const last = Math.max(...starts);
  requireBookableStart(instantAt(last), now);
  const moved = wanted.moved && movedBooking(wanted.moved.booking, wanted.moved.key);
  const request = await loadSlotRequest(
    em,
    eventType,
    {
      range: { start: start.epochMilliseconds, end: last + 1 },
      durationInMinutes: wanted.durationInMinutes ?? moved?.durationInMinutes ?? eventType.rules.durationInMinutes,
      replaces: moved?.replaces ?? null,
      ...(reservation && !wanted.isExchange && { heldStart: instantOf(reservation.start).epochMilliseconds }),
      reservationId: reservation?.id ?? null,
    },
    now,
  );
  const preferredIds = reservation?.hostIds ?? wanted.moved?.booking.hostIds;
  const decision = await inTurns(decideInSteps(request, starts, preferredIds));
  if (decision.kind === 'CLOSED') {
    const { code, message, path } = decision.mistake;
    throw new SlotClosed(code, message, path);
  }
  const { assignments } = decision;
  if (moved && !assignments.every(moved.fits)) throw slotTaken(start);
  if (reservationId && !reservation) throw reservationNotFound();
  asking?.requireFresh(hostsTaken(request.hosts, assignments), spanOf(assignments));
  return { now, reservation, assignments };
}

/** The starts of the bookings that are wanted, in epoch milliseconds; only of a start that calendars know. */
export function startsOf(
  { rules }: BookableEventType,
  { start, occurrences }: Pick<SeriesWanted, 'start' | 'occurrences'>,
): readonly number[] {
  const { recurrence, timeZone } = rules;
  if (!recurrence) return [start.epochMilliseconds];
  return occurrencesOf(start.epochMilliseconds, recurrenceWanted(recurrence, occurrences), timeZone);
}

export interface ReservationRow extends Pick<RowOf<typeof SlotReservation>, (typeof READ)[number]> {
  /** RFC 3339, as the database writes it */
  readonly start: string;
  readonly end: string;
}

/** `seatOfId`: the booking in which it keeps a seat; null when it keeps its hosts' time. */
const READ = ['ownerId', 'id', 'eventTypeId', 'hostIds', 'seatOfId', 'heldSince', 'expiresAt'] as const;

/** The reservation that a caller holds of this event type; undefined for one that is over, or of another event type. */
async function findReservation(
  em: Em,
  { id: eventTypeId }: BookableEventType,
  named: OwnedId | null,
): Promise<ReservationRow | undefined> {
  const found = named === null ? undefined : await findLiveReservation(em, named);
  return found?.eventTypeId === eventTypeId ? found : undefined;
}

/** A live reservation. */
export async function findLiveReservation(em: Em, { ownerId, id }: OwnedId): Promise<ReservationRow | undefined> {
  return row(
    em,
    selectFrom(SlotReservation, { ownerId, id })
      .where('expiresAt', '>', NOW)
      .select([...READ, 'startsAt as start', 'endsAt as end']),
  );
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

/**
 * Before time is taken: locks the hosts, with those whose time is given back besides, and gives back what the caller has reserved. A
 * caller who takes one time of one host and gives nothing back needs no lock: those who wait for it hold nothing that it needs.
 */
export async function makeRoom(
  em: Em,
  {
    reservation,
    assignments,
  }: { readonly reservation: ReservationRow | undefined; readonly assignments: readonly Assignment[] },
  givenBackIds: readonly string[] = [],
): Promise<void> {
  const takenIds = assignments.flatMap((assignment) => assignment.hostIds);
  const hostIds = [...givenBackIds, ...(reservation?.hostIds ?? []), ...takenIds];
  if (hostIds.length > 1) await lockHosts(em, hostIds);
  if (reservation) await dropReservation(em, reservation);
}

/** Removes a reservation that is being booked; no trace of it is kept. */
async function dropReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  await changed(em, deleteFrom(SlotReservation, { ownerId, id }));
}

/**
 * A booking in which a seat is free for the caller's transaction: seats are counted under the lock of the booking, and
 * there are as many as when it was booked.
 * @throws SlotLost when none is left
 */
export async function lockSeat(em: Em, eventType: BookableEventType, bookingId: string): Promise<BookingRow> {
  const booking = await lockBooking(em, { ownerId: eventType.ownerId, id: bookingId });
  const taken = booking.attendees.length + (await countReserved(em, eventType, bookingId));
  if (!holdsTime(booking.status) || taken >= (booking.seats?.perSlot ?? 0)) throw new SlotLost();
  return booking;
}

/** Seats that others have reserved; the caller's own reservation is given up by now. */
async function countReserved(em: Em, { ownerId, id }: BookableEventType, bookingId: string): Promise<number> {
  const found = await row(
    em,
    selectFrom(SlotReservation, { ownerId, eventTypeId: id, seatOfId: bookingId })
      .where('expiresAt', '>', NOW)
      .select(COUNT.as('count')),
  );
  return found?.count ?? 0;
}

/**
 * Requires of a booking, whose time its hosts hold already, that no calendar has anything at that time which is not the booking itself.
 * The calendars are asked also where one says that it is taken: its user may have made room for this. @throws Problem SLOT_TAKEN
 */
export async function requireStillFree(em: Em, booking: BookingRow, asking: Asking): Promise<void> {
  const hosts = await loadHostsOf(em, booking);
  asking.requireFresh(hosts, timeOf(booking));
  if (!hosts.some(({ isBusy }) => isBusy)) return;
  const message = 'The time is taken by now in a calendar of a host; decline the request, or move it.';
  throw new Problem('SLOT_TAKEN', message, ['bookingId']);
}
