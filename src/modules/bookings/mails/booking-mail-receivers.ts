/** Finds the receivers of mails about an event of a booking, and what it means to each. */
import type { Em } from '../../../database/sql.ts';
import type { AttendeeFacts } from '../../../events/record-event.ts';
import type { BookingField } from '../../event-types/settings/booking-field.rules.ts';
import { findBrand, lookOf, type MailLook } from '../../teams/team.queries.ts';
import {
  type AttendeeRow,
  type BookingChange,
  type BookingRow,
  findBooking,
  findBookings,
  withPeopleAt,
} from '../booking.queries.ts';
import { type AttendeeKey, keyOfBooking, keyOfSeat } from '../booking-key.rules.ts';
import { type BookingStatus, statusAfterEvent } from '../booking-transitions.rules.ts';
import { findEventTypeRules } from '../slots/bookable-event-type.queries.ts';
import { findBookedTogether, findMailedUsers, isAuthorVerified, type MailedUser } from './booking-mail.queries.ts';
import { bookingMailWords } from './booking-mail.rules.ts';
import type { BookingNews, MailReader, NamedActor } from './booking-news.rules.ts';
import { type Author, calledBy, ours, type Recipient, type Said, saidBy, type Verified } from './mailed-texts.rules.ts';

/** An event, and everything that its mails are made of. */
export interface Trigger {
  readonly event: BookingChange;
  readonly booking: BookingRow;
  /** The hosts of the event, and those who were hosts before it. */
  readonly hosts: readonly MailedUser[];
  /** The booking before it was moved; undefined where it was not. */
  readonly previous: BookingRow | undefined;
  /** All bookings that were made with this one; without a series, itself. */
  readonly series: readonly BookingRow[];
  /** The first booking of its series, whose page leads to the others; without a series, itself. */
  readonly first: BookingRow;
  /** The questions of the event type; none where nobody has answered any. */
  readonly fields: readonly BookingField[];
  /** How mails look, as whose event type it is wants it. */
  readonly look: MailLook;
  /** The users whose words may be mailed. */
  readonly verified: Verified;
}

export interface Receiver {
  readonly reader: MailReader;
  readonly recipient: Recipient;
  readonly email: string;
  readonly news: BookingNews;
  /** The host whom the mail is to, if the mailbox is known to be theirs. */
  readonly hostId?: string;
  /** The key of the booking or of their seat, for the attendee who may see and change it; null for everybody else. */
  readonly key: AttendeeKey | null;
  /** The booking's status as their calendar is to have it. */
  readonly status: BookingStatus;
}

/** The booker, as mails see them; notes and answers of an attendee who has left are not kept. */
export type Booker = AttendeeFacts & Partial<Pick<AttendeeRow, 'notes' | 'responses' | 'bookedFrom'>>;

/**
 * Gives each mailbox one mail: a host who is also invited reads the mail for hosts. An owner who is unknown to
 * everybody has mails sent only to people who have joined them.
 */
export function receiversOf(trigger: Trigger): readonly Receiver[] {
  const { isOwner } = trigger.verified;
  // Only the hosts can do something about a missed link, so the others do not hear of it.
  const hearsAll = isOwner && trigger.event.type !== 'BOOKING_LINK_MISSED';
  const others = hearsAll ? [...attendeeReceivers(trigger), ...guestReceivers(trigger)] : [];
  const all = [...hostReceivers(trigger), ...others];
  const byMailbox = new Map<string, Receiver>();
  for (const receiver of all) {
    const mailbox = receiver.email.toLowerCase();
    if (!byMailbox.has(mailbox)) byMailbox.set(mailbox, receiver);
  }
  return [...byMailbox.values()];
}

/** The person whom the event is about: the one in the seat or, without seats, the booker. Undefined for all seats together. */
export function bookerOf({ event, booking: { attendees, seats } }: Trigger): Booker | undefined {
  if (event.type === 'BOOKING_CANCELLED' && event.leaving) return event.leaving;
  const { seatId } = event.booking;
  if (seatId !== undefined) return attendees.find((attendee) => attendee.seatId === seatId);
  return seats && attendees.length > 1 ? undefined : attendees[0];
}

