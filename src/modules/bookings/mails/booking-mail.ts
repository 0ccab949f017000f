/**
 * mails/ turns what happened to a booking into the mails about it: who is told, in which words, with which calendar
 * file. It may import change/, for the links that invite guests and that answer.
 */
import { sha256Hex } from '../../../core/secret.ts';
import { addressOfMailbox } from '../../../core/text.ts';
import { changed, type Em } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import type { CountedMail } from '../../../limits/mail-limit.ts';
import type { Admission, Mail } from '../../../mail/mailer.ts';
import { findEventTypeRules } from '../../event-types/public/event-type-rules.queries.ts';
import { findBrand, lookOf } from '../../teams/inherited-profile.queries.ts';
import { Booking } from '../booking.entity.ts';
import { type BookingRow, findBooking, findBookings } from '../booking.queries.ts';
import type { BookingChange } from '../booking-changes.ts';
import { calendarMethod, icsOf, icsOfSeries } from '../ics.rules.ts';
import { findBookedTogether, findMailedUsers, isAuthorVerified } from './booking-mail.queries.ts';
import { bookingMailContent } from './booking-mail.rules.ts';
import { invitationFor, meetingFor } from './booking-mail-meeting.ts';
import { attendeeName, bookerOf, type Occasion, type Receiver, receiversOf } from './booking-mail-receivers.ts';
import type { BookingMailSettings } from './booking-mail-settings.ts';

export interface BookingMail {
  readonly mail: Mail & { readonly messageId: string };
  readonly admission: Admission;
  /** Mails with the same key are about one booking, for one mailbox: they must arrive in the order of what they tell. */
  readonly orderKey: string;
}

/**
 * The mails that an event leads to, one for each mailbox. None for a booking that is gone. They count towards the limit of
 * the person who acted; how many were too many is kept with the booking, for its hosts to see.
 */
export async function bookingMails(
  em: Em,
  event: BookingChange,
  settings: BookingMailSettings,
): Promise<readonly BookingMail[]> {
  const occasion = await occasionOf(em, event);
  if (!occasion) return [];
  // Should there be too many for all: who booked goes before hosts, who can look it up, and hosts before guests.
  const receivers = receiversOf(occasion).toSorted((a, b) => PRECEDENCE[a.reader.role] - PRECEDENCE[b.reader.role]);
  const counted = receivers.map((receiver) => countedAs(receiver, occasion));
  const decisions = await settings.mailLimit.admit(em, counted);
  const mails = receivers.flatMap((receiver, index) => {
    const decision = decisions[index];
    return decision?.limit === undefined && decision
      ? [{ ...mailTo(receiver, occasion, settings), admission: decision }]
      : [];
  });
  const unsent = receivers.length - mails.length;
  if (unsent > 0) await noteUnsent(em, occasion.booking, unsent);
  return mails;
}

const PRECEDENCE = { ATTENDEE: 0, HOST: 1, GUEST: 2 } as const;

/** An event with everything that is told about it; undefined for a booking that is gone, and for all but the first of those that are told of together. */
export async function occasionOf(em: Em, event: BookingChange): Promise<Occasion | undefined> {
  const { ownerId } = event;
  const booking = await findBooking(em, { ownerId, id: event.booking.id });
  if (!booking) return undefined;
  const isNew = event.type === 'BOOKING_CREATED' || event.type === 'BOOKING_REQUESTED';
  const isOfSeries = isNew && booking.recurringId !== null;
  // The first booking of a series tells of all of them.
  if (isOfSeries && booking.recurringId !== booking.id) return undefined;
  if (event.type === 'BOOKING_CANCELLED' && event.together?.length === 0) return undefined;
  const formerHostIds = event.type === 'BOOKING_REASSIGNED' ? [event.fromHostId] : [];
  const hostIds = [...event.booking.hostIds, ...formerHostIds];
  const others = [event.by.userId, booking.location?.saidBy].filter((id) => id != null);
  const users = await findMailedUsers(em, [...hostIds, ...others]);
  const userIds = new Set(users.filter(({ isVerified }) => isVerified).map(({ id }) => id));
  return {
    event,
    booking,
    hosts: users.filter(({ id }) => hostIds.includes(id)),
    previous:
      event.type === 'BOOKING_RESCHEDULED' ? await findBooking(em, { ownerId, id: event.previousId }) : undefined,
    series: await toldTogether(em, event, booking, isOfSeries),
    fields: await findQuestions(em, booking),
    look: lookOf(await findBrand(em, ownerId)),
    verified: { isOwner: await isAuthorVerified(em, booking, userIds), userIds },
  };
}

