import { readIcs } from '../../../../../src/modules/calendars/feeds/read-ics.ts';

const DAY = 86_400_000;

/** A calendar object of these lines and components, with the ends of lines that RFC 5545 §3.1 wants. */
export function calendar(...parts: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts, 'END:VCALENDAR', ''].join('\n').replaceAll('\n', '\r\n');
}

export function event(lines: string): string {
  return `BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\n${lines}\nSUMMARY:Something\nEND:VEVENT`;
}

/** The clocks of Berlin as calendars write them, under any name. */
export const BERLIN_BY_RULES = (tzid: string): string => `BEGIN:VTIMEZONE
TZID:${tzid}
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE`;

/** Gives the busy times in the spring of 2026, in UTC: `2026-04-01 10:00-11:00`, `…-+1 11:00` where it ends a day later. */
export function readIn(text: string, timeZone: string): string[] {
  const answer = readIcs({ text, timeZone, range: { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) } });
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.periods.map(({ start, end }) => {
    const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()];
    const days = Math.floor((end - start) / DAY);
    return `${from.slice(0, 10)} ${from.slice(11, 16)}-${days > 0 ? `+${days} ` : ''}${to.slice(11, 16)}`;
  });
}