export function hostReceivers(trigger: Trigger): readonly Receiver[] {
  const { event, booking } = trigger;
  // Only a host adds attendees, so hosts know already. Guests were named in the mail about the booking.
  // A new uid is for its attendee alone.
  if (event.type === 'BOOKING_ATTENDEE_ADDED' || event.type === 'BOOKING_UID_ROTATED' || isOfGuests(event)) return [];
  const involved = hostsInvolved(trigger);
  return trigger.hosts
    .filter(({ id, isSuspended }) => involved.includes(id) && !isSuspended)
    .map((host) => {
      const { isVerified, locale } = host;
      const recipient: Recipient = { listener: isVerified ? 'VERIFIED_HOST' : 'ANYBODY', locale };
      const news = newsFor(trigger, recipient, host);
      // One seat that is given back leaves the hosts their meeting.
      const isSeatOnly = event.type === 'BOOKING_CANCELLED' && event.booking.seatId !== undefined;
      return {
        reader: { ...host, role: 'HOST', name: isVerified ? hostName(host, trigger, recipient) : null },
        recipient,
        email: host.email,
        news,
        ...(isVerified && { hostId: host.id }),
        key: null,
        status:
          news.kind === 'HANDED_OVER'
            ? 'CANCELLED'
            : isSeatOnly
              ? booking.status
              : statusAfterEvent(event.type, booking.status),
      };
    });
}

/** A host who takes over leaves the others as they were; one who goes away leaves them the meeting. */
function hostsInvolved({ event, previous }: Trigger): readonly string[] {
  const former = formerHosts(event, previous);
  if (event.type === 'BOOKING_REASSIGNED' && event.toHostId !== null) return [...former, event.toHostId];
  return [...former, ...event.booking.hostIds];
}

/**
 * Finds the hosts who are none any more: another took their part, or the booking has moved to a time that others host.
 */
export function formerHosts(event: BookingChange, previous: BookingRow | undefined): readonly string[] {
  if (event.type === 'BOOKING_REASSIGNED') return [event.fromHostId];
  // Whoever moves their seat leaves the hosts a meeting with the others.
  if (previous?.status !== 'CANCELLED') return [];
  return previous.hostIds.filter((id) => !event.booking.hostIds.includes(id));
}

export function attendeeReceivers(trigger: Trigger): readonly Receiver[] {
  const { event, booking } = trigger;
  if (isOfGuests(event)) return [];
  return attendeesOf(trigger).map(({ attendee, key }) => {
    const recipient = strangerReading(attendee.locale);
    return {
      reader: {
        ...attendee,
        role: 'ATTENDEE',
        // Somebody who books with another person's address must not choose how that person is greeted.
        name: attendee.verified ? attendeeName(attendee, trigger, recipient) : null,
        locale: recipient.locale,
        timeFormat: null,
      },
      recipient,
      email: attendee.email,
      news: newsFor(trigger, recipient),
      key,
      status: statusAfterEvent(event.type, booking.status),
    };
  });
}

/** Anybody who reads `locale`; English when it is not known. */
function strangerReading(locale: string | null): Recipient {
  return { listener: 'ANYBODY', locale: locale ?? 'en' };
}

/**
 * The attendees for `attendeeReceivers`, in the same order. Without seats, the booking's key is for the booker only;
 * attendees who were added later cannot change the booking.
 */
export function attendeesOf({
  event,
  booking,
}: Trigger): readonly { readonly attendee: Booker; readonly key: AttendeeKey | null }[] {
  const { ownerId, seats, attendees } = booking;
  if (event.type === 'BOOKING_CANCELLED' && event.leaving) return [{ attendee: event.leaving, key: null }];
  const keyOf = (attendee: AttendeeRow): AttendeeKey | null => {
    if (!seats) return attendee === attendees[0] ? keyOfBooking(booking) : null;
    return attendee.seatId === null ? null : keyOfSeat(ownerId, attendee.seatId, attendee);
  };
  const { seatId } = event.booking;
  return attendees
    .filter((attendee) => seatId === undefined || attendee.seatId === seatId)
    .filter((attendee) => event.type !== 'BOOKING_ATTENDEE_ADDED' || attendee.email === event.attendeeEmail)
    .map((attendee) => ({ attendee, key: keyOf(attendee) }))
    .filter(({ key }) => event.type !== 'BOOKING_UID_ROTATED' || key !== null);
}

/**
 * Guests read times as their inviter does. They were invited with the first seat, so other seats are not their matter.
 */
