import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { networkOf, plainAddress } from '../limits/network.ts';
import type { RequestLimit, RequestVerdict } from '../limits/request-limit.ts';
import { type Authentication, authenticationOf } from './authentication.ts';

/** Requests a minute: of an address without usable credentials, of a grant with all its tokens, of a session. */
export interface RequestRates {
  readonly anonymous: number;
  readonly grant: number;
  readonly session: number;
}

export interface RateLimit {
  readonly requests: RequestLimit;
  readonly rates: RequestRates;
}

/** Requests that were counted before they came to Yoga. */
export type TakenVerdicts = WeakMap<IncomingMessage, RequestVerdict>;

/**
 * Counts every request that says who sends it, whatever it holds, and refuses before its body is read. A grant is counted
 * and not its token, so that refreshing wins nothing. A token that is no good counts for its address, where it uses up what
 * anonymous requests may take, and its own answer stays 401.
 */
export function useRateLimit({ requests, rates }: RateLimit, taken: TakenVerdicts = new WeakMap()): Plugin {
  const verdicts = new WeakMap<Request, RequestVerdict>();
  return {
    async onRequestParse({ request, serverContext }) {
      const { req } = serverContext as { req?: IncomingMessage };
      const authentication = authenticationOf(request);
      const [key, rate] = countedAs(authentication, rates);
      const verdict = (req && taken.get(req)) ?? (await requests.take(key, rate));
      verdicts.set(request, verdict);
      // Whose token is dead has to hear just that: to wait and send it again would not help.
      if (authentication.caller.kind === 'refused') return;
      if (!verdict.isAllowed) throw tooManyRequests(verdict);
    },
    onResponse({ request, response }) {
      const verdict = verdicts.get(request);
      if (!verdict) return;
      for (const [name, value] of Object.entries(rateLimitHeaders(verdict))) response.headers.set(name, value);
      if (response.status !== 429) response.headers.delete('Retry-After');
    },
  };
}

/** By which key an address is counted: whole for IPv4, and by its /64, which is one customer, for IPv6. */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  return `address ${isIPv4(plain) ? plain : networkOf(plain)}`;
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers up to its version 07, which clients and gateways understand; the
 * later ones put all into one structured field that hardly any reads. `Retry-After` is RFC 9110's.
 */
export function rateLimitHeaders({
  isAllowed,
  limit,
  remaining,
  resetInSeconds,
}: RequestVerdict): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetInSeconds),
    ...(!isAllowed && { 'Retry-After': String(resetInSeconds) }),
  };
}

export function tooManyRequests({ limit, resetInSeconds }: RequestVerdict): GraphQLError {
  const seconds = resetInSeconds === 1 ? '1 second' : `${resetInSeconds} seconds`;
  return new GraphQLError(`More than ${limit} requests in a minute; wait ${seconds} and send this one again.`, {
    extensions: { code: 'RATE_LIMITED', limit, retryAfterInSeconds: resetInSeconds, http: { status: 429 } },
  });
}

/** By which key a caller is counted, and how often they may call. */
export function countedAs(
  { caller, address }: Authentication,
  rates: RequestRates,
): readonly [key: string, rate: number] {
  if (caller.kind === 'token') return [`grant ${caller.grantId}`, rates.grant];
  if (caller.kind === 'session') return [`session ${caller.sessionId}`, rates.session];
  return [addressKey(address), rates.anonymous];
}
