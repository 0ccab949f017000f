import { Hono } from 'hono';
import type { AuthorizationServer } from './authorization-server.ts';
import { clientEndpoint, type EndpointSettings } from './client-endpoint.routes.ts';
import { answerIntrospectionRequest } from './introspect.ts';
import { ENDPOINTS } from './protocol/metadata.ts';
import { answerRevocationRequest } from './revoke.ts';
import { answerTokenRequest } from './token.ts';

/** The endpoints that clients post to. */
export function tokenRoutes(settings: EndpointSettings, server: AuthorizationServer): Hono {
  const routes = new Hono();
  routes.route(
    '/',
    clientEndpoint(ENDPOINTS.token, settings, {
      isOpenToScripts: true,
      answer: (em, input, address) => answerTokenRequest(em, server, input, address),
    }),
  );
  routes.route(
    '/',
    clientEndpoint(ENDPOINTS.revoke, settings, {
      isOpenToScripts: true,
      answer: (em, input, address) => answerRevocationRequest(em, server, input, address),
    }),
  );
  // Only clients with a server of their own may introspect, so no script has to reach it.
  routes.route(
    '/',
    clientEndpoint(ENDPOINTS.introspect, settings, {
      isOpenToScripts: false,
      answer: (em, input, address) => answerIntrospectionRequest(em, server, input, address),
    }),
  );
  return routes;
}
