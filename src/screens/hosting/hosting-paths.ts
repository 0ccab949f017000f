import { type BookingKey, uidOf } from '../../modules/bookings/booking-key.rules.ts';

export const HOSTED_BOOKINGS_PATH = '/bookings';

/** The lists of a host's bookings, in the order of their tabs. */
export const SHOWN_BOOKINGS = ['upcoming', 'waiting', 'past', 'cancelled'] as const;
export type ShownBookings = (typeof SHOWN_BOOKINGS)[number];

/** The actions of a host on a booking; each is a form that is sent to `hostedBookingPath/<name>`. */
export const HOST_ACTIONS = ['confirm', 'decline', 'request-reschedule', 'reassign', 'absence', 'cancel'] as const;
export type HostAction = (typeof HOST_ACTIONS)[number];

/** Those of them that a link in a mail lets a host do without being signed in. */
export const ANSWERS = ['confirm', 'decline'] as const satisfies readonly HostAction[];
export type Answer = (typeof ANSWERS)[number];

/** A booking as its hosts see it. */
export function hostedBookingPath(booking: BookingKey): string {
  return `${HOSTED_BOOKINGS_PATH}/${uidOf(booking)}/host`;
}

/** Where a slot is released that somebody keeps of the host's time. */
export const HELD_SLOT_PATH = `${HOSTED_BOOKINGS_PATH}/held`;

/** When a user cannot be booked. */
export const ABSENCES_PATH = '/settings/absences';

/** When a user can be booked. */
export const HOURS_PATH = '/settings/hours';

/** A user's schedules; the default one is also at HOURS_PATH. */
export const SCHEDULES_PATH = '/settings/schedules';
