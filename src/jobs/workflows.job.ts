import type { Mailer } from '../mail/mailer.ts';
import type { BookingMailSettings } from '../modules/bookings/mails/booking-mail-settings.ts';
import { type PlannedSending, planSendings } from '../modules/workflows/plan-sendings.ts';
import { sendSending } from '../modules/workflows/send-sending.ts';
import { WORKFLOW_EVENTS, type WorkflowEvent } from '../modules/workflows/workflow-events.ts';
import type { JobKind } from './job-kind.ts';
import type { NewJob } from './job-queue.ts';
import { deliverOrGiveUp, MAIL_PAUSES_IN_SECONDS } from './mail.job.ts';

const SENDINGS = 'workflow-sendings';

/** What teams have sent: an event becomes a message for each step and receiver, and each message a job of its own. */
export function workflowKinds(settings: BookingMailSettings & { readonly mailer: Mailer }): readonly JobKind[] {
  const { mailer } = settings;
  const deliver = deliverOrGiveUp(mailer);
  return [
    {
      queue: 'workflows',
      hears: WORKFLOW_EVENTS,
      atOnce: 2,
      // It only reads and writes the database: what fails longer than this is a mistake of ours.
      pausesInSeconds: [5, 30, 120],
      run: async (em, data) => (await planSendings(em, data as WorkflowEvent, settings)).map(sendingJob),
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
