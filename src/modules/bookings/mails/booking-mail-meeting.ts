/** A meeting as the receiver of a mail may see it, in words and for a calendar. */
import { attributed, teamText } from '../../event-types/managed-event-type.rules.ts';
import type { Invitation } from '../add-to-calendar.rules.ts';
import type { BookingRow } from '../booking.queries.ts';
import { uidOf } from '../booking-key.rules.ts';
import { awaitedLink, type BookedLocation, placeText, sharedLocation } from '../booking-location.rules.ts';
import { answeredQuestions, answerText } from '../booking-request.rules.ts';
import { answerLink } from '../change/confirm-booking.ts';
import { releaseLink } from '../change/release-guests.ts';
import type { BookingMailSettings } from './booking-mail.queries.ts';
import { bookingMailWords, type MailedMeeting } from './booking-mail.rules.ts';
import {
  attendeeName,
  type Booker,
  bookerOf,
  heldGuests,
  hostName,
  type Receiver,
  type Trigger,
} from './booking-mail-receivers.ts';
import { isToConfirm } from './booking-news.rules.ts';
import { authorOfPlace, calledBy, ours, type Said, saidBy } from './mailed-texts.rules.ts';

const OWNER = { kind: 'OWNER' } as const;

export function meetingFor(receiver: Receiver, trigger: Trigger, settings: BookingMailSettings): MailedMeeting {
  const { booking, series } = trigger;
  const [first = booking, ...rest] = series;
  const answerLinks = answerLinksFor(receiver, trigger, settings);
  return {
    ...factsFor(receiver, trigger),
    author: authorOf(receiver, trigger),
    times: [first, ...rest],
    people: peopleFor(receiver, trigger),
    ...sentFor(receiver, trigger),
    links: pagesFor(receiver, trigger, settings).map((page, index) => answerLinks[index] ?? page),
    hasAnswerLink: answerLinks.some((link) => link !== undefined),
    guestsToInvite: guestsToInvite(receiver, trigger, settings),
  };
}

function pagesFor(receiver: Receiver, trigger: Trigger, { publicUrl }: BookingMailSettings): readonly string[] {
  const { uid } = receiver;
  const uids = uid === uidOf(trigger.booking) ? uidsOf(receiver, trigger) : [uid].filter((one) => one !== null);
  return uids.map((one) => `${publicUrl}/bookings/${one}${isForHost(receiver) ? '/host' : ''}`);
}

/**
 * The links by which the reader answers each booking without being signed in, in the order of the times, if it is for
 * them to answer.
 */
function answerLinksFor(
  { news, hostId, email }: Receiver,
  { series }: Trigger,
  { publicUrl, linkKey }: BookingMailSettings,
): readonly (string | undefined)[] {
  if (hostId === undefined || !isToConfirm(news)) return [];
  return series.map((one) =>
    one.status === 'PENDING' && one.hostIds.includes(hostId)
      ? answerLink(publicUrl, linkKey, one, { id: hostId, email })
      : undefined,
  );
}

/**
 * The first booking's page has all bookings of a series that were cancelled together; a host may host no more than
 * these.
 */
function uidsOf(receiver: Receiver, { booking, series }: Trigger): readonly string[] {
  const { ownerId, recurringId } = booking;
  if (receiver.status !== 'CANCELLED' || series.length === 1) return series.map(uidOf);
  return [isForHost(receiver) ? uidOf(booking) : uidOf({ ownerId, id: recurringId ?? booking.id })];
}

/** The facts that every mail about a booking may tell this receiver. */
export function factsFor(
  receiver: Receiver,
  trigger: Trigger,
): Pick<MailedMeeting, 'title' | 'place' | 'hostNames' | 'bookerName'> {
  const { booking } = trigger;
  return {
    title: titleFor(receiver, trigger, booking),
    place: placeFor(receiver, trigger, booking)?.value ?? null,
    hostNames: hostNamesOf(receiver, trigger),
    bookerName: bookerNameFor(receiver, trigger),
  };
}

