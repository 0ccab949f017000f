import { createHash } from 'node:crypto';
import { type RawAnswer, send } from './raw-http.ts';
import type { TestBrowser } from './test-browser.ts';

/** The parameters of a request; those that are undefined are left out. */
export type Fields = Readonly<Record<string, string | undefined>>;

export const TOKEN_PATH = '/v2/auth/oauth2/token';
export const FORM = 'application/x-www-form-urlencoded';

/** The client that seeding registers (persistence/demo-data.ts), as its own developer knows it. */
export const APP = {
  client_id: 'demo-app',
  client_secret: 'gh_secret_demo_app',
  redirect_uri: 'https://app.example.test/cb',
} as const;
export const CLI = { client_id: 'demo-cli', redirect_uri: 'http://127.0.0.1:5555/callback' } as const;
export const NARROW = {
  client_id: 'demo-narrow',
  client_secret: 'gh_secret_demo_narrow',
  redirect_uri: 'https://narrow.example.test/cb',
} as const;
export const LEGACY = {
  client_id: 'demo-legacy',
  client_secret: 'gh_secret_demo_legacy',
  redirect_uri: 'https://legacy.example.test/cb',
} as const;

/** A client as its developer knows it. */
export interface KnownClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uri: string;
}

export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' } as const;

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: TokenBody;
  readonly text: string;
}

/** A token response or an error: a test knows which one it looks at. */
export interface TokenBody {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly active?: boolean;
}

/** The path of an authorization by `client` for one scope, with changes. */
export function authorizePath(client: KnownClient, changes: Fields = {}): string {
  const { client_id, redirect_uri } = client;
  const fields = { response_type: 'code', client_id, redirect_uri, scope: 'PROFILE_READ', state: 'xyz', ...changes };
  return `/auth/oauth2/authorize?${formOf(fields)}`;
}

/** Goes the whole way of a signed-in user who allows. @returns the code */
export async function codeFor(browser: TestBrowser, client: KnownClient, changes: Fields = {}): Promise<string> {
  const { location, parameters } = await browser.allow(authorizePath(client, changes));
  const code = parameters.get('code');
  if (code === null) throw new Error(`Expected a code, got ${location}`);
  return code;
}

/** A request to the token endpoint, or to another one that clients post to. */
export async function post(
  base: string,
  fields: Fields,
  { path = TOKEN_PATH, headers = {} }: { path?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<TokenAnswer> {
  return read(
    await send(base, { method: 'POST', path, headers: { 'content-type': FORM, ...headers }, body: formOf(fields) }),
  );
}

export function read({ status, headers, text }: RawAnswer): TokenAnswer {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status, headers, text, body: isJson ? JSON.parse(text) : {} };
}

export function exchange(base: string, client: KnownClient, code: string, changes: Fields = {}): Promise<TokenAnswer> {
  return post(base, { ...client, grant_type: 'authorization_code', code, ...changes });
}

export function refresh(base: string, client: KnownClient, token: string, changes: Fields = {}): Promise<TokenAnswer> {
  const { redirect_uri: _, ...credentials } = client;
  return post(base, { ...credentials, grant_type: 'refresh_token', refresh_token: token, ...changes });
}

/** Authorizes and exchanges, with PKCE. */
export async function tokensFor(browser: TestBrowser, client: KnownClient, changes: Fields = {}): Promise<TokenBody> {
  const code = await codeFor(browser, client, { ...PKCE, ...changes });
  return tokensIn(await exchange(browser.base, client, code, { code_verifier: VERIFIER }));
}

export function tokensIn({ status, body, text }: TokenAnswer): TokenBody {
  if (status === 200) return body;
  throw new Error(`Expected tokens, got HTTP ${status}: ${text}`);
}

/** One GraphQL request with a token. @returns its status */
export async function statusOf(base: string, token: string, query = '{ me { id } }'): Promise<number> {
  const answer = await send(base, {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  return answer.status;
}

/** HTTP Basic as RFC 6749 §2.3.1 writes it: both parts form-encoded first. */
export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}

export function formOf(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
}
