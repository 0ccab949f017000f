import { type Context, Hono } from 'hono';
import { sha256Base64url } from '../../core/secret.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import {
  authorizationServerMetadata,
  ENDPOINTS,
  protectedResourceMetadata,
} from '../../oauth/protocol/tokens/metadata.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import { openToScripts } from './client-endpoint.routes.ts';

/** What clients read about this server: RFC 8414, RFC 9728, and the keys (RFC 7517). */
export function metadataRoutes({ issuer, keys }: AuthorizationServer): Hono {
  const documents: Readonly<Record<string, () => object>> = {
    [ENDPOINTS.serverMetadata]: () => authorizationServerMetadata(issuer, SCOPES),
    [ENDPOINTS.resourceMetadata]: () => protectedResourceMetadata(issuer, issuer, SCOPES),
    [ENDPOINTS.keys]: () => keys.jwks(),
  };
  const routes = new Hono();
  for (const [path, read] of Object.entries(documents)) {
    routes.use(path, openToScripts);
    routes.get(path, (c) => send(c, JSON.stringify(read())));
    routes.all(path, (c) => c.json({ error: 'invalid_request' }, 405, { Allow: 'GET, HEAD, OPTIONS' }));
  }
  return routes;
}

/** A client that has the document already gets a 304 without a body. */
function send(c: Context, document: string): Response {
  const etag = `"${sha256Base64url(document)}"`;
  const headers = { 'Cache-Control': 'public, max-age=3600', ETag: etag, 'X-Content-Type-Options': 'nosniff' };
  const known = (c.req.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return c.body(null, 304, headers);
  return c.body(document, 200, { ...headers, 'Content-Type': 'application/json' });
}
