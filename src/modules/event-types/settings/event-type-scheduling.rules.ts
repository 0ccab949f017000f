/**
 * settings/ holds the values of an event type and what is wrong with them: locations, booking fields, limits, windows,
 * recurrence. Pure rules; it may import schedules/ only.
 */
import type { WeekDay } from '../../schedules/schedule.rules.ts';
import type { BookingLimits } from './booking-limit.rules.ts';
import type { BookingWindow } from './booking-window.rules.ts';
import type { Recurrence } from './recurrence.rules.ts';

export const SCHEDULING_TYPES = ['ROUND_ROBIN', 'COLLECTIVE', 'MANAGED'] as const;
/**
 * The kind decides which of a team's hosts attend: one in turn and the mandatory ones; all; or nobody, since members
 * have copies of their own.
 */
export type SchedulingType = (typeof SCHEDULING_TYPES)[number];

export const CONFIRMATION_KINDS = ['NONE', 'ALWAYS', 'SHORT_NOTICE'] as const;
/** Whether a host has to confirm a booking: never, always, or when it is made less than so long before its start. */
export type Confirmation =
  | { readonly kind: 'NONE' }
  | { readonly kind: 'ALWAYS' }
  | { readonly kind: 'SHORT_NOTICE'; readonly noticeInMinutes: number };

/** How many people can book the same slot one by one, and whether they see each other's names. */
export interface Seats {
  readonly perSlot: number;
  readonly showAttendees: boolean;
}

/** Attendees can do something no longer: at all, or in the last minutes before the start. */
export interface CutOff {
  readonly minutesBefore: number | null;
}

/** The rules of an event type that decide when and how it can be booked. */
export interface EventTypeRules {
  readonly lengthInMinutes: number;
  /** The lengths to choose from, `lengthInMinutes` among them; empty when there is no choice. */
  readonly lengthInMinutesOptions: readonly number[];
  /** From one slot's start to the next one's; null is the length booked. */
  readonly slotIntervalInMinutes: number | null;
  readonly minimumBookingNoticeInMinutes: number;
  readonly bufferBeforeInMinutes: number;
  readonly bufferAfterInMinutes: number;
  readonly bookingWindow: BookingWindow | null;
  readonly bookingLimits: BookingLimits;
  readonly confirmation: Confirmation;
  readonly recurrence: Recurrence | null;
  readonly seats: Seats | null;
  readonly disableGuests: boolean;
  readonly disableCancelling: CutOff | null;
  readonly disableRescheduling: CutOff | null;
  /** Null for a user's own event type. */
  readonly schedulingType: SchedulingType | null;
  /** The zone in which its dates begin, for window, limits and recurrence: that of its schedule, or of its team. */
  readonly timeZone: string;
  /** The owner's. */
  readonly weekStart: WeekDay;
}

/** The rules of a new event type, where its input has none. */
export const EVENT_TYPE_DEFAULTS = {
  lengthInMinutesOptions: [],
  slotIntervalInMinutes: null,
  minimumBookingNoticeInMinutes: 120,
  bufferBeforeInMinutes: 0,
  bufferAfterInMinutes: 0,
  bookingWindow: null,
  bookingLimits: {},
  confirmation: { kind: 'NONE' },
  recurrence: null,
  seats: null,
  disableGuests: false,
  disableCancelling: null,
  disableRescheduling: null,
  schedulingType: null,
} as const satisfies Partial<EventTypeRules>;

/** The lengths in which it can be booked. */
export function lengthsOf({
  lengthInMinutes,
  lengthInMinutesOptions,
}: Pick<EventTypeRules, 'lengthInMinutes' | 'lengthInMinutesOptions'>): readonly number[] {
  return lengthInMinutesOptions.length > 0 ? lengthInMinutesOptions : [lengthInMinutes];
}
