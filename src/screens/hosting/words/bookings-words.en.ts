/** A host's bookings, in English: the lists, one of them, and what can be done with it. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { Html } from '../../kit/layout.ts';
import type { FormWords } from '../../kit/mistakes.ts';
import type { HostAction, ShownBookings } from '../hosting-paths.ts';

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

interface Action {
  /** The text that unfolds the form; null where a button alone does it. */
  readonly summary: string | null;
  readonly button: string;
  /** The text of the page afterwards. */
  readonly done: string;
}

const ACTIONS: Readonly<Record<HostAction, Action>> = {
  confirm: {
    summary: null,
    button: 'Confirm booking',
    done: 'You confirmed the booking. Everyone in it will be notified.',
  },
  decline: {
    summary: 'Decline …',
    button: 'Decline booking',
    done: 'You declined the booking. Its time is free again.',
  },
  'request-reschedule': {
    summary: 'Ask to reschedule …',
    button: 'Ask to reschedule',
    done: 'You asked to reschedule. Until a new time is chosen, the booking is cancelled.',
  },
  reassign: {
    summary: 'Hand over …',
    button: 'Hand over',
    done: 'You handed the booking over to another host.',
  },
  absence: { summary: 'Mark no-shows …', button: 'Save', done: 'No-shows saved.' },
  cancel: {
    summary: 'Cancel …',
    button: 'Cancel booking',
    done: 'You cancelled the booking. Everyone in it will be notified.',
  },
};

/** The words for mistakes in a host's actions; other mistakes are worded as on all pages. */
const MISTAKES: NonNullable<FormWords['texts']> = {};

/** The actor; null: somebody who is not known by name. */
export type Actor = { readonly name: Html; readonly isReader: boolean } | null;

/** The entries of a booking's history. `by`: at the beginning of a sentence. */
const HISTORY = {
  title: 'History',
  booked: (booker: Html | null) => (booker ? html`Booked for ${booker}.` : html`Booked.`),
  confirmed: (by: Actor) => html`${actor(by)} confirmed it.`,
  declined: (by: Actor) => html`${actor(by)} declined it.`,
  timeWanted: (by: Actor) => html`${actor(by)} asked to reschedule.`,
  cancelled: (by: Actor) => html`${actor(by)} cancelled it.`,
  moved: (by: Actor, from: Html, to: Html) => html`${actor(by)} rescheduled it from ${from} to ${to}.`,
  /** `from`: where it is not who did it. */
  handedOver: (by: Actor, from: Html | null, to: Html) =>
    from ? html`${actor(by)} handed it over from ${from} to ${to}.` : html`${actor(by)} handed it over to ${to}.`,
  hostLeft: (host: Html) => html`${host} no longer hosts it.`,
  guestsAdded: (by: Actor, count: number) =>
    html`${actor(by)} added ${plural(count, { one: 'a guest', other: `${count} guests` })}.`,
  guestsInvited: 'The guests were invited.',
  attendeeAdded: (by: Actor) => html`${actor(by)} added an attendee.`,
  placeChanged: (by: Actor) => html`${actor(by)} changed the location.`,
  absenceMarked: (by: Actor) => html`${actor(by)} marked no-shows.`,
  administrator: 'An administrator',
  aHost: 'someone',
};

function actor(by: Actor): Html {
  if (by === null) return html`Someone`;
  return by.isReader ? html`You` : by.name;
}

