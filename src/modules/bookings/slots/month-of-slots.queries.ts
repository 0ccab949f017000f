/**
 * Finds what booking pages show: the free times of a month or a day, and the days on which the host is away, as far as strangers
 * may know.
 */

import { isTeam } from '../../../core/id.ts';
import { instantAt, instantText } from '../../../core/instant.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { readOne } from '../../../database/lanes.ts';
import { type Em, sql } from '../../../database/sql.ts';
import { bookingAddress } from '../../event-types/booking-url.rules.ts';
import { hasBookingPage } from '../../event-types/public/public-event-type.queries.ts';
import { type Interval, type IntervalSet, intersectionOf, unionOf } from '../../schedules/interval.rules.ts';
import { DAY, dateAt, epochDaysIn, startOfDate } from '../../schedules/local-time.rules.ts';
import { areColleagues } from '../../schedules/out-of-office.queries.ts';
import { type AdmitSlots, type FoundSlots, findSlots, listSlots, type Moving } from './availability.ts';
import type { BookableEventType } from './bookable-event-type.queries.ts';
import {
  allowedStarts,
  type OpenSlot,
  RULES_OF_ALL_STARTS,
  type SlotRequest,
  startsWithin,
  timeToKnow,
  workingTime,
} from './open-slots.rules.ts';
import { slotRangeMistakes } from './slot-range.rules.ts';

interface MonthQuery {
  /** Null is the first month in which something is free. One that is over is the current one. */
  readonly month: Temporal.PlainYearMonth | null;
  readonly timeZone: string;
  readonly durationInMinutes: number | null;
  readonly rescheduled: Moving | null;
  readonly admit?: AdmitSlots;
}

/** The free times of one month, by day. */
export interface MonthOfSlots {
  readonly month: Temporal.PlainYearMonth;
  readonly today: Temporal.PlainDate;
  /** By the date of their start in the reader's zone, `YYYY-MM-DD`. */
  readonly byDate: ReadonlyMap<string, readonly OpenSlot[]>;
  /**
   * When the user is away whose event type it is, in this month and in those before it that were passed over. Nobody is told
   * of a team's, whose hosts strangers need not know.
   */
  readonly away: readonly DaysAway[];
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
  const asked = [await slotsFrom(em, eventType, wanted, 1, query)];
  if (!query.month && asked[0]?.slots.length === 0) {
    asked.push(await slotsFrom(em, eventType, current.add({ months: 1 }), MONTHS_AHEAD, query));
  }
  const slots = asked.flatMap((found) => found.slots);
  const [first] = slots;
  const month = first && !query.month ? dateAt(first.start, query.timeZone).toPlainYearMonth() : wanted;
  const next = month.add({ months: 1 });
  const end = startOfDate(next.toPlainDate({ day: 1 }), query.timeZone);
  const within = slots.filter(({ start }) => start < end);
  const byDate = byDateOf(within, month, query.timeZone);
  return {
    month,
    today,
    byDate,
    away: await findDaysAway(em, eventType, asked, { ...query, end, byDate }),
    previous: isBefore(current, month) ? month.subtract({ months: 1 }) : null,
    next: isTooFar(next, query.timeZone, now) ? null : next,
  };
}

/** When the user is away whose event type it is, of what was looked up until the end. */
async function findDaysAway(
  em: Em,
  { ownerId }: BookableEventType,
  asked: readonly FoundSlots[],
  { timeZone, rescheduled, end, byDate }: MonthQuery & Pick<MonthOfSlots, 'byDate'> & { readonly end: number },
): Promise<readonly DaysAway[]> {
  const requests = asked.flatMap(({ request }) => request ?? []);
  const absences = requests.flatMap(({ hosts }) => hosts.flatMap((host) => host.outOfOffice));
  if (isTeam(ownerId) || absences.length === 0) return [];
  const days = requests
    .flatMap((request) => workingDays(request, timeZone))
    .filter(({ from }) => from < end)
    // A seat can be free in a booking that stands.
    .map((day) => (byDate.has(day.date) ? { ...day, isAway: false } : day));
  const start = days.find(({ isAway }) => isAway)?.from;
  if (start === undefined) return [];
  // A booking that is moved stays with its host.
  const standIns = rescheduled ? [] : await findStandIns(em, ownerId, { start, end });
  const goesOn = unionOf(absences).some((time) => time.start < end && end < time.end);
  return daysAway(days, standIns, goesOn);
}

/** The slot that starts at an instant, if it is free. @throws as findMonthOfSlots does */
export async function findSlotAt(
  em: Em,
  eventType: BookableEventType,
  start: Temporal.Instant,
  query: Omit<MonthQuery, 'month'>,
): Promise<OpenSlot | undefined> {
  const end = start.add({ milliseconds: 1 });
  return (await listSlots(em, eventType, { ...query, ...ALONE, start, end }, query.admit)).find(
    (slot) => slot.start === start.epochMilliseconds,
  );
}