function guestReceivers(trigger: Trigger): readonly Receiver[] {
  const { event, booking } = trigger;
  const [first] = booking.attendees;
  const { seatId } = event.booking;
  const isTheirs = seatId === undefined || (isNew(event) && first?.seatId === seatId);
  if (!isTheirs || event.type === 'BOOKING_ATTENDEE_ADDED' || event.type === 'BOOKING_UID_ROTATED') return [];
  const held = heldGuests(trigger);
  const emails = isOfGuests(event) ? event.guestEmails : booking.guestEmails.filter((email) => !held.includes(email));
  const { timeZone, locale } = first ?? { timeZone: 'UTC', locale: null };
  const recipient = strangerReading(locale);
  return emails.map((email) => ({
    reader: { role: 'GUEST', name: null, timeZone, locale: recipient.locale, timeFormat: null },
    recipient,
    email,
    news: newsFor(trigger, recipient),
    key: null,
    status: statusAfterEvent(event.type, booking.status),
  }));
}

function isNew({ type }: BookingChange): boolean {
  return type === 'BOOKING_CREATED' || type === 'BOOKING_REQUESTED';
}

type OfGuests = Extract<BookingChange, { readonly guestEmails: readonly string[] }>;

function isOfGuests(event: BookingChange): event is OfGuests {
  return event.type === 'BOOKING_GUESTS_ADDED' || event.type === 'BOOKING_GUESTS_RELEASED';
}

/** Guests who are not mailed, as it was when it happened. */
export function heldGuests({ event, booking }: Trigger): readonly string[] {
  return event.booking.heldGuestEmails ?? booking.heldGuestEmails;
}

export function hostName({ id, name }: Pick<MailedUser, 'id' | 'name'>, trigger: Trigger, recipient: Recipient): Said {
  return calledBy({ kind: 'HOST', id }, name, recipient, trigger.verified);
}

export function attendeeName(
  { name, verified }: Pick<AttendeeFacts, 'name' | 'verified'>,
  trigger: Trigger,
  recipient: Recipient,
): Said {
  return calledBy({ kind: 'ATTENDEE', verified }, name, recipient, trigger.verified);
}

/**
 * The author of a reason: the host who acted, or somebody with the booking's address, be it under an account of theirs.
 */
function authorOfReason(trigger: Trigger): Author {
  const { event, verified } = trigger;
  const { userId } = event.by;
  const isHost =
    event.type === 'BOOKING_REJECTED' ||
    event.type === 'BOOKING_REASSIGNED' ||
    ('byHostId' in event && event.byHostId != null);
  if (isHost) return { kind: 'HOST', id: userId ?? '' };
  const isKnown = userId !== null && verified.userIds.has(userId);
  return { kind: 'ATTENDEE', verified: isKnown || (bookerOf(trigger)?.verified ?? false) };
}

function newsFor(trigger: Trigger, recipient: Recipient, host?: MailedUser): BookingNews {
  const { event, booking, hosts, previous, verified } = trigger;
  const nameOf = (id: string): Said => {
    const found = hosts.find((one) => one.id === id);
    if (found) return hostName(found, trigger, recipient);
    const { anotherHost, administrator } = bookingMailWords(recipient.locale);
    return ours(event.booking.hostIds.includes(id) ? anotherHost : administrator);
  };
  const reasonIn = (given: string | null): Said | null =>
    given === null ? null : saidBy(authorOfReason(trigger), given, recipient, verified);
  const namedActor = (id: string | null | undefined): NamedActor =>
    id == null ? null : { name: nameOf(id), isReader: id === host?.id };
  const isToConfirm = booking.status === 'PENDING';
  switch (event.type) {
    case 'BOOKING_CREATED':
      return { kind: 'BOOKED' };
    case 'BOOKING_REQUESTED':
      return { kind: 'REQUESTED' };
    case 'BOOKING_CONFIRMED':
      return { kind: 'CONFIRMED' };
    case 'BOOKING_REJECTED':
      return { kind: 'REJECTED', reason: reasonIn(event.reason) };
    case 'BOOKING_CANCELLED': {
      const kind = event.rescheduleRequested ? 'TIME_WANTED' : 'CANCELLED';
      return { kind, reason: reasonIn(event.reason), by: namedActor(event.byHostId) };
    }
    case 'BOOKING_RESCHEDULED':
      if (host && formerHosts(event, previous).includes(host.id)) {
        const [to, ...others] = event.booking.hostIds;
        const name = to === undefined || others.length > 0 ? null : nameOf(to);
        return { kind: 'HANDED_OVER', from: nameOf(host.id), to: name, reason: reasonIn(event.reason) };
      }
      return {
        kind: 'RESCHEDULED',
        reason: reasonIn(event.reason),
        by: namedActor(event.byHostId),
        before: previous ?? null,
        isToConfirm,
      };
    case 'BOOKING_LOCATION_CHANGED':
      return { kind: 'LOCATION_CHANGED' };
    case 'BOOKING_LINK_MISSED':
      return { kind: 'LINK_MISSED' };
    case 'BOOKING_UID_ROTATED':
      return { kind: 'NEW_LINK' };
    // As they would have heard of it when it was booked.
    case 'BOOKING_GUESTS_RELEASED':
      return { kind: isToConfirm ? 'REQUESTED' : 'BOOKED' };
    case 'BOOKING_GUESTS_ADDED':
    case 'BOOKING_ATTENDEE_ADDED':
      return { kind: 'INVITED', isToConfirm };
    case 'BOOKING_REASSIGNED': {
      const { fromHostId, toHostId } = event;
      const kind = host?.id === fromHostId ? 'HANDED_OVER' : host?.id === toHostId ? 'TAKEN_OVER' : 'HOST_CHANGED';
      const to = toHostId === null ? null : nameOf(toHostId);
      const change = { from: nameOf(fromHostId), to, reason: reasonIn(event.reason) };
      return kind === 'TAKEN_OVER' ? { kind, ...change, isToConfirm } : { kind, ...change };
    }
  }
}

