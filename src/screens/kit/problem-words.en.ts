/** The words for problems, in English: as the problems themselves say it. */
import { pluralIn } from '../../core/language.ts';
import type { Bounds } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';

const plural = pluralIn('en');

/** The texts for mistakes. A mistake without one is shown in its problem's own words, in English. */
export type MistakeTexts = Readonly<Partial<Record<ProblemCode, string>>>;

const TEXTS: MistakeTexts = {
  BOOKING_OVER: 'This booking has started or is over, so it can’t be changed.',
  GUESTS_DISABLED: 'You can’t bring guests to this booking.',
  SLUG_TAKEN: 'This link name is taken. Choose another one.',
};

/** Texts for mistakes that say which limit was passed. */
const LIMITS: Readonly<Partial<Record<ProblemCode, (bounds: Bounds) => string>>> = {};

export const PROBLEM_EN = {
  texts: TEXTS,
  limits: LIMITS,
  /** One of the texts, with what it is about: the label of a field, or what was typed. The problems themselves say so. */
  about: (_subject: string, text: string) => text,
  /** After one of the texts. */
  wait: (_seconds: number) => '',
  failed: 'Something went wrong',
  tryAgain: 'Please try again',
  /** `said` is the text that programs get. */
  away: (said: string) => said,
  /** A change whose commit was lost with the connection. */
  unknown: {
    title: 'This may have been done',
    message:
      'The connection was lost at the last moment, so we can’t tell whether this was saved. Please look before you try again: for a booking, check your e-mails. If you send the same form again, it is done only once.',
  },
  fault: (said: string, _id: string) => said,
  notThisWay: {
    title: 'That’s not possible here',
    message: (methods: string, used: string) => `This address accepts ${methods}, not ${used}.`,
  },
  tooManyRequests: {
    title: 'Too many requests',
    message: (limit: number, seconds: number) =>
      `You’ve sent more than ${limit} requests in a minute. Wait ${plural(seconds, { one: '1 second', other: `${seconds} seconds` })}, then try again.`,
  },
  linkOver: {
    title: 'This link no longer works',
    message: 'It was already used, has expired, or was replaced by a newer e-mail.',
  },
};
