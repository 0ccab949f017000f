import { dateTimeFormat } from '../../core/date-time-format.ts';
import type { TimeFormat, WeekDay } from '../../modules/accounts/account.rules.ts';

/** How a reader reads times. */
export interface Clock {
  /** An IANA name. */
  readonly timeZone: string;
  readonly timeFormat: TimeFormat;
  readonly weekStart: WeekDay;
}

/** How a user reads times; without one, the plainest way. */
export function clockOf(user: Clock | undefined): Clock {
  return {
    timeZone: user?.timeZone ?? 'UTC',
    timeFormat: user?.timeFormat ?? 24,
    weekStart: user?.weekStart ?? 'MONDAY',
  };
}

const LANGUAGE = 'en-GB';
const LONG_DATE = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const MONTH = { month: 'long', year: 'numeric' } as const;
const HOURS = {
  12: { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
  24: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const;

/** `Monday, 23 November 2026` */
export function longDate(date: Temporal.PlainDate): string {
  return dateTimeFormat(LANGUAGE, LONG_DATE).format(date);
}

/** `November 2026` */
export function monthName(month: Temporal.PlainYearMonth): string {
  return dateTimeFormat(LANGUAGE, MONTH).format(month.toPlainDate({ day: 1 }));
}

/** `09:30`, or `9:30 am` */
export function timeOfDay(at: Temporal.Instant, { timeZone, timeFormat: hours }: Clock): string {
  return dateTimeFormat(LANGUAGE, { ...HOURS[hours], timeZone }).format(at);
}

/** `Monday, 23 November 2026, 09:30 to 10:00` */
export function longTime(start: Temporal.Instant, end: Temporal.Instant, clock: Clock): string {
  const [from, to] = [start, end].map((at) => at.toZonedDateTimeISO(clock.timeZone).toPlainDate());
  const last = from && to && !from.equals(to) ? `${longDate(to)}, ` : '';
  return `${from ? longDate(from) : ''}, ${timeOfDay(start, clock)} to ${last}${timeOfDay(end, clock)}`;
}

/** `1 hour 30 minutes` */
export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [...(hours > 0 ? [counted(hours, 'hour')] : []), ...(rest > 0 ? [counted(rest, 'minute')] : [])];
  return parts.join(' ');
}

/** `America/New York`: the name of a zone without what stands for a space in it. */
export function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}

/** `1 day`, `2 days` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
