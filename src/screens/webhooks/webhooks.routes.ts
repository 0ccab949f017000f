/** webhooks/ is where users, teams and organizations have servers told of what happens. It may import account/, teams/ and kit/. */
import type { Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Report } from '../../database/failure.ts';
import { firstSaltOf, WEBHOOKS_PATH } from '../../modules/webhooks/webhook.rules.ts';
import { type DeclaredPage, page, routesOf } from '../kit/page.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { answerErrors } from '../kit/problem-response.ts';
import { levelOf, pathsOfLevels } from '../teams/page-level.ts';
import { answerNone } from '../teams/place.ts';
import { findEventTypes, findPaused, findTitles, findWebhook, listWebhooks } from './shown-webhooks.queries.ts';
import { deletionPage, oneWebhookPage, rotationPage, type WebhookPagesSettings } from './webhook.routes.ts';
import { addWebhook } from './webhook-actions.ts';
import { ADDED, sendSecret } from './webhook-answers.ts';
import { mistakesOf, NEW_WEBHOOK, typedIn } from './webhook-form.ts';
import { webhooksPage } from './webhooks-page.ts';

export interface WebhooksSettings extends WebhookPagesSettings {
  readonly report: Report;
}

const NAME = 'webhooks';

/**
 * `/settings/webhooks`: the addresses that are notified of what happens to a user. `/settings/teams/:id/webhooks`: those of a
 * team's event types, or of an organization.
 */
export function webhooksRoutes(settings: WebhooksSettings): Hono {
  const pages = [listPage(settings), oneWebhookPage(settings), rotationPage(settings), deletionPage];
  const routes = routesOf(settings, pages);
  routes.onError(answerErrors(settings.report));
  return routes;
}

function listPage(settings: WebhooksSettings): DeclaredPage {
  return page({
    path: pathsOfLevels(NAME),
    language: 'en',
    find: (visit) => levelOf(visit, NAME, ['team', 'organization']),
    none: answerNone,
    show: async (showing, level) => {
      const { c, em, back, csrf, done } = showing;
      const { ownerId } = level.owner;
      const webhooks = await listWebhooks(em, ownerId, pageRequest({ after: c.req.query('after') }));
      const typed = back ? typedIn(back.form) : { ...NEW_WEBHOOK, eventTypeId: c.req.query('about') ?? '' };
      const choices = { after: c.req.query('types'), chosen: typed.eventTypeId };
      return webhooksPage({
        ...showing,
        level,
        webhooks,
        paused: await findPaused(em, webhooks.rows, settings.isLetIn),
        titles: await findTitles(em, ownerId, webhooks.rows),
        eventTypes: await findEventTypes(em, ownerId, choices),
        typed,
        csrf: csrf.add,
        mistakes: mistakesOf(back?.problem),
        done: done === 'deleted' ? 'The webhook is deleted.' : undefined,
      });
    },
    headers: SCRIPTED_HEADERS,
    forms: {
      add: {
        at: '',
        run: async (visit, level, form) => {
          const id = await addWebhook(settings, { level, form }, typedIn(form));
          const found = await findWebhook(visit.em, level.session, id);
          // A form that is sent once more may find its webhook with another secret by now, or gone.
          if (found?.webhook.secretSalt !== firstSaltOf(found?.webhook.id ?? ''))
            return { to: `${WEBHOOKS_PATH}/${id}` };
          return sendSecret(visit, found.webhook, found.webhook.secretSalt, settings, ADDED);
        },
      },
    },
  });
}
