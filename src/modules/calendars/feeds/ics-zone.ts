import { createRequire } from 'node:module';
import { instantAt } from '../../../core/instant.ts';
import { lazily } from '../../../core/lazily.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { Steps, TooManyOccurrences } from './ics-limits.rules.ts';
import { type IcsCalendar, type IcsComponent, listed, timeIn, type WrittenTime } from './ics-text.ts';
import { NoRecurrenceRule, recurrenceRuleOf, recurrencesOf } from './recurrence.rules.ts';

const DAY = 86_400_000;
const YEAR = 366 * DAY;
/** The observances of one definition may have this many changes in all: two a year for five hundred years. */
const MAX_CHANGES = 1_000;
/** Each of their rules takes no more steps. */
const MAX_STEPS = 20_000;
/** No calendar is interested in earlier years, and no rule of a zone is that old. */
const FIRST_YEAR = Date.UTC(1900);

/** A zone with its offsets from UTC, in milliseconds. */
interface Zone {
  /**
   * The offset at a time on the wall: one that the clocks leave out has the offset of before, one that they show twice is the
   * first (RFC 5545 §3.3.5).
   */
  offsetAt(wall: number): number;
}

/** A time on the wall of a zone; a date is the midnight of its day, where days of the calendar are. */
export interface IcsTime {
  readonly wall: number;
  readonly isDate: boolean;
  readonly zone: Zone;
}

const UTC: Zone = { offsetAt: () => 0 };

/** A zone of the time zone database, whose rules are those of `Temporal`: each year of it is asked for once. */
class KnownZone implements Zone {
  readonly #name: string;
  readonly #years = new Map<number, ZoneDefinition>();
  /** The last answer: most often, the same is asked again. */
  #last = { year: NaN, rules: new ZoneDefinition(0, []) };
  /** In the time that is read. */
  readonly inRange: () => ZoneDefinition;

  constructor(name: string, range: Interval) {
    this.#name = name;
    this.inRange = lazily(() => this.#changesIn({ start: range.start - YEAR, end: range.end }));
  }

  offsetAt(wall: number): number {
    const year = Math.floor(wall / YEAR);
    if (year !== this.#last.year) {
      const rules = this.#years.getOrInsertComputed(year, () =>
        this.#changesIn({ start: year * YEAR - 2 * DAY, end: (year + 1) * YEAR + 2 * DAY }),
      );
      this.#last = { year, rules };
    }
    return this.#last.rules.offsetAt(wall);
  }

  #changesIn({ start, end }: Interval): ZoneDefinition {
    let time = instantAt(start).toZonedDateTimeISO(this.#name);
    const first = offsetOf(time);
    const changes: OffsetChange[] = [];
    for (;;) {
      const next = time.getTimeZoneTransition('next');
      if (!next || next.epochMilliseconds >= end) return new ZoneDefinition(first, changes);
      changes.push({ at: next.epochMilliseconds, offset: offsetOf(next) });
      time = next;
    }
  }
}

/** These are the same for all calendars of a text: the zone of their user, and the definitions that are known already. */
interface ZoneSettings {
  readonly userZone: string;
  /** The range of time in which a definition and the zone that it equals must agree. */
  readonly range: Interval;
  /** The zones by their names. */
  readonly named: Map<string, KnownZone>;
  /** The zones by the lines of their definitions. */
  readonly defined: Map<string, Zone | undefined>;
}

export function zoneSettings(userZone: string, range: Interval): ZoneSettings {
  return { userZone, range, named: new Map(), defined: new Map() };
}

/** The zones of one calendar object, by the TZID that its properties have. */
export class IcsZones {
  readonly #calendar: IcsCalendar;
  readonly #settings: ZoneSettings;
  readonly #ofUser: Zone;
  readonly #byId = new Map<string, Zone>();
  /** For days as a whole: what the calendar says it is in, or where its user is. */
  readonly #nameOfDays: string;
  readonly #ofDays: Zone;

  constructor(calendar: IcsCalendar, settings: ZoneSettings) {
    this.#calendar = calendar;
    this.#settings = settings;
    this.#ofUser = this.#named(settings.userZone);
    this.#nameOfDays = knownName(calendar.first('X-WR-TIMEZONE')?.value ?? '') ?? settings.userZone;
    this.#ofDays = this.#named(this.#nameOfDays);
  }

