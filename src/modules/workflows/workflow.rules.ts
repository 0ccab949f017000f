/** Those that go by the time of a booking. */
export const TIMED_TRIGGERS = ['BEFORE_EVENT', 'AFTER_EVENT'] as const;
/** What starts a workflow. Each of the events of bookings belongs to one of them at most. */
export const WORKFLOW_TRIGGERS = [
  'NEW_BOOKING',
  'BOOKING_CANCELLED',
  'BOOKING_RESCHEDULED',
  'BOOKING_REQUESTED',
  'BOOKING_REJECTED',
  'BOOKING_ABSENCE_MARKED',
  ...TIMED_TRIGGERS,
] as const;
export type WorkflowTrigger = (typeof WORKFLOW_TRIGGERS)[number];

export const WORKFLOW_ACTIONS = ['EMAIL_HOST', 'EMAIL_ATTENDEE', 'EMAIL_ADDRESS'] as const;
export type WorkflowAction = (typeof WORKFLOW_ACTIONS)[number];

export const OFFSET_UNITS = ['MINUTE', 'HOUR', 'DAY'] as const;
export type OffsetUnit = (typeof OFFSET_UNITS)[number];

/** How long before or after a booking; a day has 24 hours. */
export interface WorkflowOffset {
  readonly value: number;
  readonly unit: OffsetUnit;
}

export const MINUTES_IN: Readonly<Record<OffsetUnit, number>> = { MINUTE: 1, HOUR: 60, DAY: 1_440 };
export const MAX_OFFSET_DAYS = 30;

/** One message of a workflow, as it is stored. */
export interface WorkflowStep {
  readonly id: string;
  readonly action: WorkflowAction;
  /** Of EMAIL_ADDRESS, the address, as it is verified (`receiverOf`); null for others. */
  readonly sendTo: string | null;
  readonly subject: string;
  readonly body: string;
  readonly includeCalendarEvent: boolean;
  /** The name before the service's address; null: the service's own. */
  readonly senderName: string | null;
}

export const MAX_WORKFLOWS = 50;
export const MAX_STEPS = 10;
export const MAX_EVENT_TYPES = 100;
export const MAX_LENGTH = { name: 100, subject: 200, body: 5_000, senderName: 60 } as const;

/** What has become of a message. */
export type SendingStatus = 'PENDING' | 'SENT' | 'HELD_BACK' | 'DROPPED';
/** So long a message is remembered, so that it does not go twice. */
export const DAYS_KEPT = 30;

/** Whether it goes by the time of a booking. */
export function isTimed(trigger: WorkflowTrigger): boolean {
  return TIMED_TRIGGERS.some((one) => one === trigger);
}

/** The addresses that steps send to. */
export function addressesOf(steps: readonly WorkflowStep[]): readonly string[] {
  return steps.flatMap(({ sendTo }) => sendTo ?? []);
}
