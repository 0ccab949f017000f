/** feeds/ reads calendars that others publish by an address (ICS), and keeps their busy times up to date. */
import { type Interval, unionOf } from '../../schedules/interval.rules.ts';
import type { BusyTime } from '../busy-periods.ts';
import { icsIdOf } from '../ics-uid.rules.ts';
import { IcsEvent, type UnreadableEvent } from './ics-event.ts';
import { MAX_EVENTS, MAX_EVENTS_OF_UID, MAX_PERIODS, MAX_PERIODS_OF_UID, MAX_UNREADABLE } from './ics-limits.rules.ts';
import { calendarsIn } from './ics-text.ts';
import { IcsZones, type ZoneSettings } from './ics-zone.ts';
import { TooManyOccurrences } from './recurrence.rules.ts';

export interface IcsQuestion {
  readonly text: string;
  /** Of floating times, and of days where the calendar names none. */
  readonly timeZone: string;
  /** Which times are of interest. */
  readonly range: Interval;
  /** Those by which its user is invited: what they have declined is free. */
  readonly addresses?: readonly string[];
}

export type IcsFailure = 'NOT_A_CALENDAR' | 'TOO_MANY_EVENTS' | 'TOO_MANY_PERIODS';

/** When a calendar says that somebody is busy, or why it cannot be read. */
export type IcsAnswer =
  | {
      readonly periods: readonly BusyTime[];
      readonly eventCount: number;
      /** Events that could not be read, or not in whole: these block what is certain of them. */
      readonly unreadableCount: number;
      /** The first of them. */
      readonly unreadable: readonly UnreadableEvent[];
    }
  | { readonly failure: IcsFailure };

/** The events of one UID, and when they are. */
interface Read {
  readonly events: readonly IcsEvent[];
  readonly times: readonly BusyTime[];
}

/**
 * Reads a calendar object (RFC 5545): recurrences with their exceptions and changed instances, zones by name or by their own
 * rules, whole days. Whatever is wrong with one event takes no other one with it, as anybody may have sent it. Reading may take
 * as long as a hostile calendar wants, so it runs in a thread (read-in-thread.ts).
 */
export function readIcs({ text, timeZone, range, addresses = [] }: IcsQuestion): IcsAnswer {
  const calendars = isMarkup(text) ? [] : calendarsIn(text);
  if (calendars.length === 0) return { failure: 'NOT_A_CALENDAR' };
  const settings: ZoneSettings = { userZone: timeZone, range, known: new Map() };
  const found = calendars.flatMap((calendar) => {
    const zones = new IcsZones(calendar, settings);
    return calendar.events.map((component) => ({ component, zones }));
  });
  // An event without a UID is one by itself.
  const groups = [...Map.groupBy(found, ({ component }, place) => component.first('UID')?.value || place).values()];
  const counted = groups.reduce((sum, { length }) => sum + Math.min(length, MAX_EVENTS_OF_UID), 0);
  if (counted > MAX_EVENTS) return { failure: 'TOO_MANY_EVENTS' };
  const own = new Set(addresses.map((one) => one.toLowerCase()));
  const read = groups.map((group): Read => {
    const isTooMany = group.length > MAX_EVENTS_OF_UID;
    const events = group
      .slice(0, isTooMany ? 1 : group.length)
      .map(({ component, zones }) => new IcsEvent(component, zones, own));
    if (isTooMany) events[0]?.leaveOut('TOO_MANY');
    return { events, times: isTooMany ? [] : timesOf(events, range) };
  });
  const periods = merged(fitting(read).flatMap(({ times }) => times));
  if (periods.length > MAX_PERIODS) return { failure: 'TOO_MANY_PERIODS' };
  const unreadable = read.flatMap(({ events }) => events.flatMap((event) => event.unreadable ?? []));
  return {
    periods,
    eventCount: found.length,
    unreadableCount: unreadable.length,
    unreadable: unreadable.slice(0, MAX_UNREADABLE),
  };
}

