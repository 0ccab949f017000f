/** The mails about bookings, in English. */
import { pluralIn } from '../../../core/language.ts';
import { type Doer, type NewsFacts, type NewsKind, sameForAll, type WordsByRole } from './booking-news.rules.ts';

const plural = pluralIn('en');

/** Of each piece of news, its heading and its first sentences for each kind of reader. */
const NEWS: Readonly<Record<NewsKind, (facts: NewsFacts) => WordsByRole>> = {
  BOOKED: ({ booker, hosts, isSeries }) => ({
    ATTENDEE: { heading: 'Booked', opening: isSeries ? 'Your bookings are confirmed.' : 'Your booking is confirmed.' },
    GUEST: { heading: 'Invitation', opening: `${booker} invites you to a meeting with ${hosts}.` },
    HOST: { heading: 'New booking', opening: `${booker} has booked a meeting with you.` },
  }),
  REQUESTED: ({ booker, hosts }) => ({
    ATTENDEE: {
      heading: 'Requested',
      opening:
        'Your request has arrived and waits for confirmation. The time is kept for you until then, and you will get a mail with the answer.',
    },
    GUEST: {
      heading: 'Requested',
      opening: `${booker} has asked for a meeting with ${hosts} and would like you to come. It still waits for confirmation.`,
    },
    HOST: {
      heading: 'Please confirm',
      opening: `${booker} asks you for a meeting. The time is kept until you confirm or decline it.`,
    },
  }),
  CONFIRMED: ({ booker }) => ({
    ATTENDEE: { heading: 'Confirmed', opening: 'Your request is confirmed.' },
    GUEST: { heading: 'Confirmed', opening: `The meeting that ${booker} asked for is confirmed.` },
    HOST: { heading: 'Confirmed', opening: `The request of ${booker} is confirmed.` },
  }),
  REJECTED: ({ booker }) => ({
    ATTENDEE: { heading: 'Declined', opening: 'We are sorry: your request was declined.' },
    GUEST: { heading: 'Declined', opening: `The meeting that ${booker} asked for was declined.` },
    HOST: { heading: 'Declined', opening: `The request of ${booker} was declined.` },
  }),
  CANCELLED: ({ by, booker, isSeries }) => {
    if (!isSeries) return cancelledAlone(by, booker);
    const all = by ? `${doer(by)} cancelled all the bookings below.` : 'All the bookings below are cancelled.';
    const host = by
      ? `${doer(by)} cancelled all the bookings of ${booker} below.`
      : `All the bookings of ${booker} below were cancelled.`;
    return { ...sameForAll('Cancelled', all), HOST: { heading: 'Cancelled', opening: host } };
  },
  TIME_WANTED: ({ by, booker }) => ({
    ATTENDEE: {
      heading: 'Please choose another time',
      opening: `${doer(by)} cannot keep the time below and asked you to choose another one. Until you do, the booking is cancelled.`,
    },
    GUEST: {
      heading: 'Cancelled',
      opening: `${doer(by)} cannot keep the time below and asked ${booker} to choose another one. Until then, the meeting is cancelled.`,
    },
    HOST: {
      heading: `${doer(by)} asked ${booker} to reschedule`,
      opening: `${doer(by)} asked ${booker} to choose another time. Until then, the booking is cancelled.`,
    },
  }),
  RESCHEDULED: ({ by, booker, isToConfirm }) => {
    const waits = isToConfirm ? ' The new time still waits for confirmation.' : '';
    const moved = by ? `was moved by ${by.isReader ? 'you' : by.name}` : 'has a new time';
    return {
      ATTENDEE: { heading: 'New time', opening: `Your booking ${moved}.${waits}` },
      GUEST: { heading: 'New time', opening: `The meeting ${moved}.${waits}` },
      HOST: {
        heading: isToConfirm ? 'Please confirm the new time' : 'New time',
        opening: `The booking of ${booker} ${moved}.${isToConfirm ? ' The new time is kept until you confirm or decline it.' : ''}`,
      },
    };
  },
  INVITED: ({ booker, hosts, isToConfirm }) => {
    const waits = isToConfirm ? ' It still waits for confirmation.' : '';
    return {
      ATTENDEE: { heading: 'Invitation', opening: `You were added to a meeting with ${hosts}.${waits}` },
      GUEST: { heading: 'Invitation', opening: `You were invited to a meeting with ${hosts}.${waits}` },
      HOST: { heading: 'Invitation', opening: `You were added to the meeting with ${booker}.${waits}` },
    };
  },
  LOCATION_CHANGED: ({ booker }) => ({
    ATTENDEE: { heading: 'New place', opening: 'Your booking has a new place.' },
    GUEST: { heading: 'New place', opening: 'The meeting has a new place.' },
    HOST: { heading: 'New place', opening: `The booking of ${booker} has a new place.` },
  }),
  LINK_MISSED: ({ booker }) =>
    sameForAll(
      'No link for a booking',
      `The conferencing app has given no link for the booking of ${booker}, and is not asked any more. The booking stands, and its page shows no link. Say another place, or the same one again once the app is connected: those who come are told.`,
    ),
  HOST_CHANGED: ({ from, to, hosts, booker }) => {
    if (to !== '') return sameForAll('New host', `You meet ${to} instead of ${from}. The time stays the same.`);
    const met = { heading: 'A host less', opening: `You meet ${hosts}, without ${from}. The time stays the same.` };
    const host = {
      ...met,
      opening: `${from} no longer hosts the booking of ${booker} with you. The time stays the same.`,
    };
    return { ATTENDEE: met, GUEST: met, HOST: host };
  },
  HANDED_OVER: ({ to, hosts, booker }) =>
    sameForAll('Handed over', `The booking of ${booker} was handed over to ${to || hosts}. Your time is free again.`),
  TAKEN_OVER: ({ from, booker, isToConfirm }) =>
    isToConfirm
      ? sameForAll(
          'Please confirm',
          `You have taken over the request of ${booker} from ${from}. The time is kept until you confirm or decline it.`,
        )
      : sameForAll('New booking', `You have taken over the booking of ${booker} from ${from}.`),
};

