/** feeds/ reads calendars that others publish by an address (ICS), and keeps their busy times up to date. */
import process from 'node:process';
import { type Interval, type IntervalSet, intersectionOf, unionOf } from '../../schedules/interval.rules.ts';
import { type BusyTime, merged } from '../busy-calendar.rules.ts';
import { icsIdOf } from '../ics-uid.rules.ts';
import { IcsEvent, type UnreadableEvent } from './ics-event.ts';
import {
  MAX_EVENTS,
  MAX_EVENTS_OF_UID,
  MAX_PERIODS,
  MAX_PERIODS_OF_UID,
  MAX_UNREADABLE,
  ROUNDS,
  Steps,
  TooManyOccurrences,
} from './ics-limits.rules.ts';
import { calendarsIn } from './ics-text.ts';
import { IcsZones, zoneSettings } from './ics-zone.ts';

export interface IcsQuestion {
  /** A whole calendar, or the objects of one, each by itself. */
  readonly text: string | readonly string[];
  /** The zone of floating times, and of days where the calendar names none. */
  readonly timeZone: string;
  /** Which times are of interest. */
  readonly range: Interval;
  /** Those by which its user is invited: what they have declined is free. */
  readonly addresses?: readonly string[];
  /** How many milliseconds of CPU it may take; left out: as many as it takes. */
  readonly maxCpuMs?: number;
}

export type IcsFailure = 'NOT_A_CALENDAR' | 'TOO_MANY_EVENTS' | 'TOO_MANY_PERIODS' | 'TOO_DEAR';

/** A calendar takes more CPU to read than it may. */
class TooDear extends Error {}

/** When a calendar says that somebody is busy, or why it cannot be read. */
export type IcsAnswer =
  | {
      readonly periods: readonly BusyTime[];
      readonly eventCount: number;
      /** Events that could not be read, or not in whole: these block what is certain of them. */
      readonly unreadableCount: number;
      /** The first of them. */
      readonly unreadable: readonly UnreadableEvent[];
      /**
       * The reading of each object by itself. Undefined: one depends on another, all come to too much, or it is a whole
       * calendar.
       */
      readonly ofEach: readonly IcsObject[] | undefined;
    }
  | { readonly failure: IcsFailure };

/** The reading of one object of a calendar, by itself. */
export interface IcsObject {
  readonly uids: readonly string[];
  readonly times: readonly BusyTime[];
  readonly unreadable: readonly UnreadableEvent[];
}

/** An object that is no calendar. */
const UNKNOWN: readonly UnreadableEvent[] = [{ problem: 'START', title: '', start: '' }];

/** The events of one UID. */
interface Group {
  /** The places of the texts that they are in. */
  readonly sources: ReadonlySet<number>;
  readonly events: readonly IcsEvent[];
  readonly uid: string;
  /** When they are, undefined where they are left out. */
  times: IntervalSet | undefined;
}

/**
 * Reads a calendar object (RFC 5545): recurrences with their exceptions and changed instances, zones by name or by their own
 * rules, whole days. Whatever is wrong with one event takes no other one with it, as anybody may have sent it. Reading may take
 * as long as a hostile calendar wants, so it runs in a thread (read-in-thread.ts).
 */
export function readIcs(question: IcsQuestion): IcsAnswer {
  try {
    return answerTo(question, withinCpu(question.maxCpuMs));
  } catch (error) {
    if (error instanceof TooDear) return { failure: 'TOO_DEAR' };
    throw error;
  }
}

/** To be called between steps of a few milliseconds. @throws TooDear where this thread has taken more since */
function withinCpu(maxMilliseconds: number | undefined): () => void {
  if (maxMilliseconds === undefined) return () => undefined;
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 > maxMilliseconds) throw new TooDear();
  };
}

function answerTo({ text, timeZone, range, addresses = [] }: IcsQuestion, requireCheap: () => void): IcsAnswer {
  const texts = typeof text === 'string' ? [text] : text;
  const calendars = texts.flatMap((one, source) =>
    isMarkup(one) ? [] : calendarsIn(one, requireCheap).map((calendar) => ({ calendar, source })),
  );
  if (calendars.length === 0) return { failure: 'NOT_A_CALENDAR' };
  const settings = zoneSettings(timeZone, range);
  const found = calendars.flatMap(({ calendar, source }) => {
    const zones = new IcsZones(calendar, settings);
    const isCancelling = calendar.first('METHOD')?.value.toUpperCase() === 'CANCEL';
    return calendar.events.map((component) => ({ component, zones, isCancelling, source }));
  });
  // An event without a UID is one by itself.
  const groups = [
    ...Map.groupBy(found, ({ component }, place) => {
      const uid = component.first('UID')?.value;
      return uid ? `${component.name} ${uid}` : place;
    }).values(),
  ];
  const counted = groups.reduce((sum, { length }) => sum + Math.min(length, MAX_EVENTS_OF_UID), 0);
  if (counted > MAX_EVENTS) return { failure: 'TOO_MANY_EVENTS' };
  const own = new Set(addresses.map((one) => one.toLowerCase()));
  const read = groups.map((group): Group => {
    const isTooMany = group.length > MAX_EVENTS_OF_UID;
    const events = group.slice(0, isTooMany ? 1 : group.length).map(({ component, zones, isCancelling }) => {
      requireCheap();
      return new IcsEvent(component, zones, own, isCancelling);
    });
    if (isTooMany) events[0]?.leaveOut();
    const sources = new Set(group.map(({ source }) => source));
    return { events, uid: events[0]?.uid ?? '', times: isTooMany ? [] : undefined, sources };
  });
  readAll(read, range, requireCheap);
  const periods = fitting(read);
  if (!periods) return { failure: 'TOO_MANY_PERIODS' };
  const isOne = typeof text === 'string';
  const readable = new Set(calendars.map(({ source }) => source));
  const foreign = isOne ? [] : texts.flatMap((_, source) => (readable.has(source) ? [] : UNKNOWN));
  const unreadable = [...read.flatMap(unreadableOf), ...foreign];
  // Events that are left out as too much may not be so once others are gone.
  const isEachByItself =
    !isOne &&
    read.every(({ sources }) => sources.size === 1) &&
    unreadable.every(({ problem }) => problem !== 'TOO_MANY');
  return {
    periods,
    eventCount: found.length,
    unreadableCount: unreadable.length,
    unreadable: unreadable.slice(0, MAX_UNREADABLE),
    ofEach: isEachByItself ? objectsOf(texts.length, read, readable) : undefined,
  };
}