/** A page may show a calendar, and is none. */
function isMarkup(text: string): boolean {
  return /^[\s\uFEFF]*</.test(text);
}

/** Of the events of one UID: those that are no changes, and the changed instances. */
function timesOf(events: readonly IcsEvent[], range: Interval): BusyTime[] {
  const series = newest(events.filter(({ changes }) => !changes));
  const changes = changesIn(events, series);
  const times = changes.flatMap((event) => (event.isBusy && event.start ? [event.timeFrom(event.start)] : []));
  for (const event of series) {
    try {
      times.push(...instancesOf(event, changes, range));
    } catch (error) {
      event.leaveOut(error instanceof TooManyOccurrences ? 'TOO_MANY' : 'RULE');
    }
  }
  const uid = events[0]?.uid ?? '';
  const within = times.map(({ start, end }) => ({
    start: Math.max(start, range.start),
    end: Math.min(end, range.end),
  }));
  const icsUid = icsIdOf(uid) === null ? null : uid;
  return unionOf(within).map(({ start, end }) => ({ start, end, icsUid }));
}

/** The changes that count: the newest of each instance, without those that the whole series was cancelled after. */
function changesIn(events: readonly IcsEvent[], [series]: readonly IcsEvent[]): readonly IcsEvent[] {
  const isOver = (change: IcsEvent) => series?.isCancelled === true && series.sequence > change.sequence;
  const all = events.filter((event) => event.changes && !isOver(event));
  const known = all.filter(({ changes }) => changes?.of);
  const byInstance = Map.groupBy(known, (event) => (series ?? event).instantOfChange(event));
  return [...[...byInstance.values()].flatMap(newest), ...all.filter(({ changes }) => !changes?.of)];
}

/** The last revision (RFC 5546 §2.1.5): of the highest SEQUENCE, and among these written last; all that are equal in both. */
function newest(revisions: readonly IcsEvent[]): readonly IcsEvent[] {
  const sorted = revisions.toSorted((a, b) => b.sequence - a.sequence || b.stampedAt - a.stampedAt);
  return sorted.filter((one) => one.sequence === sorted[0]?.sequence && one.stampedAt === sorted[0].stampedAt);
}

/** When a series is; where a change cannot be read, its instance is as it was. */
function instancesOf(series: IcsEvent, changes: readonly IcsEvent[], range: Interval): Interval[] {
  const readable = changes.filter((change) => change.changes?.of && (change.start || !change.isBusy));
  const isChanged = series.isChangedBy(readable);
  const later = readable
    .filter((change) => change.changes?.andFuture)
    .map((change) => ({ change, from: series.instantOfChange(change) }))
    .toSorted((a, b) => a.from - b.from);
  const times: Interval[] = [];
  for (const { start, time, instant } of series.instances(range)) {
    if (isChanged(start)) continue;
    const change = later.findLast(({ from }) => from <= instant)?.change;
    if (change ? change.isBusy : series.isBusy) times.push(change ? series.movedBy(change, start) : time);
  }
  return times;
}

/** All of it, or, where that is too much, what is left without those that come to most. */
function fitting(read: readonly Read[]): readonly Read[] {
  if (merged(read.flatMap(({ times }) => times)).length <= MAX_PERIODS) return read;
  return read.filter(({ events, times }) => {
    const fits = times.length <= MAX_PERIODS_OF_UID;
    if (!fits) for (const event of events) event.leaveOut('TOO_MANY');
    return fits;
  });
}

/** Who is busy twice is busy; but for what may be a booking of ours, which is kept apart. */
function merged(times: readonly BusyTime[]): BusyTime[] {
  const own = times.filter(({ icsUid }) => icsUid !== null);
  const others = unionOf(times.filter(({ icsUid }) => icsUid === null));
  return [...others.map(({ start, end }) => ({ start, end, icsUid: null })), ...own];
}
