import ICAL from 'ical.js';
import type { Interval } from '../../schedules/interval.rules.ts';
import { type IcsZones, wallClock } from './ics-zone.ts';

const DAY = 86_400_000;
/** No zone is as much as two days away from UTC. */
const ANY_OFFSET = 2 * DAY;
/** Of one rule: 400 days of every six minutes. */
const MAX_OCCURRENCES = 100_000;
/** As many as a year has minutes, and some: how many times of a rule are looked at, most of which are none of its instances. */
const MAX_STEPS = 600_000;
/** What is repeated by the clock on the wall in steps of one length. */
const STEPS: Readonly<Record<string, number>> = {
  SECONDLY: 1_000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: DAY,
  WEEKLY: 7 * DAY,
};

/** An event that is repeated so often that nobody goes through it. */
export class TooManyOccurrences extends Error {
  override readonly name = 'TooManyOccurrences';
}

/** A VEVENT, as far as it says when somebody is busy (RFC 5545 §3.6.1). */
export class IcsEvent {
  readonly uid: string;
  readonly sequence: number;
  /** The instance that this is the change of, if it is one, and whether of all after it, too. */
  readonly changes: { readonly time: ICAL.Time; readonly instant: number; readonly andFuture: boolean } | undefined;
  /** Whether its time is taken: neither cancelled nor transparent (§3.8.1.11, §3.8.2.7). */
  readonly isBusy: boolean;
  readonly start: ICAL.Time;
  readonly #component: ICAL.Component;
  readonly #zones: IcsZones;

  /** @throws where it has no start, or one that is no time */
  constructor(component: ICAL.Component, zones: IcsZones) {
    this.#component = component;
    this.#zones = zones;
    const start = this.#time('dtstart');
    if (!start) throw new Error('An event has no start.');
    this.start = start;
    this.uid = String(component.getFirstPropertyValue('uid') ?? '');
    this.sequence = Number(component.getFirstPropertyValue('sequence') ?? 0);
    this.isBusy = !this.#says('status', 'CANCELLED') && !this.#says('transp', 'TRANSPARENT');
    const time = this.#time('recurrence-id');
    const range = component.getFirstProperty('recurrence-id')?.getFirstParameter('range') ?? '';
    this.changes = time && {
      time,
      instant: zones.instantOf(time),
      andFuture: range.toUpperCase() === 'THISANDFUTURE',
    };
  }

  get isRecurring(): boolean {
    return this.#component.hasProperty('rrule') || this.#component.hasProperty('rdate');
  }

  /** When it is, if it starts at a time of the same kind as its own. */
  timeFrom(start: ICAL.Time): Interval {
    const from = this.#zones.instantOf(start);
    const duration = this.#component.getFirstPropertyValue('duration');
    const end = this.#time('dtend');
    if (!end && duration instanceof ICAL.Duration) return { start: from, end: this.#after(start, duration) };
    if (start.isDate) {
      const days = end ? Math.max(1, Math.round((wallClock(end) - wallClock(this.start)) / DAY)) : 1;
      return { start: from, end: this.#after(start, new ICAL.Duration({ days })) };
    }
    // The exact duration, for all instances (§3.8.5.3).
    const length = end ? this.#zones.instantOf(end) - this.#zones.instantOf(this.start) : 0;
    return { start: from, end: from + Math.max(0, length) };
  }

  /** The starts of its instances that may reach into the range, in no order, without those that EXDATE takes away. */
  *starts(range: Interval, maxSteps = MAX_STEPS): Generator<ICAL.Time> {
    const { start: first, end } = this.timeFrom(this.start);
    const known = { start: range.start - (end - first) - ANY_OFFSET, end: range.end + ANY_OFFSET };
    const isKnown = (time: ICAL.Time) => known.start <= wallClock(time) && wallClock(time) <= known.end;
    const excluded = this.#excluded();
    const all = [
      [this.start],
      this.#dates('rdate'),
      ...this.#rules().map((rule) => this.#byRule(rule, known, maxSteps)),
    ];
    const seen = new Set<number>();
    for (const times of all) {
      for (const time of times) {
        if (!isKnown(time)) continue;
        const instant = this.#zones.instantOf(time);
        if (seen.has(instant) || excluded(time, instant)) continue;
        seen.add(instant);
        yield time;
      }
    }
  }

  *#byRule(rule: ICAL.Recur, { start, end }: Interval, maxSteps: number): Generator<ICAL.Time> {
    const iterator = bounded(rule.iterator(closerTo(start, rule, this.start)), end, maxSteps);
    let count = 0;
    for (let next = iterator.next(); next && wallClock(next) <= end; next = iterator.next()) {
      count += 1;
      if (count > MAX_OCCURRENCES) throw new TooManyOccurrences();
      yield next.clone();
    }
  }

  /** An end without an offset is of the zone of the start, and a date there means the whole day; many calendars write such. */
  #rules(): ICAL.Recur[] {
    const rules = this.#component.getAllProperties('rrule').map((property) => property.getFirstValue() as ICAL.Recur);
    for (const rule of rules) {
      const { until } = rule;
      if (!until || this.start.isDate) continue;
      const last = until.isDate
        ? ICAL.Time.fromData({ ...until.toJSON(), hour: 23, minute: 59, second: 59, isDate: false })
        : until.clone();
      if (until.isDate || until.zone !== ICAL.Timezone.utcTimezone) last.zone = this.start.zone;
      rule.until = last;
    }
    return rules;
  }

