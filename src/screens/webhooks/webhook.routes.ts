import { type Context, Hono } from 'hono';
import { instantOf } from '../../core/instant.ts';
import type { Problem } from '../../core/problem.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { SCRIPTED_HEADERS, seeOther } from '../../http/page-response.ts';
import { outcomeOf, problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer, type ReceivedForm, type Visitors } from '../../http/visitors.ts';
import { deleteOwned } from '../../modules/levels/change-owned.ts';
import { OVERLAP_HOURS, WEBHOOKS_PATH } from '../../modules/webhooks/webhook.rules.ts';
import { signedIn } from '../account/signed-in.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { newFormKey } from '../kit/form-key.ts';
import { isolated } from '../kit/layout.ts';
import { type FormBack, seenBy } from '../kit/seen-at.ts';
import { findAppName, findPaused, findTitles, findWebhook, listDeliveries } from './shown-webhooks.queries.ts';
import {
  ACTIONS,
  changeWebhook,
  rotateSecret,
  tableOf,
  takeOver,
  type WebhookActionsSettings,
} from './webhook-actions.ts';
import { ANSWERED_FOR, answerNone, ROTATED, sendSecret, TAKEN_OVER, type Visit } from './webhook-answers.ts';
import { formOf, mistakesOf, type ShownWebhook, type TypedWebhook, typedIn, webhookPath } from './webhook-form.ts';
import { WEBHOOK_ACTIONS, type WebhookAction, webhookPage } from './webhook-page.ts';

export interface WebhookPagesSettings extends WebhookActionsSettings {
  readonly visitors: Visitors;
}

const ONE = `${WEBHOOKS_PATH}/:id`;
const [CHANGE, ROTATE, DELETE, TAKE_OVER] = ['webhook change', 'webhook secret', 'webhook delete', 'webhook take over'];

