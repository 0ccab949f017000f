/**
 * mails/ turns what happened to a booking into the mails about it: who is told, in which words, with which calendar
 * file. It may import change/, for the links that invite guests and that answer.
 */
import { publicOwnedId } from '../../../core/id.ts';
import { linkTo, type MailContent } from '../../../core/mail-content.ts';
import { sha256Hex } from '../../../core/secret.ts';
import { addressOfMailbox } from '../../../core/text.ts';
import type { Em } from '../../../database/sql.ts';
import { answerPath } from '../../../limits/mail-receivers.ts';
import type { Admission, Mail } from '../../../mail/mailer.ts';
import { calendarMethod, icsOf, icsOfSeries } from '../add-to-calendar.rules.ts';
import type { BookingChange, BookingRow } from '../booking.queries.ts';
import { type BookingMailSettings } from './booking-mail.queries.ts';
import { bookingMailContent, bookingMailWords } from './booking-mail.rules.ts';
import { invitationFor, meetingFor } from './booking-mail-meeting.ts';
import { attendeeName, bookerOf, type Receiver, type Trigger, triggerOf } from './booking-mail-receivers.ts';
import { decideMails, isByStranger, keepEvent, mailboxOf } from './mail-outcomes.ts';
import { CodesToCome, type HeldRights } from './page-code.ts';

export interface WrittenMail {
  readonly mail: Mail & { readonly messageId: string };
  readonly admission: Admission;
  /** Mails with the same key are about one booking, for one mailbox: they must arrive in the order of what they tell. */
  readonly orderKey: string;
  /** The codes that are put into it as it is sent. */
  readonly rights: HeldRights;
  /** The mail takes its turn among those of this host, the booking's first one: an account may make any number of groups. */
  readonly hostId: string;
}

/**
 * The mails that an event leads to at once, one for each mailbox; those that wait are kept for their turn (held-mails.ts). None for
 * a booking that is gone.
 */
export async function bookingMails(
  em: Em,
  event: BookingChange,
  settings: BookingMailSettings,
): Promise<readonly WrittenMail[]> {
  const trigger = await triggerOf(em, event);
  if (!trigger) return [];
  const decided = await decideMails(em, trigger, settings.mailLimit);
  if (decided.some(({ outcome }) => outcome === 'WAITING' || outcome === 'SUMMARY')) await keepEvent(em, trigger);
  return decided.flatMap(({ receiver, outcome }) =>
    outcome === 'SENT' ? [writtenMail(receiver, trigger, settings)] : [],
  );
}

/** A mail that is to be sent now. */
export function writtenMail(receiver: Receiver, trigger: Trigger, settings: BookingMailSettings): WrittenMail {
  return { ...mailTo(receiver, trigger, settings), admission: settings.mailLimit.admissionOf({ kind: 'SENT' }) };
}

function mailTo(receiver: Receiver, original: Trigger, settings: BookingMailSettings): Omit<WrittenMail, 'admission'> {
  const { publicUrl, mailFrom } = settings;
  const codes = new CodesToCome();
  const trigger = asSeenBy(receiver, original);
  const { event } = trigger;
  const { email, reader, news, recipient } = receiver;
  const mailbox = mailboxOf(receiver);
  const meeting = meetingFor(receiver, trigger, { publicUrl, code: codes.code });
  // A reply quotes the mail, so the booker would get the link that answers their own request.
  const canReply = recipient.listener === 'VERIFIED_HOST' && !meeting.hasAnswerLink;
  const booker = canReply ? bookerOf(trigger) : undefined;
  return {
    mail: {
      to: { name: reader.name ?? '', address: email },
      ...(booker && { replyTo: { name: attendeeName(booker, trigger, recipient), address: booker.email } }),
      ...withAnswer(
        bookingMailContent(news, reader, meeting),
        [{ receiver, trigger }],
        isByStranger(receiver, trigger),
        settings,
      ),
      ...calendarsFor(receiver, trigger, addressOfMailbox(mailFrom)),
      ...trigger.look,
      messageId: `<${event.id}.${sha256Hex(mailbox).slice(0, 16)}@${new URL(publicUrl).hostname}>`,
    },
    rights: codes.rights,
    orderKey: `${threadOf(receiver, trigger)} ${mailbox}`,
    hostId: event.booking.hostIds[0] ?? event.ownerId,
  };
}

/**
 * Adds to mails that strangers cause how to end them: by a page whose button does, and by the button of mail programs
 * (RFC 8058).
 */
export function withAnswer(
  content: MailContent,
  mailed: readonly [Mailed, ...Mailed[]],
  isByStranger: boolean,
  { publicUrl, linkKey }: BookingMailSettings,
): MailContent & Pick<Mail, 'unsubscribeUrl'> {
  if (!isByStranger) return content;
  const [{ receiver }] = mailed;
  const { email, recipient } = receiver;
  const page = publicUrl + answerPath(linkKey, email, mailed.map(idOfMailed));
  const { notYou, notMe } = bookingMailWords(recipient.locale);
  return { ...content, parts: [...content.parts, linkTo(notYou, page, notMe)], unsubscribeUrl: page };
}

/** A mail's receiver, and what it is about. */
interface Mailed {
  readonly receiver: Receiver;
  readonly trigger: Trigger;
}

/** The id of the seat, or of the booking. */
function idOfMailed({ receiver: { key }, trigger: { booking } }: Mailed): string {
  return key?.isSeat ? publicOwnedId('seat', key) : publicOwnedId('booking', booking);
}

/** A host who is none any more since the booking has moved knows it at the time at which it was theirs. */
function asSeenBy({ news }: Receiver, trigger: Trigger): Trigger {
  const { booking, previous } = trigger;
  if (news.kind !== 'HANDED_OVER' || !previous) return trigger;
  const icsSequence = previous.icsId === booking.icsId ? booking.icsSequence : previous.icsSequence;
  const left = { ...previous, icsSequence };
  return { ...trigger, booking: left, series: [left], previous: undefined };
}

/** A seat keeps its id wherever it moves. */
function threadOf({ key }: Receiver, { event }: Trigger): string {
  return key?.isSeat ? key.id : event.booking.thread;
}

/** Attaches the entries for calendars. */
export function calendarsFor(
  receiver: Receiver,
  trigger: Trigger,
  organizer: string,
): Pick<Mail, 'calendar' | 'attachedCalendars'> {
  const { booking, previous, series } = trigger;
  if (series.length > 1) {
    const all = series.map((one) => invitationFor(receiver, trigger, one));
    // An invitation is to one event; several of them can be taken over from a file.
    const filename = receiver.status === 'CANCELLED' ? 'cancelled.ics' : 'bookings.ics';
    return {
      attachedCalendars: [{ filename, method: 'PUBLISH', content: icsOfSeries(all, organizer) }],
    };
  }
  const invitation = invitationFor(receiver, trigger, booking);
  const calendar = { method: calendarMethod(invitation), content: icsOf(invitation, organizer) };
  if (!previous || !leavesEntry(receiver, previous, booking)) return { calendar };
  const old = invitationFor({ ...receiver, status: 'CANCELLED' }, trigger, previous);
  return {
    calendar,
    attachedCalendars: [{ filename: 'cancelled.ics', method: 'CANCEL', content: icsOf(old, organizer) }],
  };
}

/** A seat that moves to another meeting leaves one behind in calendars, for hosts only if nobody else is there. */
function leavesEntry({ reader }: Receiver, previous: BookingRow, { icsId }: BookingRow): boolean {
  return previous.icsId !== icsId && (reader.role !== 'HOST' || previous.status === 'CANCELLED');
}
