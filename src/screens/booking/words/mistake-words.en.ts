/** The words for mistakes in a booking or a change of one, in English. */
import type { MistakeTexts } from '../../kit/problem-words.en.ts';

const TEXTS: MistakeTexts = {
  AUTHENTICATION_REQUIRED: 'You need to be signed in to book this.',
  CONFLICT:
    'This booking was rescheduled in the meantime, so nothing was changed. Check its new time. If you still want yours, send the form again.',
  FOREIGN_REQUEST:
    'Nothing was sent, because your browser doesn’t tell us which page the form comes from. Use the link below to open this page in a new tab, and book there.',
  EMAIL_VERIFICATION_REQUIRED: 'Enter the code we e-mailed you, or ask for one.',
  LENGTH_NOT_OFFERED: 'The host has changed how long this takes. Please choose a time again.',
  NOT_BOOKABLE: 'This can’t be booked at the moment.',
  SLOT_TAKEN: 'That time has just been taken. Please choose another one.',
  SLOT_RESERVED: 'Someone else is booking that time right now. Choose another one, or try again in a few minutes.',
};

export const MISTAKES_EN = {
  texts: TEXTS,
  /** Said of a time that was free when the page was made. */
  gone: 'That time is no longer free. If you have just booked it yourself, see our e-mail. Otherwise, please choose another one.',
  closedSeries: 'Not all times in this series are free. Choose another time, or fewer bookings.',
};
