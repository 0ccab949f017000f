/** The mails about bookings, in English. */
import { pluralIn } from '../../../core/language.ts';
import { type Actor, type NewsFacts, type NewsKind, sameForAll, type WordsByRole } from './booking-news.rules.ts';

const plural = pluralIn('en');

/** The heading and the first sentences of each piece of news, for each kind of reader. */
const NEWS: Readonly<Record<NewsKind, (facts: NewsFacts) => WordsByRole>> = {
  BOOKED: ({ booker, hosts, isSeries }) => ({
    ATTENDEE: { heading: 'Booked', opening: isSeries ? 'Your bookings are confirmed.' : 'Your booking is confirmed.' },
    GUEST: { heading: 'Invitation', opening: `${booker} invites you to a meeting with ${hosts}.` },
    HOST: { heading: 'New booking', opening: `${booker} booked a meeting with you.` },
  }),
  REQUESTED: ({ booker, hosts }) => ({
    ATTENDEE: {
      heading: 'Requested',
      opening:
        'Your request is waiting to be confirmed. We’re holding the time for you, and we’ll e-mail you the answer.',
    },
    GUEST: {
      heading: 'Requested',
      opening: `${booker} requested a meeting with ${hosts} and would like you to join. It still has to be confirmed.`,
    },
    HOST: {
      heading: 'Please confirm',
      opening: `${booker} requested a meeting with you. We’re holding the time until you confirm or decline it.`,
    },
  }),
  CONFIRMED: ({ booker }) => ({
    ATTENDEE: { heading: 'Confirmed', opening: 'Your booking is confirmed.' },
    GUEST: { heading: 'Confirmed', opening: `The meeting that ${booker} requested is confirmed.` },
    HOST: { heading: 'Confirmed', opening: `${booker}’s booking is confirmed.` },
  }),
  REJECTED: ({ booker }) => ({
    ATTENDEE: { heading: 'Declined', opening: 'Sorry, your request was declined.' },
    GUEST: { heading: 'Declined', opening: `The meeting that ${booker} requested was declined.` },
    HOST: { heading: 'Declined', opening: `${booker}’s request was declined.` },
  }),
  CANCELLED: ({ by, booker, isSeries }) => {
    if (!isSeries) return cancelledAlone(by, booker);
    const all = by ? `${actor(by)} cancelled all the bookings below.` : 'All the bookings below were cancelled.';
    const host = by
      ? `${actor(by)} cancelled ${bookingsOf(booker, by)} below.`
      : `All of ${booker}’s bookings below were cancelled.`;
    return { ...sameForAll('Cancelled', all), HOST: { heading: 'Cancelled', opening: host } };
  },
  TIME_WANTED: ({ by, booker }) => ({
    ATTENDEE: {
      heading: 'Please choose another time',
      opening: `${actor(by)} can’t make the time below and asked you to choose another one. Until you do, the booking is cancelled.`,
    },
    GUEST: {
      heading: 'Cancelled',
      opening: `${actor(by)} can’t make the time below and asked ${booker} to choose another one. Until then, the meeting is cancelled.`,
    },
    HOST: {
      heading: `${actor(by)} asked ${booker} to reschedule`,
      opening: `${actor(by)} asked ${booker} to choose another time. Until then, the booking is cancelled.`,
    },
  }),
  RESCHEDULED: ({ by, booker, isToConfirm }) => {
    if (isToConfirm) return newTimeRequested(by, booker);
    return {
      ATTENDEE: {
        heading: 'New time',
        opening: by ? `${actor(by)} rescheduled your booking.` : 'Your booking has a new time.',
      },
      GUEST: {
        heading: 'New time',
        opening: by ? `${actor(by)} rescheduled the meeting.` : 'The meeting has a new time.',
      },
      HOST: {
        heading: 'New time',
        opening: by ? `${actor(by)} rescheduled ${bookingOf(booker, by)}.` : `${booker}’s booking has a new time.`,
      },
    };
  },
  INVITED: ({ booker, hosts, isToConfirm }) => {
    const waits = isToConfirm ? ' It still has to be confirmed.' : '';
    return {
      ATTENDEE: { heading: 'Invitation', opening: `You were added to a meeting with ${hosts}.${waits}` },
      GUEST: { heading: 'Invitation', opening: `You were invited to a meeting with ${hosts}.${waits}` },
      HOST: { heading: 'Invitation', opening: `You were added to the meeting with ${booker}.${waits}` },
    };
  },
  LOCATION_CHANGED: ({ booker }) => ({
    ATTENDEE: { heading: 'New location', opening: 'Your booking has a new location.' },
    GUEST: { heading: 'New location', opening: 'The meeting has a new location.' },
    HOST: { heading: 'New location', opening: `${booker}’s booking has a new location.` },
  }),
  LINK_MISSED: ({ booker }) =>
    sameForAll(
      'No video link',
      `The video app didn’t give us a link for ${booker}’s booking, and we’ve stopped asking for one. The booking still stands, but without a link. Set another location, or the same one again once the app is connected: we’ll let everyone know.`,
    ),
  NEW_LINK: ({ isSeries }) =>
    sameForAll(
      isSeries ? 'New links' : 'New link',
      isSeries
        ? 'The links to your bookings have been replaced. Earlier ones no longer work; please use those in this e-mail.'
        : 'The link to your booking has been replaced. Earlier ones no longer work; please use the one in this e-mail.',
    ),
  HOST_CHANGED: ({ from, to, hosts, booker }) => {
    if (to !== '')
      return sameForAll('New host', `You’re now meeting ${to} instead of ${from}. The time stays the same.`);
    const met = {
      heading: 'One host fewer',
      opening: `You’re now meeting ${hosts}, without ${from}. The time stays the same.`,
    };
    const host = {
      ...met,
      opening: `${from} no longer hosts ${booker}’s booking with you. The time stays the same.`,
    };
    return { ATTENDEE: met, GUEST: met, HOST: host };
  },
  HANDED_OVER: ({ to, hosts, booker }) =>
    sameForAll('Handed over', `${booker}’s booking was handed over to ${to || hosts}. Your time is free again.`),
  TAKEN_OVER: ({ from, booker, isToConfirm }) =>
    isToConfirm
      ? sameForAll(
          'Please confirm',
          `You’ve taken over ${booker}’s request from ${from}. We’re holding the time until you confirm or decline it.`,
        )
      : sameForAll('New booking', `You’ve taken over ${booker}’s booking from ${from}.`),
};

