/** The words of the pages on which the holder of a booking's link sees and changes it, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import type { Html } from '../kit/layout.ts';

const plural = pluralIn('en');

export const BOOKED_EN = {
  why: 'Why?',
  cancel: {
    heading: (title: Html) => html`Cancel “${title}”?`,
    title: (title: string) => `Cancel ${title}`,
    bookedFor: (when: Html) => html`It’s booked for ${when}.`,
    hint: 'Everyone in the booking can read this.',
    button: 'Cancel booking',
    keep: 'Keep booking',
    series: {
      which: 'This booking is part of a series. What would you like to cancel?',
      one: (when: Html) => html`Only this one: ${when}`,
      all: (count: number) =>
        plural(count, { one: 'The one remaining booking:', other: `All ${count} remaining bookings:` }),
    },
  },
  move: {
    heading: (title: Html) => html`Reschedule “${title}”?`,
    title: (title: string) => `Reschedule ${title}`,
    from: 'From',
    to: 'To',
    button: 'Reschedule booking',
    keep: 'Keep this time',
  },
  guests: {
    nobody: 'No one left to invite',
    heading: 'Invite your guests?',
    bookedFor: (title: Html, when: Html) => html`“${title}” is booked for ${when}.`,
    see: 'See booking',
    button: 'Invite guests',
    otherwise: 'If you didn’t make this booking, close this page: no one will be invited or notified.',
  },
  givenBack: {
    title: 'You gave up your seat',
    message: 'Someone else can book it now. Everyone else keeps their seat.',
  },
  mails: {
    heading: 'E-mails about bookings',
    what: (days: number) =>
      `Someone entered your e-mail address when they booked. If it wasn’t you, you can stop such e-mails for ${days} days, and the links to the booking stop working. If it was you, say so, and we’ll no longer limit how many you get in a day.`,
    stop: 'This was not me: stop these e-mails',
    goOn: 'It was me',
    stopped: (day: string) =>
      `Until ${day}, strangers can’t have us e-mail you by entering your address. If you have an account with this address, signing in ends that too.`,
    again: 'Allow these e-mails again',
    goingOn: 'E-mails about bookings reach you.',
    nothing: {
      title: 'Nothing here',
      message: 'This address is not one from an e-mail of ours.',
      advice: 'Check that the address is complete.',
    },
  },
  nothing: {
    title: 'No booking here',
    message:
      'There’s no booking at this address, or it no longer exists. The page of a seat is gone once the seat is given up.',
    advice: 'Check that the address is complete.',
  },
};

interface State {
  readonly mark: string;
  readonly sentence: string;
}

const STATES: Readonly<Record<BookingStatus | 'OVER' | 'TIME_WANTED' | 'TIME_WANTED_ELSEWHERE', State>> = {
  ACCEPTED: { mark: 'Confirmed', sentence: 'You’re booked.' },
  PENDING: {
    mark: 'Not confirmed yet',
    sentence: 'You’ve requested this booking. The host still has to confirm it.',
  },
  REJECTED: { mark: 'Declined', sentence: 'The host declined this booking.' },
  CANCELLED: { mark: 'Cancelled', sentence: 'This booking was cancelled.' },
  OVER: { mark: 'Over', sentence: 'This booking is over.' },
  TIME_WANTED: {
    mark: 'Please choose another time',
    sentence: 'The host can’t make this time. Please choose another one.',
  },
  TIME_WANTED_ELSEWHERE: {
    mark: 'Please choose another time',
    sentence:
      'The host can’t make this time, and this event is no longer offered here. Please ask the host for another time.',
  },
};

/** The page of a booking. */
export const BOOKING_PAGE_EN = {
  states: STATES,
  movedMark: 'Rescheduled',
  moved: (path: string) => html`This booking was rescheduled. <a href="${path}">See the new booking</a>`,
  mailed: 'We’ve e-mailed you the details, with a link to this page.',
  unmailed: {
    WAITING: 'A lot was booked from your network just now, so your e-mail has to wait and comes later.',
    IN_SUMMARY: 'Your address has had a lot of e-mail from us, so this booking comes later, in one e-mail with others.',
    NOT_SENT: 'You won’t get an e-mail about this booking.',
  },
  keepLink: 'Keep this link. With it you can cancel or reschedule:',
  answerByMail: 'We’ll e-mail you their answer.',
  notMailed: 'Bookmark this page to come back to your booking.',
  answerHere: 'Bookmark this page to see their answer.',
  when: 'When',
  host: 'Host',
  where: 'Where',
  bookedBy: 'Booked by',
  alsoThere: 'Also attending',
  seats: 'Seats',
  remainingSeatCount: (count: number) => plural(count, { one: '1 seat left', other: `${count} seats left` }),
  about: 'About',
  guests: (count: number, email: string) =>
    html`${plural(count, { one: 'Your guest isn’t', other: `Your ${count} guests aren’t` })} invited yet. To invite them, open the link in the e-mail to <bdi>${email}</bdi>.`,
  guestsLabel: 'Guests',
  notInvited: 'not invited yet',
  notes: 'Notes',
  hosting: (path: string) => html`You’re hosting this booking. <a href="${path}">Manage it</a>`,
  series: 'Other bookings in this series',
  addToCalendar: 'Add to your calendar',
  calendarFile: 'Calendar file (.ics)',
  seriesFile: 'Calendar file of the series (.ics)',
  goOn: (host: string) => html`Continue to <bdi>${host}</bdi>`,
  chooseTime: 'Choose another time',
  cancel: 'Cancel booking',
  done: {
    cancelled: () => 'The booking was cancelled.',
    invited: () => 'Your guests have been invited.',
    moved: () => 'The booking was rescheduled.',
    /** Said of a move that a host has to confirm. */
    asked: () => 'You requested a new time. The old one is free again.',
    rest: (kept: number) =>
      kept === 0
        ? 'All remaining bookings in the series were cancelled.'
        : `The series was cancelled, except for ${plural(kept, { one: '1 booking that it’s too late to cancel. Ask the host about it.', other: `${kept} bookings that it’s too late to cancel. Ask the host about them.` })}`,
  },
};
