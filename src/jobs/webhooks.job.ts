import type { RecordedEvent } from '../events/record-event.ts';
import { attemptDelivery, type DeliverySettings } from '../modules/webhooks/attempt-delivery.ts';
import { type PlannedDelivery, planDeliveries } from '../modules/webhooks/plan-deliveries.ts';
import { WEBHOOK_TRIGGERS } from '../modules/webhooks/webhook.rules.ts';
import type { WebhookEvent } from '../modules/webhooks/webhook-payload.ts';
import type { JobKind } from './job-kind.ts';
import type { NewJob } from './job-queue.ts';

const DELIVERIES = 'webhook-deliveries';
/** Apart from the first attempts, so that receivers that are down hold up none that is not. */
const RETRIES = 'webhook-retries';
/** Its own failures are noted with the delivery; these are for a database that does not do what it should. */
const PAUSES_IN_SECONDS = [5, 30, 120];
/** To one receiver from one process: more wait a little, so that a slow one holds up nobody else. */
const AT_ONCE_EACH = 10;
const WAIT_IN_SECONDS = 2;

/** Telling webhooks: an event becomes a message to each, and each message a job of its own until it is delivered. */
export function webhookKinds(settings: DeliverySettings): readonly JobKind[] {
  const turns = new Turns(AT_ONCE_EACH);
  const deliver = (queue: string, atOnce: number, hears: JobKind['hears']): JobKind => ({
    queue,
    hears,
    atOnce,
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const delivery = deliveryIn(data as PlannedDelivery | WantedDelivery);
      const again = (delayInSeconds: number): NewJob[] => [{ queue: RETRIES, data: delivery, delayInSeconds }];
      if (!turns.take(delivery.webhookId)) return again(WAIT_IN_SECONDS);
      try {
        const seconds = await attemptDelivery(em, delivery, settings);
        return seconds === undefined ? [] : again(seconds);
      } finally {
        turns.giveBack(delivery.webhookId);
      }
    },
  });
  const fanOut: JobKind = {
    queue: 'webhooks',
    hears: WEBHOOK_TRIGGERS,
    atOnce: 4,
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const deliveries = await planDeliveries(em, data as WebhookEvent, settings);
      return deliveries.map((delivery) => ({ queue: DELIVERIES, data: delivery }));
    },
  };
  return [fanOut, deliver(DELIVERIES, 50, ['WEBHOOK_DELIVERY_WANTED']), deliver(RETRIES, 20, [])];
}

type WantedDelivery = Extract<RecordedEvent, { readonly type: 'WEBHOOK_DELIVERY_WANTED' }>;

/** Of a job, or of an event that has become one. */
function deliveryIn(data: PlannedDelivery | WantedDelivery): PlannedDelivery {
  if (!('deliveryId' in data)) return data;
  return { ownerId: data.ownerId, id: data.deliveryId, webhookId: data.webhookId };
}

/** So many at once for each. */
class Turns {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  take(whose: string): boolean {
    const taken = this.#taken.get(whose) ?? 0;
    if (taken >= this.#most) return false;
    this.#taken.set(whose, taken + 1);
    return true;
  }

  giveBack(whose: string): void {
    const left = (this.#taken.get(whose) ?? 1) - 1;
    if (left > 0) this.#taken.set(whose, left);
    else this.#taken.delete(whose);
  }
}
