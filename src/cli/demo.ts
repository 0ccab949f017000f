/** The whole OAuth round trip against a running service, with a real client library, each step in words. */
import process from 'node:process';
import * as oauth from 'openid-client';
import { Browser } from './demo-browser.ts';

const BASE = (process.env['PUBLIC_URL'] ?? `http://localhost:${process.env['PORT'] ?? 4000}`).replace(/\/$/, '');
const PASSWORD = 'gatehouse-demo';
const CALLBACK = 'http://127.0.0.1/callback';
const EVENT_TYPES = '{ me { eventTypes(first: 3) { nodes { slug title } } } }';

let steps = 0;
function say(text: string, detail?: unknown): void {
  steps += 1;
  console.log(`\n${steps}. ${text}`);
  if (detail !== undefined)
    console.log(indented(typeof detail === 'string' ? detail : JSON.stringify(detail, null, 2)));
}

/** The demo is also a check: an answer that is not the expected one ends it. */
function expectStatus<Answer extends { readonly status: number }>(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer;
  throw new Error(`After step ${steps}, HTTP ${status} was expected and HTTP ${answer.status} came.`);
}

async function main(): Promise<void> {
  const ada = await Browser.signIn(BASE, 'ada@acme.test', PASSWORD);
  const admin = await Browser.signIn(BASE, 'admin@gatehouse.test', PASSWORD);
  say('Ada, a developer, and the administrator are signed in.', `sessions of ${BASE}, by POST /auth/login`);

  const { clientId, secret } = await registerClient(ada);
  say('Ada registers a client; it is pending and cannot be used yet.', { clientId, status: 'PENDING' });

  const config = await oauth.discovery(new URL(BASE), clientId, secret, undefined, {
    algorithm: 'oauth2',
    execute: BASE.startsWith('http://') ? [oauth.allowInsecureRequests] : [],
  });
  say(
    'openid-client reads the metadata of the authorization server.',
    `${BASE}/.well-known/oauth-authorization-server`,
  );

  const refused = expectStatus(
    await ada.get(oauth.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'PROFILE_READ' }).href),
    403,
  );
  say('Authorizing with a pending client is shown on our own page, never redirected.', `HTTP ${refused.status}`);

  await review(admin, 'oauthClientApprove', { clientId });
  say('The administrator approves it by a mutation.', { clientId, status: 'APPROVED' });

  let tokens = await authorize(config, ada, 'PROFILE_READ');
  say('Ada allows PROFILE_READ; the code is exchanged with PKCE.', summary(tokens));

  const profile = expectStatus(await query(tokens.access_token, '{ me { name email timeZone } }'), 200);
  say('A query with that one scope: { me { name email timeZone } }', profile.body);

  const short = expectStatus(await query(tokens.access_token, EVENT_TYPES), 403);
  say(`The same token asks for more: ${EVENT_TYPES}`, `HTTP ${short.status}: ${short.body.errors?.[0]?.message}`);

  const explained = expectStatus(await postJson(`${BASE}/graphql/scopes`, { query: EVENT_TYPES, clientId }), 200);
  say('POST /graphql/scopes says what that document needs, before shipping.', {
    scopes: (explained.body as { scopes?: unknown }).scopes,
  });

  tokens = await authorize(config, ada, 'PROFILE_READ EVENT_TYPE_READ');
  say('Ada authorizes again; only the new scope is marked on the page.', summary(tokens));
  say('Now the query answers.', expectStatus(await query(tokens.access_token, EVENT_TYPES), 200).body);

  const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
  say('The refresh token is exchanged for a new pair.', summary(refreshed));

  await review(admin, 'oauthClientSuspend', { clientId, reason: 'The demo shows what suspending does.' });
  const suspended = await refusedSoon(refreshed.access_token);
  say(
    'The administrator suspends the client: its tokens are refused at once.',
    `HTTP ${suspended.status}: ${suspended.body.errors?.[0]?.message}`,
  );

  await review(admin, 'oauthClientReinstate', { clientId });
  const reinstated = expectStatus(await query(refreshed.access_token, '{ me { name } }'), 200);
  say('Reinstated, the same token works again.', reinstated.body);

  await ada.graphql(
    'mutation ($input: OauthClientDeleteInput!) { oauthClientDelete(input: $input) { clientId userErrors { code } } }',
    { input: { clientId } },
  );
  const after = await refusedSoon(refreshed.access_token);
  say('Ada deletes the client; everything it held is dead.', `HTTP ${after.status}`);
}

/** The process that revokes refuses at once; the others of the same service hear of it within a tenth of a second. */
async function refusedSoon(accessToken: string): Promise<Answer> {
  const until = performance.now() + 100;
  let answer = await query(accessToken, '{ me { name } }');
  while (answer.status !== 401 && performance.now() < until) answer = await query(accessToken, '{ me { name } }');
  return expectStatus(answer, 401);
}

async function registerClient(ada: Browser): Promise<{ clientId: string; secret: string }> {
  const document = `mutation ($input: OauthClientCreateInput!) {
    oauthClientCreate(input: $input) { client { clientId } secret userErrors { message } } }`;
  const input = {
    name: 'Round trip',
    purpose: 'Shows the standard OAuth path',
    type: 'CONFIDENTIAL',
    redirectUris: [CALLBACK],
    scopes: ['PROFILE_READ', 'EVENT_TYPE_READ'],
  };
  const { oauthClientCreate } = await ada.graphql<{
    oauthClientCreate: { client: { clientId: string } | null; secret: string | null; userErrors: unknown[] };
  }>(document, { input });
  const { client, secret, userErrors } = oauthClientCreate;
  if (!client || !secret) throw new Error(`The client was not created: ${JSON.stringify(userErrors)}`);
  return { clientId: client.clientId, secret };
}

type Review = 'oauthClientApprove' | 'oauthClientSuspend' | 'oauthClientReinstate';

async function review(admin: Browser, mutation: Review, input: Record<string, string>): Promise<void> {
  const inputType = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const document = `mutation ($input: ${inputType}!) { ${mutation}(input: $input) { client { status } userErrors { message } } }`;
  const data = await admin.graphql<Record<string, { userErrors: unknown[] }>>(document, { input });
  const mistakes = data[mutation]?.userErrors ?? [];
  if (mistakes.length > 0) throw new Error(`${mutation} was refused: ${JSON.stringify(mistakes)}`);
}

async function authorize(
  config: oauth.Configuration,
  browser: Browser,
  scope: string,
): Promise<oauth.TokenEndpointResponse> {
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const expectedState = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state: expectedState,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const callback = await browser.allow(url.href);
  return oauth.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
}

interface Answer {
  readonly status: number;
  readonly body: GraphQLBody;
}

interface GraphQLBody {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

function query(accessToken: string, document: string): Promise<Answer> {
  return postJson(`${BASE}/graphql`, { query: document }, { authorization: `Bearer ${accessToken}` });
}

async function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as GraphQLBody };
}

function summary({ token_type, expires_in, scope }: oauth.TokenEndpointResponse): Record<string, unknown> {
  return { token_type, expires_in, scope, access_token: '(not shown)', refresh_token: '(not shown)' };
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '   ');
}

try {
  await main();
  console.log('\nDone: every step answered as it should.');
} catch (error) {
  const refused = (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED';
  console.error(refused ? `Nothing listens at ${BASE}: run "npm start" in another terminal first.` : error);
  process.exitCode = 1;
}
