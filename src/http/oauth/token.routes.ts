import { Hono } from 'hono';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { ENDPOINTS } from '../../oauth/protocol/tokens/metadata.ts';
import { answerIntrospectionRequest } from '../../oauth/tokens/introspect.ts';
import { answerRevocationRequest } from '../../oauth/tokens/revoke.ts';
import { answerTokenRequest } from '../../oauth/tokens/token.ts';
import { clientEndpoint, type EndpointSettings } from './client-endpoint.routes.ts';

/** The endpoints that clients post to. */
const CLIENT_ENDPOINTS = [
  { path: ENDPOINTS.token, answer: answerTokenRequest, isOpenToScripts: true },
  { path: ENDPOINTS.revoke, answer: answerRevocationRequest, isOpenToScripts: true },
  // Only clients with a server of their own may introspect, so no script has to reach it.
  { path: ENDPOINTS.introspect, answer: answerIntrospectionRequest, isOpenToScripts: false },
];

export function tokenRoutes(settings: EndpointSettings, server: AuthorizationServer): Hono {
  const routes = new Hono();
  for (const endpoint of CLIENT_ENDPOINTS) routes.route('/', clientEndpoint(settings, server, endpoint));
  return routes;
}
