/** A meeting as the receiver of a mail may see it, in words and for a calendar. */
import type { Location } from '../event-types/location.rules.ts';
import type { BookingRow } from './booking.queries.ts';
import { sharedLocation } from './booking-location.rules.ts';
import type { MailedMeeting } from './booking-mail.rules.ts';
import { bookerOf, type Occasion, type Receiver } from './booking-mail-receivers.ts';
import type { Invitation } from './ics.rules.ts';

export function meetingFor(receiver: Receiver, occasion: Occasion, publicUrl: string): MailedMeeting {
  const { booking, series } = occasion;
  const { reader, uid } = receiver;
  const [first = booking, ...rest] = series;
  const uids = uid === booking.uid ? series.map((one) => one.uid) : [uid].filter((one) => one !== null);
  return {
    title: booking.title,
    times: [first, ...rest],
    place: locationFor(receiver, booking)?.value ?? null,
    hostNames: hostNamesOf(occasion),
    bookerName: bookerNameFor(receiver, occasion),
    people: peopleFor(receiver, occasion),
    notes: reader.role === 'HOST' ? (bookerOf(occasion)?.notes ?? null) : null,
    links: uids.map((one) => `${publicUrl}/bookings/${one}`),
  };
}

/** `booking` is that of the occasion, one of its series, or what it was before it moved. */
export function invitationFor(receiver: Receiver, occasion: Occasion, booking: BookingRow): Invitation {
  const { reader, email, status, news } = receiver;
  const { title, description, start, end, icsUid, icsSequence, createdAt } = booking;
  const isHost = reader.role === 'HOST';
  const isCancelled = status === 'CANCELLED' || status === 'REJECTED';
  return {
    // A host's calendar is full of the same title.
    title: isHost ? `${title} with ${bookerNameFor(receiver, occasion)}` : title,
    description: isHost ? [description, ...peopleFor(receiver, occasion)].filter(Boolean).join('\n') : description,
    status,
    start,
    end,
    location: locationFor(receiver, booking),
    hosts: hostNamesOf(occasion).map((name) => ({ name })),
    attendee: { name: reader.name ?? email, email, timeZone: reader.timeZone },
    cancellationReason: isCancelled && 'reason' in news && reader.role !== 'GUEST' ? news.reason : null,
    icsUid,
    icsSequence,
    createdAt,
    updatedAt: occasion.event.occurredAt,
  };
}

/** To those who come, a meeting that is not agreed on has no place yet, and one that is cancelled has lost it. */
function locationFor({ reader, status }: Receiver, booking: BookingRow): Location | null {
  if (reader.role === 'HOST') return booking.location;
  return status === 'ACCEPTED' ? sharedLocation(booking) : null;
}

function hostNamesOf({ event, hosts }: Occasion): readonly string[] {
  return hosts.filter(({ id }) => event.booking.hostIds.includes(id)).map(({ name }) => name);
}

function bookerNameFor({ reader }: Receiver, occasion: Occasion): string | null {
  const { attendees, seats } = occasion.booking;
  const booker = bookerOf(occasion);
  if (reader.role === 'HOST') return booker?.name ?? `${attendees.length} attendees`;
  return seats && !seats.showAttendees ? null : (booker?.name ?? null);
}

/** Addresses are for hosts. Attendees with seats see each other's names where the event type shows them. */
function peopleFor({ reader, email }: Receiver, occasion: Occasion): readonly string[] {
  const { attendees, guestEmails, seats } = occasion.booking;
  const hosts = hostNamesOf(occasion).map((name) => `${name} (host)`);
  if (reader.role === 'HOST') {
    const leaving = occasion.event.type === 'BOOKING_CANCELLED' ? occasion.event.leaving : null;
    const coming = attendees.map((one) => `${one.name} <${one.email}>`);
    return [
      ...hosts,
      ...(leaving ? [`${leaving.name} <${leaving.email}> (no longer)`] : []),
      ...coming,
      ...guestEmails,
    ];
  }
  const isReader = (one: { readonly email: string }): boolean => one.email.toLowerCase() === email.toLowerCase();
  const others = attendees.filter((one) => !isReader(one)).map(({ name }) => name);
  if (reader.role === 'ATTENDEE') {
    return [...hosts, `${reader.name} (you)`, ...(seats?.showAttendees ? others : [])];
  }
  const [first] = attendees;
  return [...hosts, ...(seats?.showAttendees ? others : seats || !first ? [] : [first.name])];
}
