import { createRequire } from 'node:module';
import ICAL from 'ical.js';
import { instantAt } from '../../../core/instant.ts';
import { once } from '../../../core/once.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { MAX_STEPS_OF_EVENT } from './ics-limits.rules.ts';
import { type IcsCalendar, type IcsComponent, listed, timeIn } from './ics-text.ts';
import { NoRecurrenceRule, recurrenceRuleOf, recurrencesOf, TooManyOccurrences } from './recurrence.rules.ts';

const DAY = 86_400_000;
const YEAR = 366 * DAY;
/** Of all observances of one definition: two in each of some hundred years. */
const MAX_CHANGES = 1_000;
/** What was before is of no calendar's interest, and no rule of a zone is that old. */
const FIRST_YEAR = Date.UTC(1900);

/** A zone of the time zone database for ical.js, which has none of its own; the rules are those of `Temporal`. */
class KnownZone extends ICAL.Timezone {
  /** In seconds. A time that the clocks leave out has the offset of before, one that they show twice is the first (RFC 5545 §3.3.5). */
  override utcOffset(time: ICAL.Time): number {
    return (wallClock(time) - epochOf(plainOf(time), this.tzid)) / 1_000;
  }
}

/** A zone that a calendar defines itself, and nobody else. */
class DefinedZone extends ICAL.Timezone {
  readonly #definition: ZoneDefinition;

  constructor(definition: ZoneDefinition, tzid: string) {
    super({ tzid });
    this.#definition = definition;
  }

  override utcOffset(time: ICAL.Time): number {
    return this.#definition.offsetAt(wallClock(time)) / 1_000;
  }
}

/** What is the same for all calendars of a text: where their user is, and what is known already of definitions. */
export interface ZoneSettings {
  readonly userZone: string;
  /** In which time a definition and a zone that equals it must be the same. */
  readonly range: Interval;
  /** By the lines of the definition. */
  readonly known: Map<string, ICAL.Timezone | undefined>;
}

/** The zones of one calendar object, by the TZID that its properties have. */
export class IcsZones {
  readonly #calendar: IcsCalendar;
  readonly #settings: ZoneSettings;
  readonly #ofUser: ICAL.Timezone;
  readonly #byId = new Map<string, ICAL.Timezone>();
  /** For days as a whole: what the calendar says it is in, or where its user is. */
  readonly ofDays: string;

  constructor(calendar: IcsCalendar, settings: ZoneSettings) {
    this.#calendar = calendar;
    this.#settings = settings;
    this.#ofUser = zoneOf(settings.userZone);
    this.ofDays = knownName(calendar.first('X-WR-TIMEZONE')?.value ?? '') ?? settings.userZone;
  }

  /** Sets the zone of a time as the property says that has it: UTC, that of its TZID, or, of a floating one, the user's. */
  placed(time: ICAL.Time, tzid: string | undefined): ICAL.Time {
    if (time.isDate || isUtc(time)) return time;
    const placed = time.clone();
    placed.zone = tzid === undefined ? this.#ofUser : this.#zone(tzid);
    return placed;
  }

  /** Epoch milliseconds; of a date, when the day begins. */
  instantOf(time: ICAL.Time): number {
    if (time.isDate) return startOfDay(time, this.ofDays);
    return isUtc(time) ? wallClock(time) : wallClock(time) - time.zone.utcOffset(time) * 1_000;
  }

  /** The day of a time, by the clock of its own zone; of one in UTC that is a midnight where the calendar is, the day there. */
  dayOf(time: ICAL.Time): ICAL.Time {
    if (time.isDate) return time;
    const there = isUtc(time) ? instantAt(wallClock(time)).toZonedDateTimeISO(this.ofDays) : undefined;
    const isDay = there?.startOfDay().equals(there) === true;
    const { year, month, day } = isDay && there ? there : time;
    return new ICAL.Time({ year, month, day, isDate: true }, ICAL.Timezone.localTimezone);
  }

  /** What the clock of this zone shows then. */
  clockIn(zone: ICAL.Timezone, instant: number): ICAL.Time {
    if (zone === ICAL.Timezone.utcTimezone) return timeAt(instant, zone);
    // An offset is asked for by the clock on the wall, which that of the moment before may miss by an hour.
    const near = timeAt(instant, zone);
    const guess = timeAt(instant + zone.utcOffset(near) * 1_000, zone);
    return timeAt(instant + zone.utcOffset(guess) * 1_000, zone);
  }