/** Most bookings have no answers, and need no look at the questions. */
async function findQuestions(em: Em, { ownerId, eventTypeId, attendees }: BookingRow): Promise<Occasion['fields']> {
  const isAnswered = attendees.some(({ responses }) => Object.keys(responses).length > 0);
  const eventType = isAnswered ? await findEventTypeRules(em, { ownerId, id: eventTypeId }) : undefined;
  return eventType?.bookingFields ?? [];
}

async function toldTogether(
  em: Em,
  event: BookingChange,
  booking: BookingRow,
  isOfSeries: boolean,
): Promise<readonly BookingRow[]> {
  if (event.type === 'BOOKING_GUESTS_RELEASED') return findBookings(em, booking.ownerId, event.bookingIds);
  if (event.type === 'BOOKING_CANCELLED' && event.together) return findBookings(em, booking.ownerId, event.together);
  return isOfSeries ? findBookedTogether(em, booking) : [booking];
}

function countedAs({ reader, email, hearer }: Receiver, { event, booking, verified }: Occasion): CountedMail {
  const { userId, network } = event.by;
  return {
    to: email,
    purpose: reader.role === 'HOST' && hearer.listener === 'VERIFIED_HOST' ? 'EXPECTED' : 'NEWS',
    cause:
      userId !== null && verified.userIds.has(userId)
        ? { kind: 'ACCOUNT', userId }
        : { kind: 'STRANGER', from: network ?? 'unknown' },
    ownerId: booking.ownerId,
    // A booking that moves is still the same.
    bookingId: booking.recurringId ?? booking.icsId,
  };
}

/** So many mails about it were too many: its hosts see how many. */
export async function noteUnsent(em: Em, { ownerId, id }: BookingRow, count: number): Promise<void> {
  const booking = updateTable(Booking, { ownerId, id });
  await changed(
    em,
    booking.set((eb) => ({ unsentMails: eb('unsentMails', '+', count) })),
  );
}

function mailTo(receiver: Receiver, occasion: Occasion, settings: BookingMailSettings): Omit<BookingMail, 'admission'> {
  const { publicUrl, mailFrom } = settings;
  const { event } = occasion;
  const { email, reader, news, hearer } = receiver;
  const mailbox = email.toLowerCase();
  const meeting = meetingFor(receiver, occasion, settings);
  // A reply quotes the mail: who booked would get the link that answers their request.
  const canReply = hearer.listener === 'VERIFIED_HOST' && !meeting.hasAnswerLink;
  const booker = canReply ? bookerOf(occasion) : undefined;
  return {
    mail: {
      to: { name: reader.name ?? '', address: email },
      ...(booker && { replyTo: { name: attendeeName(booker, occasion, hearer), address: booker.email } }),
      ...bookingMailContent(news, reader, meeting),
      ...calendarsFor(receiver, occasion, addressOfMailbox(mailFrom)),
      ...occasion.look,
      messageId: `<${event.id}.${sha256Hex(mailbox).slice(0, 16)}@${new URL(publicUrl).hostname}>`,
    },
    orderKey: `${threadOf(receiver, occasion)} ${mailbox}`,
  };
}

/** A seat keeps its uid wherever it moves. */
function threadOf({ reader, uid }: Receiver, { booking, event }: Occasion): string {
  return booking.seats && reader.role === 'ATTENDEE' && uid !== null ? uid : event.booking.thread;
}

/** What comes along for calendars. */
export function calendarsFor(
  receiver: Receiver,
  occasion: Occasion,
  organizer: string,
): Pick<Mail, 'calendar' | 'attachedCalendars'> {
  const { booking, previous, series } = occasion;
  if (series.length > 1) {
    const all = series.map((one) => invitationFor(receiver, occasion, one));
    // An invitation is to one event; several of them can be taken over from a file.
    const filename = receiver.status === 'CANCELLED' ? 'cancelled.ics' : 'bookings.ics';
    return {
      attachedCalendars: [{ filename, method: 'PUBLISH', content: icsOfSeries(all, organizer) }],
    };
  }
  const invitation = invitationFor(receiver, occasion, booking);
  const calendar = { method: calendarMethod(invitation), content: icsOf(invitation, organizer) };
  if (!previous || !leavesEntry(receiver, previous, booking)) return { calendar };
  const old = invitationFor({ ...receiver, status: 'CANCELLED' }, occasion, previous);
  return {
    calendar,
    attachedCalendars: [{ filename: 'cancelled.ics', method: 'CANCEL', content: icsOf(old, organizer) }],
  };
}

/** A seat that moves to another meeting leaves one behind in calendars, for hosts only if nobody else is there. */
function leavesEntry({ reader }: Receiver, previous: BookingRow, { icsId }: BookingRow): boolean {
  return previous.icsId !== icsId && (reader.role !== 'HOST' || previous.status === 'CANCELLED');
}
