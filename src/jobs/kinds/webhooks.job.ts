import type { RecordedEvent } from '../../events/record-event.ts';
import type { ResponsibleMailSettings } from '../../modules/levels/responsible-mails.ts';
import { attemptDelivery, type DeliverySettings } from '../../modules/webhooks/attempt-delivery.ts';
import { findKeptOf, resumeDeliveries } from '../../modules/webhooks/paused-deliveries.ts';
import {
  type Delivery,
  type PlannedDelivery,
  planDeliveries,
  planDelivery,
} from '../../modules/webhooks/plan-deliveries.ts';
import { SLOW_AFTER_MS, WEBHOOK_TRIGGERS } from '../../modules/webhooks/webhook.rules.ts';
import { disabledMails, pausedMails } from '../../modules/webhooks/webhook-mails.ts';
import type { WebhookEvent } from '../../modules/webhooks/webhook-payload.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';
import { mailJob } from './mail.job.ts';

const DELIVERIES = 'webhook-deliveries';
/**
 * Messages that were tried before, and those to receivers that have failed since, or take long: they take no place of
 * those that answer soon.
 */
const RETRIES = 'webhook-retries';
/** Messages that were kept while nobody answered for a webhook, as somebody does again. */
const RESUMES = 'webhook-resumes';
/**
 * How many messages a process sends at once. The account that has set webhooks takes turns with others, whatever the messages are
 * about, as it may make any number of organizations; and so do its webhooks, so that those that answer do not stand behind those
 * that do not. A receiver that turns out to take long gives its place to others.
 */
const LANES = {
  [DELIVERIES]: {
    atOnce: 50,
    share: { ofOwner: 10, ofLine: 5 },
    slow: { afterMs: SLOW_AFTER_MS, ofOwner: 50, inAll: 500, shareThen: 2 },
  },
  [RETRIES]: { atOnce: 30, share: { ofOwner: 5, ofLine: 4 } },
} as const satisfies Record<string, Pick<JobKind, 'atOnce' | 'share' | 'slow'>>;

export interface WebhookSettings extends DeliverySettings, ResponsibleMailSettings {}

/** Telling webhooks: an event becomes a message to each, and each message a job of its own until it is delivered. */
export function webhookKinds(settings: WebhookSettings): readonly JobKind[] {
  const deliver = (queue: keyof typeof LANES): JobKind => ({
    queue,
    hears: [],
    ...LANES[queue],
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const delivery = data as Delivery;
      const noting = await attemptDelivery(em, delivery, settings);
      if (!noting) return [];
      return async (inner) => {
        const seconds = await noting(inner);
        const { webhookId: line } = delivery;
        return seconds === undefined ? [] : [{ queue: RETRIES, data: delivery, line, delayInSeconds: seconds }];
      };
    },
  });
  const fanOut: JobKind = {
    queue: 'webhooks',
    hears: [...WEBHOOK_TRIGGERS, 'WEBHOOK_DELIVERY_WANTED'],
    atOnce: 4,
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const event = data as WebhookEvent | WantedDelivery;
      const planned =
        event.type === 'WEBHOOK_DELIVERY_WANTED'
          ? await planDelivery(em, { ownerId: event.ownerId, id: event.deliveryId })
          : await planDeliveries(em, event, settings);
      return planned.map(jobOf);
    },
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
  return [fanOut, resumes, deliver(DELIVERIES), deliver(RETRIES), mails];
}

function jobOf({ isQuick, setById, ...delivery }: PlannedDelivery): NewJob {
  const queue = isQuick ? DELIVERIES : RETRIES;
  return { queue, data: delivery satisfies Delivery, owner: setById ?? delivery.ownerId, line: delivery.webhookId };
}

type ResumedWebhook = Extract<RecordedEvent, { readonly type: 'WEBHOOK_RESUMED' }>;
type ReinstatedUser = Extract<RecordedEvent, { readonly type: 'USER_REINSTATED' }>;
type SuspendedUser = Extract<RecordedEvent, { readonly type: 'USER_SUSPENDED' }>;
type DisabledWebhook = Extract<RecordedEvent, { readonly type: 'WEBHOOK_DISABLED' }>;
type WantedDelivery = Extract<RecordedEvent, { readonly type: 'WEBHOOK_DELIVERY_WANTED' }>;
