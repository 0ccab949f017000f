/**
 * developer/ is a developer's apps and an administrator's review of them. It may import account/, consent/ and kit/.
 */
import type { Hono } from 'hono';
import type { Report } from '../../database/failure.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { appsPage, revokeAppPage } from '../consent/authorized-apps.ts';
import { routesOf } from '../kit/page.ts';
import { answerErrors } from '../kit/problem-response.ts';
import { clientDeletionPage, clientPage, type DeveloperSettings } from './client.ts';
import { newSecretPage, secretDeletionPage } from './client-secrets.ts';
import { clientsPage } from './clients.ts';
import { newClientPage, redirectUriAdvice } from './new-client.ts';
import { decisionPage, reviewsPage } from './reviews.ts';

/** The pages about apps for those who use them, make them, and review them. */
export function developerRoutes(
  settings: Omit<DeveloperSettings, 'after'> & { readonly report: Report },
  after: Aftermath,
): Hono {
  const own = { ...settings, after };
  const routes = routesOf(settings, [
    appsPage,
    revokeAppPage(settings, after),
    clientsPage,
    // Before the page of one client, or `new` would be taken for the id of one.
    newClientPage(own),
    redirectUriAdvice,
    clientPage(own),
    clientDeletionPage(own),
    newSecretPage(own),
    secretDeletionPage(own),
    reviewsPage,
    decisionPage(own),
  ]);
  routes.onError(answerErrors(settings.report));
  return routes;
}
