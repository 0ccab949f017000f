import type { Interval } from '../../schedules/interval.rules.ts';
import { MAX_STARTS_OF_EVENT, STEPS_OF_START, type Steps, TooManyOccurrences } from './ics-limits.rules.ts';
import {
  durationIn,
  type IcsComponent,
  type IcsDuration,
  type IcsLine,
  listed,
  parameterOf,
  plainText,
  timeIn,
} from './ics-text.ts';
import { clockIn, type IcsTime, type IcsZones, instantOf } from './ics-zone.ts';
import {
  NoRecurrenceRule,
  type RecurrenceRule,
  recurrenceRuleOf,
  recurrencesOf,
  type Until,
} from './recurrence.rules.ts';

const DAY = 86_400_000;
/** No zone is as much as two days away from UTC. */
const ANY_OFFSET = 2 * DAY;
const NO_TIME: IcsDuration = { days: 0, milliseconds: 0 };
const MAX_TITLE = 80;

/**
 * The part of an event that cannot be read. Without its start, nobody knows when it is, and one that is repeated too often
 * (TOO_MANY) is not followed: these block nothing. Without its rule, it blocks the dates that are written in it alone
 * (RDATE); without its end, the day that it begins on, or nothing; without some of its dates or exceptions, or without
 * knowing which instance it changes (INSTANCE), it blocks what is certain.
 */
export type IcsProblem = 'START' | 'RULE' | 'TOO_MANY' | 'END' | 'DATES' | 'INSTANCE';

/** An event of which something could not be read: as its owner knows it. */
export interface UnreadableEvent {
  readonly problem: IcsProblem;
  readonly title: string;
  /** As it is written, `20270105T100000`. */
  readonly start: string;
}

/** One time of an event that is repeated. */
interface Instance {
  readonly start: IcsTime;
  /** Epoch milliseconds. */
  readonly instant: number;
  readonly time: Interval;
}

type RecurrenceDate = { readonly start: IcsTime; readonly time?: Interval };

/** A VEVENT or a VFREEBUSY, as far as it says when somebody is busy (RFC 5545 §3.6.1, §3.6.4). */
export class IcsEvent {
  readonly uid: string;
  readonly sequence: number;
  /** When this revision was written, epoch milliseconds; 0: it does not say. */
  readonly stampedAt: number;
  /** The instance that this is the change of, if it is one, and whether of all after it, too. */
  readonly changes: { readonly of: IcsTime | undefined; readonly andFuture: boolean } | undefined;
  readonly isCancelled: boolean;
  /**
   * Whether its time is taken: it is neither cancelled, nor transparent (§3.8.1.11, §3.8.2.7), nor declined by the person it
   * invites (§3.2.12).
   */
  readonly isBusy: boolean;
  /** Undefined: it cannot be read, and nobody knows when it is. */
  readonly start: IcsTime | undefined;
  readonly #component: IcsComponent;
  readonly #zones: IcsZones;
  #problem: IcsProblem | undefined;
  #duration: IcsDuration | undefined;

  /** `addresses`: of its user, in small letters. `isCancelling`: its calendar cancels all that it holds (RFC 5546 §3.2.5). */
  constructor(component: IcsComponent, zones: IcsZones, addresses: ReadonlySet<string>, isCancelling = false) {
    this.#component = component;
    this.#zones = zones;
    this.start = this.#time('DTSTART');
    this.uid = component.first('UID')?.value ?? '';
    this.sequence = Number(/^\d{1,10}$/.exec(component.first('SEQUENCE')?.value ?? '')?.[0] ?? 0);
    const stamp = this.#time('DTSTAMP');
    this.stampedAt = stamp ? instantOf(stamp) : 0;
    this.isCancelled = isCancelling || this.#says('STATUS', 'CANCELLED') || this.#says('STATUS', 'CANCELED');
    this.isBusy = !this.isCancelled && !this.#says('TRANSP', 'TRANSPARENT') && !this.#isDeclined(addresses);
    const [named] = component.all('RECURRENCE-ID');
    this.changes = named && {
      of: this.#time('RECURRENCE-ID'),
      andFuture: parameterOf(named, 'RANGE')?.toUpperCase() === 'THISANDFUTURE',
    };
    if (this.changes && !this.changes.of) this.#problem = 'INSTANCE';
    if (!this.start && !this.#isFreeBusy) this.#problem = 'START';
  }

  /** Whether its times are written in it one by one, and its start only says for which time that is. */
  get #isFreeBusy(): boolean {
    return this.#component.name === 'VFREEBUSY';
  }

