import type { RecordedEvent } from '../../events/record-event.ts';
import { OwnerTurns } from '../../limits/owner-turns.ts';
import type { ResponsibleMailSettings } from '../../modules/levels/responsible-mails.ts';
import { attemptDelivery, type DeliverySettings } from '../../modules/webhooks/attempt-delivery.ts';
import { disabledMails } from '../../modules/webhooks/mails/disabled-mail.ts';
import { pausedMails } from '../../modules/webhooks/mails/paused-mail.ts';
import { findKeptOf, resumeDeliveries } from '../../modules/webhooks/paused-deliveries.ts';
import { type PlannedDelivery, planDeliveries } from '../../modules/webhooks/plan-deliveries.ts';
import { WEBHOOK_TRIGGERS } from '../../modules/webhooks/webhook.rules.ts';
import type { WebhookEvent } from '../../modules/webhooks/webhook-payload.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';
import { mailJob } from './mail.job.ts';

const DELIVERIES = 'webhook-deliveries';
/** What was tried before, and what goes to receivers that have failed since: they hold up none that answers. */
const RETRIES = 'webhook-retries';
/** What was kept while nobody answered for a webhook, as somebody does again. */
const RESUMES = 'webhook-resumes';
/** How many messages a process takes at once, how many of one owner it sends at once, and how many more it lets wait for that. */
const LANES = {
  [DELIVERIES]: { atOnce: 50, share: 10, waiting: 40 },
  [RETRIES]: { atOnce: 20, share: 4, waiting: 16 },
} as const;
const WAIT_IN_MS = 500;
const AWAY_IN_SECONDS = 1;

export interface WebhookSettings extends DeliverySettings, ResponsibleMailSettings {}

/** Telling webhooks: an event becomes a message to each, and each message a job of its own until it is delivered. */
export function webhookKinds(settings: WebhookSettings): readonly JobKind[] {
  const deliver = (queue: keyof typeof LANES, hears: JobKind['hears']): JobKind => {
    const { atOnce, ...sizes } = LANES[queue];
    const turns = new OwnerTurns({ ...sizes, waitInMs: WAIT_IN_MS, awayInSeconds: AWAY_IN_SECONDS });
    return {
      queue,
      hears,
      atOnce,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const delivery = deliveryIn(data as PlannedDelivery | WantedDelivery);
        const attempt = async (): Promise<readonly NewJob[]> => {
          const seconds = await attemptDelivery(em, delivery, settings);
          return seconds === undefined ? [] : [{ queue: RETRIES, data: delivery, delayInSeconds: seconds }];
        };
        return turns.run(delivery.ownerId, attempt, (seconds) => [{ queue, data: delivery, delayInSeconds: seconds }]);
      },
    };
  };
  const fanOut: JobKind = {
    queue: 'webhooks',
    hears: WEBHOOK_TRIGGERS,
    atOnce: 4,
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => (await planDeliveries(em, data as WebhookEvent, settings)).map(jobOf),
  };
  const resumes: JobKind = {
    queue: RESUMES,
    hears: ['WEBHOOK_RESUMED', 'USER_REINSTATED'],
    atOnce: 1,
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const event = data as ResumedWebhook | ReinstatedUser;
      if (event.type === 'USER_REINSTATED') {
        const kept = await findKeptOf(em, event.ownerId);
        return kept.map(({ ownerId, id }) => ({
          queue: RESUMES,
          data: { type: 'WEBHOOK_RESUMED', ownerId, webhookId: id },
        }));
      }
      const webhook = { ownerId: event.ownerId, id: event.webhookId };
      const { deliveries, isMore } = await resumeDeliveries(em, webhook, settings.isLetIn);
      return [...deliveries.map(jobOf), ...(isMore ? [{ queue: RESUMES, data: event }] : [])];
    },
  };
  const mails: JobKind = {
    queue: 'webhook-mails',
    hears: ['WEBHOOK_DISABLED', 'USER_SUSPENDED'],
    atOnce: 1,
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const event = data as DisabledWebhook | SuspendedUser;
      const written =
        event.type === 'USER_SUSPENDED'
          ? await pausedMails(em, event, settings.isLetIn, settings)
          : await disabledMails(em, event, settings);
      return written.map(({ mail, admission }) => mailJob(mail, admission));
    },
  };
  return [fanOut, resumes, deliver(DELIVERIES, ['WEBHOOK_DELIVERY_WANTED']), deliver(RETRIES, []), mails];
}

function jobOf({ isFailing, ...delivery }: PlannedDelivery): NewJob {
  return { queue: isFailing ? RETRIES : DELIVERIES, data: delivery };
}

type ResumedWebhook = Extract<RecordedEvent, { readonly type: 'WEBHOOK_RESUMED' }>;
type ReinstatedUser = Extract<RecordedEvent, { readonly type: 'USER_REINSTATED' }>;
type SuspendedUser = Extract<RecordedEvent, { readonly type: 'USER_SUSPENDED' }>;
type DisabledWebhook = Extract<RecordedEvent, { readonly type: 'WEBHOOK_DISABLED' }>;
type WantedDelivery = Extract<RecordedEvent, { readonly type: 'WEBHOOK_DELIVERY_WANTED' }>;

/** Of a job, or of an event that has become one. */
function deliveryIn(data: Omit<PlannedDelivery, 'isFailing'> | WantedDelivery): Omit<PlannedDelivery, 'isFailing'> {
  if (!('deliveryId' in data)) return data;
  return { ownerId: data.ownerId, id: data.deliveryId, webhookId: data.webhookId };
}
