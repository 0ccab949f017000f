/** feeds/ reads calendars that others publish by an address (ICS), and keeps their busy times up to date. */
import ICAL from 'ical.js';
import { type Interval, unionOf } from '../../schedules/interval.rules.ts';
import type { BusyTime } from '../busy-periods.ts';
import { icsIdOf } from '../ics-uid.rules.ts';
import { dayOf, IcsEvent, TooManyOccurrences } from './ics-event.ts';
import {
  MAX_EVENTS,
  MAX_PERIODS,
  MAX_PERIODS_OF_EVENT,
  MAX_STARTS_OF_EVENT,
  MAX_STEPS_OF_EVENT,
} from './ics-limits.rules.ts';
import { IcsZones, wallClock } from './ics-zone.ts';

export interface IcsQuestion {
  readonly text: string;
  /** Of floating times, and of days where the calendar names none. */
  readonly timeZone: string;
  /** Which times are of interest. */
  readonly range: Interval;
  /** Leaves out, as unreadable, each event that is repeated too often, which strangers may have sent; else the calendar is refused. */
  readonly leavesOutEndless?: boolean;
}

export type IcsFailure = 'NOT_A_CALENDAR' | 'TOO_MANY_EVENTS' | 'TOO_MANY_PERIODS' | 'REPEATS_TOO_OFTEN';

/** When a calendar says that somebody is busy, or why it cannot be read. */
export type IcsAnswer =
  | {
      readonly periods: readonly BusyTime[];
      readonly eventCount: number;
      /** Events that could not be read, and are left out. */
      readonly unreadableCount: number;
    }
  | { readonly failure: IcsFailure };

/**
 * Reads a calendar object (RFC 5545): recurrences with their exceptions and changed instances, zones by name or by their own
 * rules, whole days. It may take as long as a hostile calendar wants, so it runs in a thread (read-in-thread.ts).
 */
export function readIcs({ text, ...question }: IcsQuestion): IcsAnswer {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) return { failure: 'NOT_A_CALENDAR' };
  if (text.split(/^BEGIN:VEVENT/im, MAX_EVENTS + 2).length > MAX_EVENTS + 1) return { failure: 'TOO_MANY_EVENTS' };
  try {
    const found = calendarsIn(text).map((calendar) => new CalendarReader(calendar, question));
    const times = found.flatMap((reader) => reader.times());
    const periods = merged(times);
    if (periods.length > MAX_PERIODS) return { failure: 'TOO_MANY_PERIODS' };
    const sumOf = (count: (reader: CalendarReader) => number) => found.reduce((sum, one) => sum + count(one), 0);
    return {
      periods,
      eventCount: sumOf(({ eventCount }) => eventCount),
      unreadableCount: sumOf(({ unreadableCount }) => unreadableCount),
    };
  } catch (error) {
    return { failure: error instanceof TooManyOccurrences ? 'REPEATS_TOO_OFTEN' : 'NOT_A_CALENDAR' };
  }
}

/** A text may hold several, one after the other (RFC 5545 §3.4). */
function calendarsIn(text: string): ICAL.Component[] {
  const parsed = ICAL.parse(text.replace(/^\uFEFF/, '')) as unknown[];
  const all = (typeof parsed[0] === 'string' ? [parsed] : parsed) as unknown[][];
  return all.map((one) => new ICAL.Component(one)).filter(({ name }) => name === 'vcalendar');
}

class CalendarReader {
  eventCount = 0;
  unreadableCount = 0;
  readonly #calendar: ICAL.Component;
  readonly #zones: IcsZones;
  readonly #range: Interval;
  readonly #leavesOutEndless: boolean;

  constructor(calendar: ICAL.Component, { timeZone, range, leavesOutEndless = false }: Omit<IcsQuestion, 'text'>) {
    // ical.js looks at their TZIDs without asking whether they have one.
    for (const zone of calendar.getAllSubcomponents('vtimezone'))
      if (!zone.hasProperty('tzid')) calendar.removeSubcomponent(zone);
    this.#calendar = calendar;
    this.#zones = new IcsZones(calendar, timeZone);
    this.#range = range;
    this.#leavesOutEndless = leavesOutEndless;
  }