  /**
   * A name that is known goes by what is known of it; any other one by its VTIMEZONE: as the zone that this equals, or by its own
   * rules. One without any is taken for the user's.
   */
  #zone(tzid: string): ICAL.Timezone {
    return this.#byId.getOrInsertComputed(tzid, () => {
      const name = knownName(tzid);
      if (name !== undefined) return zoneOf(name);
      const own = this.#calendar.zones.find((one) => one.first('TZID')?.value === tzid);
      return (own && this.#defined(own, tzid)) ?? zoneOfOffset(tzid) ?? this.#ofUser;
    });
  }

  #defined(component: IcsComponent, tzid: string): ICAL.Timezone | undefined {
    const { range, userZone, known } = this.#settings;
    const location = component.first('X-LIC-LOCATION')?.value ?? '';
    const key = [location, ...component.parts.map((part) => part.text)].join('\n');
    return known.getOrInsertComputed(key, () => {
      const definition = definitionOf(component, range.end + YEAR);
      if (!definition) return undefined;
      const likely = [knownName(location) ?? userZone, userZone, this.ofDays];
      const name = nameOf(definition, { start: range.start - YEAR, end: range.end }, likely);
      return name === undefined ? new DefinedZone(definition, tzid) : zoneOf(name);
    });
  }
}

