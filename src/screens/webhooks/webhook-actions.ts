import { publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { Selection } from '../../database/columns.ts';
import type { Em } from '../../database/sql.ts';
import { once, type RepeatableRequest, SAME_TEXT, wasCarriedOut } from '../../limits/at-most-once.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { requireOwnId } from '../../modules/levels/change-owned.ts';
import { countRequested, retryDelivery, testWebhook } from '../../modules/webhooks/request-delivery.ts';
import {
  createWebhook,
  type Director,
  holderOf,
  rotateWebhookSecret,
  takeOverWebhook,
  updateWebhook,
} from '../../modules/webhooks/webhook.commands.ts';
import { Webhook } from '../../modules/webhooks/webhook.entity.ts';
import {
  EVENT_TYPE_WEBHOOKS,
  type IsLetIn,
  WEBHOOKS,
  type WebhookTable,
} from '../../modules/webhooks/webhook.queries.ts';
import { NOTIFIED_ABOUT } from '../../modules/webhooks/webhook.rules.ts';
import { PRESSED_TWICE_SECONDS, requestIn, seenAt } from '../kit/request.ts';
import type { PageLevel } from '../teams/page-level.ts';
import { isOfTeam, offeredTriggers, type ShownWebhook, type TypedWebhook } from './webhook-form.ts';
import type { WebhookAction } from './webhook-page.ts';

export interface WebhookActionsSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  /** Derives what signs messages. */
  readonly webhooksKey: Uint8Array;
  /** Counts the messages that somebody asks for. */
  readonly requestedDeliveries: GuessLimit;
  readonly allowPrivateNetwork: boolean;
  /** Whether apps that have set webhooks still have access. */
  readonly isLetIn: IsLetIn;
}

interface SentForm {
  readonly level: PageLevel;
  readonly form: URLSearchParams;
}

/** @returns the public id of the new webhook. @throws Problem */
export async function addWebhook(
  settings: WebhookActionsSettings,
  sent: SentForm,
  typed: TypedWebhook,
): Promise<string> {
  const { level } = sent;
  const { owner } = level;
  const { url, triggers, eventTypeId } = typed;
  if (eventTypeId === '' && isOfTeam(level))
    throw new Problem('REQUIRED', 'Choose an event type of the team.', ['eventTypeId']);
  const eventType = eventTypeId === '' ? null : requireOwnId('eventType', eventTypeId, owner.ownerId);
  const make = (em: Em) => createWebhook(em, owner, { url, triggers }, directorOf(settings, level), eventType);
  const id = await once(settings.em.fork(), requestOf(sent, ['webhook add', owner.ownerId], typed), make, SAME_TEXT);
  return publicOwnedId(eventType === null ? 'webhook' : 'eventTypeWebhook', { ownerId: owner.ownerId, id });
}

/**
 * The change that a form has made to a webhook: the salt of a new secret, where there is one, and whether it had done
 * so before.
 */
interface ChangedWebhook {
  readonly salt: string | null;
  readonly isAgain: boolean;
}

/**
 * Changes what differs, once. A user who changes the address of an app's webhook makes it their own, with a secret that a second
 * press still shows. @throws Problem
 */
export async function changeWebhook(
  settings: WebhookActionsSettings,
  sent: SentForm,
  webhook: ShownWebhook,
  typed: TypedWebhook,
): Promise<ChangedWebhook> {
  const { level, form } = sent;
  const { url, triggers } = typed;
  const owner = { ...level.owner, lastSeen: seenAt(form.get('updatedAt')) };
  const patch = { triggers, ...(url.trim() !== webhook.url && { url }) };
  const director = directorOf(settings, level);
  const change = async (inner: Em): Promise<ChangedWebhook> => {
    const { newSalt } = await updateWebhook(inner, tableOf(webhook), owner, webhook.id, patch, NOTHING, director);
    return { salt: newSalt ?? null, isAgain: false };
  };
  const request = { ...requestOf(sent, ['webhook change', webhook.id], typed), seconds: PRESSED_TWICE_SECONDS };
  const again = (before: ChangedWebhook): ChangedWebhook => ({ ...before, isAgain: true });
  return once(settings.em.fork(), request, change, { keep: (changed) => changed, again });
}

