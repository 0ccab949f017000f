import { Hono } from 'hono';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { ENDPOINTS } from '../../oauth/protocol/tokens/metadata.ts';
import { answerIntrospectionRequest } from '../../oauth/tokens/introspect.ts';
import { answerRevocationRequest } from '../../oauth/tokens/revoke.ts';
import { answerTokenRequest } from '../../oauth/tokens/token.ts';
import { clientEndpoint, type EndpointSettings } from './client-endpoint.routes.ts';

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
