/** The words of the pages of hosts, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { Html } from '../kit/layout.ts';
import type { FormWords } from '../kit/problem-words.ts';

const plural = pluralIn('en');

const TABS = {
  upcoming: { name: 'Upcoming', empty: 'You have no upcoming bookings.' },
  waiting: { name: 'Waiting for you', empty: 'No booking is waiting for your answer.' },
  past: { name: 'Past', empty: 'You have no past bookings.' },
  cancelled: { name: 'Cancelled', empty: 'No booking was cancelled or declined.' },
};

/** Each with the text that unfolds its form, null where a button alone does it, and the text of the page afterwards. */
const ACTIONS = {
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
  'replace-link': {
    summary: 'Replace the attendee’s link …',
    button: 'Replace link',
    done: 'The old link no longer works. The attendee will get a new one by e-mail.',
  },
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
  linkReplaced: (by: Actor) => html`${actor(by)} replaced the attendee’s link.`,
  disowned: 'Someone who reads the attendee’s e-mails said they didn’t book this. The attendee’s link no longer works.',
  administrator: 'An administrator',
  aHost: 'someone',
};

function actor(by: Actor): Html {
  if (by === null) return html`Someone`;
  return by.isReader ? html`You` : by.name;
}

/** A host's bookings: the lists, one of them, and what can be done with it. */
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
    IN_SUMMARY: 'the booking comes later in a summary, because the address has had many e-mails',
    NOT_SENT: 'gets no e-mail',
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

/** Schedules: when somebody can be booked. */
export const SCHEDULE_EN = {
  hours: {
    title: 'When you can be booked',
    ofDefault: (
      name: Html,
    ) => html`This is your default schedule, ${name}. <a href="/settings/event-types">Your event types</a> use it unless you choose
      <a href="/settings/schedules">another schedule</a> for them. Events in <a href="/settings/calendars">your calendars</a> also make
      you busy.`,
    ofOther: html`This schedule applies to the <a href="/settings/event-types">event types</a> you choose it for. Events in
      <a href="/settings/calendars">your calendars</a> also make you busy.`,
    name: 'Name',
    nameHint: 'People who book with you don’t see it.',
    timeZone: 'Time zone',
    paint: 'Drag across the week to add hours, or across hours to remove them.',
    times: 'Write times as HH:MM; 24:00 is the end of the day. Leave a day empty if you can’t be booked.',
    week: 'Weekly hours',
    dates: 'Different hours on some dates',
    datesHint:
      'The times of a date replace the hours of that weekday. Without times, you can’t be booked on that date. Clear a date to remove it.',
    date: (number: number) => `Date ${number}`,
    from: (line: string) => `${line} from`,
    to: (line: string) => `${line} to`,
    save: 'Save',
    all: 'All schedules',
    makeDefault: 'Make default',
    remove: 'Delete this schedule …',
  },
  list: {
    title: 'Your schedules',
    intro: 'A schedule says when you can be booked: your weekly hours, and dates with different hours.',
    isDefault: 'Default',
    uses: (count: number) => plural(count, { one: 'Used by 1 event type', other: `Used by ${count} event types` }),
    usesDefault: 'For all event types without a schedule of their own',
    unused: 'Not used by any event type',
    add: 'Add a schedule',
    addHint: 'It starts with Monday to Friday, 09:00 to 17:00. You can change that next.',
    addButton: 'Add',
  },
  question: {
    title: (name: string) => `Delete ${name}?`,
    unused: 'No event type uses this schedule.',
    isDefault: 'This is your default schedule, and you always need one. Make another schedule the default first.',
    inUse: 'These event types use this schedule. Choose another one for them first:',
    further: (count: number) => plural(count, { one: 'and one more', other: `and ${count} more` }),
    button: 'Delete',
  },
  none: {
    title: 'Schedule not found',
    message: 'You have no schedule at this address. It may have been deleted.',
    advice: 'Your schedules are at /settings/schedules.',
  },
  done: {
    saved: 'Saved.',
    added: 'Schedule added. Set your hours here, then choose it for an event type.',
    default: 'This is now your default schedule.',
    deleted: 'Schedule deleted.',
  },
};

/** Days off. */
export const ABSENCE_EN = {
  title: 'Out of office',
  intro: html`When you’re out of office, no one can book you, even during <a href="/settings/hours">your hours</a>. Bookings
      you already have stay.`,
  none: 'You have no days out of office. Add some below, and no one can book you on those days.',
  days: (first: string, last: string) => `${first} to ${last}`,
  add: 'Add days out of office',
  fields: { first: 'First day', last: 'Last day', reason: 'Reason', standIn: 'Who can be booked instead' },
  reasonHint: (most: number) => `People who book with you don’t see it. Up to ${most} characters.`,
  standInHint:
    'The username of someone in your team or organization. On those days, your booking pages lead to theirs.',
  standIn: (colleague: Html) => html`${colleague} can be booked instead.`,
  noColleague: 'No one in your teams and organizations has that username.',
  addButton: 'Add',
  zone: (name: string) => html`Days in ${name} (<a href="/settings/account#timeZone">change</a>).`,
  removeButton: 'Remove',
  remove: (when: string) => `Remove out of office: ${when}`,
  done: { added: 'Added.', removed: 'Removed.' },
  /** Messages about dates quote the text that was typed. */
  noDay: 'Choose a day.',
  noDate: (typed: string) => `${typed} isn’t a valid date. Write it like 2027-01-31.`,
  inverted: 'The last day can’t be before the first day.',
};

/** The words for what a new account is ready for. */
export const WELCOME_EN = {
  title: 'You’re ready to be booked',
  /** Shown to a host who offers nothing, or has no hours. */
  notYet: 'Your account is ready',
  share: 'Share your link. Anyone who opens it can see your free times and book one.',
  /** After “Copy”, or what that is in German. */
  link: 'your booking link',
  look: 'View your booking page',
  hours: 'Your hours',
  week: (days: string, start: string, end: string) => `${days}, ${start} to ${end}`,
  days: (first: string, last: string) => `${first} to ${last}`,
  noHours: 'You have no weekly hours, so no one can book you.',
  changeHours: html`<a href="/settings/hours">Change your hours</a>, or
          <a href="/settings/calendars">connect a calendar</a> so that no one can book you during its events.`,
  offer: 'What can be booked',
  nothing: 'Nothing yet: you have no event type that isn’t hidden.',
  more: 'And more.',
  changeOffer: html`<a href="/settings/event-types">Add or change event types</a>.`,
  further: (
    settings: string,
  ) => html`We’ll e-mail you about each booking. You’ll find them all in <a href="/bookings">your bookings</a>, and everything else in
          <a href="${settings}">your settings</a>.`,
  apps: 'Building an app?',
  registerApp: html`<a href="/settings/developer/oauth/new">Register your app</a> to get its client ID and secret. Then take a look at
          <a href="/openapi">the REST paths</a> and <a href="/schema.graphql">the GraphQL schema</a>.`,
};
