/** The page of a booking, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';

const plural = pluralIn('en');

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

export const BOOKING_PAGE_EN = {
  states: STATES,
  movedMark: 'Rescheduled',
  moved: (path: string) => html`This booking was rescheduled. <a href="${path}">See the new booking</a>`,
  mailed: 'We’ve e-mailed you the details, with a link to this page.',
  unmailed: {
    WAITING: 'A lot was booked from your network just now, so your e-mail has to wait and comes later.',
    SUMMARY: 'Your address has had a lot of e-mail from us, so this booking comes later, in one e-mail with others.',
    NONE: 'You won’t get an e-mail about this booking.',
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
  seatsLeft: (count: number) => plural(count, { one: '1 seat left', other: `${count} seats left` }),
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
