import { html } from 'hono/html';
import { dateTimeFormat } from '../../core/instant.ts';
import type { WeekDay } from '../../modules/accounts/account.rules.ts';
import {
  type ClockReader,
  fullStartText,
  PLAIN,
  rangeText,
  startText,
  timeText,
} from '../../modules/bookings/mails/mail-time.rules.ts';
import type { Html } from './layout.ts';
import { pageWords } from './page-words.ts';

/** How a reader reads times. */
export interface Clock extends ClockReader {
  readonly weekStart: WeekDay;
}

/** The language of pages whose reader has named none. */
export const PAGE_LOCALE = 'en-GB';

/** How a user reads times; without one, the plainest way. */
export function clockOf(user: Clock | undefined): Clock {
  return {
    timeZone: user?.timeZone ?? 'UTC',
    locale: user?.locale ?? PAGE_LOCALE,
    timeFormat: user?.timeFormat ?? 24,
    weekStart: user?.weekStart ?? 'MONDAY',
  };
}

/** `Monday, 23 November 2026` */
export function longDate(date: Temporal.PlainDate, locale = PAGE_LOCALE): string {
  return dateTimeFormat(locale, { ...PLAIN, dateStyle: 'full' }).format(date);
}

/** `24 – 28 November`, or `24 November` where both are one day; with years where they are in two. */
export function datesText(first: Temporal.PlainDate, last: Temporal.PlainDate, locale: string): string {
  const format = dateTimeFormat(locale, { ...PLAIN, day: 'numeric', month: 'long' });
  return format.formatRange(first, last);
}

/** `November 2026` */
export function monthName(month: Temporal.PlainYearMonth, locale: string): string {
  return dateTimeFormat(locale, { ...PLAIN, month: 'long', year: 'numeric' }).format(month.toPlainDate({ day: 1 }));
}

/** `Monday` and `Mon`, or as another language has them. */
export function weekDayName(day: Temporal.PlainDate, weekday: 'long' | 'short', locale: string): string {
  return dateTimeFormat(locale, { ...PLAIN, weekday })
    .format(day)
    .replace(/\.$/, '');
}

/** `09:30`, or `9:30 am` */
export function timeOfDay(at: Temporal.Instant, clock: Clock): string {
  return timeText(at.toString(), clock);
}

/** `Monday, 23 November 2026, 09:30–10:00` */
export function longTime(start: Temporal.Instant, end: Temporal.Instant, clock: Clock): string {
  return rangeText(start, end, clock);
}

/** `Monday, 23 November 2026 at 09:30` */
export function longStart(start: Temporal.Instant, clock: Clock): string {
  return fullStartText({ start: start.toString() }, clock);
}

/** A time to the minute as its reader reads times: `23 Nov 2026, 09:30`. */
export function momentFor(at: Temporal.Instant, clock: Clock): Html {
  return html`<time datetime="${at.toString()}" lang="${clock.locale}">${startText({ start: at.toString() }, clock)}</time>`;
}

/** A date or a time among our words, which may be in another language than they are. */
export function inLanguage(text: string, { locale }: Pick<Clock, 'locale'>): Html {
  return html`<bdi lang="${locale}">${text}</bdi>`;
}

/** `1 hour 30 minutes` */
export function duration(minutes: number, locale = 'en'): string {
  const words = pageWords(locale);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [...(hours > 0 ? [words.hours(hours)] : []), ...(rest > 0 ? [words.minutes(rest)] : [])];
  return parts.join(' ');
}

/** `1 day`, `2 days` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
