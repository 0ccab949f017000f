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
  REJECTED: { mark: 'Declined', sentence: 'The host has declined this booking.' },
  CANCELLED: { mark: 'Cancelled', sentence: 'This booking was cancelled.' },
  OVER: { mark: 'Over', sentence: 'This booking is over.' },
  TIME_WANTED: {
    mark: 'Please choose another time',
    sentence: 'The host can’t make it at this time and asks you to choose another one.',
  },
  TIME_WANTED_ELSEWHERE: {
    mark: 'Please choose another time',
    sentence:
      'The host can’t make it at this time, and this event is no longer offered here. Ask the host for another time.',
  },
};

export const BOOKING_PAGE_EN = {
  states: STATES,
  movedMark: 'Rescheduled',
  moved: (path: string) => html`It was moved to another time. <a href="${path}">See the new booking</a>`,
  mailed: 'We’ve e-mailed you the details, with the link to this page: it lets you change or cancel the booking.',
  answerByMail: 'You’ll get their answer by e-mail.',
  notMailed: 'Keep the address of this page: it lets you change or cancel the booking.',
  answerHere: 'You’ll find their answer on this page: keep its address.',
  when: 'When',
  host: 'Host',
  where: 'Where',
  bookedBy: 'Booked by',
  alsoThere: 'Also there',
  seats: 'Seats',
  seatsLeft: (count: number) => plural(count, { one: '1 seat left', other: `${count} seats left` }),
  about: 'About',
  guests: (count: number, email: string) =>
    html`${plural(count, { one: 'Your guest is', other: `Your ${count} guests are` })} not invited yet: open the link in the mail to <bdi>${email}</bdi>.`,
  guestsLabel: 'Guests',
  notInvited: 'not invited yet',
  notes: 'Notes',
  hosting: (path: string) => html`You host this booking. <a href="${path}">See everything and answer it</a>`,
  series: 'The other bookings of this series',
  addToCalendar: 'Add it to your calendar',
  calendarFile: 'Calendar file (.ics)',
  seriesFile: 'Calendar file of the series (.ics)',
  goOn: (host: string) => html`Go on to <bdi>${host}</bdi>`,
  chooseTime: 'Choose another time',
  cancel: 'Cancel the booking',
  done: {
    cancelled: () => 'The booking was cancelled.',
    invited: () => 'Your guests are invited.',
    moved: () => 'The booking was moved.',
    rest: (kept: number) =>
      kept === 0
        ? 'All that remained of the series was cancelled.'
        : `What could be cancelled of the series was cancelled. ${plural(kept, { one: '1 booking still takes place, because it is too late to cancel it', other: `${kept} bookings still take place, because it is too late to cancel them` })}; ask the host.`,
  },
};
