/**
 * slots/ finds when an event type can be booked, and keeps a slot for a booker who is about to book it. Its rules are pure; its
 * queries gather what they decide on. It may import occupancy/, and the public side of event-types/.
 *
 * This file looks and takes nothing: which starts of a range are open (`findSlots`), which bookings of a series could be had
 * (`findSeriesDates`), and who could take a booking that stands (`substitutesFor`).
 */

import { instantAt } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { timeZoneMistake } from '../../../core/text.ts';
import { inTurns } from '../../../core/turns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import { FreshCalendars } from '../../calendars/fresh-calendars.ts';
import { isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import { occurrencesMistakes, type Recurrence, recurrenceWanted } from '../../event-types/settings/recurrence.rules.ts';
import { lengthsOf } from '../../event-types/settings/scheduling.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';
import { DAY } from '../../schedules/local-time.rules.ts';
import { type BookingRow, findBooking } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { type BookingActor, movingMistake, timeOf } from '../booking-transitions.rules.ts';
import { assignHostsInSteps, freeInSeriesInSteps, hostsTaken, startMistake } from './assign-hosts.rules.ts';
import type { BookableEventType } from './bookable-event-type.queries.ts';
import { type Host, type OpenSlot, openSlotsInSteps, type SlotRequest, timeToKnow } from './open-slots.rules.ts';
import { rangeOfSeries, seriesSlotsInSteps, slotRangeMistakes } from './slot-range.rules.ts';
import { inTheirTurns, loadHosts, loadSlotRequest, loadTurnsAmong, type Turns } from './slot-request.queries.ts';
import { type MovedBooking, movedBooking, startsOf } from './take-slot.ts';

/** A booking, or a seat in one, that somebody wants to move. */
export interface Moving {
  readonly key: BookingKey;
  /** Only the holder of the uid is bound by cut-offs. */
  readonly actor: BookingActor;
}

interface SlotsQuery {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly timeZone: string;
  /** The length of the slots; null is the event type's own. */
  readonly durationInMinutes: number | null;
  /** A booking whose time counts as free, since it is to be moved; or null. One of another event type is ignored. */
  readonly rescheduled: Moving | null;
  /**
   * The number of bookings of a recurring event type that must fit; null or left out is all. A booking moves by itself.
   */
  readonly occurrences?: number | null;
  /** The database's clock, where the caller has just read it. */
  readonly now?: number;
}

/** The bounds of an answer: how much it may hold, and how much work it may take to find. */
interface SlotPrice {
  /** The most slots: from one start to the next it takes at least the interval. */
  readonly slots: number;
  /** Days of hosts, each of which is looked at. */
  readonly hosts: number;
  readonly hostDays: number;
  readonly days: number;
}

/**
 * Estimates of memory: of a slot, from the list that has it to the text of an answer; of what is read of a host; and of what is
 * kept of a day.
 */
const BYTES = { slot: 1_000, host: 50_000, hostDay: 100 };

/** The memory that it takes to find slots of this price, and to show them. */
export function bytesOfSlots({ slots, hosts, hostDays }: SlotPrice): number {
  return slots * BYTES.slot + hosts * BYTES.host + hostDays * BYTES.hostDay;
}

/**
 * Called before anything is looked up, and again with the number of slots that there are; waits until there is room for them.
 * @throws where that is too much
 */
export type AdmitSlots = (price: SlotPrice) => undefined | Promise<void>;

export interface FoundSlots {
  /** The slots in the order of their starts. */
  readonly slots: readonly OpenSlot[];
  /** The facts that decided about them; undefined where nothing had to be looked up. */
  readonly request: SlotRequest | undefined;
}

const NONE: FoundSlots = { slots: [], request: undefined };

/** When an event type can be booked, in order. @throws Problem for a range, a zone or a length that cannot be */
export async function listSlots(...question: Parameters<typeof findSlots>): Promise<readonly OpenSlot[]> {
  return (await findSlots(...question)).slots;
}

/** Finds slots, with the facts that decided about them. @throws as listSlots does */
export async function findSlots(
  em: Em,
  eventType: BookableEventType,
  query: SlotsQuery,
  admit: AdmitSlots = () => undefined,
): Promise<FoundSlots> {
  requirePossible(query);
  const now = query.now ?? (await databaseNow(em));
  Problem.throwIfAny(slotRangeMistakes(query.start, query.end, instantAt(now)));
  const range = { start: Math.max(query.start.epochMilliseconds, now), end: query.end.epochMilliseconds };
  if (range.start >= range.end) return NONE;

  const moved = query.rescheduled ? await findMoved(em, eventType, query.rescheduled, now) : undefined;
  if (moved === null) return NONE;
  const durationInMinutes = query.durationInMinutes ?? moved?.durationInMinutes ?? eventType.rules.durationInMinutes;
  // A length that is not offered is not open either, and has no price.
  if (!lengthsOf(eventType.rules).includes(durationInMinutes)) return NONE;
  const recurrence = moved ? null : recurrenceOf(eventType, query.occurrences ?? null);
  const price = priceOf(eventType, range, durationInMinutes, recurrence);
  await admit(price);
  const known = recurrence ? rangeOfSeries(range, recurrence, eventType.rules.timeZone, now) : range;
  if (!known) return NONE;
  const question = { range: known, durationInMinutes, replaces: moved?.replaces ?? null, reservationId: null };
  const request = { ...(await loadSlotRequest(em, eventType, question, now)), range };
  FreshCalendars.of(em)?.lookedAt(request.hosts);
  const slots = await inTurns(recurrence ? seriesSlotsInSteps(request, recurrence) : openSlotsInSteps(request));
  // Hosts who open at different minutes have starts of their own.
  if (slots.length > price.slots) await admit({ ...price, slots: slots.length - price.slots, hosts: 0, hostDays: 0 });
  return { slots: moved ? slots.filter(moved.fits) : slots, request };
}

/**
 * Checks a question as far as can be said before anything is read.
 * @throws Problem for a zone or a range that cannot be
 */
export function requirePossible({ start, end, timeZone }: Pick<SlotsQuery, 'start' | 'end' | 'timeZone'>): void {
  const zone = timeZoneMistake(['timeZone'], timeZone);
  Problem.throwIfAny([...(zone ? [zone] : []), ...slotRangeMistakes(start, end)]);
}

/** The booking that is to move; null when it cannot or is not there, undefined when it is of another event type, and so no matter of it. */
async function findMoved(
  em: Em,
  { id, rules }: BookableEventType,
  { key, actor }: Moving,
  now: number,
): Promise<MovedBooking | null | undefined> {
  const booking = await findBooking(em, key);
  if (!booking) return null;
  if (booking.eventTypeId !== id) return undefined;
  return movingMistake(rules, booking, actor, now) ? null : movedBooking(booking, key);
}

/** The recurrence to make; null for a single booking. @throws Problem OCCURRENCES_NOT_OFFERED */
function recurrenceOf({ rules }: BookableEventType, occurrences: number | null): Recurrence | null {
  Problem.throwIfAny(occurrencesMistakes(rules.recurrence, occurrences));
  const wanted = rules.recurrence && recurrenceWanted(rules.recurrence, occurrences);
  return wanted && wanted.occurrences > 1 ? wanted : null;
}

/** A series costs as much as its occurrences would, one by one; and where they count against limits, each series is decided. */
function priceOf(
  { rules, hosts }: BookableEventType,
  range: Interval,
  durationInMinutes: number,
  recurrence: Recurrence | null,
): SlotPrice {
  const minutes = (range.end - range.start) / MINUTE;
  const days = Math.ceil((range.end - range.start) / DAY);
  const interval = rules.slotIntervalInMinutes ?? durationInMinutes;
  const times = recurrence?.occurrences ?? 1;
  const slots = Math.ceil(minutes / interval);
  const isLimitedSeries = recurrence && LIMIT_UNITS.some((unit) => isLimited(rules.bookingLimits[unit]));
  const decided = isLimitedSeries ? 2 * slots * times : 0;
  return { slots, hosts: hosts.length, hostDays: hosts.length * (days * times + decided), days };
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
  durationInMinutes: number,
): Promise<readonly SeriesDate[]> {
  if (!eventType.rules.recurrence) return [];
  const now = await databaseNow(em);
  const isTooFar = (at: number) => startMistake([], instantAt(at), instantAt(now)) !== undefined;
  const start = first.epochMilliseconds;
  if (start < now || isTooFar(start)) return [];
  const all = startsOf(eventType, { start: first, occurrences: null });
  const starts = all.filter((one) => !isTooFar(one));
  const range = { start, end: Math.max(...starts) + 1 };
  const question = { range, durationInMinutes, replaces: null, reservationId: null };
  const free = await inTurns(freeInSeriesInSteps(await loadSlotRequest(em, eventType, question, now), starts));
  return all.map((one, place) => ({ start: one, isFree: free[place] ?? false }));
}

/**
 * Finds the host who could take a part in a booking, as round robin does: anybody, or the one that `toHostId` names.
 * `planned` adds to what is known of a host.
 */
export type FindSubstitute = (
  booking: BookingRow,
  toHostId: string | null,
  planned?: (host: Host) => Host,
) => Promise<Host | undefined>;

/**
 * Finds substitutes for bookings of one event type, by what is known of its hosts now. The bookings are agreed on already, so
 * that notice, window, limits and the grid of slots no longer count; hours and everything that stands in the way do. Whoever takes
 * their time has their calendars asked first.
 */
export async function substitutesFor(
  em: Em,
  eventType: BookableEventType,
  bookings: readonly BookingRow[],
  now: number,
): Promise<FindSubstitute> {
  const rules = {
    ...eventType.rules,
    schedulingType: 'ROUND_ROBIN',
    slotIntervalInMinutes: 1,
    seats: null,
  } as const;
  const inTurn = eventType.hosts.map((host) => ({ ...host, isMandatory: false }));
  const known = (booking: BookingRow): Interval => timeToKnow(rules, startOf(booking), lengthOf(booking));
  const substitutes = { ...eventType, rules, hosts: inTurn };
  const loaded = await loadHosts(em, substitutes, bookings.map(known));
  const turnsAmong = await loadTurnsAmong(em, substitutes, now);
  // Most bookings have the same turns.
  const hostsWith = new Map<Turns, readonly Host[]>();

  return async (booking, toHostId, planned = (host) => host) => {
    const hosts = inTurn.filter(
      ({ userId }) => !booking.hostIds.includes(userId) && (toHostId === null || userId === toHostId),
    );
    const ids = new Set(hosts.map(({ userId }) => userId));
    const turns = await turnsAmong(hosts);
    const those = hostsWith.getOrInsertComputed(turns, () => inTheirTurns(loaded, turns));
    const [range, durationInMinutes] = [startOf(booking), lengthOf(booking)];
    const request = {
      eventType: { ...rules, durationInMinutesOptions: [durationInMinutes] },
      hosts: those.filter(({ userId }) => ids.has(userId)).map(planned),
      range,
      durationInMinutes,
      now,
      counted: [],
      seated: [],
      replaces: null,
      reservationId: null,
      isAgreed: true,
    } as const;
    const assignment = await inTurns(assignHostsInSteps(request, range.start));
    return assignment && hostsTaken(request.hosts, [assignment])[0];
  };
}

function startOf(booking: BookingRow): Interval {
  const { start } = timeOf(booking);
  return { start, end: start + 1 };
}

function lengthOf(booking: BookingRow): number {
  const { start, end } = timeOf(booking);
  return (end - start) / MINUTE;
}