/** What the clock on the wall shows, as if it were UTC: epoch milliseconds. */
export function wallClock(time: ICAL.Time): number {
  const { year, month, day, hour, minute, second } = time;
  // `Date.UTC` takes the years of the first century for those of the last one.
  return year < 100 ? epochOf(plainOf(time), 'UTC') : Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The time at which the clock on the wall shows this. */
export function timeAt(wall: number, zone: ICAL.Timezone, isDate = false): ICAL.Time {
  const { year, month, day, hour, minute, second } = instantAt(wall).toZonedDateTimeISO('UTC');
  return new ICAL.Time(isDate ? { year, month, day, isDate } : { year, month, day, hour, minute, second }, zone);
}

function isUtc(time: ICAL.Time): boolean {
  return time.zone === ICAL.Timezone.utcTimezone;
}

function zoneOf(name: string): ICAL.Timezone {
  return name === 'UTC' ? ICAL.Timezone.utcTimezone : new KnownZone({ tzid: name });
}

/**
 * `Europe/Berlin`, also at the end of a TZID such as `/freeassociation.sourceforge.net/Europe/Berlin`, or the zone that CLDR has for
 * a name of Windows', such as `W. Europe Standard Time`.
 */
function knownName(tzid: string): string | undefined {
  const parts = tzid.trim().replaceAll(' ', '_').split('/');
  const candidates = [parts, parts.slice(-3), parts.slice(-2)].map((some) => some.join('/'));
  if (/\/utc$/i.test(tzid)) return 'UTC';
  return (
    candidates.find((name) => /^[a-z]/i.test(name) && isKnown(name)) ?? windowsZones().get(tzid.trim().toLowerCase())
  );
}

function isKnown(name: string): boolean {
  try {
    return instantAt(0).toZonedDateTimeISO(name).timeZoneId.length > 0;
  } catch {
    return false;
  }
}

interface WindowsZones {
  readonly supplemental: {
    readonly windowsZones: { readonly mapTimezones: readonly { readonly mapZone: Readonly<Record<string, string>> }[] };
  };
}

/** The Unicode CLDR's table of Windows' names, in small letters; of each zone the one that stands for all territories (001). */
const windowsZones = once(() => {
  const load = createRequire(import.meta.url);
  const { windowsZones: table } = (load('cldr-core/supplemental/windowsZones.json') as WindowsZones).supplemental;
  const all = table.mapTimezones.map(({ mapZone }) => mapZone).filter(({ _territory }) => _territory === '001');
  return new Map(all.map(({ _other = '', _type = '' }) => [_other.toLowerCase(), _type]));
});

/** What a name says by itself, as `GMT+01:00` does. */
function zoneOfOffset(tzid: string): ICAL.Timezone | undefined {
  const [, sign, hours = '', minutes = '00'] = /^\W*(?:UTC|GMT)?([+-])(\d{1,2}):?([0-5]\d)?\W*$/i.exec(tzid) ?? [];
  return sign !== undefined && Number(hours) < 24 ? zoneOf(`${sign}${hours.padStart(2, '0')}:${minutes}`) : undefined;
}

/** From when on a zone has another offset from UTC, all in milliseconds. */
interface OffsetChange {
  readonly at: number;
  readonly offset: number;
}

/** The offsets of a VTIMEZONE (RFC 5545 §3.6.5), until some time after all that is of interest. */
class ZoneDefinition {
  readonly changes: readonly OffsetChange[];
  /** Before the first observance: its TZOFFSETFROM. */
  readonly #first: number;

  constructor(first: number, changes: readonly OffsetChange[]) {
    this.#first = first;
    this.changes = changes;
  }

  /** Of a time on the wall: one that is left out has the offset of before, one that is there twice is the first (§3.3.5). */
  offsetAt(wall: number): number {
    // No zone is as much as a day away from UTC.
    let place = this.#changesUntil(wall - DAY);
    let before = this.offsetAfter(place);
    for (; ; place += 1) {
      const offset = this.offsetAfter(place);
      if (wall - offset < (this.changes[place - 1]?.at ?? -Infinity)) return before;
      if (wall - offset < (this.changes[place]?.at ?? Infinity)) return offset;
      before = offset;
    }
  }

  /** After so many of its changes. */
  offsetAfter(changes: number): number {
    return this.changes[changes - 1]?.offset ?? this.#first;
  }

  /** The changes in a range, after the offset that it begins with. */
  within({ start, end }: Interval): readonly OffsetChange[] {
    const [from, to] = [this.#changesUntil(start), this.#changesUntil(end - 1)];
    return [{ at: start, offset: this.offsetAfter(from) }, ...this.changes.slice(from, to)];
  }

  /** How many there are up to then. */
  #changesUntil(instant: number): number {
    let [low, high] = [0, this.changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.changes[middle]?.at ?? Infinity) <= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Undefined where nothing of it can be read, or it changes more often than anybody goes through. */
function definitionOf(component: IcsComponent, end: number): ZoneDefinition | undefined {
  const observances = component.parts.flatMap((part) => {
    const [from, to] = [offsetIn(part.first('TZOFFSETFROM')?.value), offsetIn(part.first('TZOFFSETTO')?.value)];
    return from === undefined || to === undefined ? [] : [{ part, from, to }];
  });
  const all: (OffsetChange & { readonly from: number })[] = [];
  for (const { part, from, to } of observances) {
    for (const wall of onsetsOf(part, from, end)) {
      all.push({ at: wall - from, offset: to, from });
      if (all.length > MAX_CHANGES) return undefined;
    }
  }
  const [first, ...rest] = all.toSorted((a, b) => a.at - b.at);
  if (!first) return undefined;
  const changes: OffsetChange[] = first.offset === first.from ? [] : [first];
  let { offset } = first;
  for (const change of rest) {
    if (change.offset !== offset) changes.push(change);
    ({ offset } = change);
  }
  return new ZoneDefinition(first.from, changes);
}

/** When an observance begins, by the clock that it ends, with this offset; a rule that cannot be read is none. */
function* onsetsOf(part: IcsComponent, offset: number, end: number): Generator<number> {
  const line = part.first('DTSTART');
  const start = line && timeIn(line.value, line);
  if (!start) return;
  yield wallClock(start);
  for (const dates of part.all('RDATE'))
    for (const text of listed(dates)) {
      const time = timeIn(text.split('/')[0] ?? '', dates);
      if (time) yield wallClock(time);
    }
  for (const { value } of part.all('RRULE')) yield* recurring(value, wallClock(start), offset, end);
}

function* recurring(text: string, start: number, offset: number, end: number): Generator<number> {
  const question = { start, isDate: false, from: FIRST_YEAR, to: end, maxSteps: MAX_STEPS_OF_EVENT };
  try {
    const rule = recurrenceRuleOf(text);
    const { time = Infinity, kind } = rule.until ?? {};
    const last = kind === 'DATE' ? time + DAY - 1 : kind === 'UTC' ? time + offset : time;
    yield* recurrencesOf(rule, { ...question, to: Math.min(end, last) });
  } catch (error) {
    if (!(error instanceof NoRecurrenceRule) && !(error instanceof TooManyOccurrences)) throw error;
  }
}

/** A UTC-OFFSET (§3.3.14) in milliseconds. */
function offsetIn(text = ''): number | undefined {
  const [, sign, ...parts] = /^([+-])(\d\d):?([0-5]\d):?([0-5]\d)?$/.exec(text) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((one) => Number(one ?? 0));
  if (sign === undefined || hours > 23) return undefined;
  return (sign === '-' ? -1_000 : 1_000) * ((hours * 60 + minutes) * 60 + seconds);
}

/**
 * A zone of the time zone database that a definition equals in a range, from its first observance on; the likely ones first. One
 * that does not change there equals too many.
 */
function nameOf(definition: ZoneDefinition, { start, end }: Interval, likely: readonly string[]): string | undefined {
  const from = Math.max(start, (definition.changes[0]?.at ?? end) - 1);
  const wanted = definition.within({ start: from, end });
  if (wanted.length < 2) return undefined;
  return [...likely, ...Intl.supportedValuesOf('timeZone')].find((name) => equals(name, wanted, end));
}

function equals(name: string, wanted: readonly OffsetChange[], end: number): boolean {
  const offsetsAgree = wanted.every(({ at, offset }) => offsetOf(name, at) === offset);
  if (!offsetsAgree) return false;
  return wanted.every(({ at }, place) => {
    const next = instantAt(at).toZonedDateTimeISO(name).getTimeZoneTransition('next');
    const then = next ? next.epochMilliseconds : Infinity;
    return then === (wanted[place + 1]?.at ?? Infinity) || (then >= end && place === wanted.length - 1);
  });
}

function offsetOf(name: string, instant: number): number {
  return instantAt(instant).toZonedDateTimeISO(name).offsetNanoseconds / 1_000_000;
}

function plainOf({ year, month, day, hour, minute, second }: ICAL.Time): Temporal.PlainDateTime {
  return new Temporal.PlainDateTime(year, month, day, hour, minute, second);
}

function epochOf(time: Temporal.PlainDateTime, timeZone: string): number {
  return time.toZonedDateTime(timeZone).epochMilliseconds;
}

function startOfDay({ year, month, day }: ICAL.Time, timeZone: string): number {
  return new Temporal.PlainDate(year, month, day).toZonedDateTime(timeZone).epochMilliseconds;
}