function cancelledAlone(by: Doer | null, booker: string): WordsByRole {
  return {
    ATTENDEE: {
      heading: 'Cancelled',
      opening: by ? `${doer(by)} cancelled your booking.` : 'Your booking is cancelled.',
    },
    GUEST: { heading: 'Cancelled', opening: by ? `${doer(by)} cancelled the meeting.` : 'The meeting is cancelled.' },
    HOST: {
      heading: 'Cancelled',
      opening: by ? `${doer(by)} cancelled the booking of ${booker}.` : `The booking of ${booker} was cancelled.`,
    },
  };
}

/** At the beginning of a sentence. */
function doer(by: Doer | null): string {
  return by?.isReader ? 'You' : (by?.name ?? '');
}

export const BOOKING_MAIL_EN = {
  news: NEWS,
  subject: (heading: string, title: string, start: string) => `${heading}: ${title}, ${start}`,
  titleWith: (title: string, others: string) => `${title} with ${others}`,
  hello: 'Hello,',
  helloTo: (name: string) => `Hello ${name},`,
  reason: 'Reason given:',
  notes: 'Notes:',
  moreOnPage: 'What you have answered and noted is on the page of the booking.',
  guestsToInvite: (count: number) =>
    plural(count, {
      one: 'Your guest is not invited yet. If you have made this booking, invite your guest here:',
      other: `Your ${count} guests are not invited yet. If you have made this booking, invite your guests here:`,
    }),
  inviteGuests: (count: number) => plural(count, { one: 'Invite your guest', other: 'Invite your guests' }),
  labels: { what: 'What', author: 'By', when: 'When', before: 'Before', where: 'Where', who: 'Who' },
  cannotCome: (booker: string) => `If you cannot come, please let ${booker} know.`,
  answer: 'Confirm or decline it:',
  keepAnswerSecret:
    'You need not sign in. Anybody with this address can answer in your name, so please do not forward it, nor this mail.',
  look: 'See the booking:',
  lookAtSeries: 'See all bookings of the series:',
  chooseTime: 'Choose another time:',
  manage: (count: number) =>
    plural(count, {
      one: 'See, reschedule or cancel the booking:',
      other: 'See, reschedule or cancel each of the bookings, in their order:',
    }),
  keepSecret: 'Anybody with this address can do the same, so please keep it to yourself.',
  // People without a name, or whose name is not for the reader.
  attendees: (count: number) => plural(count, { one: '1 attendee', other: `${count} attendees` }),
  anAttendee: 'an attendee',
  anotherHost: 'another host',
  administrator: 'an administrator',
  aTeam: 'a team',
  asHost: (name: string) => `${name} (host)`,
  asLeaving: (person: string) => `${person} (no longer)`,
  you: 'you',
  asReader: (name: string) => `${name} (you)`,
};

/** What the words of another language must have. */
export type BookingMailWords = typeof BOOKING_MAIL_EN;
