import ICAL from 'ical.js';
import { instantAt } from '../../../core/instant.ts';

/** A zone of the time zone database for ical.js, which has none of its own; the rules are those of `Temporal`. */
class KnownZone extends ICAL.Timezone {
  /** In seconds. A time that the clocks leave out has the offset of before (RFC 5545 §3.3.5). */
  override utcOffset(time: ICAL.Time): number {
    return (wallClock(time) - epochOf(plainOf(time), this.tzid)) / 1_000;
  }
}

/** The zones of one calendar object, by the TZID that its properties have. */
export class IcsZones {
  readonly #calendar: ICAL.Component;
  readonly #ofUser: ICAL.Timezone;
  readonly #byId = new Map<string, ICAL.Timezone>();
  /** For days as a whole: what the calendar says it is in, or where its user is. */
  readonly ofDays: string;

  constructor(calendar: ICAL.Component, userZone: string) {
    this.#calendar = calendar;
    this.#ofUser = zoneOf(userZone);
    const said = calendar.getFirstPropertyValue('x-wr-timezone');
    this.ofDays = (typeof said === 'string' && knownName(said)) || userZone;
  }

  /** Sets the zone of a time as the property says that has it: UTC, that of its TZID, or, of a floating one, the user's. */
  placed(time: ICAL.Time, tzid: unknown): ICAL.Time {
    const placed = time.clone();
    if (!time.isDate && !isUtc(time)) placed.zone = typeof tzid === 'string' ? this.#zone(tzid) : this.#ofUser;
    return placed;
  }

  /** Epoch milliseconds; of a date, when the day begins. */
  instantOf(time: ICAL.Time): number {
    if (time.isDate) return startOfDay(time, this.ofDays);
    return isUtc(time) ? wallClock(time) : wallClock(time) - time.zone.utcOffset(time) * 1_000;
  }

  /** A name that is known goes by what is known of it, any other one by its VTIMEZONE; one without any is taken for the user's. */
  #zone(tzid: string): ICAL.Timezone {
    return this.#byId.getOrInsertComputed(tzid, () => {
      const known = knownName(tzid);
      if (known !== undefined) return zoneOf(known);
      const own = this.#calendar
        .getAllSubcomponents('vtimezone')
        .find((one) => one.getFirstPropertyValue('tzid') === tzid);
      return own ? new ICAL.Timezone({ component: own, tzid }) : this.#ofUser;
    });
  }
}

/** What the clock on the wall shows, as if it were UTC: epoch milliseconds. */
export function wallClock({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function isUtc(time: ICAL.Time): boolean {
  return time.zone === ICAL.Timezone.utcTimezone;
}

function zoneOf(name: string): ICAL.Timezone {
  return name === 'UTC' ? ICAL.Timezone.utcTimezone : new KnownZone({ tzid: name });
}

/** `Europe/Berlin`, also at the end of a TZID such as `/freeassociation.sourceforge.net/Europe/Berlin`. */
function knownName(tzid: string): string | undefined {
  const parts = tzid.split('/');
  const candidates = [parts, parts.slice(-3), parts.slice(-2)].map((some) => some.join('/'));
  return candidates.find((name) => /^[A-Z]/.test(name) && isKnown(name));
}

function isKnown(name: string): boolean {
  try {
    return instantAt(0).toZonedDateTimeISO(name).timeZoneId.length > 0;
  } catch {
    return false;
  }
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
