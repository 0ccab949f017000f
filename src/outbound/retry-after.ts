import { instantFrom } from '../core/instant.ts';

/** A server that asks for more is tried before that. */
const LONGEST_SECONDS = 6 * 3_600;

/** How many seconds a server asks to be left alone, by seconds (RFC 9110 §10.2.3) or an instant as Zoom gives it; 0 for anything else. */
export function waitOf(retryAfter: string | null, nowInMs: number): number {
  if (retryAfter === null) return 0;
  const until = instantFrom(retryAfter);
  const seconds = until ? (until.epochMilliseconds - nowInMs) / 1_000 : Number(/^\d+$/.exec(retryAfter)?.[0] ?? 0);
  return Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_SECONDS);
}

/**
 * How many seconds a server asks to be left alone in its answer, by seconds or a date (RFC 9110 §10.2.3), which is compared with the
 * answer's own `Date`: whatever clock it goes by. 0 where it does not say.
 */
export function restWanted(headers: Headers): number {
  const [text, date] = [headers.get('retry-after'), headers.get('date')];
  const [until, now] = [text, date].map((one) => instantFrom(fromHttpDate(one ?? '')));
  return waitOf(until?.toString() ?? text, now?.epochMilliseconds ?? Number.POSITIVE_INFINITY);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-12-01T09:00:00Z` for `Tue, 01 Dec 2026 09:00:00 GMT` (RFC 9110 §5.6.7); anything else as it is. */
function fromHttpDate(text: string): string {
  const [, day, month = '', year, time] = /^\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text) ?? [];
  if (day === undefined) return text;
  return `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}Z`;
}
