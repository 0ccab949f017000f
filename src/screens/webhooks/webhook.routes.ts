import { instantOf } from '../../core/instant.ts';
import { databaseNow } from '../../database/database-clock.ts';
import type { Em } from '../../database/sql.ts';
import { deleteOwned } from '../../modules/levels/change-owned.ts';
import { OVERLAP_HOURS, WEBHOOKS_PATH } from '../../modules/webhooks/webhook.rules.ts';
import { isolated } from '../kit/layout.ts';
import { type DeclaredPage, type PageForm, type PageSettings, page, type Visit } from '../kit/page.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { question } from '../kit/question.ts';
import { newFormKey, seenBy } from '../kit/request.ts';
import {
  type FoundWebhook,
  findAppName,
  findPaused,
  findTitles,
  findWebhook,
  listDeliveries,
} from './shown-webhooks.queries.ts';
import {
  ACTIONS,
  changeWebhook,
  rotateSecret,
  tableOf,
  takeOver,
  type WebhookActionsSettings,
} from './webhook-actions.ts';
import { ANSWERED_FOR, answerNone, ROTATED, sendSecret, TAKEN_OVER } from './webhook-answers.ts';
import { formOf, mistakesOf, type ShownWebhook, typedIn, webhookPath } from './webhook-form.ts';
import { WEBHOOK_ACTIONS, type WebhookAction, webhookPage } from './webhook-page.ts';

export interface WebhookPagesSettings extends WebhookActionsSettings, PageSettings {}

const ONE = `${WEBHOOKS_PATH}/:id`;

/** Finds the webhook, of the reader or a group that they administer, that the address names. */
function find({ em, session, param }: Visit): Promise<FoundWebhook | undefined> {
  return findWebhook(em, session, param('id'));
}

/** `/settings/webhooks/<id>`: one webhook of a user, a team's event type or an organization, and what is done with it. */
export function oneWebhookPage(settings: WebhookPagesSettings): DeclaredPage {
  const action = (name: WebhookAction): PageForm<FoundWebhook> => ({
    run: async (visit, { level, webhook }, form) => {
      await ACTIONS[name].act(settings, { level, form }, webhook);
      return { to: visit.path, done: name };
    },
  });
  return page({
    path: ONE,
    language: 'en',
    find,
    none: answerNone,
    show: async (showing, { level, webhook }) => {
      const { c, em, back, csrf, done } = showing;
      return webhookPage({
        ...showing,
        level,
        webhook,
        updatedAt: seenBy(webhook.updatedAt, back),
        titles: await findTitles(em, webhook.ownerId, [webhook]),
        appName: await findAppName(em, webhook),
        pausedReason: (await findPaused(em, [webhook], settings.isLetIn)).get(webhook.id) ?? null,
        overlapsUntil: await overlapOf(em, webhook),
        typed: back?.name === 'change' ? typedIn(back.form) : formOf(webhook),
        deliveries: await listDeliveries(em, webhook, c.req.query('before')),
        csrf,
        mistakes: mistakesOf(back?.problem),
        done: doneOf(webhook, done),
      });
    },
    headers: SCRIPTED_HEADERS,
    forms: {
      change: {
        at: '',
        run: async (visit, { level, webhook }, form) => {
          const typed = typedIn(form);
          const { salt, isAgain } = await changeWebhook(settings, { level, form }, webhook, typed);
          const { ownerId, id, eventTypeId } = webhook;
          const moved = { ownerId, id, eventTypeId, url: typed.url.trim() };
          if (salt !== null && (await isCurrent(visit, salt)))
            return sendSecret(visit, moved, salt, settings, TAKEN_OVER);
          // Another tab may have changed it since a form that is sent again.
          return isAgain ? { to: visit.path } : { to: visit.path, done: 'saved' };
        },
      },
      pause: action('pause'),
      resume: action('resume'),
      test: action('test'),
      retry: action('retry'),
      takeOver: {
        at: '/take-over',
        run: async (visit, { level, webhook }, form) => {
          const salt = await takeOver(settings, { level, form }, webhook);
          return (await isCurrent(visit, salt))
            ? sendSecret(visit, webhook, salt, settings, ANSWERED_FOR)
            : { to: visit.path };
        },
      },
    },
  });
}

/** Asks before a webhook gets another secret. */
export function rotationPage(settings: WebhookPagesSettings): DeclaredPage {
  return question({
    path: `${ONE}/secret`,
    language: 'en',
    find,
    none: answerNone,
    ask: async ({ em }, { webhook }) => {
      const appName = await findAppName(em, webhook);
      return {
        title: 'Create a new secret?',
        explanation: [
          `We’ll show it once. For ${OVERLAP_HOURS} hours, messages are also signed with the old one, so that you have time to update your server.`,
          (await overlapOf(em, webhook)) ? 'The secret before the old one stops working immediately.' : '',
          appName === undefined
            ? ''
            : `The app ${isolated(appName)} has the old secret and won’t be able to check messages after that.`,
        ].join(' '),
        button: 'Create new secret',
        sent: { idempotencyKey: newFormKey() },
        backPath: webhookPath(webhook),
      };
    },
    run: async (visit, { level, webhook }, form) => {
      const salt = await rotateSecret(settings, { level, form }, webhook);
      return (await isCurrent(visit, salt))
        ? sendSecret(visit, webhook, salt, settings, ROTATED)
        : { to: webhookPath(webhook) };
    },
  });
}

/** Asks before a webhook is deleted. */
export const deletionPage: DeclaredPage = question({
  path: `${ONE}/delete`,
  language: 'en',
  find,
  none: answerNone,
  ask: (_, { webhook }) => ({
    title: `Delete the webhook to ${isolated(new URL(webhook.url).host)}?`,
    explanation: 'Nothing will be sent there any more, and the list of its messages is deleted, too.',
    button: 'Delete',
    backPath: webhookPath(webhook),
  }),
  run: async ({ em }, { level, webhook }) => {
    await deleteOwned(em, tableOf(webhook), level.owner, webhook.id);
    return { to: level.path, done: 'deleted' };
  },
});

/** A form that is sent once more answers the secret that it made then, which may be over by now. */
async function isCurrent(visit: Visit, salt: string): Promise<boolean> {
  return (await find(visit))?.webhook.secretSalt === salt;
}

async function overlapOf(em: Em, { previousUntil }: ShownWebhook): Promise<Temporal.Instant | undefined> {
  const until = previousUntil === null ? undefined : instantOf(previousUntil);
  return until && until.epochMilliseconds > (await databaseNow(em)) ? until : undefined;
}

/** Says what was done, as long as that is still how things stand. */
function doneOf({ isActive }: ShownWebhook, done: string): string | undefined {
  if (done === 'saved') return 'Saved.';
  const action = WEBHOOK_ACTIONS.find((one) => one === done);
  return action && isActive === (action !== 'pause') ? ACTIONS[action].done : undefined;
}