/** Finds the slots on the day of an instant, as the reader's calendar has it. @throws as findMonthOfSlots does */
export async function findSlotsOfDay(
  em: Em,
  eventType: BookableEventType,
  at: Temporal.Instant,
  query: Omit<MonthQuery, 'month'>,
): Promise<readonly OpenSlot[]> {
  const date = at.toZonedDateTimeISO(query.timeZone).toPlainDate();
  const range = rangeOf(date, date.add({ days: 1 }), query.timeZone);
  return listSlots(em, eventType, { ...query, ...ALONE, ...range }, query.admit);
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

async function slotsFrom(
  em: Em,
  eventType: BookableEventType,
  from: Temporal.PlainYearMonth,
  months: number,
  query: MonthQuery,
): Promise<FoundSlots> {
  const range = monthsFrom(from, from.add({ months }), query.timeZone);
  return findSlots(em, eventType, { ...query, ...ALONE, ...range }, query.admit);
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

/** The limit lasts for a month or three; a user who enters more has the first of them shown. */
const MOST_ABSENCES = 100;

/**
 * Finds the colleagues whom people are sent to when they would book a user within a time of absence: colleagues still, not
 * suspended, with a booking page that is public. In order of the absences; those that send nobody are left out.
 */
async function findStandIns(em: Em, userId: string, { start, end }: Interval): Promise<readonly StandIn[]> {
  const during = sql`tstzrange(${instantText(start)}::timestamptz, ${instantText(end)}::timestamptz)`;
  const found = await readOne(
    em,
    sql<{ standIns: readonly StandIn[] }>`
      select coalesce(json_agg(away), '[]') as "standIns" from (
        select round(date_part('epoch', o.starts_at) * 1000) as start, round(date_part('epoch', o.ends_at) * 1000) as "end",
          c.name, c.username
        from out_of_office o join users c on c.id = o.redirect_to_id
        where o.user_id = ${userId} and tstzrange(o.starts_at, o.ends_at) && ${during} and c.suspended_at is null
          and ${areColleagues(sql`o.user_id`, sql`c.id`)} and ${hasBookingPage(sql`c.id`)}
        order by o.starts_at, o.id limit ${MOST_ABSENCES}
      ) away`,
  );
  // A name that begins the addresses of teams leads nowhere.
  return (found?.standIns ?? []).filter(({ username }) => bookingAddress(username) !== undefined);
}

/** A day on which the host works, by the reader's calendar. */
export interface WorkingDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** When the first slot of the day could start, epoch milliseconds. */
  readonly from: number;
  /** Whether absences take all of its hours. */
  readonly isAway: boolean;
}

/** Somebody who is booked in place of a host who is away, from then until then, in epoch milliseconds. */
interface StandIn extends Interval {
  readonly name: string;
  readonly username: string;
}

/** Working days on which a host is away, with none between them on which they are not. */
export interface DaysAway {
  /** The first and the last day, as `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
  /** Whether it goes on behind the days that were looked at. */
  readonly goesOn: boolean;
  readonly standIn: StandIn | undefined;
}

/**
 * The days within the range on which a slot could start by the hours of the one host, the notice and the booking window, in
 * order. What is booked is of no account: strangers are told of an absence as they are of hours, but not why a day is full.
 */
export function workingDays(request: SlotRequest, timeZone: string): readonly WorkingDay[] {
  const [host] = request.hosts;
  if (!host) return [];
  const { range, eventType, durationInMinutes } = request;
  const { windows, hours } = workingTime(host, timeToKnow(eventType, range, durationInMinutes));
  const allowed = allowedStarts(RULES_OF_ALL_STARTS, request);
  const firstOfDays = (time: IntervalSet): ReadonlyMap<string, number> =>
    firstByDate(intersectionOf(unionOf(startsWithin(time, request)), allowed), range, timeZone);
  const there = firstOfDays(hours);
  return [...firstOfDays(unionOf(windows))].map(([date, from]) => ({ date, from, isAway: !there.has(date) }));
}

/** By date, the first start on it. */
function firstByDate(starts: IntervalSet, range: Interval, timeZone: string): ReadonlyMap<string, number> {
  const dayOf = epochDaysIn(timeZone, range);
  const first = new Map<string, number>();
  for (const { start, end } of starts) {
    const firstDay = dayOf(start);
    for (let day = firstDay; day <= dayOf(end - 1); day += 1) {
      const date = instantText(day * DAY).slice(0, 10);
      const from = day === firstDay ? start : startOfDate(Temporal.PlainDate.from(date), timeZone);
      first.getOrInsert(date, from);
    }
  }
  return first;
}

/** Days away that follow each other, as far as one and the same person stands in. */
export function daysAway(
  days: readonly WorkingDay[],
  standIns: readonly StandIn[],
  goesOn: boolean,
): readonly DaysAway[] {
  const found: DaysAway[] = [];
  let last: DaysAway | undefined;
  for (const [index, { date, from, isAway }] of days.entries()) {
    if (!isAway) {
      last = undefined;
      continue;
    }
    const standIn = standIns.find(({ start, end }) => start <= from && from < end);
    if (last && last.standIn?.username === standIn?.username) found.pop();
    const first = last && last.standIn?.username === standIn?.username ? last.first : date;
    last = { first, last: date, goesOn: goesOn && index === days.length - 1, standIn };
    found.push(last);
  }
  return found;
}
