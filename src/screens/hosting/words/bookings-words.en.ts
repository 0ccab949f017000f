/** A host's bookings, in English: the lists, one of them, and what can be done with it. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { Html } from '../../kit/layout.ts';
import type { FormWords } from '../../kit/mistakes.ts';
import type { HostDeed, ShownBookings } from '../hosting-paths.ts';

const plural = pluralIn('en');

interface Tab {
  readonly name: string;
  readonly empty: string;
}

const TABS: Readonly<Record<ShownBookings, Tab>> = {
  upcoming: { name: 'Upcoming', empty: 'You have no upcoming bookings.' },
  waiting: { name: 'Waiting for you', empty: 'No booking is waiting for your answer.' },
  past: { name: 'Past', empty: 'You have no past bookings.' },
  cancelled: { name: 'Cancelled', empty: 'No booking was cancelled or declined.' },
};

interface Deed {
  /** What unfolds the form; null where a button alone does it. */
  readonly summary: string | null;
  readonly button: string;
  /** What the page says afterwards. */
  readonly done: string;
}

const DEEDS: Readonly<Record<HostDeed, Deed>> = {
  confirm: {
    summary: null,
    button: 'Confirm booking',
    done: 'You confirmed the booking. Everybody in it is being told.',
  },
  decline: {
    summary: 'Decline …',
    button: 'Decline booking',
    done: 'You declined the booking. Its time is free again.',
  },
  'request-reschedule': {
    summary: 'Ask for another time …',
    button: 'Ask to reschedule',
    done: 'You asked the attendee to choose another time. Until they do, the booking is cancelled.',
  },
  reassign: {
    summary: 'Hand it to another host …',
    button: 'Hand over',
    done: 'You handed the booking to another host.',
  },
  absence: { summary: 'Mark who did not come …', button: 'Save', done: 'Noted who did not come.' },
  cancel: {
    summary: 'Cancel …',
    button: 'Cancel booking',
    done: 'You cancelled the booking. Everybody in it is being told.',
  },
};

/** What is wrong with what a host does; else as all pages say it. */
const MISTAKES: NonNullable<FormWords['texts']> = {};

export const BOOKINGS_EN = {
  title: 'Your bookings',
  listTitle: (tab: string) => `${tab} – Your bookings`,
  lists: 'Bookings',
  tabs: TABS,
  search: 'Attendee’s e-mail',
  searchButton: 'Search',
  showAll: 'Show all',
  nobodyFound: (email: string) => html`No booking here is with <bdi>${email}</bdi>.`,
  invitation: (url: string) => html`Share <a href="${url}">your booking page</a> to get one.`,
  zone: (name: string, path: string) => html`Times in ${name} (<a href="${path}">change</a>).`,
  bookingPage: (url: string) => html`Your booking page: <a href="${url}">${url}</a>`,
  with: (name: string) => html`with <bdi>${name}</bdi>`,

  marks: {
    waiting: 'Waiting for you',
    moved: 'Rescheduled',
    declined: 'Declined',
    cancelled: 'Cancelled',
    timeWanted: 'Asked to reschedule',
    confirmed: 'Confirmed',
    over: 'Over',
  },
  moved: (path: string) => html`It has a new time. <a href="${path}">See the new booking</a>`,
  waiting: 'The time is kept for it until you confirm or decline.',
  timeWanted: 'You asked the attendee to choose another time.',
  when: 'When',
  where: 'Where',
  host: 'Host',
  absentHost: (name: string) => `${name} (absent)`,
  attendee: 'Attendee',
  attendees: 'Attendees',
  nobody: 'Nobody any more.',
  name: 'Name',
  absent: 'Absent',
  email: 'E-mail',
  notVerified: '(not verified)',
  phone: 'Phone',
  timeZone: 'Time zone',
  notes: 'Notes',
  guests: 'Guests',
  notInvited: '(not invited yet)',
  unsent: (count: number) =>
    `${plural(count, { one: 'A message', other: `${count} messages` })} about this booking could not be sent, because there were too many at once. Tell the people who take part yourself.`,
  history: (booked: Html, changed: Html) => html`Booked on ${booked}, last changed on ${changed}.`,
  movedHere: (path: string) => html`It was moved here: <a href="${path}">see the booking before</a>.`,
  series: 'The other bookings of this series',
  seriesElsewhere: 'This booking is part of a series. Its other bookings have other hosts.',
  asAttendee: 'See it as the attendee does',

  whatToDo: 'What would you like to do?',
  /** The page that answers without signing in. */
  answer: {
    title: (title: string) => `Confirm or decline ${title}`,
    settled: 'It needs no answer any more.',
    over: 'It is over, and can no longer be answered here.',
    more: (path: string) => html`<a href="${path}">See the booking with all that you can do</a>, signed in.`,
    keepSecret: 'Anybody with the address of this page can answer in your name, so please keep it to yourself.',
    nothing: {
      title: 'Nothing to answer here',
      message:
        'This address is not that of a mail to you, or it does not serve any more: the booking was handed to another host, or your e-mail address has changed.',
      advice: 'Your bookings are at /bookings.',
    },
  },
  deeds: DEEDS,
  reason: 'Reason',
  optionalReason: 'Reason (optional)',
  reasonHint: 'Everybody in the booking can read it.',
  restCancelled: 'You cancelled all that remained of the series. Everybody in it is being told.',
  wholeSeries: (count: number) =>
    plural(count, {
      one: 'The one booking of the series that remains',
      other: `All ${count} bookings of the series that remain`,
    }),
  newHost: 'New host',
  anyHost: 'Whose turn it is',
  whoAbsent: 'Who did not come?',
  selfAbsent: 'I was not there',
  nothing: {
    title: 'No booking of yours',
    message: 'There is no booking of yours at this address. It may have been handed to another host.',
    advice: 'Your bookings are at /bookings.',
  },
  mistakes: MISTAKES,
};