  /** A date takes away whatever begins on that day. */
  #excluded(): (time: ICAL.Time, instant: number) => boolean {
    const dates = this.#dates('exdate');
    const instants = new Set(
      dates.filter(({ isDate }) => !isDate || this.start.isDate).map((one) => this.#zones.instantOf(one)),
    );
    const days = new Set(dates.filter(({ isDate }) => isDate).map(dayOf));
    return (time, instant) => instants.has(instant) || days.has(dayOf(time));
  }

  /** Of RDATE or EXDATE; of a period, its start. */
  #dates(name: string): ICAL.Time[] {
    return this.#component.getAllProperties(name).flatMap((property) => {
      const tzid = property.getFirstParameter('tzid');
      const values = property.getValues() as (ICAL.Time | ICAL.Period)[];
      return values.map((value) => this.#zones.placed(value instanceof ICAL.Period ? value.start : value, tzid));
    });
  }

  #time(name: string): ICAL.Time | undefined {
    const property = this.#component.getFirstProperty(name);
    const value = property?.getFirstValue();
    return value instanceof ICAL.Time ? this.#zones.placed(value, property?.getFirstParameter('tzid')) : undefined;
  }

  /** Weeks and days by the clock on the wall, the rest exactly (§3.3.6). */
  #after(start: ICAL.Time, { isNegative, weeks, days, hours, minutes, seconds }: ICAL.Duration): number {
    if (isNegative) return this.#zones.instantOf(start);
    const later = start.clone();
    later.day += weeks * 7 + days;
    return this.#zones.instantOf(later) + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  }

  #says(name: string, value: string): boolean {
    return String(this.#component.getFirstPropertyValue(name) ?? '').toUpperCase() === value;
  }
}

/**
 * Where a rule that began long ago may begin as well: as many of its steps later as lead to the time. One that is counted must
 * be counted from its start.
 */
function closerTo(time: number, { freq, interval, count }: ICAL.Recur, start: ICAL.Time): ICAL.Time {
  const step = (STEPS[freq] ?? Infinity) * interval;
  const steps = Math.floor((time - wallClock(start)) / step) - 1;
  const later = start.clone();
  if (!count && steps > 0) later.adjust(0, 0, 0, (steps * step) / 1_000);
  return later;
}

export function dayOf({ year, month, day }: ICAL.Time): string {
  return `${year}-${month}-${day}`;
}

/** ical.js looks for the next instance for ever where there is none, as of each 30 February: not after `end`, nor for too long. */
function bounded(iterator: ICAL.RecurIterator, end: number, maxSteps: number): ICAL.RecurIterator {
  const isInstance = iterator.check_contracting_rules.bind(iterator);
  let steps = 0;
  iterator.check_contracting_rules = () => {
    steps += 1;
    if (steps > maxSteps) throw new TooManyOccurrences();
    return isInstance() || wallClock(iterator.last) > end;
  };
  return iterator;
}
