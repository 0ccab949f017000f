import { type BookedLocation, placeWords } from './booking-location.rules.ts';
import { calendarTime } from './ics.rules.ts';

export const LINKED_CALENDARS = ['GOOGLE', 'OUTLOOK', 'OFFICE_365', 'ICS'] as const;
export type LinkedCalendar = (typeof LINKED_CALENDARS)[number];

/** The values of a meeting that a calendar is given. */
export interface CalendarEntry {
  readonly title: string;
  readonly description: string | null;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly location: BookedLocation | null;
  /** Where its calendar object is served. */
  readonly icsUrl: string;
}

/** An address that opens a calendar of the web with the meeting filled in, or a file that any other one opens. */
export interface CalendarLink {
  readonly calendar: LinkedCalendar;
  readonly url: string;
}

const MICROSOFT = { OUTLOOK: 'https://outlook.live.com', OFFICE_365: 'https://outlook.office.com' } as const;

/** A link for each calendar. Its text is cut, since browsers and servers refuse addresses that are too long. */
export function calendarLinks(entry: CalendarEntry): readonly CalendarLink[] {
  return LINKED_CALENDARS.map((calendar) => ({ calendar, url: linkOf(calendar, entry) }));
}

function linkOf(calendar: LinkedCalendar, entry: CalendarEntry): string {
  if (calendar === 'ICS') return entry.icsUrl;
  return calendar === 'GOOGLE' ? googleLink(entry) : microsoftLink(MICROSOFT[calendar], entry);
}

function googleLink({ title, start, end, description, location }: CalendarEntry): string {
  return linkTo('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: title,
    dates: `${calendarTime(start)}/${calendarTime(end)}`,
    details: description,
    location: location && placeWords(location),
  });
}

function microsoftLink(origin: string, { title, start, end, description, location }: CalendarEntry): string {
  return linkTo(`${origin}/calendar/0/deeplink/compose`, {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: start.toString(),
    enddt: end.toString(),
    body: description,
    location: location && placeWords(location),
  });
}

const MAX_LENGTH = 500;

function linkTo(address: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    // By code points: half a character has no place in an address.
    if (value !== null) url.searchParams.set(name, Array.from(value).slice(0, MAX_LENGTH).join(''));
  }
  return url.href;
}
