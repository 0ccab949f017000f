import { type DomainEventType, NOBODY, type RecordedEvent } from '../../../events/record-event.ts';
import type { BookingChange } from '../../bookings/booking-changes.ts';
import type { BookingStatus } from '../../bookings/booking-transitions.rules.ts';
import type { WorkflowTrigger } from '../workflow.rules.ts';

/** The events of bookings that start workflows. */
const TRIGGER_OF = {
  BOOKING_CREATED: 'NEW_BOOKING',
  BOOKING_CONFIRMED: 'NEW_BOOKING',
  BOOKING_CANCELLED: 'BOOKING_CANCELLED',
  BOOKING_RESCHEDULED: 'BOOKING_RESCHEDULED',
  BOOKING_REQUESTED: 'BOOKING_REQUESTED',
  BOOKING_REJECTED: 'BOOKING_REJECTED',
  BOOKING_ABSENCE_MARKED: 'BOOKING_ABSENCE_MARKED',
} as const satisfies Partial<Record<DomainEventType, WorkflowTrigger>>;

type WorkflowEventType = keyof typeof TRIGGER_OF;
export const WORKFLOW_EVENTS = Object.keys(TRIGGER_OF) as WorkflowEventType[];
export type WorkflowEvent = Extract<RecordedEvent, { readonly type: WorkflowEventType }>;

export function triggerOf({ type }: WorkflowEvent): WorkflowTrigger {
  return TRIGGER_OF[type];
}

/** Whether the booking may be agreed on since: then what goes by its time is planned. */
export function isAgreedOn({ type }: WorkflowEvent): boolean {
  return type === 'BOOKING_CREATED' || type === 'BOOKING_CONFIRMED' || type === 'BOOKING_RESCHEDULED';
}

/** The event as mails about bookings know it: what they have no words for tells of a booking as it stands. */
export function mailedEvent(event: WorkflowEvent): BookingChange {
  if (event.type !== 'BOOKING_ABSENCE_MARKED') return event;
  return asItStands(event);
}

/** The event of a message that is about a booking as it stands, and that nobody has caused. */
export function asItStands({
  id,
  ownerId,
  occurredAt,
  booking,
}: Pick<WorkflowEvent, 'id' | 'ownerId' | 'occurredAt' | 'booking'>): BookingChange {
  return { type: 'BOOKING_CONFIRMED', id, ownerId, occurredAt, booking, by: NOBODY };
}

const STANDING: readonly BookingStatus[] = ['PENDING', 'ACCEPTED'];
/**
 * The statuses with which a booking still is what a message tells of: nobody is told that one is new which was
 * cancelled since.
 */
const NOTIFIED_OF: Readonly<Record<WorkflowTrigger, readonly BookingStatus[]>> = {
  NEW_BOOKING: ['ACCEPTED'],
  BOOKING_REQUESTED: STANDING,
  BOOKING_RESCHEDULED: STANDING,
  // With seats, one of them is cancelled, and the others stay.
  BOOKING_CANCELLED: [...STANDING, 'CANCELLED', 'REJECTED'],
  BOOKING_REJECTED: ['REJECTED'],
  BOOKING_ABSENCE_MARKED: ['ACCEPTED'],
  FORM_SUBMITTED: [],
  BEFORE_EVENT: ['ACCEPTED'],
  AFTER_EVENT: ['ACCEPTED'],
};

export function isStillNotified(trigger: WorkflowTrigger, status: BookingStatus): boolean {
  return NOTIFIED_OF[trigger].includes(status);
}
