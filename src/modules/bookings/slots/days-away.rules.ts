/** On which days a host is away, and who can be booked instead, as strangers may know it. */
import { instantText } from '../../../core/instant.ts';
import { type Interval, type IntervalSet, intersectionOf, unionOf } from '../../schedules/interval.rules.ts';
import { DAY, epochDaysIn, startOfDate } from '../../schedules/local-time.rules.ts';
import { allowedStarts, RULES_OF_ALL_STARTS, startsWithin, workingTime } from './open-slots.rules.ts';
import { type SlotRequest, timeToKnow } from './slot-request.rules.ts';

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
export interface StandIn extends Interval {
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
  const { range, eventType, lengthInMinutes } = request;
  const { windows, hours } = workingTime(host, timeToKnow(eventType, range, lengthInMinutes));
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
