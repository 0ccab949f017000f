import type { TokenEndpointResponse } from 'openid-client';
import type { OwnedId } from '../../core/id.ts';
import { type RawBuilder, sql } from '../../database/sql.ts';
import type { Credentials, CredentialsOf } from '../../outbound/credentials.ts';

/** The part of a token response (RFC 6749 §5.1) that is kept. */
export interface Tokens {
  readonly accessToken: string;
  /** Null where the provider has given no refresh token. */
  readonly refreshToken: string | null;
}

/** A refresh that gives no new refresh token leaves the old one good (RFC 6749 §6). */
export function tokensIn(response: TokenEndpointResponse, before?: Tokens): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken = before?.refreshToken ?? null } = response;
  return { accessToken, refreshToken };
}

/** SQL: until when an access token is good, from what the provider says of its lifetime. */
export function expiryOf({ expires_in: seconds }: TokenEndpointResponse): RawBuilder<unknown> {
  const isSaid = typeof seconds === 'number' && seconds >= 0;
  return sql`now() + make_interval(secs => ${isSaid ? Math.min(seconds, MOST_SECONDS) : null}::float8)`;
}

const MOST_SECONDS = 10 * 365 * 86_400;

export function sealTokens(credentials: Credentials, connection: OwnedId, tokens: Tokens): Promise<string> {
  return credentials.seal(tokens, rowOf(connection));
}

/** @throws UnreadableCredentials */
export async function openTokens(credentials: Credentials, connection: OwnedId, text: string): Promise<Tokens> {
  return (await credentials.open(text, rowOf(connection))) as Tokens;
}

function rowOf({ ownerId, id }: OwnedId): CredentialsOf {
  return ['connections', ownerId, id];
}
