/**
 * Rules of recurrence (RRULE, RFC 5545 §3.3.10), by the clock on the wall: a time here is what that clock shows, as epoch
 * milliseconds if it showed UTC, and a date is its midnight. Zones are left to whoever asks.
 */
import type { Steps } from './ics-limits.rules.ts';

const DAY = 86_400_000;
const DAY_SECONDS = 86_400;
/** The days of 400 years, after which the calendar repeats itself. */
const ERA_DAYS = 146_097;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
/** The first four have periods of so many seconds, the others those of the calendar. */
const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const LENGTHS = [1, 60, 3_600, DAY_SECONDS];

/** Lists of numbers, with the least and the highest; where the least is negative, these count from the end, and 0 is none. */
const LISTS = {
  BYSECOND: [0, 60],
  BYMINUTE: [0, 59],
  BYHOUR: [0, 23],
  BYMONTHDAY: [-31, 31],
  BYYEARDAY: [-366, 366],
  BYWEEKNO: [-53, 53],
  BYMONTH: [1, 12],
  BYSETPOS: [-366, 366],
} as const;
type ListName = keyof typeof LISTS;
type Numbers = ReadonlySet<number>;

/** Parts of a time of day: how many seconds each has, and how many of them there are. */
const TIME_PARTS = [
  ['BYHOUR', 3_600, 24],
  ['BYMINUTE', 60, 60],
  ['BYSECOND', 1, 60],
] as const;

/** A weekday, Monday being 0, and which of its week, month or year; 0 for each. */
interface Weekday {
  readonly day: number;
  readonly ordinal: number;
}

/** After it there is no instance: a time in UTC, one by the clock on the wall, or a whole day. */
export interface Until {
  readonly time: number;
  readonly kind: 'UTC' | 'LOCAL' | 'DATE';
}

export interface RecurrenceRule {
  readonly frequency: (typeof FREQUENCIES)[number];
  readonly interval: number;
  readonly count: number;
  readonly until: Until | undefined;
  readonly lists: Readonly<Partial<Record<ListName, Numbers>>>;
  readonly weekdays: readonly Weekday[] | undefined;
  /** The first day of a week, Monday being 0. */
  readonly weekStart: number;
}

/** A text that is no rule. */
export class NoRecurrenceRule extends Error {
  override readonly name = 'NoRecurrenceRule';
}

/**
 * Reads the value of an RRULE. As others do, it takes small letters, spaces (`2 TH`), a comma or semicolon too many, and 1 for an
 * INTERVAL below; it leaves out parts that it does not know, and of a part that is there twice takes the last. Dates do not recur
 * within a day.
 * @throws {NoRecurrenceRule}
 */
export function recurrenceRuleOf(text: string, isOfDates = false): RecurrenceRule {
  const parts = new Map<string, string>();
  const plain = text.toUpperCase().replaceAll(/\s|^RRULE:/g, '');
  for (const part of plain.split(';')) parts.set(part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1));
  const frequency = FREQUENCIES.find((name) => name === parts.get('FREQ'));
  const isWithinDay = frequency !== undefined && FREQUENCIES.indexOf(frequency) < 3;
  if (!frequency || (isOfDates && isWithinDay)) throw new NoRecurrenceRule(`FREQ=${parts.get('FREQ') ?? ''}`);
  // RFC 7529: another calendar, or another way with days that a month does not have.
  const [calendar, skip] = [parts.get('RSCALE') ?? 'GREGORIAN', parts.get('SKIP') ?? 'OMIT'];
  if (calendar !== 'GREGORIAN' || skip !== 'OMIT') throw new NoRecurrenceRule(`RSCALE=${calendar};SKIP=${skip}`);
  const lists: Partial<Record<ListName, Numbers>> = {};
  for (const name of Object.keys(LISTS) as ListName[]) {
    const value = parts.get(name);
    if (value !== undefined) lists[name] = new Set(itemsOf(name, value).map((item) => listedNumber(name, item)));
  }
  const [count, days, until] = [parts.get('COUNT'), parts.get('BYDAY'), parts.get('UNTIL')];
  return {
    frequency,
    interval: Math.max(1, numberOf('INTERVAL', parts.get('INTERVAL') ?? '1')),
    count: count === undefined ? Infinity : numberOf('COUNT', count, 1),
    until: until === undefined ? undefined : untilOf(until),
    lists,
    weekdays: days === undefined ? undefined : itemsOf('BYDAY', days).map(listedWeekday),
    weekStart: weekdayNamed(parts.get('WKST') ?? 'MO'),
  };
}

