/** The way to a booking, in English: places, event type, calendar, form. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { LocationType } from '../../../modules/event-types/settings/location.rules.ts';
import type { Frequency } from '../../../modules/event-types/settings/recurrence.rules.ts';
import type { Html } from '../../kit/layout.ts';

const plural = pluralIn('en');

/** What a location is called that has no name of its own. */
const PLACES: Readonly<Record<Exclude<LocationType, 'ADDRESS' | 'CONFERENCING'>, string>> = {
  LINK: 'Online; the link comes with the booking',
  PHONE: 'By phone; the number comes with the booking',
  ATTENDEE_ADDRESS: 'At an address that you say',
  ATTENDEE_PHONE: 'By phone; you are called',
  ATTENDEE_CHOICE: 'Where you say',
};

const EVERY: Readonly<Record<Frequency, (interval: number) => string>> = {
  DAILY: (interval) => plural(interval, { one: 'Every day', other: `Every ${interval} days` }),
  WEEKLY: (interval) => plural(interval, { one: 'Every week', other: `Every ${interval} weeks` }),
  MONTHLY: (interval) => plural(interval, { one: 'Every month', other: `Every ${interval} months` }),
  YEARLY: (interval) => plural(interval, { one: 'Every year', other: `Every ${interval} years` }),
};

export const BOOKING_EN = {
  author: (team: string) => html`The words, questions, places and links here are those of <bdi>${team}</bdi>.`,
  by: (team: string) => html`By <bdi>${team}</bdi>`,
  departure: (host: string) => html`Afterwards you are led to <bdi>${host}</bdi>.`,
  departureOfTeam: (host: string, team: string) =>
    html`Afterwards you are led to <bdi>${host}</bdi>, which <bdi>${team}</bdi> has chosen.`,
  linkOver: {
    title: 'This link does not work any more',
    message: 'It has been used, its time is over, or it is not complete.',
    advice: 'Ask the sender for another one.',
  },
  whatToBook: 'What would you like to book?',
  whomToBook: 'Whom would you like to book?',

  length: 'Length',
  where: 'Where',
  repeats: 'Repeats',
  repeatsFor: (every: string, count: number) =>
    `${every}, up to ${plural(count, { one: '1 time', other: `${count} times` })}`,
  confirmation: 'Confirmation',
  hostConfirms: 'The host confirms each booking',
  timeZone: 'Time zone',
  places: PLACES,
  every: EVERY,

  anotherTimeFor: (title: string) => `Another time for ${title}`,
  toMove: (when: Html) => html`It is booked for ${when}. Choose another time.`,
  months: 'Months',
  previousMonth: (month: string) => `Previous month: ${month}`,
  nextMonth: (month: string) => `Next month: ${month}`,
  today: '(today)',
  dayWithTimes: (date: string, isToday: boolean, free: number) =>
    `${date}${isToday ? ', today' : ''}, ${plural(free, { one: '1 time', other: `${free} times` })} free`,
  nothingInMonth: (month: Html) => html`Nothing is free in ${month}.`,
  lookAt: (month: Html) => html`Look at ${month}`,
  nothingOnDay: 'Nothing is free on this day; choose another one.',
  awayDay: '(away)',
  away: (host: Html, when: Html) => html`${host} is away: ${when}.`,
  from: (date: Html) => html`from ${date} on`,
  awayOnDay: (host: Html) => html`${host} is away on this day.`,
  standIn: (colleague: Html) => html`You can book ${colleague} instead.`,
  seatsLeft: (count: number) => plural(count, { one: '1 seat left', other: `${count} seats left` }),
  zone: {
    label: 'Show times in another time zone',
    placeholder: 'City, such as Lisbon',
    button: 'Change time zone',
    unknown:
      'We don’t know that time zone, or it could be one of several. Type a larger city near you, and choose from the list.',
  },

  otherTimes: (date: Html) => html`Free times on ${date}`,
  chooseOther: 'Choose another time:',
  nothingElse: 'Nothing else is free on that day.',
  chooseDay: 'Choose another day',
  chooseTime: 'Choose another time',
  signInFirst: (path: string) =>
    html`Only somebody signed in can book this. <a href="${path}" target="_blank">Sign in</a>, then send this form again.`,
  signInAlone: 'Only somebody signed in can book this.',
  bookAlone: 'Sign in and book in a new tab',
  openAlone: 'Open in a new tab',
  fromThenOn: (every: string) => `${every} from then on`,
  fields: {
    name: 'Your name',
    email: 'Your e-mail address',
    phone: 'Your phone number',
    address: 'Your address',
    meeting: 'Where you would like to meet',
    occurrences: 'How many times',
    notes: 'Notes for the host',
    guests: 'Guests',
    code: 'Code',
  },
  hints: {
    phone: 'With the country code, such as +4930123456.',
    url: 'Beginning with https://',
    emails: 'One e-mail address a line.',
    guests: 'One e-mail address a line, at most 10.',
    code: 'The six digits of the mail that we have sent to you.',
    occurrences: (every: string, most: number) => `${every}, from 1 to ${most} times.`,
  },
  seriesDates: {
    summary: (count: number, until: Html) => html`${count} dates, until ${until}`,
    notFree: 'Not free',
    allFree: 'All of these dates are free. With fewer, the first ones are booked.',
    someFree: (free: number, taken: Html) =>
      html`${plural(free, { one: 'Only the first of these dates can be booked', other: `Only the first ${free} of these dates can be booked` })}: ${taken} is not free, and a series has no gaps. For more dates, choose another time.`,
  },
  anywhere: 'No preference',
  chooseOne: 'Choose one',
  addGuestsOrPhone: 'Add guests or a phone number',
  addPhone: 'Add a phone number',
  book: 'Book',
  request: 'Request booking',
  whyCode: 'To book, you show that the e-mail address is yours: we send you a code, and you enter it here.',
  sendCode: 'Send me a code',
  sendCodeAgain: 'Send another code',
  codeSent: (email: string, minutes: number) => `A code was sent to ${email}; it is valid for ${minutes} minutes.`,
};
