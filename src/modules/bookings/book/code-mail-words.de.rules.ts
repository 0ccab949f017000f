/** The mail with the code of who books, in German. */
import type { CODE_MAIL_EN } from './code-mail-words.en.rules.ts';

export const CODE_MAIL_DE: typeof CODE_MAIL_EN = {
  subject: 'Ihr Code zum Buchen',
  paragraphs: (code, minutes) => [
    `Geben Sie diesen Code ein, um mit Ihrer Buchung fortzufahren: ${code}`,
    `Er gilt ${minutes} Minuten. Wenn Sie nichts buchen, ignorieren Sie diese E-Mail.`,
  ],
};
