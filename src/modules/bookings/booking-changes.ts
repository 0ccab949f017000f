import type { DomainEventType, RecordedEvent } from '../../events/record-event.ts';

/** The events of bookings that somebody is mailed about, and that calendars follow. */
export const BOOKING_CHANGES = [
  'BOOKING_CREATED',
  'BOOKING_REQUESTED',
  'BOOKING_CONFIRMED',
  'BOOKING_REJECTED',
  'BOOKING_CANCELLED',
  'BOOKING_RESCHEDULED',
  'BOOKING_LOCATION_CHANGED',
  'BOOKING_LINK_MISSED',
  'BOOKING_REASSIGNED',
  'BOOKING_GUESTS_ADDED',
  'BOOKING_GUESTS_RELEASED',
  'BOOKING_ATTENDEE_ADDED',
] as const satisfies readonly DomainEventType[];

export type BookingChange = Extract<RecordedEvent, { readonly type: (typeof BOOKING_CHANGES)[number] }>;
