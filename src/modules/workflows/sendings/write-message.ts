import { fittingSms, plainForSms } from '../../../core/sms-text.ts';
import { addressOfMailbox, oneLine } from '../../../core/text.ts';
import type { Mail } from '../../../mail/mailer.ts';
import type { BookingMailSettings } from '../../bookings/mails/booking-mail-settings.ts';
import { MAX_FILLED, MAX_SMS_PARTS, type WorkflowStep } from '../workflow.rules.ts';
import { filled } from '../workflow-variables.rules.ts';
import type { Addressee } from './matter.ts';

/** The words of a step. */
export interface Words {
  /** Null of an SMS. */
  readonly subject: string | null;
  readonly text: string;
}

/** The words of a step to somebody, with the values in them; an SMS in characters and at the length that such messages have. */
export function wordsFor(
  { subject, body }: Pick<WorkflowStep, 'subject' | 'body'>,
  { by, valuesFor }: Pick<Addressee, 'by' | 'valuesFor'>,
  teamName: string,
  publicUrl: string,
): Words {
  const values = valuesFor(teamName, publicUrl);
  if (by === 'PHONE') {
    const text = plainForSms(filled(body, values, MAX_FILLED.sms));
    return { subject: null, text: fittingSms(text, MAX_SMS_PARTS) };
  }
  return {
    subject: oneLine(filled(subject ?? '', values, MAX_FILLED.subject)),
    text: filled(body, values, MAX_FILLED.body),
  };
}

/** The mail of a step to somebody. */
export function mailTo(
  step: WorkflowStep,
  addressee: Addressee,
  teamName: string,
  { publicUrl, mailFrom }: Pick<BookingMailSettings, 'publicUrl' | 'mailFrom'>,
): Mail {
  const { includeCalendarEvent, senderName } = step;
  const { subject, text } = wordsFor(step, addressee, teamName, publicUrl);
  return {
    to: { name: addressee.name ?? '', address: addressee.to },
    subject: subject ?? '',
    parts: [{ kind: 'OWN_WORDS', text }],
    ...(includeCalendarEvent && addressee.calendarsFor(addressOfMailbox(mailFrom))),
    ...(senderName !== null && { senderName }),
    ...addressee.look,
  };
}
