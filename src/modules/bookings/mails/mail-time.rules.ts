/** How mails and pages write times: as the language of their reader does. */
import { dateTimeFormat, instantOf, zoneName } from '../../../core/instant.ts';

/** How somebody reads times. */
export interface ClockReader {
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47. */
  readonly locale: string;
  /** Null as the locale has it. */
  readonly timeFormat: 12 | 24 | null;
}

/** RFC 3339. */
export interface TimeSpan {
  readonly start: string;
  readonly end: string;
}

/** `Monday, December 7, 2026, 10:00 – 10:30 AM (Europe/Berlin)` */
export function spanText({ start, end }: TimeSpan, reader: ClockReader): string {
  return `${rangeText(instantOf(start), instantOf(end), reader)} (${zoneName(reader.timeZone)})`;
}

/** `Monday, December 7, 2026, 10:00 – 10:30 AM` */
export function rangeText(start: Temporal.Instant, end: Temporal.Instant, reader: ClockReader): string {
  return plain(formatOf(reader, 'full').formatRange(start.epochMilliseconds, end.epochMilliseconds));
}

/** `Monday, December 7, 2026 at 10:00 AM`; `start` is RFC 3339. */
export function fullStartText({ start }: Pick<TimeSpan, 'start'>, reader: ClockReader): string {
  return plain(formatOf(reader, 'full').format(instantOf(start).epochMilliseconds));
}

/** `Dec 7, 2026, 10:00 AM`, for a subject. */
export function startText({ start }: Pick<TimeSpan, 'start'>, reader: ClockReader): string {
  return plain(formatOf(reader, 'medium').format(instantOf(start).epochMilliseconds));
}

/** `Monday, December 7, 2026`; `at` is RFC 3339. */
export function dateText(at: string, { locale, timeZone }: ClockReader): string {
  return plain(
    dateTimeFormat(locale, { ...PLAIN, dateStyle: 'full', timeZone }).format(instantOf(at).epochMilliseconds),
  );
}

/** `10:00 AM`; `at` is RFC 3339. */
export function timeText(at: string, { locale, timeZone, timeFormat }: ClockReader): string {
  const format = dateTimeFormat(locale, { ...PLAIN, timeStyle: 'short', timeZone, ...hoursOf(timeFormat) });
  return plain(format.format(instantOf(at).epochMilliseconds));
}

/** The calendar and the digits of our pages, whatever the language: their months are those of this calendar. */
export const PLAIN = { calendar: 'gregory', numberingSystem: 'latn' } as const;

function formatOf({ locale, timeZone, timeFormat }: ClockReader, dateStyle: 'full' | 'medium'): Intl.DateTimeFormat {
  return dateTimeFormat(locale, { ...PLAIN, dateStyle, timeStyle: 'short', timeZone, ...hoursOf(timeFormat) });
}

function hoursOf(timeFormat: ClockReader['timeFormat']): Intl.DateTimeFormatOptions {
  return timeFormat === null ? {} : { hourCycle: timeFormat === 12 ? 'h12' : 'h23' };
}

/** Narrow spaces look like none in a font of one width. */
function plain(text: string): string {
  return text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ');
}
