/** webhooks/ is where users have their own servers told of what happens. It may import account/, kit/ and http/. */
import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import type { Report } from '../../database/failure.ts';
import { SCRIPTED_HEADERS, seeOther } from '../../http/page-response.ts';
import { answerErrors, problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { WEBHOOKS_PATH } from '../../modules/webhooks/webhook.rules.ts';
import { firstSaltOf } from '../../modules/webhooks/webhook-secret.rules.ts';
import { signedIn } from '../account/signed-in.ts';
import { newFormKey } from '../kit/form-key.ts';
import { findEventTypes, findTitles, findWebhook, listWebhooks } from './shown-webhooks.queries.ts';
import { type WebhookPagesSettings, webhookRoutes } from './webhook.routes.ts';
import { ADDED, sendSecret } from './webhook-answers.ts';
import { addWebhook } from './webhook-deeds.ts';
import { mistakesOf, NEW_WEBHOOK, type TypedWebhook, typedIn } from './webhook-form.ts';
import { webhooksPage } from './webhooks-page.ts';

export interface WebhooksSettings extends WebhookPagesSettings {
  readonly report: Report;
}

const ADD = 'webhook add';

/** `/settings/webhooks`: the addresses that are told of what happens to a user. */
export function webhooksRoutes(settings: WebhooksSettings): Hono {
  const { em, visitors, report } = settings;
  const routes = new Hono();
  routes.onError(answerErrors(report));
  routes.get(
    WEBHOOKS_PATH,
    signedIn(visitors, (c, session) => list(c, session)),
  );
  routes.post(WEBHOOKS_PATH, signedIn(visitors, add));
  routes.route('/', webhookRoutes(settings));
  return routes;

  async function list(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const { userId } = session;
    const webhooks = await listWebhooks(em.fork(), userId, pageRequest({ after: c.req.query('after') }));
    const page = webhooksPage({
      viewer: asViewer(session),
      webhooks,
      titles: await findTitles(em.fork(), userId, webhooks.rows),
      eventTypes: await findEventTypes(em.fork(), userId),
      typed: refused?.typed ?? NEW_WEBHOOK,
      idempotencyKey: newFormKey(),
      csrf: visitors.formToken(c, ADD),
      mistakes: mistakesOf(refused?.problem),
      done: c.req.query('done') === 'deleted' && !refused ? 'The webhook is deleted.' : undefined,
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function add(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ADD);
    const { userId } = session;
    const typed = typedIn(form);
    let id = '';
    const act = async () => {
      id = await addWebhook(settings, { userId, form }, typed);
    };
    const problem = forgery ?? (await problemOf(act));
    if (problem) return list(c, session, { typed, problem });
    const webhook = await findWebhook(em.fork(), userId, id);
    // A form that is sent once more may find its webhook with another secret by now, or gone.
    if (webhook?.secretSalt !== firstSaltOf(webhook?.id ?? '')) return seeOther(c, `${WEBHOOKS_PATH}/${id}`);
    return sendSecret({ c, session, webhook }, webhook.secretSalt, settings, ADDED);
  }
}

interface Refused {
  readonly typed: TypedWebhook;
  readonly problem: Problem;
}
