import type { Scope } from '../../../src/scopes/catalog.ts';

/** The steps that may happen. Grants and tokens are counted from the newest, which is 0, modulo how many there are. */
export type Step =
  | { readonly do: 'AUTHORIZE'; readonly scopes: readonly Scope[] }
  | {
      readonly do: 'REFRESH';
      readonly chain: number;
      /** Which of its refresh tokens. */
      readonly back: number;
      readonly scopes: readonly Scope[] | undefined;
      /** So many requests at the same moment. */
      readonly times: number;
    }
  | { readonly do: 'USE'; readonly chain: number; readonly token: number }
  | { readonly do: 'REPLAY_CODE'; readonly chain: number }
  | { readonly do: 'REVOKE_REFRESH_TOKEN'; readonly chain: number; readonly back: number }
  | { readonly do: 'REVOKE_ACCESS_TOKEN'; readonly chain: number; readonly token: number }
  | { readonly do: 'REVOKE_GRANT'; readonly chain: number }
  | { readonly do: 'REVOKE_APP' }
  | { readonly do: 'ENABLE'; readonly scopes: readonly Scope[] }
  | { readonly do: 'SUSPEND' | 'REINSTATE' }
  | { readonly do: 'WAIT'; readonly seconds: number };

/** An access token that was given out. */
export interface IssuedToken {
  readonly text: string;
  readonly generation: number;
  isRevoked: boolean;
}

/** One grant, as a reader of the rules would keep it on paper. */
export interface Chain {
  readonly grantId: string;
  readonly code: string;
  readonly granted: readonly Scope[];
  /** Generation 1 first. */
  readonly refreshTokens: string[];
  readonly accessTokens: IssuedToken[];
  readonly createdAt: number;
  rotatedAt: number;
  confirmedAt: number | undefined;
  isRevoked: boolean;
}

export interface Model {
  /** In seconds, moved by WAIT alone: a run takes less than any difference that counts. */
  now: number;
  enabled: readonly Scope[];
  isSuspended: boolean;
  readonly chains: Chain[];
}

export type Expected = 'NEXT' | 'SAME' | 'invalid_grant' | 'invalid_scope' | 'unauthorized_client';

const DAY = 86_400;

/** How a refresh has to end. @returns also whether it shows that somebody else has the token, which ends the grant */
export function expectedRefresh(
  model: Model,
  chain: Chain,
  { back, scopes }: { readonly back: number; readonly scopes: readonly Scope[] | undefined },
): { readonly answer: Expected; readonly isReuse: boolean } {
  const verdict = (answer: Expected, isReuse = false) => ({ answer, isReuse });
  if (model.isSuspended) return verdict('unauthorized_client');
  if (chain.isRevoked || isExpired(model, chain)) return verdict('invalid_grant');
  if (back > 1 || (back === 1 && model.now >= retryEndsAt(chain))) return verdict('invalid_grant', true);
  if (scopesOf(model, chain, scopes).length === 0) return verdict('invalid_scope');
  return verdict(back === 0 ? 'NEXT' : 'SAME');
}

/**
 * The scopes of a new access token: never more than was granted, than was asked for, and than the client has enabled.
 */
export function scopesOf(model: Model, chain: Chain, wanted: readonly Scope[] | undefined): readonly Scope[] {
  if (wanted?.some((scope) => !chain.granted.includes(scope))) return [];
  return (wanted ?? chain.granted).filter((scope) => model.enabled.includes(scope));
}

export function isExpired({ now }: Model, { rotatedAt, createdAt }: Chain): boolean {
  return now >= rotatedAt + 90 * DAY || now >= createdAt + 365 * DAY;
}

function retryEndsAt({ rotatedAt, confirmedAt }: Chain): number {
  return Math.min(rotatedAt + DAY, confirmedAt === undefined ? Number.POSITIVE_INFINITY : confirmedAt + 30);
}

/** An access token of this generation was seen. */
export function confirm({ now }: Model, chain: Chain, generation: number): void {
  if (generation === chain.refreshTokens.length) chain.confirmedAt ??= now;
}
