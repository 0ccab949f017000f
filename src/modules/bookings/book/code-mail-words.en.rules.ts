/** The mail with the code of who books, in English. */
export const CODE_MAIL_EN = {
  subject: 'Your code to book',
  paragraphs: (code: string, minutes: number) => [
    `Enter this code to go on with your booking: ${code}`,
    `It is valid for ${minutes} minutes. If you are not booking anything, ignore this mail.`,
  ],
};
