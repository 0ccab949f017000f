import { instantAt, instantText } from '../../../core/instant.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { DAY, dateAt, epochDaysIn, startOfDate } from '../../schedules/local-time.rules.ts';
import type { Moving } from './moved-booking.queries.ts';
import { listSlots } from './slot.queries.ts';
import { slotRangeMistakes } from './slot-range.rules.ts';
import type { OpenSlot } from './slot-request.rules.ts';

export interface MonthQuery {
  /** Null is the first month in which something is free. One that is over is the current one. */
  readonly month: Temporal.PlainYearMonth | null;
  readonly timeZone: string;
  readonly lengthInMinutes: number | null;
  readonly rescheduled: Moving | null;
}

/** The free times of a month, as a calendar on the wall shows them. */
export interface MonthOfSlots {
  readonly month: Temporal.PlainYearMonth;
  readonly today: Temporal.PlainDate;
  /** By the date of their start in the reader's zone, `YYYY-MM-DD`. */
  readonly byDate: ReadonlyMap<string, readonly OpenSlot[]>;
  readonly previous: Temporal.PlainYearMonth | null;
  /** Null where nobody books any more, that far ahead. */
  readonly next: Temporal.PlainYearMonth | null;
}

/** How many bookings are wanted is said once a start is chosen; by then, the booking says which of them cannot be had. */
const ALONE = { occurrences: 1 };

/** How far ahead to look for the first free time: into the month after the next one. */
const MONTHS_AHEAD = 2;

/** @throws Problem for a month, a zone or a length that cannot be */
export async function findMonthOfSlots(em: Em, eventType: BookableEventType, query: MonthQuery): Promise<MonthOfSlots> {
  const now = await databaseNow(em);
  const today = dateAt(now, query.timeZone);
  const current = today.toPlainYearMonth();
  const wanted = query.month && isBefore(current, query.month) ? query.month : current;
  const slots = await slotsOf(em, eventType, wanted, query);
  const month = slots.length > 0 || query.month ? wanted : await firstOpenMonth(em, eventType, current, query);
  const found = month.equals(wanted) ? slots : await slotsOf(em, eventType, month, query);
  return {
    month,
    today,
    byDate: byDateOf(found, month, query.timeZone),
    previous: isBefore(current, month) ? month.subtract({ months: 1 }) : null,
    next: isTooFar(month.add({ months: 1 }), query.timeZone, now) ? null : month.add({ months: 1 }),
  };
}

/** The slot that starts at an instant, if it is free. @throws as findMonthOfSlots does */
export async function findSlotAt(
  em: Em,
  eventType: BookableEventType,
  start: Temporal.Instant,
  query: Omit<MonthQuery, 'month'>,
): Promise<OpenSlot | undefined> {
  const end = start.add({ milliseconds: 1 });
  return (await listSlots(em, eventType, { ...query, ...ALONE, start, end })).find(
    (slot) => slot.start === start.epochMilliseconds,
  );
}

/** What is free on the day of an instant, as the reader's calendar has it. @throws as findMonthOfSlots does */
export async function findSlotsOfDay(
  em: Em,
  eventType: BookableEventType,
  at: Temporal.Instant,
  query: Omit<MonthQuery, 'month'>,
): Promise<readonly OpenSlot[]> {
  const date = at.toZonedDateTimeISO(query.timeZone).toPlainDate();
  return listSlots(em, eventType, { ...query, ...ALONE, ...rangeOf(date, date.add({ days: 1 }), query.timeZone) });
}

/** A month may have a slot a minute: each day is written once, and no zone asked about each slot. */
function byDateOf(
  slots: readonly OpenSlot[],
  month: Temporal.PlainYearMonth,
  timeZone: string,
): ReadonlyMap<string, readonly OpenSlot[]> {
  const { start, end } = monthsFrom(month, month.add({ months: 1 }), timeZone);
  const dayOf = epochDaysIn(timeZone, { start: start.epochMilliseconds, end: end.epochMilliseconds });
  const byDay = Map.groupBy(slots, (slot) => dayOf(slot.start));
  return new Map([...byDay].map(([day, those]) => [instantText(day * DAY).slice(0, 10), those]));
}

async function firstOpenMonth(
  em: Em,
  eventType: BookableEventType,
  current: Temporal.PlainYearMonth,
  query: MonthQuery,
): Promise<Temporal.PlainYearMonth> {
  const [from, to] = [current.add({ months: 1 }), current.add({ months: 1 + MONTHS_AHEAD })];
  const [first] = await listSlots(em, eventType, { ...query, ...ALONE, ...monthsFrom(from, to, query.timeZone) });
  return first ? dateAt(first.start, query.timeZone).toPlainYearMonth() : current;
}

async function slotsOf(
  em: Em,
  eventType: BookableEventType,
  month: Temporal.PlainYearMonth,
  query: MonthQuery,
): Promise<readonly OpenSlot[]> {
  return listSlots(em, eventType, {
    ...query,
    ...ALONE,
    ...monthsFrom(month, month.add({ months: 1 }), query.timeZone),
  });
}

function monthsFrom(from: Temporal.PlainYearMonth, to: Temporal.PlainYearMonth, timeZone: string) {
  return rangeOf(from.toPlainDate({ day: 1 }), to.toPlainDate({ day: 1 }), timeZone);
}

function rangeOf(from: Temporal.PlainDate, to: Temporal.PlainDate, timeZone: string) {
  const startOf = (date: Temporal.PlainDate) => instantAt(startOfDate(date, timeZone));
  return { start: startOf(from), end: startOf(to) };
}

function isTooFar(month: Temporal.PlainYearMonth, timeZone: string, now: number): boolean {
  const { start, end } = monthsFrom(month, month.add({ months: 1 }), timeZone);
  return slotRangeMistakes(start, end, instantAt(now)).length > 0;
}

function isBefore(a: Temporal.PlainYearMonth, b: Temporal.PlainYearMonth): boolean {
  return Temporal.PlainYearMonth.compare(a, b) < 0;
}
