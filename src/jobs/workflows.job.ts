import type { Mailer } from '../mail/mailer.ts';
import type { BookingMailSettings } from '../modules/bookings/mails/booking-mail-settings.ts';
import { beginReminder } from '../modules/workflows/begin-reminder.ts';
import {
  type DueReminder,
  HAS_DUE_REMINDERS,
  planReminders,
  planWorkflow,
  takeDueReminders,
  type WorkflowChanged,
} from '../modules/workflows/plan-reminders.ts';
import { type PlannedSending, planSendings } from '../modules/workflows/plan-sendings.ts';
import { sendSending } from '../modules/workflows/send-sending.ts';
import { isAgreedOn, WORKFLOW_EVENTS, type WorkflowEvent } from '../modules/workflows/workflow-events.ts';
import type { JobKind } from './job-kind.ts';
import { enqueueJobs, type NewJob } from './job-queue.ts';
import { deliverOrGiveUp, MAIL_PAUSES_IN_SECONDS } from './mail.job.ts';

const SENDINGS = 'workflow-sendings';
const REMINDERS = 'workflow-reminders';
const REMINDERS_AT_ONCE = 500;
/** These only read and write the database: what fails longer is a mistake of ours. */
const DATABASE_PAUSES_IN_SECONDS = [5, 30, 120];

/** What teams have sent: an event becomes a message for each step and receiver, and each message a job of its own. */
export function workflowKinds(settings: BookingMailSettings & { readonly mailer: Mailer }): readonly JobKind[] {
  const { mailer } = settings;
  const deliver = deliverOrGiveUp(mailer);
  return [
    {
      queue: 'workflows',
      hears: WORKFLOW_EVENTS,
      atOnce: 2,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const event = data as WorkflowEvent;
        if (isAgreedOn(event)) await planReminders(em, event);
        return (await planSendings(em, event, settings)).map(sendingJob);
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
      // Taken from their table and put in here at once, in one transaction: by one process, and not lost with it.
      clock: {
        isDue: HAS_DUE_REMINDERS,
        putIn: (em) =>
          em.transactional(async (inner) => {
            const due = await takeDueReminders(inner, REMINDERS_AT_ONCE);
            await enqueueJobs(
              inner,
              due.map((data) => ({ queue: REMINDERS, data })),
            );
            return due.length;
          }),
      },
      run: async (em, data) => (await beginReminder(em, data as DueReminder, settings)).map(sendingJob),
    },
    {
      queue: SENDINGS,
      hears: [],
      atOnce: 10,
      pausesInSeconds: MAIL_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        await sendSending(em, data as PlannedSending, { ...settings, deliver });
        return [];
      },
    },
  ];
}

function sendingJob(sending: PlannedSending): NewJob {
  return { queue: SENDINGS, data: sending };
}
