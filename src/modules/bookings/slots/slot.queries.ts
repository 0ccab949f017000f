import { instantAt } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { timeZoneMistake } from '../../../core/text.ts';
import { inTurns } from '../../../core/turns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import { FreshCalendars } from '../../calendars/fresh-calendars.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import { lengthsOf } from '../../event-types/settings/event-type-scheduling.rules.ts';
import { occurrencesMistakes, type Recurrence, recurrenceWanted } from '../../event-types/settings/recurrence.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';
import { DAY } from '../../schedules/local-time.rules.ts';
import { findMoved, type Moving } from './moved-booking.queries.ts';
import { openSlotsInSteps } from './open-slots.rules.ts';
import { rangeOfSeries, seriesSlotsInSteps } from './series-slots.rules.ts';
import { slotRangeMistakes } from './slot-range.rules.ts';
import { loadSlotRequest } from './slot-request.queries.ts';
import type { OpenSlot, SlotRequest } from './slot-request.rules.ts';

export interface SlotsQuery {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly timeZone: string;
  /** The length of the slots; null is the event type's own. */
  readonly lengthInMinutes: number | null;
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
export interface SlotPrice {
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
  const lengthInMinutes = query.lengthInMinutes ?? moved?.lengthInMinutes ?? eventType.rules.lengthInMinutes;
  // A length that is not offered is not open either, and has no price.
  if (!lengthsOf(eventType.rules).includes(lengthInMinutes)) return NONE;
  const recurrence = moved ? null : recurrenceOf(eventType, query.occurrences ?? null);
  const price = priceOf(eventType, range, lengthInMinutes, recurrence);
  await admit(price);
  const known = recurrence ? rangeOfSeries(range, recurrence, eventType.rules.timeZone, now) : range;
  if (!known) return NONE;
  const question = { range: known, lengthInMinutes, replaces: moved?.replaces ?? null, reservationId: null };
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
  lengthInMinutes: number,
  recurrence: Recurrence | null,
): SlotPrice {
  const minutes = (range.end - range.start) / MINUTE;
  const days = Math.ceil((range.end - range.start) / DAY);
  const interval = rules.slotIntervalInMinutes ?? lengthInMinutes;
  const times = recurrence?.occurrences ?? 1;
  const slots = Math.ceil(minutes / interval);
  const isLimitedSeries = recurrence && LIMIT_UNITS.some((unit) => isLimited(rules.bookingLimits[unit]));
  const decided = isLimitedSeries ? 2 * slots * times : 0;
  return { slots, hosts: hosts.length, hostDays: hosts.length * (days * times + decided), days };
}
