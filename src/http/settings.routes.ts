import { Hono } from 'hono';
import type { Aftermath } from '../oauth/authorization-server.ts';
import { clientReviewRoutes } from './clients/client-review.routes.ts';
import { clientSecretsRoutes } from './clients/client-secrets.routes.ts';
import { developerClientRoutes } from './clients/developer-client.routes.ts';
import { developerClientsRoutes } from './clients/developer-clients.routes.ts';
import type { AuthorizeSettings } from './oauth/authorize.routes.ts';
import { authorizedAppsRoutes } from './oauth/authorized-apps.routes.ts';
import { answerErrors } from './problem-response.ts';

/** The pages about apps for those who use them, make them, and review them. */
export function settingsRoutes(settings: AuthorizeSettings, after: Aftermath): Hono {
  const routes = new Hono();
  routes.onError(answerErrors(settings.report));
  routes.route('/', authorizedAppsRoutes(settings, after));
  // Before the pages of one client, or `new` would be taken for the id of one.
  routes.route('/', developerClientsRoutes(settings, after));
  routes.route('/', developerClientRoutes(settings, after));
  routes.route('/', clientSecretsRoutes(settings, after));
  routes.route('/', clientReviewRoutes(settings, after));
  return routes;
}
