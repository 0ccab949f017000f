import { Hono } from 'hono';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { appsPage, revokeAppPage } from '../consent/authorized-apps.ts';
import { routesOf } from '../kit/page.ts';
import { answerErrors } from '../kit/problem-response.ts';
import { clientReviewRoutes } from './client-review.routes.ts';
import { clientSecretsRoutes } from './client-secrets.routes.ts';
import { type DeveloperSettings, developerClientRoutes } from './developer-client.routes.ts';
import { developerClientsRoutes } from './developer-clients.routes.ts';

/** The pages about apps for those who use them, make them, and review them. */
export function settingsRoutes(settings: DeveloperSettings, after: Aftermath): Hono {
  const routes = new Hono();
  routes.onError(answerErrors(settings.report));
  routes.route('/', routesOf(settings, [appsPage, revokeAppPage(settings, after)]));
  // Before the pages of one client, or `new` would be taken for the id of one.
  routes.route('/', developerClientsRoutes(settings, after));
  routes.route('/', developerClientRoutes(settings, after));
  routes.route('/', clientSecretsRoutes(settings, after));
  routes.route('/', clientReviewRoutes(settings, after));
  return routes;
}
