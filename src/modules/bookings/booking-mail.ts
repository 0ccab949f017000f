import { sha256Hex } from '../../core/secret.ts';
import type { Em } from '../../database/sql.ts';
import type { Mail } from '../../mail/mailer.ts';
import { type BookingRow, findBooking } from './booking.queries.ts';
import { findBookedTogether, findMailedHosts } from './booking-mail.queries.ts';
import { bookingMailText } from './booking-mail.rules.ts';
import type { BookingMailEvent } from './booking-mail-events.ts';
import { invitationFor, meetingFor } from './booking-mail-meeting.ts';
import { bookerOf, type Occasion, type Receiver, receiversOf } from './booking-mail-receivers.ts';
import { calendarMethod, icsOf, icsOfSeries, organizerAddressOf } from './ics.rules.ts';

export interface BookingMailSettings {
  /** An origin without a slash at its end. */
  readonly publicUrl: string;
  /** From whom the service sends mail. */
  readonly mailFrom: string;
}

export interface BookingMail {
  readonly mail: Mail & { readonly messageId: string };
  /** Mails with the same key are about one booking, for one mailbox: they must arrive in the order of what they tell. */
  readonly orderKey: string;
}

/** The mails that an event leads to, one for each mailbox. None for a booking that is gone. */
export async function bookingMails(
  em: Em,
  event: BookingMailEvent,
  settings: BookingMailSettings,
): Promise<readonly BookingMail[]> {
  const booking = await findBooking(em, event.booking.uid);
  if (!booking) return [];
  const isNew = event.type === 'BOOKING_CREATED' || event.type === 'BOOKING_REQUESTED';
  const isOfSeries = isNew && booking.recurringUid !== null;
  // The first booking of a series tells of all of them.
  if (isOfSeries && booking.recurringUid !== booking.uid) return [];
  const formerHostIds = event.type === 'BOOKING_REASSIGNED' ? [event.fromHostId] : [];
  const occasion: Occasion = {
    event,
    booking,
    hosts: await findMailedHosts(em, [...event.booking.hostIds, ...formerHostIds]),
    previous: event.type === 'BOOKING_RESCHEDULED' ? await findBooking(em, event.previousUid) : undefined,
    series: isOfSeries ? await findBookedTogether(em, booking) : [booking],
  };
  return receiversOf(occasion).map((receiver) => mailTo(receiver, occasion, settings));
}

function mailTo(receiver: Receiver, occasion: Occasion, { publicUrl, mailFrom }: BookingMailSettings): BookingMail {
  const { event, booking } = occasion;
  const { email, reader, news } = receiver;
  const mailbox = email.toLowerCase();
  const booker = bookerOf(occasion);
  return {
    mail: {
      to: { name: reader.name ?? '', address: email },
      ...(reader.role === 'HOST' && booker && { replyTo: { name: booker.name, address: booker.email } }),
      ...bookingMailText(news, reader, meetingFor(receiver, occasion, publicUrl)),
      ...calendarsFor(receiver, occasion, organizerAddressOf(mailFrom)),
      messageId: `<${event.id}.${sha256Hex(mailbox).slice(0, 16)}@${new URL(publicUrl).hostname}>`,
    },
    orderKey: `${threadOf(receiver, booking)} ${mailbox}`,
  };
}

/** A seat keeps its uid wherever it moves, a series that of its first booking, and a booking what calendars know it by. */
function threadOf({ reader, uid }: Receiver, { seats, recurringUid, icsUid }: BookingRow): string {
  return seats && reader.role === 'ATTENDEE' && uid !== null ? uid : (recurringUid ?? icsUid);
}

function calendarsFor(
  receiver: Receiver,
  occasion: Occasion,
  organizer: string,
): Pick<Mail, 'calendar' | 'attachedCalendars'> {
  const { booking, previous, series } = occasion;
  if (series.length > 1) {
    const all = series.map((one) => invitationFor(receiver, occasion, one));
    // An invitation is to one event; several of them can be taken over from a file.
    return {
      attachedCalendars: [{ filename: 'bookings.ics', method: 'PUBLISH', content: icsOfSeries(all, organizer) }],
    };
  }
  const invitation = invitationFor(receiver, occasion, booking);
  const calendar = { method: calendarMethod(invitation), content: icsOf(invitation, organizer) };
  if (!previous || !leavesEntry(receiver, previous, booking)) return { calendar };
  const old = { ...invitationFor(receiver, occasion, previous), status: 'CANCELLED' } as const;
  return {
    calendar,
    attachedCalendars: [{ filename: 'cancelled.ics', method: 'CANCEL', content: icsOf(old, organizer) }],
  };
}

/** A seat that moves to another meeting leaves one behind in calendars, for hosts only if nobody else is there. */
function leavesEntry({ reader }: Receiver, previous: BookingRow, { icsUid }: BookingRow): boolean {
  return previous.icsUid !== icsUid && (reader.role !== 'HOST' || previous.status === 'CANCELLED');
}
