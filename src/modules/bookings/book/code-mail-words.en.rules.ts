/** The mail with the booker's code, in English. */
import { codeToType, note } from '../../../core/mail-content.ts';

export const CODE_MAIL_EN = (code: string, minutes: number) => ({
  subject: 'Your booking code',
  parts: [
    codeToType('Enter this code to continue with your booking:', code),
    note(`It’s valid for ${minutes} minutes. If you’re not booking anything, ignore this e-mail.`),
  ],
});
