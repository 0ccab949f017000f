/** The way to a booking, in English: places, event type, calendar, form. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { LocationType } from '../../modules/event-types/settings/location.rules.ts';
import type { Frequency } from '../../modules/event-types/settings/recurrence.rules.ts';
import type { Html } from '../kit/layout.ts';
import type { MistakeTexts } from '../kit/problem-words.en.ts';

const plural = pluralIn('en');

/** The names of locations that have no name of their own. */
const PLACES: Readonly<Record<Exclude<LocationType, 'ADDRESS' | 'CONFERENCING'>, string>> = {
  LINK: 'Online: you get the link when you book',
  PHONE: 'By phone: you get the number when you book',
  ATTENDEE_ADDRESS: 'At an address of your choice',
  ATTENDEE_PHONE: 'By phone: the host calls you',
  ATTENDEE_CHOICE: 'Wherever you choose',
};

const EVERY: Readonly<Record<Frequency, (interval: number) => string>> = {
  DAILY: (interval) => plural(interval, { one: 'Every day', other: `Every ${interval} days` }),
  WEEKLY: (interval) => plural(interval, { one: 'Every week', other: `Every ${interval} weeks` }),
  MONTHLY: (interval) => plural(interval, { one: 'Every month', other: `Every ${interval} months` }),
  YEARLY: (interval) => plural(interval, { one: 'Every year', other: `Every ${interval} years` }),
};

export const BOOKING_EN = {
  author: (team: string) => html`The text, questions, locations and links on this page are by <bdi>${team}</bdi>.`,
  by: (team: string) => html`By <bdi>${team}</bdi>`,
  departure: (host: string) => html`After you book, you’ll be taken to <bdi>${host}</bdi>.`,
  departureOfTeam: (host: string, team: string) =>
    html`After you book, you’ll be taken to <bdi>${host}</bdi>, chosen by <bdi>${team}</bdi>.`,
  linkOver: {
    title: 'This link no longer works',
    message: 'It was already used, has expired or is incomplete.',
    advice: 'Ask the person who sent it for a new one.',
  },
  whatToBook: 'What would you like to book?',
  whomToBook: 'Who would you like to book with?',

  length: 'Length',
  where: 'Where',
  repeats: 'Repeats',
  repeatsFor: (every: string, count: number) =>
    `${every}, up to ${plural(count, { one: '1 time', other: `${count} times` })}`,
  confirmation: 'Confirmation',
  hostConfirms: 'The host has to confirm your booking',
  timeZone: 'Time zone',
  places: PLACES,
  every: EVERY,

  anotherTimeFor: (title: string) => `Reschedule ${title}`,
  toMove: (when: Html) => html`It’s booked for ${when}. Choose a new time.`,
  months: 'Months',
  previousMonth: (month: string) => `Previous month: ${month}`,
  nextMonth: (month: string) => `Next month: ${month}`,
  today: '(today)',
  dayWithTimes: (date: string, isToday: boolean, free: number) =>
    `${date}${isToday ? ', today' : ''}, ${plural(free, { one: '1 time', other: `${free} times` })} free`,
  nothingInMonth: (month: Html) => html`No free times in ${month}.`,
  lookAt: (month: Html) => html`Go to ${month}`,
  nothingOnDay: 'No free times on this day. Choose another day.',
  awayDay: '(out of office)',
  away: (host: Html, when: Html) => html`${host} is out of office: ${when}.`,
  from: (date: Html) => html`from ${date}`,
  awayOnDay: (host: Html) => html`${host} is out of office on this day.`,
  standIn: (colleague: Html) => html`You can book ${colleague} instead.`,
  remainingSeatCount: (count: number) => plural(count, { one: '1 seat left', other: `${count} seats left` }),
  zone: {
    label: 'Show times in another time zone',
    placeholder: 'City, such as Lisbon',
    button: 'Change time zone',
    unknown:
      'We don’t know that time zone, or it could be one of several. Type a larger city near you and choose from the list.',
  },

  otherTimes: (date: Html) => html`Free times on ${date}`,
  chooseOther: 'Choose another time:',
  nothingElse: 'There are no other free times on that day.',
  chooseDay: 'Choose another day',
  chooseTime: 'Choose another time',
  signInFirst: (path: string) =>
    html`You need to be signed in to book this. <a href="${path}" target="_blank">Sign in</a>, then send this form again.`,
  signInAlone: 'You need to be signed in to book this.',
  bookAlone: 'Sign in and book in a new tab',
  openAlone: 'Open in a new tab',
  fromThenOn: (every: string) => `${every} from then on`,
  fields: {
    name: 'Your name',
    email: 'Your e-mail address',
    phone: 'Your phone number',
    address: 'Your address',
    meeting: 'Where you’d like to meet',
    occurrences: 'How many times',
    notes: 'Notes for the host',
    guests: 'Guests',
    code: 'Code',
  },
  hints: {
    phone: 'Include the country code, such as +4930123456.',
    url: 'Starts with https://',
    emails: 'One e-mail address per line.',
    guests: 'One e-mail address per line, up to 10.',
    code: 'The six digits from the e-mail we sent you.',
    occurrences: (every: string, most: number) => `${every}, 1 to ${most} times.`,
  },
  seriesDates: {
    summary: (count: number, until: Html) => html`${count} dates until ${until}`,
    notFree: 'Not free',
    allFree: 'All of these dates are free. If you choose fewer, you book the first ones.',
    someFree: (free: number, taken: Html) =>
      html`${plural(free, { one: 'Only the first of these dates can be booked', other: `Only the first ${free} of these dates can be booked` })}: ${taken} isn’t free, and a series can’t have gaps. For more dates, choose another time.`,
  },
  anywhere: 'No preference',
  chooseOne: 'Choose one',
  addGuestsOrPhone: 'Add guests or a phone number',
  addPhone: 'Add a phone number',
  book: 'Book',
  request: 'Request booking',
  withoutMail:
    'So much was booked from your network that you won’t get an e-mail about this booking, unless we’ve e-mailed you before. If you book, keep the link that you see then: with it you can cancel or reschedule.',
  whyCode: 'Please confirm your e-mail address: we’ll send you a code to enter here.',
  sendCode: 'Send me a code',
  sendCodeAgain: 'Send a new code',
  codeSent: (email: string, minutes: number) => `We’ve sent a code to ${email}. It’s valid for ${minutes} minutes.`,
};

const TEXTS: MistakeTexts = {
  AUTHENTICATION_REQUIRED: 'You need to be signed in to book this.',
  CONFLICT:
    'This booking was rescheduled in the meantime, so nothing was changed. Check its new time. If you still want yours, send the form again.',
  FOREIGN_REQUEST:
    'Nothing was sent, because your browser doesn’t tell us which page the form comes from. Use the link below to open this page in a new tab, and book there.',
  EMAIL_VERIFICATION_REQUIRED: 'Enter the code we e-mailed you, or ask for one.',
  DURATION_NOT_OFFERED: 'The host has changed how long this takes. Please choose a time again.',
  NOT_BOOKABLE: 'This can’t be booked at the moment.',
  SLOT_TAKEN: 'That time has just been taken. Please choose another one.',
  SLOT_RESERVED: 'Someone else is booking that time right now. Choose another one, or try again in a few minutes.',
};

/** Mistakes in a booking or a change of one. */
export const MISTAKES_EN = {
  texts: TEXTS,
  /** Said of a time that was free when the page was made. */
  gone: 'That time is no longer free. If you have just booked it yourself, see our e-mail. Otherwise, please choose another one.',
  closedSeries: 'Not all times in this series are free. Choose another time, or fewer bookings.',
};
