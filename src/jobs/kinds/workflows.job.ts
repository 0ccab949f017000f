import type { SmsLimit } from '../../limits/sms-limit.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { BookingMailSettings } from '../../modules/bookings/mails/booking-mail.queries.ts';
import {
  beginReminder,
  type DueReminder,
  HAS_DUE_REMINDERS,
  planReminders,
  planWorkflow,
  takeDueReminders,
  type WorkflowChanged,
} from '../../modules/workflows/reminders.ts';
import type { FormSubmitted } from '../../modules/workflows/sendings/form-matter.ts';
import type { PlannedSending, PlanSettings } from '../../modules/workflows/sendings/plan-messages.ts';
import {
  isAgreedOn,
  planSendings,
  WORKFLOW_EVENTS,
  type WorkflowEvent,
} from '../../modules/workflows/sendings/plan-sendings.ts';
import type { SendingLimits } from '../../modules/workflows/sendings/room-left.ts';
import { sendSending } from '../../modules/workflows/sendings/send-sending.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import { enqueueJobs, type NewJob } from '../job-queue.ts';
import { deliverOrGiveUp, MAIL_PAUSES_IN_SECONDS } from './mail.job.ts';
import { deliverSmsOrGiveUp, SMS_PAUSES_IN_SECONDS, type SmsJobSettings } from './sms.job.ts';

/** The queues of messages, by what they go. */
const SENDINGS = { EMAIL: 'workflow-sendings', PHONE: 'workflow-sms' } as const;
const REMINDERS = 'workflow-reminders';
const REMINDERS_AT_ONCE = 500;

export interface WorkflowSettings extends BookingMailSettings {
  readonly mailer: Mailer;
  readonly sms: SmsJobSettings;
  readonly smsLimit: SmsLimit;
}

/**
 * Sends what teams have set up: an event becomes a message for each step and receiver, and each message a job of its
 * own.
 */
export function workflowKinds(settings: WorkflowSettings): readonly JobKind[] {
  const { mailer, sms } = settings;
  const plans = workflowPlans(settings);
  const hands = { deliver: deliverOrGiveUp(mailer), deliverSms: deliverSmsOrGiveUp(sms.smsProvider) };
  const sends = (queue: string, pausesInSeconds: readonly number[]): JobKind => ({
    queue,
    hears: [],
    atOnce: 10,
    pausesInSeconds,
    run: async (em, data) => {
      const note = await sendSending(em, data as PlannedSending, { ...settings, ...hands });
      return note ? async (inner) => (await note(inner), []) : [];
    },
  });
  return [
    {
      queue: 'workflows',
      hears: [...WORKFLOW_EVENTS, 'ROUTING_FORM_SUBMITTED'],
      atOnce: 2,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const event = data as WorkflowEvent | FormSubmitted;
        if (event.type !== 'ROUTING_FORM_SUBMITTED' && isAgreedOn(event)) await planReminders(em, event);
        await planSendings(em, event, plans);
        return [];
      },
    },
    {
      queue: 'workflow-plans',
      hears: ['WORKFLOW_CHANGED'],
      atOnce: 1,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        await planWorkflow(em, data as WorkflowChanged);
        return [];
      },
    },
    {
      queue: REMINDERS,
      hears: [],
      atOnce: 4,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      // Due reminders are taken from their table and queued here in one transaction, so that one process does it and none is
      // lost.
      clock: {
        isDue: HAS_DUE_REMINDERS,
        putIn: (em) =>
          em.transactional(async (inner) => {
            const due = await takeDueReminders(inner, REMINDERS_AT_ONCE);
            await enqueueJobs(
              inner,
              due.map((data) => ({ queue: REMINDERS, data, owner: data.teamId })),
            );
            return due.length;
          }),
      },
      run: async (em, data) => {
        await beginReminder(em, data as DueReminder, plans);
        return [];
      },
    },
    sends(SENDINGS.EMAIL, MAIL_PAUSES_IN_SECONDS),
    sends(SENDINGS.PHONE, SMS_PAUSES_IN_SECONDS),
  ];
}

/** A plan leaves each message that it writes down to a job of its own. */
export function workflowPlans({ mailLimit, smsLimit }: SendingLimits): PlanSettings {
  return { mailLimit, smsLimit, handOver: (em, sendings) => enqueueJobs(em, sendings.map(sendingJob)) };
}

function sendingJob(sending: PlannedSending): NewJob {
  return { queue: SENDINGS[sending.by], data: sending, owner: sending.teamId };
}