function itemsOf(name: string, value: string): string[] {
  const items = value.split(',').filter((item) => item !== '');
  if (items.length === 0) throw new NoRecurrenceRule(`${name} is empty`);
  return items;
}

function numberOf(name: string, text: string, least = -Infinity): number {
  if (!/^[+-]?\d{1,9}$/.test(text) || Number(text) < least) throw new NoRecurrenceRule(`${name}=${text}`);
  return Number(text);
}

function listedNumber(name: ListName, text: string): number {
  const number = numberOf(name, text);
  const [least, highest] = LISTS[name];
  if (number < least || number > highest || (number === 0 && least < 0)) throw new NoRecurrenceRule(`${name}=${text}`);
  // Without leap seconds, the second 60 is the second 59 (§3.3.12).
  return name === 'BYSECOND' ? Math.min(number, 59) : number;
}

function listedWeekday(text: string): Weekday {
  const ordinal = text.slice(0, -2);
  const number = ordinal === '' ? 0 : numberOf('BYDAY', ordinal);
  if (Math.abs(number) > 53) throw new NoRecurrenceRule(`BYDAY=${text}`);
  // The 0th is no day, and never comes.
  return { day: weekdayNamed(text.slice(-2)), ordinal: ordinal !== '' && number === 0 ? NaN : number };
}

function weekdayNamed(text: string): number {
  const day = WEEKDAYS.indexOf(text);
  if (day < 0) throw new NoRecurrenceRule(`${text} is no weekday`);
  return day;
}

function untilOf(text: string): Until {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z?))?$/.exec(text);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (found ?? [])
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (!found || month < 1 || month > 12 || day < 1 || day > 31 || hour > 24)
    throw new NoRecurrenceRule(`UNTIL=${text}`);
  const midnight = dayNumber(year, month, day) * DAY;
  if (found[4] === undefined) return { time: midnight, kind: 'DATE' };
  const time = midnight + ((hour * 60 + minute) * 60 + second) * 1_000;
  return { time, kind: found[7] === 'Z' ? 'UTC' : 'LOCAL' };
}

interface RecurrenceQuestion {
  /** DTSTART, of which the rule takes what it does not say. */
  readonly start: number;
  readonly isDate: boolean;
  /** Nothing before `from` or after `to` is returned. */
  readonly from: number;
  readonly to: number;
  readonly steps: Steps;
}

/**
 * The times that a rule makes, in order. DTSTART is among them only if the rule makes it (whoever asks adds it), and COUNT counts
 * what the rule makes: how a DTSTART counts that it does not make is undefined (§3.8.5.3), and others read it like this. Only the
 * time that is asked for is gone through, and with COUNT what is before it. UNTIL is left to whoever asks.
 * @throws {TooManyOccurrences} past its steps
 */
export function recurrencesOf(rule: RecurrenceRule, question: RecurrenceQuestion): Generator<number> {
  return new Expansion(rule, question).times();
}

