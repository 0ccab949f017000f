import type { MiddlewareHandler } from 'hono';
import { networkOf } from '../../limits/network.ts';
import type { RequestLimit } from '../../limits/request-limit.ts';
import { answerTooMany } from '../kit/problem-response.ts';
import type { AddressOf } from '../kit/visitors.ts';

export interface AuthLimitSettings {
  readonly addressOf: AddressOf;
  readonly requests: RequestLimit;
  /** How many requests a minute one network may send. */
  readonly rate: number;
}

/** Counts requests to the pages on which people sign in, whatever they hold, by the network that they come from. */
export function limitNetworks({ addressOf, requests, rate }: AuthLimitSettings): MiddlewareHandler {
  return async (c, next) => {
    const verdict = await requests.take([{ key: `auth ${networkOf(addressOf(c))}`, limit: rate }]);
    if (verdict.isAllowed) return next();
    return answerTooMany(c, verdict);
  };
}