/** `/settings/webhooks/<id>`: one webhook of a user, a team's event type or an organization, and what is done with it. */
export function webhookRoutes(settings: WebhookPagesSettings): Hono {
  const { em, visitors } = settings;
  const routes = new Hono();
  routes.get(
    ONE,
    ofOne((visit) => show(visit)),
  );
  routes.post(ONE, formOfOne(CHANGE, change));
  routes.get(
    `${ONE}/secret`,
    ofOne((visit) => askToRotate(visit)),
  );
  routes.post(`${ONE}/secret`, formOfOne(ROTATE, rotate));
  routes.get(
    `${ONE}/delete`,
    ofOne((visit) => askToDelete(visit)),
  );
  routes.post(`${ONE}/delete`, formOfOne(DELETE, remove));
  routes.post(`${ONE}/take-over`, formOfOne(TAKE_OVER, answerFor));
  for (const action of WEBHOOK_ACTIONS) {
    routes.post(
      `${ONE}/${action}`,
      formOfOne(purposeOf(action), (visit, sent) => take(visit, sent, action)),
    );
    // For users who had to sign in before the form was taken, and come back.
    routes.get(`${ONE}/${action}`, leadToOne);
  }
  routes.get(`${ONE}/take-over`, leadToOne);
  return routes;

  async function show({ c, level, webhook }: Visit, refused?: Refused): Promise<Response> {
    const page = webhookPage({
      viewer: asViewer(level.session),
      level,
      webhook,
      updatedAt: seenBy(webhook.updatedAt, refused),
      titles: await findTitles(em.fork(), webhook.ownerId, [webhook]),
      appName: await findAppName(em.fork(), webhook),
      pausedReason: (await findPaused(em.fork(), [webhook], settings.isLetIn)).get(webhook.id) ?? null,
      overlapsUntil: await overlapOf(webhook),
      typed: refused?.typed ?? formOf(webhook),
      deliveries: await listDeliveries(em.fork(), webhook, c.req.query('before')),
      idempotencyKey: newFormKey(),
      csrf: {
        ...visitors.formTokens(c, WEBHOOK_ACTIONS, purposeOf),
        change: visitors.formToken(c, CHANGE),
        takeOver: visitors.formToken(c, TAKE_OVER),
      },
      mistakes: mistakesOf(refused?.problem),
      done: refused ? undefined : doneOf(webhook, visitors.doneBefore(c)),
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function change(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const { c, level, webhook } = visit;
    const typed = typedIn(form);
    const act = () => changeWebhook(settings, { level, form }, webhook, typed);
    const { problem, result: changed } = await outcomeOf(forgery, act);
    if (problem) return show(visit, { typed, problem, sent: form.get('updatedAt') });
    const { salt, isAgain } = changed;
    if (salt !== null && (await isCurrent(visit, salt))) {
      const { ownerId, id, eventTypeId } = webhook;
      const moved = { ownerId, id, eventTypeId, url: typed.url.trim() };
      return sendSecret({ c, level, webhook: moved }, salt, settings, TAKEN_OVER);
    }
    // Another tab may have changed it since a form that is sent again.
    return isAgain ? seeOther(c, webhookPath(webhook)) : visitors.leadTo(c, webhookPath(webhook), 'saved');
  }

  async function take(visit: Visit, { form, forgery }: ReceivedForm, action: WebhookAction): Promise<Response> {
    const { c, level, webhook } = visit;
    const problem = forgery ?? (await problemOf(() => ACTIONS[action].act(settings, { level, form }, webhook)));
    return problem ? show(visit, { problem, sent: null }) : visitors.leadTo(c, webhookPath(webhook), action);
  }

  async function answerFor(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const act = () => takeOver(settings, { level: visit.level, form }, visit.webhook);
    const { problem, result: salt } = await outcomeOf(forgery, act);
    if (problem) return show(visit, { problem, sent: null });
    if (await isCurrent(visit, salt)) return sendSecret(visit, salt, settings, ANSWERED_FOR);
    return seeOther(visit.c, webhookPath(visit.webhook));
  }

  async function askToRotate({ c, level, webhook }: Visit, problem?: Problem): Promise<Response> {
    const appName = await findAppName(em.fork(), webhook);
    const page = confirmPage({
      viewer: asViewer(level.session),
      title: 'Create a new secret?',
      explanation: [
        `We’ll show it once. For ${OVERLAP_HOURS} hours, messages are also signed with the old one, so that you have time to update your server.`,
        (await overlapOf(webhook)) ? 'The secret before the old one stops working immediately.' : '',
        appName === undefined
          ? ''
          : `The app ${isolated(appName)} has the old secret and won’t be able to check messages after that.`,
      ].join(' '),
      button: 'Create new secret',
      action: `${webhookPath(webhook)}/secret`,
      csrf: visitors.formToken(c, ROTATE),
      sent: { idempotencyKey: newFormKey() },
      backPath: webhookPath(webhook),
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }

  async function rotate(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const act = () => rotateSecret(settings, { level: visit.level, form }, visit.webhook);
    const { problem, result: salt } = await outcomeOf(forgery, act);
    if (problem) return askToRotate(visit, problem);
    if (await isCurrent(visit, salt)) return sendSecret(visit, salt, settings, ROTATED);
    return seeOther(visit.c, webhookPath(visit.webhook));
  }

  /** A form that is sent once more answers the secret that it made then, which may be over by now. */
  async function isCurrent({ c, level }: Visit, salt: string): Promise<boolean> {
    const now = await findWebhook(em.fork(), level.session, c.req.param('id') ?? '');
    return now?.webhook.secretSalt === salt;
  }

  async function askToDelete({ c, level, webhook }: Visit, problem?: Problem): Promise<Response> {
    const page = confirmPage({
      viewer: asViewer(level.session),
      title: `Delete the webhook to ${isolated(new URL(webhook.url).host)}?`,
      explanation: 'Nothing will be sent there any more, and the list of its messages is deleted, too.',
      button: 'Delete',
      action: `${webhookPath(webhook)}/delete`,
      csrf: visitors.formToken(c, DELETE),
      backPath: webhookPath(webhook),
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }

  async function remove(visit: Visit, { forgery }: ReceivedForm): Promise<Response> {
    const { c, level, webhook } = visit;
    const act = () => deleteOwned(em.fork(), tableOf(webhook), level.owner, webhook.id);
    const problem = forgery ?? (await problemOf(act));
    return problem ? askToDelete(visit, problem) : visitors.leadTo(c, level.path, 'deleted');
  }

  async function overlapOf({ previousUntil }: ShownWebhook): Promise<Temporal.Instant | undefined> {
    const until = previousUntil === null ? undefined : instantOf(previousUntil);
    return until && until.epochMilliseconds > (await databaseNow(em.fork())) ? until : undefined;
  }

  /** A handler for the webhook, of the reader or a group that they administer, that the address names. */
  function ofOne(handle: (visit: Visit) => Promise<Response>) {
    return signedIn(visitors, async (c, session) => {
      const found = await findWebhook(em.fork(), session, c.req.param('id') ?? '');
      return found ? handle({ c, ...found }) : answerNone(c);
    });
  }

  /** The same for a form. That of another site is told nothing, not even whether there is such a webhook. */
  function formOfOne(purpose: string, handle: (visit: Visit, sent: ReceivedForm) => Promise<Response>) {
    return signedIn(visitors, async (c, session) => {
      const sent = await visitors.readForm(c, purpose);
      const found = await findWebhook(em.fork(), session, c.req.param('id') ?? '');
      return found ? handle({ c, ...found }, sent) : answerNone(c);
    });
  }
}

function leadToOne(c: Context): Response | Promise<Response> {
  return seeOther(c, `${WEBHOOKS_PATH}/${encodeURIComponent(c.req.param('id') ?? '')}`);
}

interface Refused extends FormBack {
  readonly typed?: TypedWebhook;
  readonly problem: Problem;
}

function purposeOf(action: WebhookAction): string {
  return `webhook ${action}`;
}

/** Says what was done, as long as that is still how things stand. */
function doneOf({ active }: ShownWebhook, done: string): string | undefined {
  if (done === 'saved') return 'Saved.';
  const action = WEBHOOK_ACTIONS.find((one) => one === done);
  return action && active === (action !== 'pause') ? ACTIONS[action].done : undefined;
}
