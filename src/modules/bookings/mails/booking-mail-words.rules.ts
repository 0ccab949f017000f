import type { ClockReader, TimeSpan } from './mail-time.rules.ts';
import type { Said } from './said.rules.ts';

/** What has happened, from the point of view of the reader of the mail. */
export type BookingNews =
  | { readonly kind: 'BOOKED' | 'REQUESTED' | 'CONFIRMED' | 'LOCATION_CHANGED' | 'LINK_MISSED' }
  /** It still has to be confirmed. */
  | { readonly kind: 'INVITED'; readonly isToConfirm: boolean }
  | { readonly kind: 'REJECTED'; readonly reason: Said | null }
  | { readonly kind: 'CANCELLED' | 'TIME_WANTED'; readonly reason: Said | null; readonly by: Actor }
  | {
      readonly kind: 'RESCHEDULED';
      readonly reason: Said | null;
      readonly by: Actor;
      readonly before: TimeSpan | null;
      /** The new time still has to be confirmed. */
      readonly isToConfirm: boolean;
    }
  /** A host is another one now: for those who come, for the old one and for the new one. */
  | {
      readonly kind: 'HOST_CHANGED' | 'HANDED_OVER' | 'TAKEN_OVER';
      readonly from: Said;
      /** Null: nobody in their place, as there are other hosts. */
      readonly to: Said | null;
      readonly reason: Said | null;
    };
export type NewsKind = BookingNews['kind'];

/** The host who did it; null: somebody with the booking's address. */
export type Actor = { readonly name: Said; readonly isReader: boolean } | null;

export interface MailReader extends ClockReader {
  readonly role: 'ATTENDEE' | 'GUEST' | 'HOST';
  /** Null for a guest, of whom there is only an address, and for a booker whose address is not verified. */
  readonly name: Said | null;
}

/** What the sentences are made of; names are one line each. */
export interface NewsFacts {
  readonly booker: string;
  readonly hosts: string;
  /** Who did it, as the subject of a sentence; empty when it was somebody with the booking's address. */
  readonly by: string;
  readonly from: string;
  /** Empty when the other hosts do it alone. */
  readonly to: string;
  /** Several bookings at once. */
  readonly isSeries: boolean;
  readonly isToConfirm: boolean;
}

export interface NewsWords {
  readonly heading: string;
  readonly opening: string;
}

/** Of each piece of news, its heading and its first sentences for each kind of reader. */
export const NEWS_WORDS: Readonly<
  Record<NewsKind, (facts: NewsFacts) => Readonly<Record<MailReader['role'], NewsWords>>>
> = {
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
  CANCELLED: ({ by, booker }) => ({
    ATTENDEE: {
      heading: 'Cancelled',
      opening: by === '' ? 'Your booking is cancelled.' : `${by} cancelled your booking.`,
    },
    GUEST: { heading: 'Cancelled', opening: by === '' ? 'The meeting is cancelled.' : `${by} cancelled the meeting.` },
    HOST: {
      heading: 'Cancelled',
      opening: by === '' ? `The booking of ${booker} was cancelled.` : `${by} cancelled the booking of ${booker}.`,
    },
  }),
  TIME_WANTED: ({ by, booker }) => ({
    ATTENDEE: {
      heading: 'Please choose another time',
      opening: `${by} cannot keep the time below and asked you to choose another one. Until you do, the booking is cancelled.`,
    },
    GUEST: {
      heading: 'Cancelled',
      opening: `${by} cannot keep the time below and asked ${booker} to choose another one. Until then, the meeting is cancelled.`,
    },
    HOST: {
      heading: by === 'you' ? `You asked ${booker} to reschedule` : `${by} asked ${booker} to reschedule`,
      opening: `${by} asked ${booker} to choose another time. Until then, the booking is cancelled.`,
    },
  }),
  RESCHEDULED: ({ by, booker, isToConfirm }) => {
    const waits = isToConfirm ? ' The new time still waits for confirmation.' : '';
    const moved = by === '' ? 'has a new time' : `was moved by ${by}`;
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
  TAKEN_OVER: ({ from, booker }) =>
    sameForAll('New booking', `You have taken over the booking of ${booker} from ${from}.`),
};

function sameForAll(heading: string, opening: string): Readonly<Record<MailReader['role'], NewsWords>> {
  return { ATTENDEE: { heading, opening }, GUEST: { heading, opening }, HOST: { heading, opening } };
}
