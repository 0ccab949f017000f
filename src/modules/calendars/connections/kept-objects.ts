/**
 * kept-objects keeps so much of each object of a calendar that only those that change are read again: digests of its name, of
 * its state and of its UIDs, and when it makes its user busy. It keeps nothing that anybody has written.
 */
import { sha256Hex } from '../../../core/secret.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { type BusyTime, merged } from '../busy-calendar.rules.ts';
import type { IcsObject } from '../feeds/read-ics.ts';
import type { CalendarObject } from './calendar-provider.ts';

/** A calendar of which this is longer is read as a whole whenever it changes. 5,000 events take up a third of it. */
const MAX_KEPT_LENGTH = 1_048_576;

interface KeptObject {
  readonly etag: string;
  readonly uids: readonly string[];
  readonly times: readonly BusyTime[];
  /** How many of its events could not be read. */
  readonly unreadable: number;
}

export interface KeptObjects {
  /** That of its user, by which they were read. */
  readonly timeZone: string;
  /** The time in which they are known. */
  readonly range: Interval;
  /** Whether its server has called it unchanged when it was not: its word counts for nothing then. */
  readonly isDoubted: boolean;
  /** The kept objects by their names. */
  readonly objects: ReadonlyMap<string, KeptObject>;
}

/** Objects that were read, each by itself. */
interface ReadObjects {
  readonly objects: readonly CalendarObject[];
  /** Undefined: what one says depends on another. */
  readonly ofEach: readonly IcsObject[] | undefined;
}

/** Keeps all objects of a calendar; undefined where they cannot be told apart. */
export function keptObjects(
  { objects, ofEach }: ReadObjects,
  about: Pick<KeptObjects, 'timeZone' | 'range'>,
): KeptObjects | undefined {
  const kept = new Map<string, KeptObject>();
  if (!ofEach) return undefined;
  for (const [place, { name, etag }] of objects.entries()) {
    const read = ofEach[place];
    if (name === null || etag === null || !read || kept.has(name)) return undefined;
    const uids = read.uids.map((uid) => sha256Hex(uid).slice(0, 12));
    kept.set(name, { etag, uids, times: read.times, unreadable: read.unreadable.length });
  }
  return { ...about, isDoubted: false, objects: kept };
}

/** After some have changed, and others are gone. Undefined: events of one UID are in several objects now. */
export function withChanges(
  before: KeptObjects,
  changed: ReadObjects,
  gone: readonly string[],
): KeptObjects | undefined {
  const news = keptObjects(changed, before);
  if (!news) return undefined;
  const objects = new Map(before.objects);
  for (const name of [...gone, ...news.objects.keys()]) objects.delete(name);
  const uids = new Set([...objects.values()].flatMap((object) => object.uids));
  for (const [name, object] of news.objects) {
    if (object.uids.some((uid) => uids.has(uid))) return undefined;
    objects.set(name, object);
  }
  return { ...before, objects };
}

export function busyTimesOf({ objects }: KeptObjects): BusyTime[] {
  return merged([...objects.values()].flatMap(({ times }) => times));
}

export function unreadableCountOf({ objects }: KeptObjects): number {
  return [...objects.values()].reduce((sum, { unreadable }) => sum + unreadable, 0);
}

/**
 * Whether a calendar that its server calls unchanged has changed: an object has another etag, or one that is busy in the time of both
 * is there in one alone. Others may have come into the time that is read, or left it.
 */
export function differs(before: KeptObjects, after: KeptObjects): boolean {
  const start = Math.max(before.range.start, after.range.start);
  const end = Math.min(before.range.end, after.range.end);
  const isMissing = (objects: ReadonlyMap<string, KeptObject>, others: KeptObjects) =>
    [...objects].some(
      ([name, { times }]) => !others.objects.has(name) && times.some((time) => time.start < end && time.end > start),
    );
  const isOther = [...after.objects].some(([name, { etag }]) => (before.objects.get(name)?.etag ?? etag) !== etag);
  return isOther || isMissing(before.objects, after) || isMissing(after.objects, before);
}

type Stored = readonly [name: string, etag: string, uids: readonly string[], times: readonly StoredTime[], number];
type StoredTime = readonly [start: number, end: number, icsUid?: string];

/** As a row holds them; null where they take up too much of it. */
export function storedText({ timeZone, range, isDoubted, objects }: KeptObjects): string | null {
  const stored = [...objects].map(([name, { etag, uids, times, unreadable }]): Stored => {
    const kept = times.map(
      ({ start, end, icsUid }): StoredTime => (icsUid === null ? [start, end] : [start, end, icsUid]),
    );
    return [name, etag, uids, kept, unreadable];
  });
  const text = JSON.stringify({ timeZone, range, isDoubted, objects: stored });
  return text.length > MAX_KEPT_LENGTH ? null : text;
}

export function storedObjects(text: string): KeptObjects {
  const { objects, ...about } = JSON.parse(text) as Omit<KeptObjects, 'objects'> & { objects: readonly Stored[] };
  const kept = objects.map(([name, etag, uids, times, unreadable]): [string, KeptObject] => [
    name,
    { etag, uids, times: times.map(([start, end, icsUid = null]) => ({ start, end, icsUid })), unreadable },
  ]);
  return { ...about, objects: new Map(kept) };
}
