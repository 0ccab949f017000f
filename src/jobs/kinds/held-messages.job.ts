import { type Em, sql } from '../../database/sql.ts';
import {
  type DueNotices,
  HAS_DUE_NOTICES,
  type HeldNoticeSettings,
  sendDueNotices,
  takeDueNotices,
} from '../../limits/held-notices.ts';
import type { Admission } from '../../mail/mailer.ts';
import type { BookingMailSettings } from '../../modules/bookings/mails/booking-mail.queries.ts';
import {
  type DueMails,
  HAS_DUE_MAILS,
  type HeldMailSettings,
  sendDueMails,
  takeDueMails,
} from '../../modules/bookings/mails/held-mails.ts';
import {
  type DueSendings,
  HAS_DUE_SENDINGS,
  sendDueSendings,
  takeDueSendings,
} from '../../modules/workflows/sendings/held-sendings.ts';
import type { PlanSettings } from '../../modules/workflows/sendings/plan-messages.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import { enqueueJobs, type NewJob } from '../job-queue.ts';
import { bookingMailJob } from './booking-mails.job.ts';
import { mailJob } from './mail.job.ts';
import { workflowPlans } from './workflows.job.ts';

const QUEUE = 'held-messages';
const DUE_AT_ONCE = 1_000;

export interface HeldMessageSettings extends BookingMailSettings, Omit<PlanSettings, 'handOver'> {
  /** Sends the mail that verifies a user's address, unless it is verified by now. */
  readonly sendVerification: (em: Em, userId: string, admission: Admission) => Promise<void>;
}

type DueMessages = DueMails | DueNotices | DueSendings;

/** Messages that were one too many and wait, wherever they are kept: all that may be held is in this list. */
const HELD = [
  { isDue: HAS_DUE_MAILS, take: takeDueMails },
  { isDue: HAS_DUE_NOTICES, take: takeDueNotices },
  { isDue: HAS_DUE_SENDINGS, take: takeDueSendings },
] as const;

/** Sends what has waited, as far as there is room for it by now. */
export function heldMessagesKind(settings: HeldMessageSettings): JobKind {
  const mails: HeldMailSettings = {
    ...settings,
    handOver: (em, written) => enqueueJobs(em, written.map(bookingMailJob)),
  };
  const notices: HeldNoticeSettings = {
    ...settings,
    handOver: (em, { mail, admission }) => enqueueJobs(em, [mailJob(mail, admission)]),
  };
  const sendings = workflowPlans(settings);
  return {
    queue: QUEUE,
    hears: [],
    atOnce: 2,
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    clock: {
      isDue: sql<boolean>`(${sql.join(
        HELD.map(({ isDue }) => isDue),
        sql` or `,
      )})`,
      // Taken from their tables and put in here at once, in one transaction: by one process, and not lost with it.
      putIn: (em) =>
        em.transactional(async (inner) => {
          const jobs: NewJob[] = [];
          for (const { take } of HELD) jobs.push(...(await take(inner, DUE_AT_ONCE)).map(jobOf));
          await enqueueJobs(inner, jobs);
          return jobs.length;
        }),
    },
    run: async (em, data) => {
      const due = data as DueMessages;
      if (due.kind === 'NOTICES') await sendDueNotices(em, due, notices);
      else if (due.kind === 'WORKFLOW') await sendDueSendings(em, due, sendings);
      else if (await sendDueMails(em, due, mails)) return [jobOf(due)];
      return [];
    },
  };
}

/** The messages that wait for a team go in order. */
function jobOf(due: DueMessages): NewJob {
  const orderKey = due.kind === 'WORKFLOW' ? `${due.teamId} ${due.by}` : undefined;
  return { queue: QUEUE, data: due, ...(orderKey !== undefined && { orderKey }) };
}
