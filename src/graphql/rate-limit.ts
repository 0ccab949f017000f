import { isIPv4 } from 'node:net';
import { GraphQLError } from 'graphql';
import { networkOf, plainAddress } from '../limits/network.ts';
import type { Rate, RequestLimit, RequestVerdict } from '../limits/request-limit.ts';
import type { RefusedCredentials } from './context.ts';

/**
 * Requests a minute: of an address without usable credentials, of a grant with all its tokens, of a session; and, wider, of all
 * sessions of a user, and of all grants that a user has given to apps. Signing in again, or agreeing again, wins nothing.
 */
interface RequestRates {
  readonly anonymous: number;
  readonly grant: number;
  readonly session: number;
  readonly user: number;
  readonly apps: number;
}

export interface RateLimit {
  readonly requests: RequestLimit;
  readonly rates: RequestRates;
}

/** By which key an address is counted: whole for IPv4, and by its /56, which is one customer, for IPv6. */
function addressKey(address: string): string {
  const plain = plainAddress(address);
  return `address ${isIPv4(plain) ? plain : networkOf(plain)}`;
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers up to its version 07, which clients and gateways understand; the
 * later ones put all into one structured field that hardly any reads. `Retry-After` is RFC 9110's.
 */
export function rateLimitHeaders(
  { isAllowed, limit, remaining, resetInSeconds }: RequestVerdict,
  saysWhen = !isAllowed,
): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetInSeconds),
    ...(saysWhen && { 'Retry-After': String(resetInSeconds) }),
  };
}

export function tooManyRequests({ limit, resetInSeconds }: RequestVerdict): GraphQLError {
  const seconds = resetInSeconds === 1 ? '1 second' : `${resetInSeconds} seconds`;
  return new GraphQLError(`More than ${limit} requests in a minute; wait ${seconds} and send this one again.`, {
    extensions: { code: 'RATE_LIMITED', limit, retryAfterInSeconds: resetInSeconds, http: { status: 429 } },
  });
}

/** A caller with a dead token is told that it is dead, since waiting would not revive it. While the database is away, no token can be judged. */
export function isRefusedAnyway({ status }: RefusedCredentials): boolean {
  return status === 401 || status === 503;
}

/**
 * The keys by which a caller is counted, and how often they may call. A user's browsers and apps have a wider count
 * each, so that apps shut nobody out of their own account.
 */
export function countedAs(
  { caller, address }: { readonly caller: CountedCaller; readonly address: string },
  rates: RequestRates,
): readonly Rate[] {
  if (caller.kind === 'token') {
    return [
      { key: `grant ${caller.grantId}`, limit: rates.grant },
      { key: `apps of ${caller.userId}`, limit: rates.apps },
    ];
  }
  if (caller.kind === 'session') {
    return [
      { key: `session ${caller.sessionId}`, limit: rates.session },
      { key: `user ${caller.userId}`, limit: rates.user },
    ];
  }
  return [{ key: addressKey(address), limit: rates.anonymous }];
}

type CountedCaller =
  | { readonly kind: 'token'; readonly grantId: string; readonly userId: string }
  | { readonly kind: 'session'; readonly sessionId: string; readonly userId: string }
  | { readonly kind: 'anonymous' | 'refused' };
