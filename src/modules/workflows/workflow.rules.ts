import type { ReceiverKind } from '../verified-resources/verified-resource.rules.ts';
import type { Subject } from './workflow-variables.rules.ts';

/** The triggers that go by the time of a booking. */
export const TIMED_TRIGGERS = ['BEFORE_BOOKING_START', 'AFTER_BOOKING_END'] as const;
/** The triggers of workflows. Each of the events of bookings belongs to one of them at most. */
export const WORKFLOW_TRIGGERS = [
  'NEW_BOOKING',
  'BOOKING_CANCELLED',
  'BOOKING_RESCHEDULED',
  'BOOKING_REQUESTED',
  'BOOKING_REJECTED',
  'BOOKING_ABSENCE_MARKED',
  'ROUTING_FORM_SUBMITTED',
  ...TIMED_TRIGGERS,
] as const;
export type WorkflowTrigger = (typeof WORKFLOW_TRIGGERS)[number];

/** The actions of a step: how its messages go, and whether it names their receiver itself. */
export const ACTIONS = {
  EMAIL_HOST: { by: 'EMAIL', namesReceiver: false },
  EMAIL_ATTENDEE: { by: 'EMAIL', namesReceiver: false },
  EMAIL_ADDRESS: { by: 'EMAIL', namesReceiver: true },
  SMS_ATTENDEE: { by: 'PHONE', namesReceiver: false },
  SMS_NUMBER: { by: 'PHONE', namesReceiver: true },
} as const satisfies Readonly<Record<string, { readonly by: ReceiverKind; readonly namesReceiver: boolean }>>;
export type WorkflowAction = keyof typeof ACTIONS;
export const WORKFLOW_ACTIONS = Object.keys(ACTIONS) as WorkflowAction[];

export const OFFSET_UNITS = ['MINUTE', 'HOUR', 'DAY'] as const;
type OffsetUnit = (typeof OFFSET_UNITS)[number];

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
  /** The receiver of EMAIL_ADDRESS and SMS_NUMBER, as it is verified (`receiverOf`); null for others. */
  readonly sendTo: string | null;
  /** The subject of a mail; null for SMS. */
  readonly subject: string | null;
  readonly body: string;
  readonly includesCalendarEvent: boolean;
  /** The name before the service's address; null: the service's own. */
  readonly senderName: string | null;
}

export const MAX_WORKFLOWS = 50;
export const MAX_STEPS = 10;
export const MAX_EVENT_TYPES = 100;
export const MAX_ROUTING_FORMS = 100;
export const MAX_LENGTH = { name: 100, subject: 200, body: 5_000, sms: 500, senderName: 60 } as const;
/** With the values in it, in characters; what is longer is cut off. An SMS is somewhat more than its parts hold. */
export const MAX_FILLED = { subject: 300, body: 20_000, sms: 700 } as const;
/** An SMS, with the values in it, has this many parts at most; a longer one is cut off. */
export const MAX_SMS_PARTS = 4;

/**
 * The state of a message: it is to be sent now, waits for room, was sent, was one too many with no place left to wait,
 * has waited until it made no sense any more, or was overtaken by what has happened since.
 */
export type SendingStatus = 'PENDING' | 'WAITING' | 'SENT' | 'NONE' | 'EXPIRED' | 'DROPPED';

/** Messages of these triggers are sent after a booking has begun, too; all others only until it begins. */
const NOTIFIED_AFTER_START: readonly WorkflowTrigger[] = [
  'AFTER_BOOKING_END',
  'BOOKING_ABSENCE_MARKED',
  'ROUTING_FORM_SUBMITTED',
];

/** Whether a message makes sense once its booking has begun. */
export function isNotifiedAfterStart(trigger: WorkflowTrigger): boolean {
  return NOTIFIED_AFTER_START.includes(trigger);
}
/** How long a message is remembered, so that it is not sent twice. */
export const DAYS_KEPT = 30;

/** The subject of a workflow with this trigger. */
export function subjectOf(trigger: WorkflowTrigger): Subject {
  return trigger === 'ROUTING_FORM_SUBMITTED' ? 'FORM' : 'BOOKING';
}

/** Whether it goes by the time of a booking. */
export function isTimed(trigger: WorkflowTrigger): boolean {
  return TIMED_TRIGGERS.some((one) => one === trigger);
}

/** The receivers of a kind that steps name. */
export function namedReceivers(steps: readonly WorkflowStep[], kind: ReceiverKind): readonly string[] {
  return steps.flatMap(({ action, sendTo }) => (ACTIONS[action].by === kind ? (sendTo ?? []) : []));
}
