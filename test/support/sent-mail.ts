import { textOf } from '../../src/core/mail-content.ts';
import type { Mail } from '../../src/mail/mailer.ts';

/** A mail with the text that its reader gets. */
export interface SentMail extends Mail {
  readonly text: string;
}

export function asSent(mail: Mail): SentMail {
  return { ...mail, text: textOf(mail) };
}