  times(): BusyTime[] {
    const events = this.#calendar.getAllSubcomponents('vevent').flatMap((component) => {
      this.eventCount += 1;
      return this.#readable(() => [new IcsEvent(component, this.#zones)]);
    });
    const times: BusyTime[] = [];
    for (const [uid, alike] of Map.groupBy(events, (event) => event.uid)) {
      const icsUid = icsIdOf(uid) === null ? null : uid;
      for (const time of this.#readable(() => this.#timesOf(alike))) {
        const [start, end] = [Math.max(time.start, this.#range.start), Math.min(time.end, this.#range.end)];
        if (start < end) times.push({ start, end, icsUid });
      }
    }
    return times;
  }

  /** Of the events of one UID: those that are no changes, and the changed instances. */
  #timesOf(events: readonly IcsEvent[]): Interval[] {
    const changes = new Map<number, IcsEvent>();
    for (const event of events.toSorted((a, b) => a.sequence - b.sequence))
      if (event.changes) changes.set(event.changes.instant, event);
    const times = [...changes.values()].flatMap((event) => (event.isBusy ? [event.timeFrom(event.start)] : []));
    const later = [...changes.values()].filter(({ changes: of }) => of?.andFuture);
    const changedDays = new Set(
      [...changes.values()].flatMap(({ changes: of }) => (of?.time.isDate ? [dayOf(of.time)] : [])),
    );
    let count = 0;
    const maxSteps = this.#leavesOutEndless ? MAX_STEPS_OF_EVENT : undefined;
    for (const event of events) {
      if (event.changes) continue;
      for (const start of event.starts(this.#range, maxSteps)) {
        count += 1;
        if (this.#leavesOutEndless && count > MAX_STARTS_OF_EVENT) throw new TooManyOccurrences();
        const instant = this.#zones.instantOf(start);
        if (changes.has(instant) || changedDays.has(dayOf(start))) continue;
        const time = instanceOf(event, start, lastBefore(later, instant));
        if (time) times.push(time);
      }
    }
    if (this.#leavesOutEndless && unionOf(times).length > MAX_PERIODS_OF_EVENT) throw new TooManyOccurrences();
    return times;
  }

  /** An event that is no event is left out: one mistake in a year of events must not free the whole year. */
  #readable<Item>(read: () => Item[]): Item[] {
    try {
      return read();
    } catch (error) {
      if (error instanceof TooManyOccurrences && !this.#leavesOutEndless) throw error;
      this.unreadableCount += 1;
      return [];
    }
  }
}

/** An instance, as a change of all later ones moves it: by as much as it moves the first of them. */
function instanceOf(event: IcsEvent, start: ICAL.Time, changed: IcsEvent | undefined): Interval | undefined {
  if (!changed?.changes) return event.isBusy ? event.timeFrom(start) : undefined;
  if (!changed.isBusy) return undefined;
  const [moved, from] = [inZoneOf(changed.start, start), inZoneOf(changed.start, changed.changes.time)];
  moved.isDate = changed.start.isDate;
  moved.second += (wallClock(changed.start) - wallClock(from)) / 1_000;
  return changed.timeFrom(moved);
}

function inZoneOf({ zone, isDate }: ICAL.Time, time: ICAL.Time): ICAL.Time {
  const isOther = !isDate && !time.isDate && time.zone !== zone;
  const there = isOther ? time.convertToZone(zone) : time.clone();
  if (!isDate) there.zone = zone;
  return there;
}

function lastBefore(changes: readonly IcsEvent[], instant: number): IcsEvent | undefined {
  let last: IcsEvent | undefined;
  for (const one of changes) {
    const at = one.changes?.instant ?? Infinity;
    if (at <= instant && at > (last?.changes?.instant ?? -Infinity)) last = one;
  }
  return last;
}

/** Who is busy twice is busy; but for what may be a booking of ours, which is kept apart. */
function merged(times: readonly BusyTime[]): BusyTime[] {
  const own = times.filter(({ icsUid }) => icsUid !== null);
  const others = unionOf(times.filter(({ icsUid }) => icsUid === null));
  return [...others.map(({ start, end }) => ({ start, end, icsUid: null })), ...own];
}
