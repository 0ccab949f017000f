import { CACHES } from './caches.ts';

// The one way to an instant; test/contract/instants.test.ts finds others. Rules that calculate take epoch milliseconds, rows
// of raw statements hold texts, everything else a Temporal.Instant.

/** A time that the database or we have written. */
export function instantOf(text: string): Temporal.Instant;
export function instantOf(text: string | null): Temporal.Instant | null;
export function instantOf(text: string | null): Temporal.Instant | null {
  return text === null ? null : Temporal.Instant.from(text);
}

export function instantAt(epochMilliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
}

/** Epoch milliseconds as RFC 3339, as the database takes them. */
export function instantText(epochMilliseconds: number): string {
  return instantAt(epochMilliseconds).toString();
}

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** How the minutes of a day end an instant; of thousands of slots, hardly one begins within a minute. */
const MINUTES = Array.from({ length: 1_440 }, (_, minute) => `${instantText(minute * MINUTE).slice(11, 19)}Z`);

/** The date of the instant that was written last, with the T behind it. */
let lastDay = { epochDay: 0, text: instantText(0).slice(0, 11) };

/** Epoch milliseconds as answers have instants, with a fraction if there is one: where there are thousands, at a tenth of the cost. */
export function answeredInstant(epochMilliseconds: number): string {
  const epochDay = Math.floor(epochMilliseconds / DAY);
  const minute = MINUTES[(epochMilliseconds - epochDay * DAY) / MINUTE];
  if (minute === undefined) return answerOf(instantAt(epochMilliseconds));
  if (epochDay !== lastDay.epochDay) lastDay = { epochDay, text: instantText(epochDay * DAY).slice(0, 11) };
  return lastDay.text + minute;
}

/** An instant as answers have it: to the second, or to the millisecond. */
export function answerOf(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: instant.epochMilliseconds % 1000 === 0 ? 'second' : 'millisecond' });
}

// No leap seconds: no clock of ours shows one, and it would be stored as the second before.
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

// In UTC, so that an offset leads to no other year. PostgreSQL has no year 0 and writes the years before it and from 10000
// on as nobody reads them: one such row, and no list that holds it can be read.
const FIRST = instantOf('0001-01-01T00:00:00Z');
const LAST = instantOf('9999-12-31T23:59:59.999Z');

/** Which times are taken, for messages and descriptions. */
export const INSTANTS_IN_WORDS = 'of the years 0001 to 9999 in UTC';

/**
 * A time that comes from outside, as RFC 3339 writes it; undefined for a text that is not one, or that cannot be stored. Cut to the
 * millisecond, as the database and all clients have it: rounded, it could be another second, or the year 10000.
 */
export function instantFrom(text: string): Temporal.Instant | undefined {
  if (!RFC_3339.test(text)) return undefined;
  try {
    const instant = instantAt(instantOf(text).epochMilliseconds);
    const isStorable = Temporal.Instant.compare(FIRST, instant) <= 0 && Temporal.Instant.compare(instant, LAST) <= 0;
    return isStorable ? instant : undefined;
  } catch {
    // The text names a day or an hour that does not exist.
    return undefined;
  }
}

/** Mostly outside of V8's heap, in ICU. */
const FORMAT_BYTES = 50_000;
/** Zones and languages of readers: most are the same few, and there are thousands. */
const FORMATS = CACHES.share<Intl.DateTimeFormat>({ name: 'formats', weigh: () => FORMAT_BYTES });

/** A format of times, made once: that takes longer than to use it. @throws RangeError for what is no language or zone */
export function dateTimeFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = FORMATS.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, options);
  FORMATS.set(key, format);
  return format;
}

/** `America/New York`: the name of a time zone as people read it; `timeZone` is its IANA name. */
export function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}