/** Nothing is said to have been rescheduled that a host may yet decline. */
function newTimeRequested(by: Actor | null, booker: string): WordsByRole {
  const requested = (what: string): string =>
    by ? `${actor(by)} requested a new time for ${what}.` : `A new time was requested for ${what}.`;
  const waits = 'It still has to be confirmed.';
  return {
    ATTENDEE: { heading: 'New time requested', opening: `${requested('your booking')} ${waits}` },
    GUEST: { heading: 'New time requested', opening: `${requested('the meeting')} ${waits}` },
    HOST: {
      heading: 'Please confirm the new time',
      opening: `${requested(by ? bookingOf(booker, by) : `${booker}’s booking`)} We’re holding it until you confirm or decline it.`,
    },
  };
}

function cancelledAlone(by: Actor | null, booker: string): WordsByRole {
  return {
    ATTENDEE: {
      heading: 'Cancelled',
      opening: by ? `${actor(by)} cancelled your booking.` : 'Your booking was cancelled.',
    },
    GUEST: { heading: 'Cancelled', opening: by ? `${actor(by)} cancelled the meeting.` : 'The meeting was cancelled.' },
    HOST: {
      heading: 'Cancelled',
      opening: by ? `${actor(by)} cancelled ${bookingOf(booker, by)}.` : `${booker}’s booking was cancelled.`,
    },
  };
}

/** At the beginning of a sentence. */
function actor(by: Actor | null): string {
  return by?.isReader ? 'You' : (by?.name ?? '');
}

/** For a host, after what somebody did: “their booking” where the booker did it. */
function bookingOf(booker: string, by: Actor): string {
  return isBooker(booker, by) ? 'their booking' : `${booker}’s booking`;
}

function bookingsOf(booker: string, by: Actor): string {
  return isBooker(booker, by) ? 'all of their bookings' : `all of ${booker}’s bookings`;
}

function isBooker(booker: string, by: Actor): boolean {
  return !by.isReader && by.name === booker;
}

export const BOOKING_MAIL_EN = {
  news: NEWS,
  subject: (heading: string, title: string, start: string) => `${heading}: ${title}, ${start}`,
  titleWith: (title: string, others: string) => `${title} with ${others}`,
  hello: 'Hello,',
  helloTo: (name: string) => `Hello ${name},`,
  reason: 'Reason:',
  notes: 'Notes:',
  moreOnPage: 'You’ll find your answers and notes on the page of the booking.',
  guestsToInvite: (count: number) =>
    plural(count, {
      one: 'Your guest isn’t invited yet. If you made this booking, invite your guest here:',
      other: `Your ${count} guests aren’t invited yet. If you made this booking, invite your guests here:`,
    }),
  inviteGuests: (count: number) => plural(count, { one: 'Invite your guest', other: 'Invite your guests' }),
  labels: { what: 'What', author: 'By', when: 'When', before: 'Before', where: 'Where', who: 'Who' },
  cannotCome: (booker: string) => `If you can’t make it, please let ${booker} know.`,
  answer: 'Confirm or decline:',
  keepAnswerSecret:
    'You don’t need to sign in. Anyone who has this link can answer for you, so please don’t forward it or this e-mail.',
  look: 'See the booking:',
  lookAtSeries: 'See all bookings in the series:',
  chooseTime: 'Choose another time:',
  manage: (count: number) =>
    plural(count, {
      one: 'Manage your booking:',
      other: 'Manage each of your bookings:',
    }),
  keepSecret: 'Anyone who has this link can do the same, so please keep it to yourself.',
  notYou: 'Someone entered your address. If it wasn’t you, choose “This was not me”, and we’ll stop such e-mails:',
  notMe: 'This was not me',
  page: 'Page',
  summary: {
    subject: (count: number) => plural(count, { one: '1 booking', other: `${count} bookings` }),
    heading: 'Your bookings',
    ofAttendee: 'You’ve had a lot of e-mail from us, so here is the rest in one e-mail.',
    keepSecret: 'Anyone who has one of these links can cancel or move that booking, so please keep them to yourself.',
    ofHost: 'A lot was booked with you within minutes, so here is all of it together.',
  },
  // People without a name, or whose name is not for the reader.
  attendees: (count: number) => plural(count, { one: '1 attendee', other: `${count} attendees` }),
  anAttendee: 'an attendee',
  anotherHost: 'another host',
  administrator: 'an administrator',
  aTeam: 'a team',
  asHost: (name: string) => `${name} (host)`,
  asLeaving: (person: string) => `${person} (no longer attending)`,
  you: 'you',
  asReader: (name: string) => `${name} (you)`,
};

/** The words that another language must have. */
export type BookingMailWords = typeof BOOKING_MAIL_EN;