/** `booking` is that of the trigger, one of its series, or what it was before it moved. */
export function invitationFor(receiver: Receiver, trigger: Trigger, booking: BookingRow): Invitation {
  const { reader, email, status, news, recipient } = receiver;
  const { start, end, icsId, icsSequence, createdAt } = booking;
  const isHost = reader.role === 'HOST';
  const isCancelled = status === 'CANCELLED' || status === 'REJECTED';
  const title = titleFor(receiver, trigger, booking);
  const words = attributed(booking.description, booking.managedBy, recipient.locale);
  const about = words === null ? null : saidBy(OWNER, words, recipient, trigger.verified);
  return {
    // A host's calendar is full of the same title.
    title: isHost ? bookingMailWords(recipient.locale).titleWith(title, bookerNameFor(receiver, trigger) ?? '') : title,
    description: isHost
      ? [about, ...peopleFor(receiver, trigger), ...sentLines(receiver, trigger)].filter(Boolean).join('\n')
      : about,
    status,
    start,
    end,
    location: placeFor(receiver, trigger, booking),
    hosts: hostNamesOf(receiver, trigger).map((name) => ({ name })),
    attendee: { name: reader.name ?? email, email, timeZone: reader.timeZone },
    cancellationReason: isCancelled && 'reason' in news && reader.role !== 'GUEST' ? news.reason : null,
    icsId,
    icsSequence,
    createdAt,
    updatedAt: trigger.event.occurredAt,
  };
}

/** The booker's answers and notes, as lines of a text. */
function sentLines(receiver: Receiver, trigger: Trigger): readonly string[] {
  const { answers, notes } = sentFor(receiver, trigger);
  return [...answers.map(({ question, answer }) => `${question}: ${answer}`), ...(notes === null ? [] : [notes])];
}

/** A host whose part was handed over hosts it no more. */
function isForHost({ reader, news }: Receiver): boolean {
  return reader.role === 'HOST' && news.kind !== 'HANDED_OVER';
}

function titleFor({ recipient }: Receiver, { verified }: Trigger, { title }: BookingRow): Said {
  return calledBy(OWNER, title, recipient, verified);
}

/** To those who come, a meeting that is not agreed on has no place yet, and one that is cancelled has lost it. */
function placeFor({ reader, status, recipient }: Receiver, { verified }: Trigger, booking: BookingRow) {
  const shared: BookedLocation | null = status === 'ACCEPTED' ? sharedLocation(booking) : null;
  const location = reader.role === 'HOST' ? booking.location : shared;
  if (!location) return null;
  const { type } = location;
  const awaited = awaitedLink(location, recipient.locale);
  if (awaited !== undefined) return { type, value: ours(awaited) };
  const value = placeText(location);
  const author = authorOfPlace(location, booking.attendees[0]);
  return { type, value: value === null ? null : saidBy(author, value, recipient, verified) };
}

/**
 * The booker's input: for hosts, and for the booker, who checks it. A booker who is not verified may have named
 * somebody else's address: that mailbox gets none of their words.
 */
function sentFor(receiver: Receiver, trigger: Trigger): Pick<MailedMeeting, 'answers' | 'notes' | 'hasMoreOnPage'> {
  const { recipient, reader } = receiver;
  const booker = bookerOf(trigger);
  const { notes = null, verified = false, responses = {} } = booker ?? {};
  const nothing = { answers: [], notes: null, hasMoreOnPage: false };
  const isOwn = isBooker(receiver, booker);
  if (reader.role !== 'HOST' && !isOwn) return nothing;
  const asked = answeredQuestions(responses, trigger.fields);
  if (isOwn && !verified) return { ...nothing, hasMoreOnPage: asked.length > 0 || notes !== null };
  const said = (text: string): Said => saidBy({ kind: 'ATTENDEE', verified }, text, recipient, trigger.verified);
  return {
    ...nothing,
    answers: asked.map(({ question, answer }) => ({
      question: saidBy(OWNER, question, recipient, trigger.verified),
      answer: said(answerText(answer, recipient.locale)),
    })),
    notes: notes === null ? null : said(notes),
  };
}

