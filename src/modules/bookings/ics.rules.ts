import type { BookingConfirmation } from './booking-confirmation.rules.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

/** A booking as the holder of a uid may see it, and what else a calendar keeps of it. Times are RFC 3339. */
export interface Invitation extends BookingConfirmation<string> {
  readonly icsUid: string;
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
  const { attendee, hosts, icsUid, title, description, location, cancellationReason } = invitation;
  const { status, method } = IN_CALENDARS[invitation.status];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Gatehouse//Bookings//EN',
    // A request is addressed to somebody (RFC 5546 §3.2.2); the uid of a booking with seats belongs to nobody.
    `METHOD:${attendee === null && method === 'REQUEST' ? 'PUBLISH' : method}`,
    'BEGIN:VEVENT',
    `UID:${escaped(icsUid)}`,
    `DTSTAMP:${calendarTime(Temporal.Instant.from(invitation.updatedAt))}`,
    `SEQUENCE:${sequenceOf(invitation)}`,
    `CREATED:${calendarTime(Temporal.Instant.from(invitation.createdAt))}`,
    `LAST-MODIFIED:${calendarTime(Temporal.Instant.from(invitation.updatedAt))}`,
    `DTSTART:${calendarTime(Temporal.Instant.from(invitation.start))}`,
    `DTEND:${calendarTime(Temporal.Instant.from(invitation.end))}`,
    `STATUS:${status}`,
    `SUMMARY:${escaped(title)}`,
    ...textLine('DESCRIPTION', description),
    ...textLine('LOCATION', location?.value ?? null),
    ...textLine('COMMENT', cancellationReason),
    `ORGANIZER;CN=${quoted(hosts.map(({ name }) => name).join(', '))}:${mailto(organizerAddress)}`,
    ...(attendee === null
      ? []
      : [
          `ATTENDEE;CN=${quoted(attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:${mailto(attendee.email)}`,
        ]),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Where it is served to whoever holds the uid. */
export function icsUrl(publicUrl: string, uid: string): string {
  return `${publicUrl}/bookings/${uid}.ics`;
}

/** `20261201T090000Z`: UTC, so that no definition of a zone has to come along (RFC 5545 §3.3.5). */
export function calendarTime(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

/**
 * Grows with every change (RFC 5545 §3.8.7.4): the whole seconds that lie between the making of a booking and its last
 * change, so that it needs no counter. A booking that moves is a new one with a UID of its own.
 */
function sequenceOf({ createdAt, updatedAt }: Invitation): number {
  return Math.ceil(Temporal.Instant.from(updatedAt).since(Temporal.Instant.from(createdAt)).total('seconds'));
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
