/** webhooks/ is where users, teams and organizations have servers told of what happens. It may import account/, teams/, kit/ and http/. */
import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import type { Report } from '../../database/failure.ts';
import { SCRIPTED_HEADERS, seeOther } from '../../http/page-response.ts';
import { answerErrors, outcomeOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import { WEBHOOKS_PATH } from '../../modules/webhooks/webhook.rules.ts';
import { firstSaltOf } from '../../modules/webhooks/webhook-secret.rules.ts';
import { newFormKey } from '../kit/form-key.ts';
import { levelsOfPages, type PageLevel } from '../teams/page-level.ts';
import { findEventTypes, findPaused, findTitles, findWebhook, listWebhooks } from './shown-webhooks.queries.ts';
import { type WebhookPagesSettings, webhookRoutes } from './webhook.routes.ts';
import { addWebhook } from './webhook-actions.ts';
import { ADDED, sendSecret } from './webhook-answers.ts';
import { mistakesOf, NEW_WEBHOOK, type TypedWebhook, typedIn } from './webhook-form.ts';
import { webhooksPage } from './webhooks-page.ts';

export interface WebhooksSettings extends WebhookPagesSettings {
  readonly report: Report;
}

const ADD = 'webhook add';

/**
 * `/settings/webhooks`: the addresses that are notified of what happens to a user. `/settings/teams/:id/webhooks`: those of a
 * team's event types, or of an organization.
 */
export function webhooksRoutes(settings: WebhooksSettings): Hono {
  const { em, visitors, report } = settings;
  const routes = new Hono();
  routes.onError(answerErrors(report));
  for (const route of levelsOfPages(settings, 'webhooks', ['team', 'organization'])) {
    routes.get(
      route.path,
      route.of((c, level) => list(c, level)),
    );
    routes.post(route.path, route.of(add));
  }
  routes.route('/', webhookRoutes(settings));
  return routes;

  async function list(c: Context, level: PageLevel, refused?: Refused): Promise<Response> {
    const { ownerId } = level.owner;
    const webhooks = await listWebhooks(em.fork(), ownerId, pageRequest({ after: c.req.query('after') }));
    const typed = refused?.typed ?? { ...NEW_WEBHOOK, eventTypeId: c.req.query('about') ?? '' };
    const page = webhooksPage({
      viewer: asViewer(level.session),
      level,
      webhooks,
      paused: await findPaused(em.fork(), webhooks.rows, settings.isLetIn),
      titles: await findTitles(em.fork(), ownerId, webhooks.rows),
      eventTypes: await findEventTypes(em.fork(), ownerId, { after: c.req.query('types'), chosen: typed.eventTypeId }),
      typed,
      idempotencyKey: newFormKey(),
      csrf: visitors.formToken(c, ADD),
      mistakes: mistakesOf(refused?.problem),
      done: visitors.doneBefore(c) === 'deleted' && !refused ? 'The webhook is deleted.' : undefined,
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function add(c: Context, level: PageLevel): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ADD);
    const typed = typedIn(form);
    const { problem, result: id } = await outcomeOf(forgery, () => addWebhook(settings, { level, form }, typed));
    if (problem) return list(c, level, { typed, problem });
    const found = await findWebhook(em.fork(), level.session, id);
    // A form that is sent once more may find its webhook with another secret by now, or gone.
    if (found?.webhook.secretSalt !== firstSaltOf(found?.webhook.id ?? ''))
      return seeOther(c, `${WEBHOOKS_PATH}/${id}`);
    return sendSecret({ c, ...found }, found.webhook.secretSalt, settings, ADDED);
  }
}

interface Refused {
  readonly typed: TypedWebhook;
  readonly problem: Problem;
}
