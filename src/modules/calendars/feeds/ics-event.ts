import type ICAL from 'ical.js';
import type { Interval } from '../../schedules/interval.rules.ts';
import { MAX_STARTS_OF_EVENT, MAX_STEPS_OF_EVENT } from './ics-limits.rules.ts';
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
import { type IcsZones, timeAt, wallClock } from './ics-zone.ts';
import { recurrenceRuleOf, recurrencesOf, TooManyOccurrences, type Until } from './recurrence.rules.ts';

const DAY = 86_400_000;
/** No zone is as much as two days away from UTC. */
const ANY_OFFSET = 2 * DAY;
const MAX_TITLE = 80;

/**
 * What cannot be read of an event. Without its start or its rule, nobody knows when it is, and one that is repeated too often
 * (TOO_MANY) is not followed: these block nothing. Without its end, it blocks the day that it begins on, or nothing; without some of
 * the dates that it is or is not on, or of which instance it is the change (INSTANCE), what is certain.
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
export interface Instance {
  readonly start: ICAL.Time;
  /** Epoch milliseconds. */
  readonly instant: number;
  readonly time: Interval;
}

type RecurrenceDate = { readonly start: ICAL.Time; readonly time?: Interval };

/** A VEVENT, as far as it says when somebody is busy (RFC 5545 §3.6.1). */
export class IcsEvent {
  readonly uid: string;
  readonly sequence: number;
  /** When this revision was written, epoch milliseconds; 0: it does not say. */
  readonly stampedAt: number;
  /** The instance that this is the change of, if it is one, and whether of all after it, too. */
  readonly changes: { readonly of: ICAL.Time | undefined; readonly andFuture: boolean } | undefined;
  readonly isCancelled: boolean;
  /** Whether its time is taken: neither cancelled, nor transparent (§3.8.1.11, §3.8.2.7), nor declined by whom it invites (§3.2.12). */
  readonly isBusy: boolean;
  /** Undefined: it cannot be read, and nobody knows when it is. */
  readonly start: ICAL.Time | undefined;
  readonly #component: IcsComponent;
  readonly #zones: IcsZones;
  #problem: IcsProblem | undefined;

  /** `addresses`: of its user, in small letters. */
  constructor(component: IcsComponent, zones: IcsZones, addresses: ReadonlySet<string>) {
    this.#component = component;
    this.#zones = zones;
    this.start = this.#time('DTSTART');
    this.uid = component.first('UID')?.value ?? '';
    this.sequence = Number(/^\d{1,10}$/.exec(component.first('SEQUENCE')?.value ?? '')?.[0] ?? 0);
    const stamp = this.#time('DTSTAMP');
    this.stampedAt = stamp ? zones.instantOf(stamp) : 0;
    this.isCancelled = this.#says('STATUS', 'CANCELLED');
    this.isBusy = !this.isCancelled && !this.#says('TRANSP', 'TRANSPARENT') && !this.#isDeclined(addresses);
    const [named] = component.all('RECURRENCE-ID');
    this.changes = named && {
      of: this.#time('RECURRENCE-ID'),
      andFuture: parameterOf(named, 'RANGE')?.toUpperCase() === 'THISANDFUTURE',
    };
    if (this.changes && !this.changes.of) this.#problem = 'INSTANCE';
    if (!this.start) this.#problem = 'START';
  }

  /** What could not be read of it so far. */
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
  leaveOut(problem: 'RULE' | 'TOO_MANY'): void {
    this.#problem = problem;
  }

