/** The mail with the booker's code, in German. */
import { codeToType, note } from '../../../core/mail-content.ts';
import type { CODE_MAIL_EN } from './code-mail-words.en.rules.ts';

export const CODE_MAIL_DE: typeof CODE_MAIL_EN = (code, minutes) => ({
  subject: 'Ihr Buchungscode',
  parts: [
    codeToType('Geben Sie diesen Code ein, um mit Ihrer Buchung fortzufahren:', code),
    note(`Er gilt ${minutes} Minuten. Wenn Sie nichts buchen, ignorieren Sie diese E-Mail.`),
  ],
});