  /** The problem that was found in it so far. */
  get unreadable(): UnreadableEvent | undefined {
    // Nothing is lost of one that is free.
    if (!this.#problem || !this.isBusy) return undefined;
    const [title, start] = [this.#component.first('SUMMARY'), this.#component.first('DTSTART')];
    return {
      problem: this.#problem,
      title: title ? plainText(title, MAX_TITLE) : '',
      start: start ? plainText(start, MAX_TITLE) : '',
    };
  }

  /** Nothing of it is known well enough to block anything. */
  leaveOut(): void {
    this.#problem = 'TOO_MANY';
  }

  /** When it is, if it starts at a time of the same kind as its own. */
  timeFrom(start: IcsTime, instant = instantOf(start)): Interval {
    this.#duration ??= this.#ownDuration();
    return { start: instant, end: after(start, instant, this.#duration) };
  }

  /** For how long it lasts, in milliseconds. */
  get length(): number {
    return this.start ? lengthOf(this.timeFrom(this.start)) : 0;
  }

  #ownDuration(): IcsDuration {
    const end = this.#time('DTEND');
    const duration = end ? undefined : this.#written('DURATION', durationIn);
    if (duration) return duration;
    if (!end && (this.#component.first('DTEND') ?? this.#component.first('DURATION'))) this.#problem ??= 'END';
    if (!this.start) return NO_TIME;
    if (!this.start.isDate) {
      // An event that ends at a time has one exact duration for all its instances (§3.8.5.3).
      return end ? { days: 0, milliseconds: Math.max(0, instantOf(end) - instantOf(this.start)) } : NO_TIME;
    }
    const days = end ? Math.ceil((this.#zones.dayOf(end).wall - this.start.wall) / DAY) : 1;
    return { days: Math.max(1, days), milliseconds: 0 };
  }

  /**
   * Its instances that may reach into the range, in no order, without those that EXDATE takes away.
   * @throws {TooManyOccurrences}
   */
  *instances(range: Interval, steps: Steps): Generator<Instance> {
    if (this.#isFreeBusy) return yield* this.#busyPeriods(range, steps);
    if (!this.start) return;
    const dates = this.#recurrenceDates(steps);
    const longest = dates.reduce((most, { time }) => Math.max(most, time ? lengthOf(time) : 0), this.length);
    const known = { start: range.start - longest - ANY_OFFSET, end: range.end + ANY_OFFSET };
    const isExcluded = this.#matcher(this.#exceptions(steps));
    const isExcludedByRule = this.#excludedByRules(known, steps);
    const seen = new Set<number>();
    let count = 0;
    for (const { start, time } of this.#all(dates, known, steps)) {
      if (start.wall < known.start || start.wall > known.end) continue;
      steps.take(STEPS_OF_START);
      count += 1;
      if (count > MAX_STARTS_OF_EVENT) throw new TooManyOccurrences();
      const instant = instantOf(start);
      if (seen.has(instant) || isExcluded(start, instant) || isExcludedByRule(instant)) continue;
      seen.add(instant);
      yield { start, instant, time: time ?? this.timeFrom(start, instant) };
    }
  }

  /** The periods of FREEBUSY, of all types but FREE: those that nobody knows are taken for BUSY (§3.2.9). */
  *#busyPeriods(range: Interval, steps: Steps): Generator<Instance> {
    let count = 0;
    for (const { text, line } of this.#dates('FREEBUSY', steps)) {
      if (parameterOf(line, 'FBTYPE')?.toUpperCase() === 'FREE') continue;
      const [from = '', to = ''] = text.split('/');
      const start = this.#placed(from, line);
      const time = start && this.#period(start, to, line);
      if (!start || !time) {
        this.#without('DATES');
        continue;
      }
      if (time.end <= range.start || time.start >= range.end) continue;
      steps.take(STEPS_OF_START);
      count += 1;
      if (count > MAX_STARTS_OF_EVENT) throw new TooManyOccurrences();
      yield { start, instant: time.start, time };
    }
  }

  /** A PERIOD (§3.3.9), by its end or its duration. Undefined where that cannot be read. */
  #period(start: IcsTime, to: string, line: IcsLine): Interval | undefined {
    const [end, duration] = [this.#placed(to, line), durationIn(to)];
    if (!end && !duration) return undefined;
    const instant = instantOf(start);
    const until = end ? instantOf(end) : duration ? after(start, instant, duration) : instant;
    return { start: instant, end: Math.max(instant, until) };
  }

  /**
   * Whether an EXRULE makes a start (RFC 2445 §4.8.5.2), which is none then. One that cannot be read takes nothing away: as with an
   * EXDATE, all that it may have meant blocks.
   */
  #excludedByRules(known: Interval, steps: Steps): (instant: number) => boolean {
    const excluded = new Set<number>();
    for (const { value } of this.#component.all('EXRULE')) {
      const rule = this.#rule(value, 'DATES');
      if (!rule) continue;
      for (const start of this.#byRule(rule, known, steps)) {
        steps.take(STEPS_OF_START);
        excluded.add(instantOf(start));
      }
    }
    return (instant) => excluded.has(instant);
  }

  /**
   * Whether these name an instance. Of whole days, the day counts, by the clock of the value's own zone, as Exchange names them by
   * their midnight; of others the moment, and a date names whatever begins on that day.
   */
  #matcher(names: readonly IcsTime[]): (start: IcsTime, instant: number) => boolean {
    const ofDays = this.start?.isDate === true;
    const dates = names.filter(({ isDate }) => ofDays || isDate).map((one) => this.#zones.dayOf(one));
    const instants = new Set(names.filter(({ isDate }) => !ofDays && !isDate).map(instantOf));
    const days = new Set(dates.map(dayNumber));
    return (start, instant) => days.has(dayNumber(start)) || (!ofDays && instants.has(instant));
  }

  /** Whether any of these changes says of which instance it is, and it is this one. */
  isChangedBy(changes: readonly IcsEvent[]): (start: IcsTime, instant: number) => boolean {
    return this.#matcher(changes.flatMap(({ changes: named }) => named?.of ?? []));
  }

  /** When the instance of this event is that the change is of; of a series of days, in their zone. */
  instantOfChange({ changes }: IcsEvent): number {
    if (!changes?.of) return Infinity;
    return instantOf(this.start?.isDate ? this.#zones.dayOf(changes.of) : changes.of);
  }

  /** An instance, as a change of all later ones moves it: by as much as it moves the first of them. */
  movedBy(change: IcsEvent, start: IcsTime): Interval {
    const { start: to, changes } = change;
    if (!to || !changes?.of) return this.timeFrom(start);
    const [from, now] = [changes.of, start].map((time) =>
      to.isDate || time.isDate || time.zone === to.zone ? time.wall : clockIn(to.zone, instantOf(time)),
    );
    return change.timeFrom({ ...to, wall: (now ?? 0) + to.wall - (from ?? 0) });
  }

  /** By how much it moves the instance that it is the change of, by the clocks on the wall, in milliseconds. */
  get shift(): number {
    return this.start && this.changes?.of ? this.start.wall - this.changes.of.wall : 0;
  }

  *#all(dates: readonly RecurrenceDate[], known: Interval, steps: Steps): Generator<RecurrenceDate> {
    yield* dates.filter(({ time }) => time);
    const rules = this.#component.all('RRULE').map(({ value }) => this.#rule(value, 'RULE'));
    // Whether the start is an instance, a rule says that cannot be read.
    if (this.start && !rules.includes(undefined)) yield { start: this.start };
    yield* dates;
    for (const rule of rules) if (rule) for (const start of this.#byRule(rule, known, steps)) yield { start };
  }

  /** Undefined for a rule that cannot be read, which is this problem. */
  #rule(text: string, problem: IcsProblem): RecurrenceRule | undefined {
    try {
      return recurrenceRuleOf(text, this.start?.isDate);
    } catch (error) {
      if (!(error instanceof NoRecurrenceRule)) throw error;
      if (problem === 'RULE') this.#problem = problem;
      else this.#problem ??= problem;
      return undefined;
    }
  }

  *#byRule(rule: RecurrenceRule, { start: from, end }: Interval, steps: Steps): Generator<IcsTime> {
    if (!this.start) return;
    const { wall: start, isDate, zone } = this.start;
    const to = Math.min(end, (rule.until?.time ?? Infinity) + ANY_OFFSET);
    for (const wall of recurrencesOf(rule, { start, isDate, from, to, steps })) {
      const time = { wall, isDate, zone };
      if (!rule.until || !isAfter(time, rule.until)) yield time;
    }
  }

  /** A period has its own length (§3.8.5.2); of a series of days, each is a day, and of another one, a day means its time of day. */
  #recurrenceDates(steps: Steps): RecurrenceDate[] {
    return this.#dates('RDATE', steps).flatMap(({ text, line }): RecurrenceDate[] => {
      const [from = '', to] = text.split('/');
      const start = this.#placed(from, line);
      if (!start || !this.start) return this.#without('DATES');
      if (this.start.isDate) return [{ start: this.#zones.dayOf(start) }];
      if (start.isDate) return [{ start: { ...this.start, wall: start.wall + (this.start.wall % DAY) } }];
      if (to === undefined) return [{ start }];
      const time = this.#period(start, to, line);
      return time ? [{ start, time }] : this.#without('DATES');
    });
  }

  #exceptions(steps: Steps): IcsTime[] {
    return this.#dates('EXDATE', steps).flatMap(({ text, line }) => this.#placed(text, line) ?? this.#without('DATES'));
  }

  #dates(name: 'RDATE' | 'EXDATE' | 'FREEBUSY', steps: Steps): { readonly text: string; readonly line: IcsLine }[] {
    return this.#component.all(name).flatMap((line) => {
      const texts = listed(line);
      steps.take(1 + texts.length);
      return texts.map((text) => ({ text, line }));
    });
  }

