import { html } from 'hono/html';
import type { ListedClient } from '../../../oauth/clients/oauth-client.queries.ts';
import { EXAMPLE_PKCE } from '../../../oauth/protocol/pkce.ts';
import { ENDPOINTS } from '../../../oauth/protocol/tokens/metadata.ts';
import type { Scope } from '../../../scopes/catalog.ts';
import { adviseClient } from '../../../scopes/scope-advice.ts';
import { copyable } from '../../kit/copyable.ts';
import type { Html } from '../../kit/layout.ts';

/** What a developer copies: the id, where users are sent, and what exchanges the code. `publicUrl` has no slash at its end. */
export function usagePart(client: ListedClient, publicUrl: string): Html {
  const { clientId, status } = client;
  const address = authorizeUrl(client, publicUrl);
  return html`<article>
      <h2>Use it</h2>
      <dl class="credentials"><dt>Client id</dt><dd>${copyable('the client id', clientId)}</dd></dl>
      <h3>1. Send people to this address</h3>
      ${copyable('the address', address, 'BLOCK')}
      <p class="aside">${addedToUrl(client)}</p>
      ${status === 'APPROVED' ? html`<p><a href="${address}">Try it yourself</a>: you are asked as your users will be.</p>` : ''}
      <h3>2. Exchange the code that they come back with</h3>
      ${copyable('the command', exchangeCommand(client, publicUrl), 'BLOCK')}
      <p class="aside">The code is the parameter <code>code</code> of the address to which they come back. It serves once, for a few minutes.
        The command answers an access token and a refresh token.</p>
      <h3>3. Ask for what they allowed</h3>
      ${copyable('the query', queryCommand(client, publicUrl), 'BLOCK')}
      <p class="aside">With the access token in the place of <code>THE_TOKEN</code>. What else there is to ask for:
        <a href="/schema.graphql">the GraphQL schema</a>, <a href="/openapi">the REST paths</a>.</p>
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
  const others = client.redirectUris.length > 1 ? 'It names the first of the redirect URIs. ' : '';
  return html`${others}Leave out scopes that a request does not need, and add a random <code>state</code>.
        ${needsPkce(client) ? html`<code>code_challenge</code> belongs to the <code>code_verifier</code> below: the example of RFC 7636, to try it out. Your app makes a new pair for each request.` : ''}`;
}

/** For a POSIX shell. */
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
