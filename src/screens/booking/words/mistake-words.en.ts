/** What is wrong with a booking or a change of one, in English. */
import type { ProblemCode } from '../../../core/problem-code.ts';

/** What can be said of each mistake; what stands in none is said as the problem itself says it, in English. */
export type MistakeTexts = Readonly<Partial<Record<ProblemCode, string>>>;

const TEXTS: MistakeTexts = {
  AUTHENTICATION_REQUIRED: 'Only somebody signed in can book this.',
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
  /** One of the texts, with what it is about: the label of the field, or what was typed. The problems themselves say so. */
  about: (_subject: string, text: string) => text,
};