function unreadableOf({ events }: Group): readonly UnreadableEvent[] {
  return events.flatMap((event) => event.unreadable ?? []);
}

function objectsOf(count: number, read: readonly Group[], readable: ReadonlySet<number>): IcsObject[] {
  const bySource = Map.groupBy(read, ({ sources: [source] }) => source);
  return Array.from({ length: count }, (_, source) => {
    const all = bySource.get(source) ?? [];
    return {
      uids: all.map(({ uid }) => uid).filter(Boolean),
      times: all.flatMap(busyTimesOf),
      unreadable: readable.has(source) ? all.flatMap(unreadableOf) : UNKNOWN,
    };
  });
}

/** A page may show a calendar, and is none. */
function isMarkup(text: string): boolean {
  return /^[\s\uFEFF]*</.test(text);
}

/** Works in rounds, so that an event that takes long takes no time from the others. */
function readAll(groups: readonly Group[], range: Interval, requireCheap: () => void): void {
  for (const { ofUid, ofAll } of ROUNDS) {
    let left = ofAll;
    for (const group of groups) {
      if (group.times) continue;
      requireCheap();
      const most = Math.min(ofUid, left);
      const steps = new Steps(most);
      try {
        group.times = timesOf(group.events, range, steps);
      } catch (error) {
        if (!(error instanceof TooManyOccurrences)) throw error;
      }
      left -= most - steps.left;
    }
  }
  for (const { times, events } of groups) if (!times) for (const event of events) event.leaveOut();
}

/** The times of the events of one UID: those that are no changes, and the changed instances. */
function timesOf(events: readonly IcsEvent[], range: Interval, steps: Steps): IntervalSet {
  const series = newest(events.filter(({ changes }) => !changes));
  const changes = changesIn(events, series);
  const times = changes.flatMap((event) => (event.isBusy && event.start ? [event.timeFrom(event.start)] : []));
  for (const event of series) for (const time of instancesOf(event, changes, range, steps)) times.push(time);
  return intersectionOf(unionOf(times), [range]);
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
function* instancesOf(
  series: IcsEvent,
  changes: readonly IcsEvent[],
  range: Interval,
  steps: Steps,
): Generator<Interval> {
  const readable = changes.filter((change) => change.changes?.of && (change.start || !change.isBusy));
  const isChanged = series.isChangedBy(readable);
  const later = readable
    .filter((change) => change.changes?.andFuture)
    .map((change) => ({ change, from: series.instantOfChange(change) }))
    .toSorted((a, b) => a.from - b.from);
  for (const { start, time, instant } of series.instances(reachOf(later, range), steps)) {
    if (isChanged(start, instant)) continue;
    steps.take(later.length);
    const change = later.findLast(({ from }) => from <= instant)?.change;
    if (change ? change.isBusy : series.isBusy) yield change ? series.movedBy(change, start) : time;
  }
}

/** In which time an instance may be so that it comes into the range once it is moved. */
function reachOf(later: readonly { readonly change: IcsEvent }[], { start, end }: Interval): Interval {
  const times = later.map(({ change: { shift, length } }) => ({ start: start - shift - length, end: end - shift }));
  return {
    start: times.reduce((least, one) => Math.min(least, one.start), start),
    end: times.reduce((most, one) => Math.max(most, one.end), end),
  };
}

/** How many UIDs are joined at a time. */
const SOME = 64;

/** When all of them are, or, where that is too much, what is left without those that come to most; undefined where too much is left. */
function fitting(groups: readonly Group[]): readonly BusyTime[] | undefined {
  const sorted = groups.toSorted((a, b) => countOf(a) - countOf(b));
  let all: readonly BusyTime[] = [];
  for (let [place, size] = [0, SOME]; place < sorted.length; ) {
    const more = joined(all, sorted.slice(place, place + size));
    if (more.length <= MAX_PERIODS) {
      all = more;
      place += size;
    } else if (size > 1) size >>= 1;
    else if (sorted.slice(place).some((one) => countOf(one) <= MAX_PERIODS_OF_UID)) return undefined;
    else {
      for (const { events } of sorted.slice(place)) for (const event of events) event.leaveOut();
      break;
    }
  }
  return all;
}

function joined(all: readonly BusyTime[], groups: readonly Group[]): BusyTime[] {
  return merged([...all, ...groups.flatMap(busyTimesOf)]);
}

function busyTimesOf({ uid, times = [] }: Group): BusyTime[] {
  const icsUid = icsIdOf(uid) === null ? null : uid;
  return times.map(({ start, end }) => ({ start, end, icsUid }));
}

function countOf({ times }: Group): number {
  return times?.length ?? 0;
}
