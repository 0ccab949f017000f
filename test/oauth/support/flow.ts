import { sha256Hex } from '../../../src/core/secret.ts';
import { changed, sql } from '../../../src/database/sql.ts';
import {
  type AuthorizeAnswer,
  answerConsent,
  beginAuthorization,
  type Visit,
} from '../../../src/oauth/authorize/authorize.ts';
import type { TokenResponse } from '../../../src/oauth/protocol/access-token.ts';
import type { OAuthError } from '../../../src/oauth/protocol/oauth-error.ts';
import { challengeOf } from '../../../src/oauth/protocol/pkce.ts';
import { answerTokenRequest } from '../../../src/oauth/tokens/token.ts';
import { aSession } from '../../support/session.ts';
import { ADDRESS, REDIRECT_URI, SECRET, type TestServer } from './test-server.ts';

export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = challengeOf(VERIFIER);

type Fields = Readonly<Record<string, string | undefined>>;
type Serving = Pick<TestServer, 'em' | 'server'>;

/** A browser with a signed-in user, or with nobody. */
export async function visitOf({ em }: Serving, userId?: string, browserId = `browser of ${userId}`): Promise<Visit> {
  if (userId === undefined) return { browserId, session: undefined, address: ADDRESS };
  const { id } = await aSession(em, userId, { address: ADDRESS });
  return { browserId, session: { id, userId }, address: ADDRESS };
}

/** A good authorization request with some parameters changed, or left out where the change is undefined. */
export function authorizeQueryOf(clientId: string, changes: Fields = {}): string {
  return formOf({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'PROFILE_READ BOOKING_READ',
    state: 'xyz',
    ...changes,
  });
}

/** Goes the whole way of a user who allows. @returns the code */
export async function authorize(
  { em, server }: Serving,
  clientId: string,
  visit: Visit,
  changes: Fields = {},
): Promise<string> {
  const asked = await beginAuthorization(em, server, authorizeQueryOf(clientId, changes), visit);
  const answer = asked.kind === 'CONSENT' ? await press({ em, server }, asked, visit) : asked;
  return codeIn(answer);
}

/** Presses a button of the consent page. */
export function press(
  { em, server }: Serving,
  page: AuthorizeAnswer,
  visit: Visit,
  decision = 'allow',
): Promise<AuthorizeAnswer> {
  if (page.kind !== 'CONSENT') throw new Error(`Expected the consent page, got ${JSON.stringify(page)}`);
  return answerConsent(em, server, page.question.interactionId, visit, { decision, isForged: false });
}

export function codeIn(answer: AuthorizeAnswer): string {
  const code = answer.kind === 'REDIRECT' ? new URL(answer.location).searchParams.get('code') : null;
  if (code === null) throw new Error(`Expected a code, got ${JSON.stringify(answer)}`);
  return code;
}

/** One request to the token endpoint. */
export function tokenRequest(
  { em, server }: Serving,
  fields: Fields,
  address = ADDRESS,
): Promise<TokenResponse | OAuthError> {
  return answerTokenRequest(em, server, asForm(fields), address);
}

export function exchange(serving: Serving, clientId: string, code: string, changes: Fields = {}) {
  return tokenRequest(serving, {
    client_id: clientId,
    client_secret: SECRET,
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    ...changes,
  });
}

export function refresh(serving: Serving, clientId: string, refreshToken: string, changes: Fields = {}) {
  return tokenRequest(serving, {
    client_id: clientId,
    client_secret: SECRET,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...changes,
  });
}

/** Authorizes and exchanges. */
export async function tokensOf(
  serving: Serving,
  clientId: string,
  userId: string,
  changes: Fields = {},
): Promise<TokenResponse> {
  const code = await authorize(serving, clientId, await visitOf(serving, userId), changes);
  return expectTokens(await exchange(serving, clientId, code));
}

export function expectTokens(answer: TokenResponse | OAuthError): TokenResponse {
  if ('error' in answer) throw new Error(`Expected tokens, got ${JSON.stringify(answer)}`);
  return answer;
}

export function asForm(fields: Fields) {
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: formOf(fields),
    query: '',
    authorization: undefined,
  };
}

function formOf(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
}

/** Lets time pass for a code, by moving its times back. */
export async function ageCode({ em }: Serving, code: string, seconds: number): Promise<void> {
  await changed(
    em,
    sql`update oauth_codes set created_at = created_at - make_interval(secs => ${seconds}),
          expires_at = expires_at - make_interval(secs => ${seconds}),
          redeemed_at = redeemed_at - make_interval(secs => ${seconds})
        where code_hash = ${sha256Hex(code)}`,
  );
}

/** Lets time pass for all grants of a client. */
export async function ageGrants({ em }: Serving, clientId: string, seconds: number): Promise<void> {
  await changed(
    em,
    sql`update oauth_grants set rotated_at = rotated_at - make_interval(secs => ${seconds}),
          confirmed_at = confirmed_at - make_interval(secs => ${seconds}),
          created_at = created_at - make_interval(secs => ${seconds}),
          last_used_at = last_used_at - make_interval(secs => ${seconds}),
          expires_at = expires_at - make_interval(secs => ${seconds})
        where client_id = ${clientId}`,
  );
}