  /** When it is, if it starts at a time of the same kind as its own. */
  timeFrom(start: ICAL.Time): Interval {
    const from = this.#zones.instantOf(start);
    const end = this.#time('DTEND');
    const duration = end ? undefined : this.#duration();
    if (duration) return { start: from, end: this.#after(start, duration) };
    if (!end && (this.#component.first('DTEND') ?? this.#component.first('DURATION'))) this.#problem ??= 'END';
    if (start.isDate) {
      const last = end && this.start && this.#zones.dayOf(end);
      const days = last && this.start ? Math.max(1, Math.ceil((wallClock(last) - wallClock(this.start)) / DAY)) : 1;
      return { start: from, end: this.#after(start, { days, milliseconds: 0 }) };
    }
    // The exact duration, for all instances (§3.8.5.3).
    const length = end && this.start ? this.#zones.instantOf(end) - this.#zones.instantOf(this.start) : 0;
    return { start: from, end: from + Math.max(0, length) };
  }

  /** Its instances that may reach into the range, in no order, without those that EXDATE takes away. */
  *instances(range: Interval): Generator<Instance> {
    if (!this.start) return;
    const own = this.timeFrom(this.start);
    const dates = this.#recurrenceDates();
    const lengths = [own, ...dates.flatMap(({ time }) => time ?? [])].map(({ start, end }) => end - start);
    const longest = lengths.reduce((most, length) => Math.max(most, length));
    const known = { start: range.start - longest - ANY_OFFSET, end: range.end + ANY_OFFSET };
    const isKnown = (time: ICAL.Time) => known.start <= wallClock(time) && wallClock(time) <= known.end;
    const isExcluded = this.#matcher(this.#exceptions());
    const seen = new Set<number>();
    let count = 0;
    for (const { start, time } of this.#all(dates, known)) {
      if (!isKnown(start)) continue;
      count += 1;
      if (count > MAX_STARTS_OF_EVENT) throw new TooManyOccurrences();
      const instant = this.#zones.instantOf(start);
      if (seen.has(instant) || isExcluded(start)) continue;
      seen.add(instant);
      yield { start, instant, time: time ?? this.timeFrom(start) };
    }
  }

  /**
   * Whether these name an instance. Of whole days, the day counts, by the clock of the value's own zone, as Exchange names them by
   * their midnight; of others the moment, and a date names whatever begins on that day.
   */
  #matcher(names: readonly ICAL.Time[]): (start: ICAL.Time) => boolean {
    const ofDays = this.start?.isDate === true;
    const dates = names.filter(({ isDate }) => ofDays || isDate).map((one) => this.#zones.dayOf(one));
    const instants = new Set(names.filter(({ isDate }) => !ofDays && !isDate).map((one) => this.#zones.instantOf(one)));
    const days = new Set(dates.map(dayText));
    return (start) => days.has(dayText(start)) || (!ofDays && instants.has(this.#zones.instantOf(start)));
  }

  /** Whether any of these changes says of which instance it is, and it is this one. */
  isChangedBy(changes: readonly IcsEvent[]): (start: ICAL.Time) => boolean {
    return this.#matcher(changes.flatMap(({ changes: named }) => named?.of ?? []));
  }

  /** When the instance of this event is that the change is of; of a series of days, in their zone. */
  instantOfChange({ changes }: IcsEvent): number {
    if (!changes?.of) return Infinity;
    return this.#zones.instantOf(this.start?.isDate ? this.#zones.dayOf(changes.of) : changes.of);
  }

  /** An instance, as a change of all later ones moves it: by as much as it moves the first of them. */
  movedBy(change: IcsEvent, start: ICAL.Time): Interval {
    const { start: to, changes } = change;
    if (!to || !changes?.of) return this.timeFrom(start);
    const [from, now] = [changes.of, start].map((time) =>
      to.isDate || time.isDate || time.zone === to.zone
        ? wallClock(time)
        : wallClock(this.#zones.clockIn(to.zone, this.#zones.instantOf(time))),
    );
    return change.timeFrom(timeAt((now ?? 0) + wallClock(to) - (from ?? 0), to.zone, to.isDate));
  }

  *#all(dates: readonly RecurrenceDate[], known: Interval): Generator<RecurrenceDate> {
    yield* dates.filter(({ time }) => time);
    if (this.start) yield { start: this.start };
    yield* dates;
    for (const { value } of this.#component.all('RRULE'))
      for (const start of this.#byRule(value, known)) yield { start };
  }

  *#byRule(text: string, { start: from, end }: Interval): Generator<ICAL.Time> {
    if (!this.start) return;
    const rule = recurrenceRuleOf(text);
    const { zone, isDate } = this.start;
    const to = Math.min(end, (rule.until?.time ?? Infinity) + ANY_OFFSET);
    const question = { start: wallClock(this.start), isDate, from, to, maxSteps: MAX_STEPS_OF_EVENT };
    for (const wall of recurrencesOf(rule, question)) {
      const time = timeAt(wall, zone, isDate);
      if (!rule.until || !this.#isAfter(time, rule.until)) yield time;
    }
  }

  /** An end without an offset is of the zone of the start, and a date there means the whole day; many calendars write such. */
  #isAfter(time: ICAL.Time, { time: until, kind }: Until): boolean {
    const wall = wallClock(time);
    if (time.isDate || kind === 'DATE') return Math.floor(wall / DAY) > Math.floor(until / DAY);
    return (kind === 'UTC' ? this.#zones.instantOf(time) : wall) > until;
  }

  /** A period has its own length (§3.8.5.2); of a series of days, each is a day. */
  #recurrenceDates(): RecurrenceDate[] {
    return this.#component.all('RDATE').flatMap((line) =>
      listed(line).flatMap((text): RecurrenceDate[] => {
        const [from = '', to] = text.split('/');
        const start = this.#placed(from, line);
        if (!start) return this.#without('DATES');
        if (this.start?.isDate) return [{ start: this.#zones.dayOf(start) }];
        if (to === undefined) return [{ start }];
        const [end, duration] = [this.#placed(to, line), durationIn(to)];
        if (!end && !duration) return this.#without('DATES');
        const instant = this.#zones.instantOf(start);
        const until = end ? this.#zones.instantOf(end) : duration ? this.#after(start, duration) : instant;
        return [{ start, time: { start: instant, end: Math.max(instant, until) } }];
      }),
    );
  }

  #exceptions(): ICAL.Time[] {
    return this.#component
      .all('EXDATE')
      .flatMap((line) => listed(line).flatMap((text) => this.#placed(text, line) ?? this.#without('DATES')));
  }

  /** What could not be read is nothing, and makes a problem. */
  #without(problem: IcsProblem): never[] {
    this.#problem ??= problem;
    return [];
  }

  /** The first line of that name that can be read. */
  #time(name: string): ICAL.Time | undefined {
    for (const line of this.#component.all(name)) {
      const time = this.#placed(line.value, line);
      if (time) return time;
    }
    return undefined;
  }

  #duration(): IcsDuration | undefined {
    return this.#component
      .all('DURATION')
      .map(({ value }) => durationIn(value))
      .find((one) => one !== undefined);
  }

  #placed(text: string, line: IcsLine): ICAL.Time | undefined {
    const time = timeIn(text, line);
    return time && this.#zones.placed(time, parameterOf(line, 'TZID'));
  }

  #after(start: ICAL.Time, { days, milliseconds }: IcsDuration): number {
    const later = days === 0 ? start : timeAt(wallClock(start) + days * DAY, start.zone, start.isDate);
    return this.#zones.instantOf(later) + milliseconds;
  }

  #says(name: string, value: string): boolean {
    return this.#component.first(name)?.value.toUpperCase() === value;
  }

  /** By all of the addresses of its user that it invites. */
  #isDeclined(addresses: ReadonlySet<string>): boolean {
    if (addresses.size === 0) return false;
    const own = this.#component.all('ATTENDEE').filter((line) => addressesIn(line).some((one) => addresses.has(one)));
    return own.length > 0 && own.every((line) => parameterOf(line, 'PARTSTAT')?.toUpperCase() === 'DECLINED');
  }
}

/** Of somebody who is invited: that of the value (§3.3.3), and that of EMAIL (RFC 7986 §6.2), where the value is another name. */
function addressesIn(line: IcsLine): string[] {
  const address = line.value.replace(/^.*mailto:/i, '');
  return [address, parameterOf(line, 'EMAIL') ?? address].map((one) => one.trim().toLowerCase());
}

function dayText({ year, month, day }: ICAL.Time): string {
  return `${year}-${month}-${day}`;
}
