/** What is wrong with a booking or a change of one, in English. */
import type { MistakeTexts } from '../../kit/words/problem-words.en.ts';

const TEXTS: MistakeTexts = {
  AUTHENTICATION_REQUIRED: 'Only somebody signed in can book this.',
  CONFLICT:
    'The booking has been moved in the meantime, so nothing was changed. Look at the time that it has now: to move it to yours, send the form once more.',
  FOREIGN_REQUEST:
    'Nothing was done, because your browser doesn’t say which page the form comes from. Open this page in a new tab by the link below, and book there.',
  EMAIL_VERIFICATION_REQUIRED: 'Enter the code that was mailed to you, or ask for one.',
  LENGTH_NOT_OFFERED: 'Its host has changed how long this takes; choose a time once more.',
  NOT_BOOKABLE: 'Nobody can be booked here at the moment.',
  SLOT_TAKEN: 'That time has been taken in the meantime; choose another one.',
  SLOT_RESERVED: 'Somebody else is booking that time just now; choose another one, or try again in a few minutes.',
};

export const MISTAKES_EN = {
  texts: TEXTS,
  /** Of a time that was free when the page was made. */
  gone: 'That time is not free any more; choose another one.',
  closedSeries: 'Not all times of the series are free; choose another time, or fewer of them.',
};