function isBooker({ reader, uid, email }: Receiver, booker: Booker | undefined): boolean {
  return reader.role === 'ATTENDEE' && uid !== null && email === booker?.email;
}

/** The name of a team that nobody answers for is not mailed either. */
function authorOf({ recipient: { locale } }: Receiver, { verified, booking: { managedBy } }: Trigger): Said | null {
  if (managedBy === null) return null;
  return ours(verified.isOwner ? teamText(managedBy, locale) : bookingMailWords(locale).aTeam);
}

function hostNamesOf({ recipient }: Receiver, trigger: Trigger): readonly Said[] {
  return hostsOf(trigger).map((host) => hostName(host, trigger, recipient));
}

function hostsOf({ event, hosts }: Trigger): Trigger['hosts'] {
  return hosts.filter(({ id }) => event.booking.hostIds.includes(id));
}

function bookerNameFor({ reader, recipient }: Receiver, trigger: Trigger): Said | null {
  const { attendees, seats } = trigger.booking;
  const booker = bookerOf(trigger);
  const name = booker ? attendeeName(booker, trigger, recipient) : null;
  if (reader.role === 'HOST') return name ?? ours(bookingMailWords(recipient.locale).attendees(attendees.length));
  return seats && !seats.showAttendees ? null : name;
}

/** Only its own mail says how: nobody else learns the link, whatever they know of the booking. */
function guestsToInvite(
  { reader, uid }: Receiver,
  trigger: Trigger,
  { publicUrl, linkKey }: BookingMailSettings,
): MailedMeeting['guestsToInvite'] {
  const { booking } = trigger;
  const { length: count } = heldGuests(trigger);
  const isBooker = reader.role === 'ATTENDEE' && uid === uidOf(booking);
  if (!isBooker || count === 0 || booking.status === 'CANCELLED' || booking.status === 'REJECTED') return null;
  return { count, link: releaseLink(publicUrl, linkKey, booking) };
}

/** Addresses are for hosts. Attendees with seats see each other's names where the event type shows them. */
function peopleFor(receiver: Receiver, trigger: Trigger): readonly Said[] {
  const { reader, email, recipient } = receiver;
  const { attendees, guestEmails, seats } = trigger.booking;
  const words = bookingMailWords(recipient.locale);
  const nameOf = (one: Parameters<typeof attendeeName>[0]): Said => attendeeName(one, trigger, recipient);
  const hosts = hostsOf(trigger).map((host) => {
    const name = hostName(host, trigger, recipient);
    return host.isVerified ? ours(words.asHost(name)) : name;
  });
  if (reader.role === 'HOST') {
    // An address that somebody has typed is a word of theirs, too.
    if (recipient.listener === 'ANYBODY') return hosts;
    const leaving = trigger.event.type === 'BOOKING_CANCELLED' ? trigger.event.leaving : null;
    const coming = attendees.map((one) => ours(`${nameOf(one)} <${one.email}>`));
    return [
      ...hosts,
      ...(leaving ? [ours(words.asLeaving(`${nameOf(leaving)} <${leaving.email}>`))] : []),
      ...coming,
      ...guestEmails.map(ours),
    ];
  }
  const isReader = (one: { readonly email: string }): boolean => one.email.toLowerCase() === email.toLowerCase();
  const others = attendees.filter((one) => !isReader(one)).map(nameOf);
  if (reader.role === 'ATTENDEE') {
    const reading = ours(reader.name === null ? words.you : words.asReader(reader.name));
    const booker = bookerOf(trigger);
    const guests = isBooker(receiver, booker) && booker?.verified && !seats ? guestEmails.map(ours) : [];
    return [...hosts, reading, ...(seats?.showAttendees ? others : []), ...guests];
  }
  const [first] = attendees;
  return [...hosts, ...(seats?.showAttendees ? others : seats || !first ? [] : [nameOf(first)])];
}
