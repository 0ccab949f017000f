import { instantFrom, instantText } from '../core/instant.ts';

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
 * answer's own `Date`, whatever clock it goes by; where it has none, with ours (§6.6.1). 0 where it does not say.
 */
export function restWanted(headers: Headers, nowInMs = Date.now()): number {
  const [text, date] = [headers.get('retry-after'), headers.get('date')];
  const [until, now] = [text, date].map((one) =>
    instantFrom(fromHttpDate(one ?? '', Number(instantText(nowInMs).slice(0, 4)))),
  );
  return waitOf(until?.toString() ?? text, now?.epochMilliseconds ?? nowInMs);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The three forms of a date (RFC 9110 §5.6.7): today's, that of RFC 850, and that of asctime. */
const HTTP_DATES = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/**
 * `2026-12-01T09:00:00Z` for `Tue, 01 Dec 2026 09:00:00 GMT`; anything else as it is. A year of two digits that seems to be more than 50
 * years ahead is past.
 */
function fromHttpDate(text: string, thisYear: number): string {
  const found = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!found) return text;
  const { day = '', month = '', year = '', time = '' } = found;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const isPast = year.length === 2 && 2_000 + Number(year) > thisYear + 50;
  return `${year.padStart(4, isPast ? '19' : '20')}-${number}-${day.trim().padStart(2, '0')}T${time}Z`;
}
