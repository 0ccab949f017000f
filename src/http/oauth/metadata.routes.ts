import { Hono } from 'hono';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { authorizationServerMetadata, ENDPOINTS, protectedResourceMetadata } from '../../oauth/protocol/metadata.ts';
import { oauthError } from '../../oauth/protocol/oauth-error.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import { keptAnswer, sendKept } from '../../screens/kit/page-response.ts';
import { openToScripts } from '../open-to-scripts.ts';

const AN_HOUR = 'public, max-age=3600';

/** Serves the documents that clients read about this server: RFC 8414, RFC 9728, and the keys (RFC 7517). */
export function metadataRoutes({ issuer, keys }: AuthorizationServer): Hono {
  const documents: Readonly<Record<string, () => object>> = {
    [ENDPOINTS.serverMetadata]: () => authorizationServerMetadata(issuer, SCOPES),
    [ENDPOINTS.resourceMetadata]: () => protectedResourceMetadata(issuer, issuer, SCOPES),
    [ENDPOINTS.keys]: () => keys.jwks(),
  };
  const routes = new Hono();
  for (const [path, read] of Object.entries(documents)) {
    routes.use(path, openToScripts(['GET', 'HEAD'], []));
    routes.get(path, ({ req }) => sendKept(req.raw, keptAnswer(JSON.stringify(read()), 'application/json'), AN_HOUR));
    const { error, description } = oauthError('invalid_request', `${path} takes GET; read it that way.`);
    routes.all(path, (c) => c.json({ error, error_description: description }, 405, { Allow: 'GET, HEAD, OPTIONS' }));
  }
  return routes;
}
