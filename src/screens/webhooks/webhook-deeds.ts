import { publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import { type RepeatableRequest, sameOnce, wasCarriedOut } from '../../limits/at-most-once.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { requireOwnId } from '../../modules/levels/not-found-here.ts';
import { own } from '../../modules/levels/reach.ts';
import { createWebhook, type Director } from '../../modules/webhooks/create-webhook.ts';
import { countRequested, retryDelivery, testWebhook } from '../../modules/webhooks/request-delivery.ts';
import { rotateWebhookSecret } from '../../modules/webhooks/rotate-webhook-secret.ts';
import { updateWebhook } from '../../modules/webhooks/update-webhook.ts';
import { Webhook } from '../../modules/webhooks/webhook.entity.ts';
import { EVENT_TYPE_WEBHOOKS, WEBHOOKS, type WebhookTable } from '../../modules/webhooks/webhook.queries.ts';
import { TOLD_ABOUT } from '../../modules/webhooks/webhook.rules.ts';
import { requestIn } from '../kit/form-key.ts';
import { seenAt } from '../kit/seen-at.ts';
import { offeredTriggers, type ShownWebhook, type TypedWebhook } from './webhook-form.ts';
import type { WebhookDeed } from './webhook-page.ts';

export interface WebhookDeedsSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  /** Derives what signs messages. */
  readonly webhooksKey: Uint8Array;
  /** Counts the messages that somebody asks for. */
  readonly requestedDeliveries: GuessLimit;
  readonly allowPrivateNetwork: boolean;
}

interface SentForm {
  readonly userId: string;
  readonly form: URLSearchParams;
}

/** @returns the public id of the new webhook. @throws Problem */
export async function addWebhook(settings: WebhookDeedsSettings, sent: SentForm, typed: TypedWebhook): Promise<string> {
  const { userId } = sent;
  const { url, triggers, eventTypeId } = typed;
  const eventType = eventTypeId === '' ? null : requireOwnId('eventType', eventTypeId, userId);
  const { id } = await sameOnce(settings.em.fork(), requestIn(sent, ['webhook add'], typed), async (em) => ({
    id: await createWebhook(em, own(userId), { url, triggers }, directorOf(settings, userId), eventType),
  }));
  return publicOwnedId(eventType === null ? 'webhook' : 'eventTypeWebhook', { ownerId: userId, id });
}

/** Changes what differs: whoever sets the address of an app's webhook anew makes it their own. @returns the salt of a new secret, where there is one. @throws Problem */
export async function changeWebhook(
  settings: WebhookDeedsSettings,
  { userId, form }: SentForm,
  webhook: ShownWebhook,
  { url, triggers }: TypedWebhook,
): Promise<string | undefined> {
  const owner = { ...own(userId), lastSeen: seenAt(form.get('updatedAt')) };
  const patch = { triggers, ...(url.trim() !== webhook.url && { url }) };
  const director = directorOf(settings, userId);
  const { newSalt } = await updateWebhook(
    settings.em.fork(),
    tableOf(webhook),
    owner,
    webhook.id,
    patch,
    NOTHING,
    director,
  );
  return newSalt;
}

/** A double click must not end the secret that is in use: it is given one new secret. @returns the salt of that. @throws Problem */
export async function rotateSecret(
  { em }: WebhookDeedsSettings,
  sent: SentForm,
  webhook: ShownWebhook,
): Promise<string> {
  const request = requestIn(sent, ['webhook secret', webhook.id], {});
  const { salt } = await sameOnce(em.fork(), request, async (inner) => ({
    salt: await rotateWebhookSecret(inner, tableOf(webhook), own(sent.userId), webhook.id, null),
  }));
  return salt;
}

interface Deed {
  /** @throws Problem */
  readonly act: (settings: WebhookDeedsSettings, sent: SentForm, webhook: ShownWebhook) => Promise<unknown>;
  /** What the page then says. */
  readonly done: string;
}

/** What the small forms of a webhook's page do. */
export const DEEDS: Readonly<Record<WebhookDeed, Deed>> = {
  pause: {
    act: (settings, sent, webhook) => setActive(settings, sent, webhook, false),
    done: 'The webhook is paused.',
  },
  resume: { act: (settings, sent, webhook) => setActive(settings, sent, webhook, true), done: 'The webhook is on.' },
  test: {
    act: async (settings, sent, webhook) => {
      const trigger = offeredTriggers(webhook.eventTypeId !== null).find((one) => one === sent.form.get('trigger'));
      if (!trigger) throw new Problem('NOT_POSSIBLE', 'Choose as what the test is sent.');
      const { webhooksKey } = settings;
      await sendOnce(settings, requestIn(sent, ['webhook test', webhook.id], trigger), (inner) =>
        testWebhook(inner, tableOf(webhook), own(sent.userId), webhook.id, { trigger, webhooksKey }),
      );
    },
    done: 'The test is on its way. Reload the page to see what your server answered.',
  },
  retry: {
    act: async (settings, sent, webhook) => {
      const id = requireOwnId('webhookDelivery', sent.form.get('delivery') ?? '', sent.userId);
      await sendOnce(settings, requestIn(sent, ['webhook retry', id], {}), (inner) =>
        retryDelivery(inner, tableOf(webhook), own(sent.userId), id),
      );
    },
    done: 'The message is sent again. Reload the page to see what your server answered.',
  },
};

function setActive(settings: WebhookDeedsSettings, { userId }: SentForm, webhook: ShownWebhook, active: boolean) {
  const director = directorOf(settings, userId);
  return updateWebhook(settings.em.fork(), tableOf(webhook), own(userId), webhook.id, { active }, NOTHING, director);
}

/** As what it is there for commands: about all that is its owner's, or about one event type. */
export function tableOf({ eventTypeId }: Pick<ShownWebhook, 'eventTypeId'>): WebhookTable {
  return eventTypeId === null ? WEBHOOKS : EVENT_TYPE_WEBHOOKS;
}

const NOTHING = new Selection(Webhook, []);

/** A user in their own browser is told all. */
function directorOf({ allowPrivateNetwork: allowsPrivate }: WebhookDeedsSettings, userId: string): Director {
  return { allowsPrivate, userId, clientId: null, readable: TOLD_ABOUT.USER };
}

/** Counts a message that somebody asks for and has it sent, once however often its form is. @throws Problem */
async function sendOnce(
  { em, requestedDeliveries }: WebhookDeedsSettings,
  request: RepeatableRequest,
  send: (inner: Em) => Promise<unknown>,
): Promise<void> {
  if (!(await wasCarriedOut(em.fork(), request))) await countRequested(requestedDeliveries, request.userId);
  await sameOnce(em.fork(), request, async (inner) => {
    await send(inner);
    return {};
  });
}
