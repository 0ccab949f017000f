import { sql } from '../../database/sql.ts';

/** The columns of `oauth_clients c` as the rules' `Client` has them (protocol/client.ts). */
export const CLIENT_COLUMNS = sql`
  c.client_id as "clientId", c.type, c.status, c.name, c.purpose, c.logo_url as "logoUrl",
  c.website_url as "websiteUrl", c.redirect_uris as "redirectUris", c.scopes, c.legacy, c.require_pkce as "requirePkce"`;
