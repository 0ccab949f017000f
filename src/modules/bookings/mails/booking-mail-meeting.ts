/** A meeting as the receiver of a mail may see it, in words and for a calendar. */
import { type OwnedId, publicOwnedId } from '../../../core/id.ts';
import { attributed, teamText } from '../../event-types/managed-event-type.rules.ts';
import type { Invitation } from '../add-to-calendar.rules.ts';
import type { BookingRow } from '../booking.queries.ts';
import { keyOfBooking } from '../booking-key.rules.ts';
import { awaitedLink, placeText, sharedLocation } from '../booking-location.rules.ts';
import { answeredQuestions, answerText } from '../booking-request.rules.ts';
import { answerLink } from '../change/confirm-booking.ts';
import { inviterOf, releaseLink } from '../change/release-guests.ts';
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
import type { PageCode } from './page-code.ts';

const OWNER = { kind: 'OWNER' } as const;

/** How the pages are addressed that a mail leads to. */
export interface MailedPages {
  readonly publicUrl: string;
  readonly code: PageCode;
}

export function meetingFor(receiver: Receiver, trigger: Trigger, pages: MailedPages): MailedMeeting {
  const { booking, series } = trigger;
  const [first = booking, ...rest] = series;
  const answerLinks = answerLinksFor(receiver, trigger, pages);
  return {
    ...factsFor(receiver, trigger),
    author: authorOf(receiver, trigger),
    times: [first, ...rest],
    people: peopleFor(receiver, trigger),
    ...sentFor(receiver, trigger),
    links: pagesFor(receiver, trigger, pages).map((page, index) => answerLinks[index] ?? page),
    hasAnswerLink: answerLinks.some((link) => link !== undefined),
    guestsToInvite: guestsToInvite(receiver, trigger, pages),
  };
}

function pagesFor(receiver: Receiver, trigger: Trigger, { publicUrl, code }: MailedPages): readonly string[] {
  const { key } = receiver;
  if (isForHost(receiver)) return togetherFor(receiver, trigger).map((one) => hostsPage(publicUrl, one));
  if (key === null) return [];
  const keys = key.isSeat ? [key] : togetherFor(receiver, trigger).map(keyOfBooking);
  return keys.map((one) => attendeesPage(publicUrl, code({ opens: 'BOOKING', key: one })));
}

/** The page of the one booking that a message is about, or of the seat in it; undefined for readers who may only look on. */
export function pageFor(
  receiver: Receiver,
  { booking }: Trigger,
  { publicUrl, code }: MailedPages,
): string | undefined {
  const { key } = receiver;
  if (isForHost(receiver)) return hostsPage(publicUrl, booking);
  return key === null ? undefined : attendeesPage(publicUrl, code({ opens: 'BOOKING', key }));
}

/** The page of a booking for its hosts, who sign in. */
function hostsPage(publicUrl: string, booking: OwnedId): string {
  return `${publicUrl}/bookings/${publicOwnedId('booking', booking)}/host`;
}

function attendeesPage(publicUrl: string, uid: string): string {
  return `${publicUrl}/bookings/${uid}`;
}

/**
 * The links by which the reader answers each booking without being signed in, in the order of the times, if it is for
 * them to answer.
 */
function answerLinksFor(
  { news, hostId, email }: Receiver,
  { series }: Trigger,
  { publicUrl, code }: MailedPages,
): readonly (string | undefined)[] {
  if (hostId === undefined || !isToConfirm(news)) return [];
  return series.map((one) =>
    one.status === 'PENDING' && one.hostIds.includes(hostId)
      ? answerLink(publicUrl, one, code({ opens: 'ANSWER', booking: idOf(one), host: { id: hostId, email } }))
      : undefined,
  );
}

/**
 * The first booking's page has all bookings of a series that were cancelled together; a host may host no more than
 * these.
 */
function togetherFor(receiver: Receiver, { booking, series, first }: Trigger): readonly BookingRow[] {
  if (receiver.status !== 'CANCELLED' || series.length === 1) return series;
  return [isForHost(receiver) ? booking : first];
}

function idOf({ ownerId, id }: OwnedId): OwnedId {
  return { ownerId, id };
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

function placeFor({ reader, status, recipient }: Receiver, { verified }: Trigger, booking: BookingRow) {
  const location = reader.role === 'HOST' ? booking.location : sharedLocation({ ...booking, status });
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

function isBooker({ reader, key, email }: Receiver, booker: Booker | undefined): boolean {
  return reader.role === 'ATTENDEE' && key !== null && email === booker?.email;
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
  return seats && !seats.showsAttendees ? null : name;
}

/** Only its own mail says how: nobody else learns the link, whatever they know of the booking. */
function guestsToInvite(
  { reader, key }: Receiver,
  trigger: Trigger,
  { publicUrl, code }: MailedPages,
): MailedMeeting['guestsToInvite'] {
  const { booking } = trigger;
  const { length: count } = heldGuests(trigger);
  const isBooker = reader.role === 'ATTENDEE' && key !== null && !key.isSeat;
  if (!isBooker || count === 0 || booking.status === 'CANCELLED' || booking.status === 'REJECTED') return null;
  return { count, link: releaseLink(publicUrl, booking, code({ opens: 'GUESTS', booker: inviterOf(booking) })) };
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
    return [...hosts, reading, ...(seats?.showsAttendees ? others : []), ...guests];
  }
  const [first] = attendees;
  return [...hosts, ...(seats?.showsAttendees ? others : seats || !first ? [] : [nameOf(first)])];
}
