import { instantAt } from '../../core/instant.ts';
import { type Access, parseScopes, scopeList } from './access.ts';
import type { Client, ClientType } from './client.ts';
import { isOAuthError, type OAuthError, oauthError } from './oauth-error.ts';

/**
 * The chain of refresh tokens of one grant. The token that answers the code exchange has generation 1; each rotation adds
 * one, and `generation` is the one given out last. Earlier tokens are recognised by their MAC, so none of them is stored.
 */
export interface RefreshChain {
  readonly clientId: string;
  readonly generation: number;
  /** When the current generation was given out first; for generation 1 the time of the exchange. */
  readonly rotatedAt: Temporal.Instant;
  /** When a token of the current generation was first seen; null while nothing shows that the client received it. */
  readonly confirmedAt: Temporal.Instant | null;
  /** The end of the chain, however busy it is. */
  readonly expiresAt: Temporal.Instant;
  readonly revokedAt: Temporal.Instant | null;
}

/** A refresh token that was presented, by a client that is authenticated. */
export interface PresentedRefresh {
  readonly clientId: string;
  readonly clientType: ClientType;
  readonly generation: number;
  /** Whether the token's MAC is the one we would have written. */
  readonly isGenuine: boolean;
}

/**
 * ROTATE: give out the next generation. RETRY: give the current generation's pair again, byte for byte.
 * REUSE: an old token came back, so somebody else has it: revoke the grant. The others change nothing.
 */
export type RefreshVerdict = 'ROTATE' | 'RETRY' | 'REUSE' | 'REVOKED' | 'EXPIRED' | 'UNKNOWN';

export const FIRST_GENERATION = 1;
/** Days after which a chain ends: when nobody refreshes it, and in any case. */
export const CHAIN_DAYS = { idle: 90, inAll: 365 } as const;
const SECONDS_PER_DAY = 86_400;
/** How long a lost answer can be requested again. For a public client the token alone suffices, so it has less time. */
const RETRY_SECONDS = { CONFIDENTIAL: 86_400, PUBLIC: 60 } as const satisfies Record<ClientType, number>;
/** For requests that were on their way while another one's answer arrived. */
const SECONDS_AFTER_CONFIRMATION = 30;

/** Judges a refresh. `chain` is undefined when there is no such grant. The statement that rotates must repeat the condition on `generation`. */
export function judgeRefresh(
  presented: PresentedRefresh,
  chain: RefreshChain | undefined,
  now: Temporal.Instant,
): RefreshVerdict {
  // Somebody else's token, or one that we never wrote, must not be able to revoke anything.
  if (!chain || !presented.isGenuine || presented.clientId !== chain.clientId) return 'UNKNOWN';
  const { generation } = presented;
  if (!Number.isInteger(generation) || generation < FIRST_GENERATION || generation > chain.generation) return 'UNKNOWN';
  if (chain.revokedAt) return 'REVOKED';
  if (isExpired(chain, now)) return 'EXPIRED';
  if (generation === chain.generation) return 'ROTATE';
  // The grace is for the immediate predecessor alone: one further back has a successor that was used.
  const isPredecessor = generation === chain.generation - 1;
  return isPredecessor && now.epochMilliseconds < retryEndsAt(chain, presented.clientType) ? 'RETRY' : 'REUSE';
}

/** The answer to every verdict that gives no tokens. It does not tell which one it was. */
export const REFRESH_TOKEN_UNUSABLE: OAuthError = oauthError(
  'invalid_grant',
  'The refresh token is unknown, expired, used or revoked, or is not for this client; send the user through the authorization again.',
);

/** When the current refresh token of a chain expires, if it is not used before. */
export function refreshTokenExpiresAt(chain: Pick<RefreshChain, 'rotatedAt' | 'expiresAt'>): Temporal.Instant {
  return instantAt(endsAt(chain));
}

function isExpired(chain: RefreshChain, now: Temporal.Instant): boolean {
  return now.epochMilliseconds >= endsAt(chain);
}

function endsAt({ rotatedAt, expiresAt }: Pick<RefreshChain, 'rotatedAt' | 'expiresAt'>): number {
  const idleUntil = rotatedAt.epochMilliseconds + CHAIN_DAYS.idle * SECONDS_PER_DAY * 1_000;
  return Math.min(idleUntil, expiresAt.epochMilliseconds);
}

function retryEndsAt({ rotatedAt, confirmedAt }: RefreshChain, clientType: ClientType): number {
  const latest = rotatedAt.epochMilliseconds + RETRY_SECONDS[clientType] * 1_000;
  const confirmed = confirmedAt?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  return Math.min(latest, confirmed + SECONDS_AFTER_CONFIRMATION * 1_000);
}

/**
 * The access of a new access token of a grant: what was granted, narrowed by a `scope` parameter (RFC 6749 §6) and by
 * what the client still has enabled. An error rotates nothing.
 */
export function accessAtRefresh(
  granted: Access,
  client: Pick<Client, 'scopes' | 'legacy'>,
  scopeParameter: string | undefined,
): Access | OAuthError {
  // It stays what the user was told, also after the client left its legacy state (specification §3 and §8).
  if (granted.kind === 'UNRESTRICTED' && scopeParameter === undefined) return granted;
  const wanted = wantedScopes(granted, scopeParameter);
  if (isOAuthError(wanted)) return wanted;
  const scopes = scopeList(wanted.filter((scope) => client.legacy || client.scopes.includes(scope)));
  if (scopes) return { kind: 'SCOPED', scopes };
  // A token that opens nothing would only move the error to every call that follows.
  return oauthError(
    'invalid_scope',
    'The client has none of these scopes enabled any more; enable them in its settings, or authorize again.',
  );
}

function wantedScopes(granted: Access, scopeParameter: string | undefined): readonly string[] | OAuthError {
  const wanted = scopeParameter === undefined ? undefined : parseScopes(scopeParameter);
  if (granted.kind === 'UNRESTRICTED') return wanted ?? [];
  if (wanted === undefined || isOAuthError(wanted)) return wanted ?? granted.scopes;
  const foreign = wanted.filter((scope) => !granted.scopes.includes(scope));
  if (foreign.length === 0) return wanted;
  return oauthError(
    'invalid_scope',
    `The user has not granted ${foreign.join(' ')}; leave it out, or authorize again to ask for it.`,
  );
}
