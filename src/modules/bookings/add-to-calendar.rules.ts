import { instantOf } from '../../core/instant.ts';
import { icsUid } from '../calendars/ics-uid.rules.ts';
import { type BookedLocation, placeWords } from './booking-location.rules.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';
import type { BookingConfirmation } from './public/public-booking.rules.ts';

/** The values of a booking that its receiver's calendar keeps, as far as they may see them. Times are RFC 3339. */
export interface Invitation
  extends Pick<
    BookingConfirmation<string>,
    'title' | 'description' | 'status' | 'start' | 'end' | 'location' | 'hosts' | 'attendee' | 'cancellationReason'
  > {
  readonly icsId: string;
  readonly icsSequence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How a status reads in a calendar (RFC 5545 §3.8.1.11), and what a calendar is to do with it (RFC 5546 §1.4). */
const IN_CALENDARS: Readonly<Record<BookingStatus, { readonly status: string; readonly method: string }>> = {
  PENDING: { status: 'TENTATIVE', method: 'REQUEST' },
  ACCEPTED: { status: 'CONFIRMED', method: 'REQUEST' },
  REJECTED: { status: 'CANCELLED', method: 'CANCEL' },
  CANCELLED: { status: 'CANCELLED', method: 'CANCEL' },
};

/**
 * A booking as a calendar object (RFC 5545, RFC 5546). `organizerAddress` is the service's own e-mail address: that of a
 * host is shown to nobody.
 */
export function icsOf(invitation: Invitation, organizerAddress: string): string {
  return calendarObject(calendarMethod(invitation), [invitation], organizerAddress);
}

/** Several bookings in one file, to be imported into a calendar: nobody is invited by it (RFC 5546 §3.2.1). */
export function icsOfSeries(invitations: readonly Invitation[], organizerAddress: string): string {
  const unaddressed = invitations.map((invitation) => ({ ...invitation, attendee: null }));
  return calendarObject('PUBLISH', unaddressed, organizerAddress);
}

/** The values of a booking that a host's own calendar keeps. */
export type CalendarNote = Pick<
  Invitation,
  'title' | 'description' | 'location' | 'start' | 'end' | 'icsId' | 'icsSequence' | 'createdAt' | 'updatedAt'
>;

/** A booking as an entry that is kept in a calendar (RFC 4791 §4.1): it has no METHOD, and nobody in it whom a server could invite. */
export function icsOfNote(note: CalendarNote): string {
  return inCalendar([], eventWith(note, 'CONFIRMED', []));
}

function calendarObject(method: string, invitations: readonly Invitation[], organizerAddress: string): string {
  return inCalendar(
    [`METHOD:${method}`],
    invitations.flatMap((invitation) => eventLines(invitation, organizerAddress)),
  );
}

function inCalendar(properties: readonly string[], events: readonly string[]): string {
  const header = ['VERSION:2.0', 'PRODID:-//Gatehouse//Bookings//EN', ...properties];
  const lines = ['BEGIN:VCALENDAR', ...header, ...events, 'END:VCALENDAR'];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines(invitation: Invitation, organizerAddress: string): readonly string[] {
  const { attendee, hosts, cancellationReason } = invitation;
  return eventWith(invitation, IN_CALENDARS[invitation.status].status, [
    ...textLine('COMMENT', cancellationReason),
    `ORGANIZER;CN=${quoted(hosts.map(({ name }) => name).join(', '))}:${mailto(organizerAddress)}`,
    ...(attendee === null
      ? []
      : [
          `ATTENDEE;CN=${quoted(attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:${mailto(attendee.email)}`,
        ]),
  ]);
}

function eventWith(note: CalendarNote, status: string, more: readonly string[]): readonly string[] {
  const { icsId, icsSequence, title, description, location } = note;
  return [
    'BEGIN:VEVENT',
    `UID:${icsUid(icsId)}`,
    `DTSTAMP:${calendarTime(instantOf(note.updatedAt))}`,
    `SEQUENCE:${icsSequence}`,
    `CREATED:${calendarTime(instantOf(note.createdAt))}`,
    `LAST-MODIFIED:${calendarTime(instantOf(note.updatedAt))}`,
    `DTSTART:${calendarTime(instantOf(note.start))}`,
    `DTEND:${calendarTime(instantOf(note.end))}`,
    `STATUS:${status}`,
    `SUMMARY:${escaped(title)}`,
    ...textLine('DESCRIPTION', description),
    ...textLine('LOCATION', location && placeWords(location)),
    ...more,
    'END:VEVENT',
  ];
}

/** The method that tells a calendar what to do with the entry. */
export function calendarMethod({ status, attendee }: Pick<Invitation, 'status' | 'attendee'>): string {
  const { method } = IN_CALENDARS[status];
  // A request is addressed to somebody (RFC 5546 §3.2.2); the uid of a booking with seats belongs to nobody.
  return attendee === null && method === 'REQUEST' ? 'PUBLISH' : method;
}

/** Where it is served to anybody with the code of its file (`Uids.ofFile`), which opens nothing else. */
export function icsUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/bookings/${code}.ics`;
}

/** `20261201T090000Z`: UTC, so that no definition of a zone has to come along (RFC 5545 §3.3.5). */
function calendarTime(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

function textLine(name: string, text: string | null): readonly string[] {
  return text === null || text === '' ? [] : [`${name}:${escaped(text)}`];
}

const CONTROLS = /\p{Cc}/gu;

/** TEXT (RFC 5545 §3.3.11). No line break stays one, or a title could write lines of its own. */
function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(CONTROLS, ' ');
}

/** A parameter's value in quotes, in which quotes and line breaks have a spelling of their own (RFC 6868). */
function quoted(text: string): string {
  const spelled = text
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\r\n?|\n/g, '^n');
  return `"${spelled.replace(CONTROLS, ' ')}"`;
}

/** RFC 6068 §2: whatever an address may hold and an address of the web may not, `?` and `&` above all. */
function mailto(address: string): string {
  return `mailto:${address.replace(/[^\w@.!$'*+~-]/gu, (character) => encodeURIComponent(character))}`;
}

const MAX_OCTETS = 75;

/** Lines of at most 75 octets, cut between characters; each further one begins with a space (RFC 5545 §3.1). */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

export const LINKED_CALENDARS = ['GOOGLE', 'OUTLOOK', 'OFFICE365', 'ICS'] as const;
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

const MICROSOFT = { OUTLOOK: 'https://outlook.live.com', OFFICE365: 'https://outlook.office.com' } as const;

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