  /** A part that could not be read gives nothing, and makes a problem. */
  #without(problem: IcsProblem): never[] {
    this.#problem ??= problem;
    return [];
  }

  #time(name: string): IcsTime | undefined {
    return this.#written(name, (text, line) => this.#placed(text, line));
  }

  /** The first line of that name that can be read. */
  #written<Value>(name: string, read: (text: string, line: IcsLine) => Value | undefined): Value | undefined {
    for (const line of this.#component.all(name)) {
      const value = read(line.value, line);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #placed(text: string, line: IcsLine): IcsTime | undefined {
    const time = timeIn(text, line);
    // Beside a start in a zone, a time without one is of that zone.
    return (
      time && this.#zones.placed(time, parameterOf(line, 'TZID'), this.start?.isDate ? undefined : this.start?.zone)
    );
  }

  #says(name: string, value: string): boolean {
    return this.#component.first(name)?.value.toUpperCase() === value;
  }

  /** Whether its user has declined, judged by all of their addresses that it invites. */
  #isDeclined(addresses: ReadonlySet<string>): boolean {
    if (addresses.size === 0) return false;
    const own = this.#component.all('ATTENDEE').filter((line) => addressesIn(line).some((one) => addresses.has(one)));
    return own.length > 0 && own.every((line) => parameterOf(line, 'PARTSTAT')?.toUpperCase() === 'DECLINED');
  }
}

/**
 * The addresses of somebody who is invited: that of the value (§3.3.3), and that of EMAIL (RFC 7986 §6.2), where the value is
 * another name.
 */
function addressesIn(line: IcsLine): string[] {
  const address = line.value.replace(/^.*mailto:/i, '');
  return [address, parameterOf(line, 'EMAIL') ?? address].map((one) => one.trim().toLowerCase());
}

/** Days are by the clock of the zone, and the rest exact (§3.3.6). */
function after(start: IcsTime, instant: number, { days, milliseconds }: IcsDuration): number {
  return (days === 0 ? instant : instantOf({ ...start, wall: start.wall + days * DAY })) + milliseconds;
}

/** An end without an offset is of the zone of the start, and a date there means the whole day; many calendars write such. */
function isAfter(time: IcsTime, { time: until, kind }: Until): boolean {
  const { wall, isDate } = time;
  if (isDate || kind === 'DATE') return Math.floor(wall / DAY) > Math.floor(until / DAY);
  return (kind === 'UTC' ? instantOf(time) : wall) > until;
}

function dayNumber({ wall }: IcsTime): number {
  return Math.floor(wall / DAY);
}

function lengthOf({ start, end }: Interval): number {
  return end - start;
}