export const BOOKINGS_EN = {
  title: 'Your bookings',
  listTitle: (tab: string) => `${tab} – Your bookings`,
  lists: 'Bookings',
  tabs: TABS,
  search: 'Attendee’s e-mail',
  eventType: 'Event type',
  allEventTypes: 'All event types',
  titleOfTeam: (title: string, team: string) => `${title} (${team})`,
  noneOfType: 'No bookings of this event type here.',
  searchButton: 'Search',
  showAll: 'Show all',
  nobodyFound: (email: string) => html`No bookings with <bdi>${email}</bdi> here.`,
  invitation: (url: string) => html`Share <a href="${url}">your booking page</a> to get booked.`,
  /** Shown to a host who offers nothing, and so has no booking page. */
  offerSomething: html`<a href="/settings/event-types">Add an event type</a> that isn’t hidden to get booked.`,
  zone: (name: string, path: string) => html`Times in ${name} (<a href="${path}">change</a>).`,
  bookingPage: (url: string) => html`Your booking page: <a href="${url}">${url}</a>`,
  /** The words for times that somebody holds for a few minutes. */
  held: {
    title: 'On hold',
    count: (count: number, isMore: boolean) =>
      isMore ? `more than ${count} times` : plural(count, { one: 'one time', other: `${count} times` }),
    explanation:
      'Someone is holding these times for a few minutes while they book. If a hold looks wrong, release it: the time is free again at once, and whoever held it cannot hold it again for a while.',
    until: (time: string) => html`until ${time}`,
    release: 'Release',
    done: 'The time is free again.',
  },
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
  moved: (path: string) => html`This booking was rescheduled. <a href="${path}">See the new booking</a>`,
  waiting: 'We’re holding this time until you confirm or decline.',
  /** `isAlone`: the reader is its only host, so it was they who asked. */
  timeWanted: (names: string, isAlone: boolean) =>
    html`${isAlone ? 'You' : 'One of the hosts'} asked <bdi>${names}</bdi> to reschedule.`,
  when: 'When',
  where: 'Where',
  host: 'Host',
  absentHost: (name: string) => `${name} (no-show)`,
  attendee: 'Attendee',
  attendees: 'Attendees',
  nobody: 'No one.',
  name: 'Name',
  absent: 'No-show',
  email: 'E-mail',
  notVerified: '(not verified)',
  phone: 'Phone',
  timeZone: 'Time zone',
  notes: 'Notes',
  guests: 'Guests',
  notInvited: '(not invited yet)',
  unsent: (count: number) =>
    `${plural(count, { one: 'A message', other: `${count} messages` })} about this booking couldn’t be sent, because there were too many at once. Please let everyone know yourself.`,
  waitingMessages: (count: number) =>
    `${plural(count, { one: 'A message', other: `${count} messages` })} from your team’s workflows will be sent later, because there were too many at once.`,
  notMailed: 'Not e-mailed',
  outcomes: {
    WAITING: 'the e-mail is waiting, because too much was booked from their network in an hour',
    SUMMARY: 'the booking comes later in a summary, because the address has had many e-mails',
    NONE: 'gets no e-mail',
  },
  history: HISTORY,
  series: 'Other bookings in this series',
  seriesElsewhere: 'This booking is part of a series. Its other bookings have other hosts.',
  asAttendee: 'View as attendee',

  whatToDo: 'What would you like to do?',
  /** The page that answers without signing in. */
  answer: {
    title: (title: string) => `Confirm or decline ${title}`,
    settled: 'There’s nothing left to answer.',
    over: 'This booking is over and can no longer be answered here.',
    more: (path: string) => html`<a href="${path}">Sign in to see everything you can do with this booking</a>.`,
    keepSecret: 'Anyone who has the link to this page can answer for you, so please keep it to yourself.',
    nothing: {
      title: 'Nothing to answer here',
      message:
        'This link isn’t from an e-mail to you, or it no longer works: the booking was handed over to another host, or your e-mail address has changed.',
      advice: 'Your bookings are at /bookings.',
    },
  },
  actions: ACTIONS,
  reason: 'Reason',
  optionalReason: 'Reason (optional)',
  reasonHint: 'Everyone in the booking can read this.',
  restCancelled: 'You cancelled all remaining bookings in the series. Everyone in them will be notified.',
  wholeSeries: (count: number) =>
    plural(count, {
      one: 'The one remaining booking in the series',
      other: `All ${count} remaining bookings in the series`,
    }),
  newHost: 'New host',
  anyHost: 'Whoever’s turn it is',
  whoAbsent: 'Who didn’t show up?',
  selfAbsent: 'I wasn’t there',
  nothing: {
    title: 'Booking not found',
    message: 'You have no booking at this address. It may have been handed over to another host.',
    advice: 'Your bookings are at /bookings.',
  },
  mistakes: MISTAKES,
};
