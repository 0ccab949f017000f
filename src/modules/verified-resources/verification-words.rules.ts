import { codeToType, type MailContent, note } from '../../core/mail-content.ts';
import { CODE_MINUTES } from './verified-resource.rules.ts';

/**
 * The words around codes. There is nothing in them that somebody can write: they would choose what is sent to strangers.
 */

/** A mail to an address that is to be verified. */
export function mailOfCode(code: string): MailContent {
  return {
    subject: 'Your code to verify this address',
    parts: [
      codeToType('Enter this code where you were asked for it:', code),
      note(
        `It’s valid for ${CODE_MINUTES} minutes and shows that we may write to this address. If no one asked you for it, ignore this e-mail.`,
      ),
    ],
  };
}

/** An SMS to a number that is to be verified: of one part, in the 7-bit alphabet (GSM 03.38), so that it costs one. */
export function textOfCode(code: string): string {
  return `${code} is your code to verify this number, valid for ${CODE_MINUTES} minutes. If no one asked you for it, ignore this message.`;
}
