import type { OwnedId } from '../../../core/id.ts';
import { instantAt, instantOf } from '../../../core/instant.ts';
import { inTurns } from '../../../core/turns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import type { Asking } from '../../calendars/fresh-calendars.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import type { EventTypeRules } from '../../event-types/settings/event-type-scheduling.rules.ts';
import { occurrencesOf, recurrenceWanted } from '../../event-types/settings/recurrence.rules.ts';
import type { TimeWanted } from '../occupancy/lock.ts';
import { lockHosts, SlotClosed } from '../occupancy/lock.ts';
import { type Assignment, hostsTaken, spanOf } from './assign-hosts.rules.ts';
import { assignSeriesInSteps, freeInSeriesInSteps } from './booking-series.rules.ts';
import { requireBookableStart } from './requested-start.ts';
import { startMistake } from './slot-range.rules.ts';
import { loadSlotRequest } from './slot-request.queries.ts';
import type { SlotRequest } from './slot-request.rules.ts';
import {
  dropReservation,
  findReservation,
  type ReservationRow,
  reservationNotFound,
} from './slot-reservation.queries.ts';

/** New bookings, or a reservation, that somebody wants. */
export interface SeriesWanted {
  readonly start: Temporal.Instant;
  /** Null is the event type's own length. */
  readonly lengthInMinutes: number | null;
  /** The number of bookings of a recurring event type; null is all. */
  readonly occurrences: number | null;
  /** A reservation that the caller holds, or null. */
  readonly reservationId: OwnedId | null;
  /** It is not to be booked but to be exchanged for another one, for which the rules count as of now. */
  readonly isExchange?: boolean;
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
 * @throws SlotClosed when one of them cannot be had; Problem SLOT_IN_PAST, TOO_FAR_AHEAD, and NOT_FOUND for an id that
 * is no live reservation of this event type, where the slot is open without it: its holder counts on it. `asking`: for
 * a caller who takes the time of the hosts now; left out, their calendars are not asked
 */
export async function requireOpenSeries(
  em: Em,
  eventType: BookableEventType,
  wanted: SeriesWanted,
  asking?: Asking,
): Promise<OpenSeries> {
  const { start, lengthInMinutes, reservationId } = wanted;
  const now = await databaseNow(em);
  requireBookableStart(start, now);
  const reservation = await findReservation(em, eventType, reservationId);
  const starts = startsOf(eventType, wanted);
  const last = Math.max(...starts);
  requireBookableStart(instantAt(last), now);
  const slotRequest = await loadSlotRequest(
    em,
    eventType,
    {
      range: { start: start.epochMilliseconds, end: last + 1 },
      lengthInMinutes: lengthInMinutes ?? eventType.rules.lengthInMinutes,
      replaces: null,
      ...heldBy(wanted.isExchange === true ? null : reservation),
      reservationId: reservation?.id ?? null,
    },
    now,
  );
  const series = await inTurns(assignSeriesInSteps(slotRequest, starts, reservation?.hostIds));
  if (series.kind !== 'OPEN') {
    const { code, message, path } = series.mistake;
    throw new SlotClosed(code, message, path);
  }
  if (reservationId && !reservation) throw reservationNotFound(reservationId);
  asking?.requireFresh(hostsTaken(slotRequest.hosts, series.assignments), spanOf(series.assignments));
  return { now, reservation, assignments: series.assignments };
}

/** One booking of a series that somebody may make. */
export interface SeriesDate {
  /** Epoch milliseconds. */
  readonly start: number;
  /** Whether it can be had as of now. */
  readonly isFree: boolean;
}

/**
 * When the bookings of the longest series from a start are, and which of them can be had, as booking it decides: by as many
 * statements as for one alone. None where nothing recurs, and for a start that is over or too far ahead.
 */
export async function findSeriesDates(
  em: Em,
  eventType: BookableEventType,
  first: Temporal.Instant,
  lengthInMinutes: number,
): Promise<readonly SeriesDate[]> {
  if (!eventType.rules.recurrence) return [];
  const now = await databaseNow(em);
  const isTooFar = (at: number) => startMistake([], instantAt(at), instantAt(now)) !== undefined;
  const start = first.epochMilliseconds;
  if (start < now || isTooFar(start)) return [];
  const all = startsOf(eventType, { start: first, occurrences: null });
  const starts = all.filter((one) => !isTooFar(one));
  const range = { start, end: Math.max(...starts) + 1 };
  const question = { range, lengthInMinutes, replaces: null, reservationId: null };
  const free = await inTurns(freeInSeriesInSteps(await loadSlotRequest(em, eventType, question, now), starts));
  return all.map((one, place) => ({ start: one, isFree: free[place] ?? false }));
}

/**
 * Before time is taken: locks the hosts, and gives back what the caller has reserved. A caller who takes one time of one
 * host and gives nothing back needs no lock: those who wait for it hold nothing that it needs.
 */
export async function makeRoom(em: Em, { reservation, assignments }: OpenSeries): Promise<void> {
  const hostIds = [...(reservation?.hostIds ?? []), ...assignments.flatMap((assignment) => assignment.hostIds)];
  if (hostIds.length > 1) await lockHosts(em, hostIds);
  if (reservation) await dropReservation(em, reservation);
}

/**
 * The same as a question, for `whileSlotIsLost`. Nobody is refused by a look alone with seats, where the first booking of
 * a slot both closes and opens it, nor with a private link, which must serve before it lets anybody see.
 */
export function seriesWanted(
  eventType: BookableEventType,
  wanted: SeriesWanted,
  privateLinkToken: string | null,
): TimeWanted<OpenSeries> {
  const { start, lengthInMinutes, occurrences, reservationId } = wanted;
  // The rules too: a request from before a change of the rules is judged by the old ones.
  const question = JSON.stringify([eventType, start, lengthInMinutes, occurrences, reservationId, privateLinkToken]);
  const common = { eventType, start, question, isCounted: isCounted(eventType.rules) };
  if (eventType.rules.seats !== null || privateLinkToken !== null) return common;
  return { ...common, look: (em, asking) => requireOpenSeries(em, eventType, wanted, asking) };
}

/** Bookings for limits, seats, and whose turn it is with round robin. */
function isCounted({ seats, bookingLimits, schedulingType }: EventTypeRules): boolean {
  return (
    seats !== null || LIMIT_UNITS.some((unit) => isLimited(bookingLimits[unit])) || schedulingType === 'ROUND_ROBIN'
  );
}

/** The start that a reservation keeps for a caller who books. */
export function heldBy(reservation: ReservationRow | null | undefined): Pick<SlotRequest, 'heldStart'> {
  return reservation ? { heldStart: instantOf(reservation.start).epochMilliseconds } : {};
}

/** Only of a start that calendars know. */
function startsOf(
  { rules }: BookableEventType,
  { start, occurrences }: Pick<SeriesWanted, 'start' | 'occurrences'>,
): readonly number[] {
  const { recurrence, timeZone } = rules;
  if (!recurrence) return [start.epochMilliseconds];
  return occurrencesOf(start.epochMilliseconds, recurrenceWanted(recurrence, occurrences), timeZone);
}
