import type { MailContent } from '../../../../src/core/mail-content.ts';
import {
  bookingMailContent,
  bookingMailWords,
  type MailedMeeting,
} from '../../../../src/modules/bookings/mails/booking-mail.rules.ts';
import {
  type BookingNews,
  isToConfirm,
  type MailReader,
  type NewsKind,
} from '../../../../src/modules/bookings/mails/booking-news.rules.ts';
import { ours } from '../../../../src/modules/bookings/mails/mailed-texts.rules.ts';

export const LINK = 'https://gatehouse.example/bookings/bkg_1';
export const ANSWER_LINK = `${LINK}/answer/abc`;
export const READERS = [
  { role: 'ATTENDEE', name: ours('Grace Hopper'), timeZone: 'America/New_York', locale: 'en-US', timeFormat: null },
  { role: 'GUEST', name: null, timeZone: 'America/New_York', locale: 'en-US', timeFormat: null },
  { role: 'HOST', name: ours('Ada Okafor'), timeZone: 'Europe/Berlin', locale: 'en-GB', timeFormat: 24 },
] as const satisfies readonly MailReader[];

export const TIME = { start: '2026-12-07T15:00:00Z', end: '2026-12-07T15:30:00Z' };
const BEFORE = { start: '2026-12-03T15:00:00Z', end: '2026-12-03T15:30:00Z' };
const BY_HOST = { name: ours('Ada Okafor'), isReader: false };
export const REASON = ours('The train is late.\nSorry!');

export const NEWS: readonly BookingNews[] = [
  { kind: 'BOOKED' },
  { kind: 'REQUESTED' },
  { kind: 'CONFIRMED' },
  { kind: 'REJECTED', reason: REASON },
  { kind: 'CANCELLED', reason: REASON, by: BY_HOST },
  { kind: 'CANCELLED', reason: REASON, by: null },
  { kind: 'TIME_WANTED', reason: REASON, by: BY_HOST },
  { kind: 'RESCHEDULED', reason: REASON, by: BY_HOST, before: BEFORE, isToConfirm: false },
  { kind: 'RESCHEDULED', reason: null, by: null, before: BEFORE, isToConfirm: true },
  { kind: 'LOCATION_CHANGED' },
  { kind: 'NEW_LINK' },
  { kind: 'INVITED', isToConfirm: false },
  { kind: 'INVITED', isToConfirm: true },
  { kind: 'HOST_CHANGED', reason: null, from: ours('Ada Okafor'), to: ours('Bob Meyer') },
  { kind: 'HANDED_OVER', reason: null, from: ours('Ada Okafor'), to: ours('Bob Meyer') },
  { kind: 'TAKEN_OVER', reason: null, from: ours('Bob Meyer'), to: ours('Ada Okafor'), isToConfirm: false },
  { kind: 'TAKEN_OVER', reason: null, from: ours('Bob Meyer'), to: ours('Ada Okafor'), isToConfirm: true },
  { kind: 'HOST_CHANGED', reason: REASON, from: ours('Bob Meyer'), to: null },
  { kind: 'HANDED_OVER', reason: REASON, from: ours('Bob Meyer'), to: null },
];

const ONLY_FOR: Partial<Record<NewsKind, readonly MailReader['role'][]>> = {
  NEW_LINK: ['ATTENDEE'],
  INVITED: ['ATTENDEE', 'GUEST'],
  HOST_CHANGED: ['ATTENDEE', 'GUEST'],
  HANDED_OVER: ['HOST'],
  TAKEN_OVER: ['HOST'],
};

/** Where a host leaves the others, those hear of it too. */
function readersOf(news: BookingNews): readonly MailReader['role'][] {
  const all = READERS.map(({ role }) => role);
  return 'to' in news && news.to === null && news.kind === 'HOST_CHANGED' ? all : (ONLY_FOR[news.kind] ?? all);
}

export function meetingFor({ role, locale }: MailReader, changes: Partial<MailedMeeting> = {}): MailedMeeting {
  const { asHost, asReader } = bookingMailWords(locale);
  const host = asHost('Ada Okafor');
  const people = {
    ATTENDEE: [host, asReader('Grace Hopper')],
    GUEST: [host, 'Grace Hopper'],
    HOST: [host, 'Grace Hopper <grace@example.test>', 'lin@example.test'],
  };
  return {
    title: ours('Intro'),
    author: null,
    times: [TIME],
    place: ours('Main Street 1\n12345 Springfield'),
    hostNames: [ours('Ada Okafor')],
    bookerName: ours('Grace Hopper'),
    people: people[role].map(ours),
    answers: role === 'HOST' ? [{ question: ours('Company'), answer: ours('Eckert–Mauchly') }] : [],
    notes: role === 'HOST' ? ours('I would like to talk of compilers.') : null,
    hasMoreOnPage: role === 'ATTENDEE',
    links: role === 'GUEST' ? [] : [LINK],
    hasAnswerLink: false,
    guestsToInvite: null,
    ...changes,
  };
}

/** Each mail as one reader gets it, the languages of the readers being as they are or all this one. */
export function bookingMailSamples(
  locale?: string,
): readonly { readonly name: string; readonly content: MailContent }[] {
  return NEWS.flatMap((news) =>
    READERS.filter(({ role }) => readersOf(news).includes(role)).map((one) => {
      const reader = locale ? { ...one, locale } : one;
      const isAsked = reader.role === 'HOST' && isToConfirm(news);
      const links = isAsked ? { links: [ANSWER_LINK], hasAnswerLink: true } : {};
      const content = bookingMailContent(news, reader, meetingFor(reader, links));
      return { name: `${news.kind} to ${reader.role}`, content };
    }),
  );
}
