import { addressOfMailbox } from '../../core/text.ts';
import type { Mail } from '../../mail/mailer.ts';
import { calendarsFor } from '../bookings/mails/booking-mail.ts';
import { factsFor } from '../bookings/mails/booking-mail-meeting.ts';
import type { Occasion, Receiver } from '../bookings/mails/booking-mail-receivers.ts';
import type { BookingMailSettings } from '../bookings/mails/booking-mail-settings.ts';
import { dateText, timeText } from '../bookings/mails/mail-time.rules.ts';
import { ours } from '../bookings/mails/said.rules.ts';
import type { WorkflowStep } from './workflow.rules.ts';
import { filled, type VariableValues } from './workflow-variables.rules.ts';

/** In the place of what there is none of, or not for this receiver. */
const NOTHING = '–';

/** What a step sends a receiver, with the booking as it is now. */
export function workflowMail(
  step: WorkflowStep,
  teamName: string,
  receiver: Receiver,
  occasion: Occasion,
  settings: Pick<BookingMailSettings, 'publicUrl' | 'mailFrom'>,
): Mail {
  const { includeCalendarEvent, senderName } = step;
  const { subject, text } = wordsFor(step, teamName, receiver, occasion, settings.publicUrl);
  return {
    to: { name: receiver.reader.name ?? '', address: receiver.email },
    subject,
    text: `${text}\n`,
    ...(includeCalendarEvent && calendarsFor(receiver, occasion, addressOfMailbox(settings.mailFrom))),
    ...(senderName !== null && { senderName }),
    isUnbranded: occasion.isUnbranded,
  };
}

/** Its subject and its text. */
export function wordsFor(
  { subject, body }: WorkflowStep,
  teamName: string,
  receiver: Receiver,
  occasion: Occasion,
  publicUrl: string,
): Pick<Mail, 'subject' | 'text'> {
  const values = valuesFor(teamName, receiver, occasion, publicUrl);
  return { subject: filled(subject, values), text: filled(body, values) };
}

function valuesFor(teamName: string, receiver: Receiver, occasion: Occasion, publicUrl: string): VariableValues {
  const { reader, uid } = receiver;
  const { title, place, hostNames, bookerName } = factsFor(receiver, occasion);
  const { start, end } = occasion.booking;
  const attendee = reader.role === 'ATTENDEE' ? reader.name : bookerName;
  const link = uid === null ? NOTHING : `${publicUrl}/bookings/${uid}`;
  return {
    attendee_name: oneLine(attendee ?? ours('an attendee')),
    host_name: new Intl.ListFormat('en').format(hostNames.map(oneLine)),
    team_name: oneLine(teamName),
    event_name: oneLine(title),
    event_date: dateText(start, reader),
    event_time: timeText(start, reader),
    event_end_time: timeText(end, reader),
    time_zone: reader.timeZone.replaceAll('_', ' '),
    location: place === null ? NOTHING : oneLine(place),
    booking_link: link,
    cancel_link: link,
    reschedule_link: link,
  };
}

/** No value writes further lines, be it into a subject or between those of the team. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