/**
 * An event with all facts that its mails need; undefined for a booking that is gone, and for all but the first of events that are
 * mailed together.
 */
export async function triggerOf(em: Em, event: BookingChange): Promise<Trigger | undefined> {
  const { ownerId } = event;
  const found = await findBooking(em, { ownerId, id: event.booking.id });
  if (!found) return undefined;
  const booking = withPeopleAt(event, found);
  const isNew = event.type === 'BOOKING_CREATED' || event.type === 'BOOKING_REQUESTED';
  const isOfSeries = isNew && booking.recurringId !== null;
  // The first booking of a series tells of all of them.
  if (isOfSeries && booking.recurringId !== booking.id) return undefined;
  if (event.type === 'BOOKING_CANCELLED' && event.together?.length === 0) return undefined;
  const previous =
    event.type === 'BOOKING_RESCHEDULED' ? await findBooking(em, { ownerId, id: event.previousId }) : undefined;
  const hostIds = [...event.booking.hostIds, ...formerHosts(event, previous)];
  const others = [event.by.userId, booking.location?.saidBy].filter((id) => id != null);
  const users = await findMailedUsers(em, [...hostIds, ...others]);
  const series = await findTogether(em, event, booking, isOfSeries);
  const userIds = new Set(users.filter(({ isVerified }) => isVerified).map(({ id }) => id));
  return {
    event,
    booking,
    hosts: users.filter(({ id }) => hostIds.includes(id)),
    previous,
    series,
    first: await findFirst(em, booking, series),
    fields: await findQuestions(em, booking),
    look: lookOf(await findBrand(em, ownerId)),
    verified: { isOwner: await isAuthorVerified(em, booking, userIds), userIds },
  };
}

/** Most bookings have no answers, and need no look at the questions. */
async function findQuestions(em: Em, { ownerId, eventTypeId, attendees }: BookingRow): Promise<Trigger['fields']> {
  const isAnswered = attendees.some(({ responses }) => Object.keys(responses).length > 0);
  const eventType = isAnswered ? await findEventTypeRules(em, { ownerId, id: eventTypeId }) : undefined;
  return eventType?.bookingFields ?? [];
}

async function findFirst(em: Em, booking: BookingRow, series: readonly BookingRow[]): Promise<BookingRow> {
  const { ownerId, recurringId } = booking;
  if (recurringId === null || series.length === 1) return booking;
  return (
    series.find(({ id }) => id === recurringId) ?? (await findBooking(em, { ownerId, id: recurringId })) ?? booking
  );
}

async function findTogether(
  em: Em,
  event: BookingChange,
  booking: BookingRow,
  isOfSeries: boolean,
): Promise<readonly BookingRow[]> {
  if ('bookingIds' in event) return findBookings(em, booking.ownerId, event.bookingIds);
  if (event.type === 'BOOKING_CANCELLED' && event.together) return findBookings(em, booking.ownerId, event.together);
  return isOfSeries ? findBookedTogether(em, booking) : [booking];
}
