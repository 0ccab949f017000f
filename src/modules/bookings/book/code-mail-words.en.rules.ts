/** The mail with the code of who books, in English. */
import { codeToType, note } from '../../../core/mail-content.ts';

export const CODE_MAIL_EN = (code: string, minutes: number) => ({
  subject: 'Your code to book',
  parts: [
    codeToType('Enter this code to go on with your booking:', code),
    note(`It is valid for ${minutes} minutes. If you are not booking anything, ignore this mail.`),
  ],
});
