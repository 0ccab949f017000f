import { html } from 'hono/html';
import type { ListedClient } from '../../../oauth/clients/oauth-client.queries.ts';
import { ENDPOINTS } from '../../../oauth/protocol/metadata.ts';
import { EXAMPLE_PKCE } from '../../../oauth/protocol/pkce.ts';
import type { Scope } from '../../../scopes/catalog.ts';
import { adviseClient } from '../../../scopes/scope-advice.ts';
import type { Html } from '../../kit/layout.ts';
import { copyable } from '../../kit/page-parts.ts';

/**
 * Shows what a developer copies: the id, where users are sent, and what exchanges the code. `publicUrl` has no slash at
 * its end.
 */
export function usagePart(client: ListedClient, publicUrl: string): Html {
  const { clientId, status } = client;
  const address = authorizeUrl(client, publicUrl);
  return html`<article>
      <h2>Use it</h2>
      <dl class="credentials"><dt>Client ID</dt><dd>${copyable('the client ID', clientId)}</dd></dl>
      <h3>1. Send people to this address</h3>
      ${copyable('the address', address, 'BLOCK')}
      <p class="aside">${addedToUrl(client)}</p>
      ${status === 'APPROVED' ? html`<p><a href="${address}">Try it yourself</a> to see what your users will see.</p>` : ''}
      <h3>2. Exchange the code they come back with</h3>
      ${copyable('the command', exchangeCommand(client, publicUrl), 'BLOCK')}
      <p class="aside">You’ll find the code in the parameter <code>code</code> of the address they come back to. It works once, within a few minutes.
        The command returns an access token and a refresh token.</p>
      <h3>3. Ask for what they allowed</h3>
      ${copyable('the query', queryCommand(client, publicUrl), 'BLOCK')}
      <p class="aside">Put the access token in place of <code>THE_TOKEN</code>. For everything else you can ask for, see
        <a href="/schema.graphql">the GraphQL schema</a> and <a href="/openapi">the REST paths</a>.</p>
    </article>`;
}

function needsPkce({ type, requirePkce }: ListedClient): boolean {
  return type === 'PUBLIC' || requirePkce;
}

/** For the first of the redirect URIs, with all scopes that are enabled; a legacy client is shown how to name one. */
function authorizeUrl(client: ListedClient, publicUrl: string): string {
  const { clientId, legacy, redirectUris } = client;
  const enabledScopes = legacy ? ['PROFILE_READ'] : client.scopes;
  const authorizationEndpoint = `${publicUrl}${ENDPOINTS.authorize}`;
  const known = { clientId, enabledScopes, redirectUri: redirectUris[0], authorizationEndpoint };
  const url = new URL(adviseClient(enabledScopes, known).authorizeUrl ?? authorizationEndpoint);
  if (needsPkce(client)) url.searchParams.set('code_challenge', EXAMPLE_PKCE.challenge);
  return url.href;
}

function addedToUrl(client: ListedClient): Html {
  const others = client.redirectUris.length > 1 ? 'It uses the first of your redirect URIs. ' : '';
  return html`${others}Leave out scopes you don’t need, and add a random <code>state</code>.
        ${needsPkce(client) ? html`<code>code_challenge</code> goes with the <code>code_verifier</code> below: they’re the example from RFC 7636, for trying it out. Your app has to create a new pair for each request.` : ''}`;
}

/** The command that exchanges a code, for a POSIX shell. */
function exchangeCommand(client: ListedClient, publicUrl: string): string {
  const { clientId, type, redirectUris } = client;
  return [
    `curl ${publicUrl}${ENDPOINTS.token}`,
    '  -d grant_type=authorization_code',
    `  --data-urlencode client_id=${quotedForShell(clientId)}`,
    ...(type === 'CONFIDENTIAL' ? ['  -d client_secret=YOUR_SECRET'] : []),
    `  --data-urlencode redirect_uri=${quotedForShell(redirectUris[0] ?? '')}`,
    ...(needsPkce(client) ? [`  -d code_verifier=${EXAMPLE_PKCE.verifier}`] : []),
    '  -d code=THE_CODE',
  ].join(' \\\n');
}

/** A first query for the first of these scopes that a client has. */
const QUERIES = [
  ['PROFILE_READ', '{ me { name } }'],
  ['EVENT_TYPE_READ', '{ me { eventTypes(first: 1) { nodes { title } } } }'],
  ['BOOKING_READ', '{ me { bookings(first: 1) { nodes { title } } } }'],
  ['SCHEDULE_READ', '{ me { schedules(first: 1) { nodes { name } } } }'],
] as const satisfies readonly (readonly [Scope, string])[];

/** Whoever has none of them sees at least that the token is taken. */
function queryCommand({ legacy, scopes }: ListedClient, publicUrl: string): string {
  const [, query = '{ __typename }'] = QUERIES.find(([scope]) => legacy || scopes.includes(scope)) ?? [];
  return [
    `curl ${publicUrl}/graphql`,
    "  -H 'Authorization: Bearer THE_TOKEN'",
    "  -H 'Content-Type: application/json'",
    `  -d '{"query":"${query}"}'`,
  ].join(' \\\n');
}

/** Texts of others, which must end no word: an administrator copies the command of any client. */
function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
