import { Hono } from 'hono';
import { ENDPOINTS } from '../../oauth/protocol/metadata.ts';
import { answerIntrospectionRequest } from '../../oauth/tokens/introspect.ts';
import { answerRevocationRequest } from '../../oauth/tokens/revoke.ts';
import { answerTokenRequest } from '../../oauth/tokens/token.ts';
import { clientEndpoint } from './client-endpoint.routes.ts';
import type { ClientEndpoint } from './client-endpoint.ts';

/** The endpoints that clients post to. */
export const CLIENT_ENDPOINTS: readonly ClientEndpoint[] = [
  { path: ENDPOINTS.token, answer: answerTokenRequest, isOpenToScripts: true },
  { path: ENDPOINTS.revoke, answer: answerRevocationRequest, isOpenToScripts: true },
  // Only clients with a server of their own may introspect, so no script has to reach it.
  { path: ENDPOINTS.introspect, answer: answerIntrospectionRequest, isOpenToScripts: false },
];

export function tokenRoutes(settings: Parameters<typeof clientEndpoint>[0]): Hono {
  const routes = new Hono();
  for (const endpoint of CLIENT_ENDPOINTS) routes.route('/', clientEndpoint(settings, endpoint));
  return routes;
}