  /** In the zone that the property says which has it: UTC, that of its TZID, or, of a floating one, the user's or another. */
  placed({ wall, isDate, isUtc }: WrittenTime, tzid: string | undefined, floating = this.#ofUser): IcsTime {
    if (isDate) return this.#dayAt(wall);
    const zone = isUtc ? UTC : tzid === undefined ? floating : this.#zone(tzid);
    return { wall, isDate, zone };
  }

  /** The day of a time, by the clock of its own zone; of one in UTC that is a midnight where the calendar is, the day there. */
  dayOf({ wall, isDate, zone }: IcsTime): IcsTime {
    if (isDate) return this.#dayAt(wall);
    const there = zone === UTC ? clockIn(this.#ofDays, wall) : wall;
    return this.#dayAt(there % DAY === 0 ? there : wall);
  }

  #dayAt(wall: number): IcsTime {
    return { wall: Math.floor(wall / DAY) * DAY, isDate: true, zone: this.#ofDays };
  }

  /**
   * A name that is known goes by what is known of it; any other one by its VTIMEZONE: as the zone that this equals, or by its own
   * rules. One without any is taken for the user's.
   */
  #zone(tzid: string): Zone {
    return this.#byId.getOrInsertComputed(tzid, () => {
      const name = knownName(tzid);
      if (name !== undefined) return this.#named(name);
      const own = this.#calendar.zones.find((one) => one.first('TZID')?.value === tzid);
      const offset = offsetName(tzid);
      return (own && this.#defined(own)) ?? (offset === undefined ? this.#ofUser : this.#named(offset));
    });
  }

  #named(name: string): Zone {
    return name === 'UTC' ? UTC : this.#known(name);
  }

  #known(name: string): KnownZone {
    return this.#settings.named.getOrInsertComputed(name, () => new KnownZone(name, this.#settings.range));
  }

  #defined(component: IcsComponent): Zone | undefined {
    const { range, userZone, defined } = this.#settings;
    const location = component.first('X-LIC-LOCATION')?.value ?? '';
    const key = [location, ...component.parts.map((part) => part.text)].join('\n');
    return defined.getOrInsertComputed(key, () => {
      const definition = definitionOf(component, range.end + YEAR);
      const likely = [knownName(location) ?? userZone, userZone, this.#nameOfDays];
      return definition && (this.#equal(definition, likely) ?? definition);
    });
  }

  /**
   * A zone of the time zone database that a definition equals in the range, from its first observance on; the likely ones first. One
   * that does not change there equals too many.
   */
  #equal(definition: ZoneDefinition, likely: readonly string[]): Zone | undefined {
    const { start: first, end } = this.#settings.range;
    const range = { start: Math.max(first - YEAR, (definition.changes[0]?.at ?? end) - 1), end };
    const wanted = definition.within(range);
    if (wanted.length < 2) return undefined;
    const same = [...likely, ...Intl.supportedValuesOf('timeZone')].find((name) => {
      const changes = this.#known(name).inRange().within(range);
      const isSame = ({ at, offset }: OffsetChange, place: number) =>
        changes[place]?.at === at && changes[place].offset === offset;
      return changes.length === wanted.length && wanted.every(isSame);
    });
    return same === undefined ? undefined : this.#named(same);
  }
}

/** Epoch milliseconds; of a date, when the day begins. */
export function instantOf({ wall, zone }: IcsTime): number {
  return wall - zone.offsetAt(wall);
}

/** The time that the clock of this zone shows then. */
export function clockIn(zone: Zone, instant: number): number {
  // An offset is asked for by the clock on the wall, which that of the moment before may miss by an hour.
  const guess = instant + zone.offsetAt(instant + zone.offsetAt(instant));
  return instant + zone.offsetAt(guess);
}

/**
 * `Europe/Berlin`, also at the end of a TZID such as `/freeassociation.sourceforge.net/Europe/Berlin`, or the zone that CLDR has for
 * a name of Windows', such as `W. Europe Standard Time`.
 */