/** A double click must not end the secret that is in use: it is given one new secret. @returns the salt of that. @throws Problem */
export async function rotateSecret(
  { em }: WebhookActionsSettings,
  sent: SentForm,
  webhook: ShownWebhook,
): Promise<string> {
  const request = requestOf(sent, ['webhook secret', webhook.id], {});
  const rotate = (inner: Em) => rotateWebhookSecret(inner, tableOf(webhook), sent.level.owner, webhook.id, null);
  return once(em.fork(), request, rotate, SAME_TEXT);
}

/** Makes a webhook that pauses the reader's, whose address the form has shown them, once. @returns the salt of its new secret. @throws Problem */
export async function takeOver(
  settings: WebhookActionsSettings,
  sent: SentForm,
  webhook: ShownWebhook,
): Promise<string> {
  const { level, form } = sent;
  const shown = { id: webhook.id, url: form.get('shownUrl') ?? '' };
  const director = directorOf(settings, level);
  const act = (inner: Em) => takeOverWebhook(inner, tableOf(webhook), level.owner, shown, director, settings.isLetIn);
  return once(settings.em.fork(), requestOf(sent, ['webhook take over', webhook.id], shown.url), act, SAME_TEXT);
}

interface Action {
  /** @throws Problem */
  readonly act: (settings: WebhookActionsSettings, sent: SentForm, webhook: ShownWebhook) => Promise<unknown>;
  /** The text of the page afterwards. */
  readonly done: string;
}

/** The actions of the small forms of a webhook's page. */
export const ACTIONS: Readonly<Record<WebhookAction, Action>> = {
  pause: {
    act: (settings, sent, webhook) => setActive(settings, sent, webhook, false),
    done: 'Webhook turned off.',
  },
  resume: { act: (settings, sent, webhook) => setActive(settings, sent, webhook, true), done: 'Webhook turned on.' },
  test: {
    act: async (settings, sent, webhook) => {
      const trigger = offeredTriggers(holderOf(sent.level.owner, webhook.eventTypeId !== null)).find(
        (one) => one === sent.form.get('trigger'),
      );
      if (!trigger) throw new Problem('NOT_POSSIBLE', 'Choose which message to send as a test.');
      const { webhooksKey, isLetIn } = settings;
      await sendOnce(settings, requestOf(sent, ['webhook test', webhook.id], trigger), (inner) =>
        testWebhook(inner, tableOf(webhook), sent.level.owner, webhook.id, { trigger, webhooksKey, isLetIn }),
      );
    },
    done: 'The test is on its way. Reload the page to see your server’s response.',
  },
  retry: {
    act: async (settings, sent, webhook) => {
      const id = requireOwnId('webhookDelivery', sent.form.get('delivery') ?? '', sent.level.owner.ownerId);
      await sendOnce(settings, requestOf(sent, ['webhook retry', id], {}), (inner) =>
        retryDelivery(inner, tableOf(webhook), sent.level.owner, id, settings.isLetIn),
      );
    },
    done: 'We’re sending the message again. Reload the page to see your server’s response.',
  },
};

function setActive(settings: WebhookActionsSettings, { level }: SentForm, webhook: ShownWebhook, isActive: boolean) {
  const director = directorOf(settings, level);
  return updateWebhook(settings.em.fork(), tableOf(webhook), level.owner, webhook.id, { isActive }, NOTHING, director);
}

/** The table as which commands know it: that of webhooks about all that is its owner's, or about one event type. */
export function tableOf({ eventTypeId }: Pick<ShownWebhook, 'eventTypeId'>): WebhookTable {
  return eventTypeId === null ? WEBHOOKS : EVENT_TYPE_WEBHOOKS;
}

const NOTHING = new Selection(Webhook, []);

/** A user who sets an address in their own browser lets it receive all that there is to tell at this level. */
function directorOf({ allowPrivateNetwork: allowsPrivate }: WebhookActionsSettings, level: PageLevel): Director {
  const readable = NOTIFIED_ABOUT[holderOf(level.owner, isOfTeam(level))];
  return { allowsPrivate, userId: level.session.userId, clientId: null, readable };
}

function requestOf({ level, form }: SentForm, operation: readonly string[], input: unknown): RepeatableRequest {
  return requestIn({ userId: level.session.userId, form }, operation, input);
}

/** Counts a message that somebody asks for and has it sent, once however often its form is. @throws Problem */
async function sendOnce(
  { em, requestedDeliveries }: WebhookActionsSettings,
  request: RepeatableRequest,
  send: (inner: Em) => Promise<unknown>,
): Promise<void> {
  if (!(await wasCarriedOut(em.fork(), request))) await countRequested(requestedDeliveries, request.ownerId);
  await once(em.fork(), request, send);
}