/** One rule from one start on, in whole days and seconds since 1970. */
class Expansion {
  readonly #rule: RecurrenceRule;
  /** BYDAY, BYMONTHDAY and BYMONTH, with what is taken of the start where the rule says nothing. */
  readonly #weekdays: readonly Weekday[] | undefined;
  readonly #monthDays: Numbers | undefined;
  readonly #months: Numbers | undefined;
  /** The same days of each week, the first being 0, where the rule says no more of days. */
  readonly #ofWeek: readonly number[] | undefined;
  readonly #start: number;
  readonly #startDay: number;
  readonly #isDate: boolean;
  readonly #from: number;
  readonly #to: number;
  /** The first day that is gone through: with COUNT, that of the start. */
  readonly #firstDay: number;
  readonly #steps: Steps;
  #count = 0;

  constructor(rule: RecurrenceRule, { start, isDate, from, to, steps }: RecurrenceQuestion) {
    const { frequency, lists } = rule;
    this.#rule = rule;
    this.#start = Math.floor(start / 1_000);
    this.#startDay = Math.floor(start / DAY);
    this.#isDate = isDate;
    this.#from = Math.ceil(from / 1_000);
    this.#to = Math.floor(to / 1_000);
    this.#firstDay = rule.count === Infinity ? Math.max(this.#startDay, Math.floor(from / DAY)) : this.#startDay;
    this.#steps = steps;
    const { month, day } = dateOf(this.#startDay);
    const saysNoDay = !lists.BYYEARDAY && !lists.BYMONTHDAY && !rule.weekdays;
    const saysNothing = saysNoDay && !lists.BYWEEKNO;
    const isOfWeek = saysNoDay && (frequency === 'WEEKLY' || lists.BYWEEKNO !== undefined);
    const isOfMonth = saysNothing && (frequency === 'YEARLY' || frequency === 'MONTHLY');
    this.#weekdays = isOfWeek ? [{ day: weekdayOf(this.#startDay), ordinal: 0 }] : rule.weekdays;
    this.#monthDays = isOfMonth ? new Set([day]) : lists.BYMONTHDAY;
    this.#months = lists.BYMONTH ?? (saysNothing && frequency === 'YEARLY' ? new Set([month]) : undefined);
    const saysMore = this.#months ?? this.#monthDays ?? lists.BYYEARDAY ?? lists.BYWEEKNO;
    if (frequency === 'WEEKLY' && !saysMore) this.#ofWeek = daysOfWeek(this.#weekdays ?? [], rule.weekStart);
  }

  *times(): Generator<number> {
    const { frequency, count } = this.#rule;
    const length = LENGTHS[FREQUENCIES.indexOf(frequency)];
    for (const time of length === undefined ? this.#byCalendar() : this.#byClock(length)) {
      this.#steps.take();
      if (time > this.#to || this.#count >= count) return;
      if (time < this.#start) continue;
      this.#count += 1;
      if (time >= this.#from) yield time * 1_000;
    }
  }

  /** WEEKLY, MONTHLY, YEARLY: the days of each period, at each time of day, of which BYSETPOS takes some. */
  *#byCalendar(): Generator<number> {
    const { interval } = this.#rule;
    const times = this.#timesWithin(DAY_SECONDS);
    const start = this.#periodOf(this.#startDay);
    const skipped = Math.floor((this.#periodOf(this.#firstDay) - start) / interval);
    for (let period = start + skipped * interval; ; period += interval) {
      const first = this.#firstDayOf(period);
      // Past the last year that there is, it is no number.
      if (!(first * DAY_SECONDS <= this.#to)) return;
      this.#steps.take();
      const days = this.#ofWeek?.map((day) => first + day) ?? [...this.#days(first, this.#firstDayOf(period + 1) - 1)];
      const size = days.length * times.length;
      const places = this.#placesOf(size);
      for (let index = 0; index < (places?.length ?? size); index += 1) {
        const place = places?.[index] ?? index;
        yield (days[Math.floor(place / times.length)] ?? 0) * DAY_SECONDS + (times[place % times.length] ?? 0);
      }
    }
  }

  /** DAILY and shorter: each period of the days that the rule allows, at each time within, of which BYSETPOS takes some. */
  *#byClock(length: number): Generator<number> {
    const { count, interval } = this.#rule;
    const all = this.#timesWithin(length);
    const times = this.#placesOf(all.length)?.map((place) => all[place] ?? 0) ?? all;
    const periodsOfDay = DAY_SECONDS / length;
    const start = Math.floor(this.#start / length);
    const limits = TIME_PARTS.filter(([name, seconds]) => seconds >= length && this.#rule.lists[name]);
    for (const day of this.#days(this.#firstDay, Math.floor(this.#to / DAY_SECONDS))) {
      let period = modulo(start - day * periodsOfDay, interval);
      // A day before all that is asked for only counts. Where none of its periods is left out, their number will do.
      const number = Math.max(0, Math.ceil((periodsOfDay - period) / interval)) * times.length;
      const isOver = day > this.#startDay && (day + 1) * DAY_SECONDS <= this.#from;
      if (isOver && limits.length === 0 && this.#count + number < count) {
        this.#count += number;
        continue;
      }
      while (period < periodsOfDay) {
        this.#steps.take();
        const second = period * length;
        const limit = limits.find(
          ([name, unit, size]) => !this.#rule.lists[name]?.has(Math.floor(second / unit) % size),
        );
        if (!limit) for (const time of times) yield day * DAY_SECONDS + second + time;
        // Skips to the first period that begins after this one, or after the hour or minute that is left out.
        const next = limit ? (Math.floor(second / limit[1]) + 1) * limit[1] : second + length;
        period += Math.ceil((next - second) / length / interval) * interval;
      }
    }
  }

  /** The seconds, within a period of this length, of what BYHOUR, BYMINUTE and BYSECOND say of its parts; of a date, 0. */
  #timesWithin(length: number): number[] {
    let times = [0];
    for (const [name, seconds, size] of TIME_PARTS) {
      if (seconds >= length || this.#isDate) continue;
      const listed = this.#rule.lists[name];
      const values = listed ? [...listed].toSorted(ascending) : [modulo(Math.floor(this.#start / seconds), size)];
      times = times.flatMap((time) => values.map((value) => time + value * seconds));
    }
    return times;
  }

  /** Which of a set of so many BYSETPOS takes, from 0 on; all, where there is none. */
  #placesOf(size: number): number[] | undefined {
    const positions = this.#rule.lists.BYSETPOS;
    if (!positions) return undefined;
    const places = [...positions].map((position) => (position > 0 ? position - 1 : size + position));
    return [...new Set(places)].filter((place) => place >= 0 && place < size).toSorted(ascending);
  }

  /** The days, from one to another, that the rule allows. */
  *#days(first: number, last: number): Generator<number> {
    let { year, month, day } = dateOf(first);
    for (let number = first; number <= last; ) {
      this.#steps.take();
      const monthStart = number - day + 1;
      const nextMonth = dayNumber(year, month + 1, 1);
      if (!this.#months || this.#months.has(month)) {
        const [yearStart, nextYear] = [dayNumber(year, 1, 1), dayNumber(year + 1, 1, 1)];
        for (; number < nextMonth && number <= last; number += 1) {
          this.#steps.take();
          const ofMonth = { place: number - monthStart, size: nextMonth - monthStart };
          const ofYear = { place: number - yearStart, size: nextYear - yearStart };
          if (this.#allows(number, ofMonth, ofYear)) yield number;
        }
      }
      [number, day, month] = [nextMonth, 1, month + 1];
      if (month > 12) [month, year] = [1, year + 1];
    }
  }

  #allows(day: number, ofMonth: Place, ofYear: Place): boolean {
    const { BYYEARDAY: yearDays, BYWEEKNO: weeks, BYMONTH: months } = this.#rule.lists;
    if (!isListed(this.#monthDays, ofMonth) || !isListed(yearDays, ofYear)) return false;
    if (weeks && !isListed(weeks, this.#weekOfYear(day))) return false;
    if (!this.#weekdays) return true;
    const [weekday, { frequency }] = [weekdayOf(day), this.#rule];
    // Numbers count within these (§3.3.10, notes 1 and 2). Where none may be, the weekday alone is taken.
    const ofYearly = weeks ? { place: 0, size: 7 } : months ? ofMonth : ofYear;
    const within = frequency === 'YEARLY' ? ofYearly : frequency === 'MONTHLY' ? ofMonth : undefined;
    return this.#weekdays.some(
      (one) => one.day === weekday && (one.ordinal === 0 || !within || isNth(one.ordinal, within)),
    );
  }

  /** The periods of the calendar have numbers: weeks since 1970, months and years of the era, or of weeks where these count. */
  #periodOf(day: number): number {
    if (this.#rule.frequency === 'WEEKLY') return Math.floor((day - weekStartOf(0, this.#rule.weekStart)) / 7);
    const { year, month } = dateOf(day);
    if (this.#rule.frequency === 'MONTHLY') return year * 12 + month - 1;
    return this.#rule.lists.BYWEEKNO ? this.#weekYearOf(day) : year;
  }

  #firstDayOf(period: number): number {
    if (this.#rule.frequency === 'WEEKLY') return weekStartOf(0, this.#rule.weekStart) + period * 7;
    if (this.#rule.frequency === 'MONTHLY') return dayNumber(Math.floor(period / 12), modulo(period, 12) + 1, 1);
    return this.#rule.lists.BYWEEKNO ? this.#firstDayOfWeekYear(period) : dayNumber(period, 1, 1);
  }

  /** The first week of a year has at least four days in it, so 4 January. */
  #firstDayOfWeekYear(year: number): number {
    return weekStartOf(dayNumber(year, 1, 4), this.#rule.weekStart);
  }

  #weekYearOf(day: number): number {
    const { year } = dateOf(day);
    if (day < this.#firstDayOfWeekYear(year)) return year - 1;
    return day < this.#firstDayOfWeekYear(year + 1) ? year : year + 1;
  }

  #weekOfYear(day: number): Place {
    const year = this.#weekYearOf(day);
    const first = this.#firstDayOfWeekYear(year);
    return { place: Math.floor((day - first) / 7), size: (this.#firstDayOfWeekYear(year + 1) - first) / 7 };
  }
}

/** Which of so many something is, from 0 on. */
type Place = { readonly place: number; readonly size: number };

/** Negative numbers count from the end. */
function isListed(numbers: Numbers | undefined, { place, size }: Place): boolean {
  return !numbers || numbers.has(place + 1) || numbers.has(place - size);
}

/** Whether a day is the nth of its weekday. */
function isNth(ordinal: number, { place, size }: Place): boolean {
  return ordinal === Math.floor(place / 7) + 1 || ordinal === -Math.floor((size - 1 - place) / 7) - 1;
}

/** Days since 1 January 1970, a Thursday. The month may be that after December. */
function dayNumber(year: number, month: number, day: number): number {
  // 400 years later, for `Date.UTC` takes the years up to 99 for others.
  return Date.UTC(year + 400, month - 1, day) / DAY - ERA_DAYS;
}

function dateOf(day: number): { year: number; month: number; day: number } {
  const date = new Date(day * DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function weekdayOf(day: number): number {
  return modulo(day + 3, 7);
}

/** The last day up to this one with which a week begins. */
function weekStartOf(day: number, weekStart: number): number {
  return day - modulo(weekdayOf(day) - weekStart, 7);
}

/** Each once, in order, the first of the week being 0. */
function daysOfWeek(weekdays: readonly Weekday[], weekStart: number): number[] {
  return [...new Set(weekdays.map(({ day }) => modulo(day - weekStart, 7)))].toSorted(ascending);
}

function modulo(number: number, size: number): number {
  return number - Math.floor(number / size) * size;
}

function ascending(a: number, b: number): number {
  return a - b;
}