function knownName(tzid: string): string | undefined {
  const plain = tzid.replaceAll(/["\\]/g, '').trim();
  const parts = plain.replaceAll(' ', '_').split('/');
  const candidates = [parts, parts.slice(-3), parts.slice(-2)].map((some) => some.join('/'));
  // A name as Lotus writes it, such as `US-Eastern`.
  candidates.push(plain.replaceAll('-', '/'));
  if (/(?:^|\/)(?:utc|z)$/i.test(plain)) return 'UTC';
  return candidates.find((name) => /^[a-z]/i.test(name) && isKnown(name)) ?? windowsZones().get(plain.toLowerCase());
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

/** The Unicode CLDR's table from Windows' names of zones, in small letters, to the zone that stands for all territories (001). */
const windowsZones = lazily(() => {
  const load = createRequire(import.meta.url);
  const { windowsZones: table } = (load('cldr-core/supplemental/windowsZones.json') as WindowsZones).supplemental;
  const all = table.mapTimezones.map(({ mapZone }) => mapZone).filter(({ _territory }) => _territory === '001');
  return new Map(all.map(({ _other = '', _type = '' }) => [_other.toLowerCase(), _type]));
});

/** The zone that a name says by itself, as `GMT+01:00` does. */
function offsetName(tzid: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] = /^\W*(?:UTC|GMT)?([+-])(\d{1,2}):?([0-5]\d)?\W*$/i.exec(tzid) ?? [];
  return sign !== undefined && Number(hours) < 24 ? `${sign}${hours.padStart(2, '0')}:${minutes}` : undefined;
}

/** An offset from UTC and the instant from which the zone has it, all in milliseconds. */
interface OffsetChange {
  readonly at: number;
  readonly offset: number;
}

/** The offsets of a VTIMEZONE (RFC 5545 §3.6.5), until some time after all that is of interest. */
class ZoneDefinition implements Zone {
  readonly changes: readonly OffsetChange[];
  /** Before the first observance: its TZOFFSETFROM. */
  readonly #first: number;
  /** The range of local times around the last one that was looked up which has no change of offset near it. */
  #sure = { from: Infinity, to: Infinity, offset: 0 };

  constructor(first: number, changes: readonly OffsetChange[]) {
    this.#first = first;
    this.changes = changes;
  }

  offsetAt(wall: number): number {
    const { from, to, offset: known } = this.#sure;
    if (from <= wall && wall < to) return known;
    // No zone is as much as a day away from UTC.
    let place = this.#changesUntil(wall - DAY);
    let before = this.offsetAfter(place);
    const next = this.changes[place]?.at ?? Infinity;
    if (wall + DAY < next) this.#sure = { from: wall, to: next - DAY, offset: before };
    for (; ; place += 1) {
      const offset = this.offsetAfter(place);
      if (wall - offset < (this.changes[place - 1]?.at ?? -Infinity)) return before;
      if (wall - offset < (this.changes[place]?.at ?? Infinity)) return offset;
      before = offset;
    }
  }

  /** The offset from UTC after this many of the zone's changes. */
  offsetAfter(changes: number): number {
    return this.changes[changes - 1]?.offset ?? this.#first;
  }

  /** The changes in a range, after the offset that it begins with. */
  within({ start, end }: Interval): readonly OffsetChange[] {
    const [from, to] = [this.#changesUntil(start), this.#changesUntil(end - 1)];
    return [{ at: start, offset: this.offsetAfter(from) }, ...this.changes.slice(from, to)];
  }

  /** How many changes the zone has had up to an instant. */
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
  yield start.wall;
  for (const dates of part.all('RDATE'))
    for (const text of listed(dates)) {
      const time = timeIn(text.split('/')[0] ?? '', dates);
      if (time) yield time.wall;
    }
  for (const { value } of part.all('RRULE')) yield* recurring(value, start.wall, offset, end);
}

function* recurring(text: string, start: number, offset: number, end: number): Generator<number> {
  const question = { start, isDate: false, from: FIRST_YEAR, to: end, steps: new Steps(MAX_STEPS) };
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

function offsetOf(time: Temporal.ZonedDateTime): number {
  return time.offsetNanoseconds / 1_000_000;
}
