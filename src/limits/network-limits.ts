import { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import { createGuessLimit, type GuessLimit, type GuessRule } from './guess-limit.ts';

/**
 * Limits what one network may do on the pages of accounts, for all accounts together, and send to one routing form, as
 * one user may to all of them.
 */
export const NETWORK_RULES = {
  /** Counted beside the guesses at each account, so that an attacker who tries many accounts gets no further. */
  signIns: { name: 'sign-ins', guesses: 300, windowInSeconds: 15 * 60 },
  signUps: { name: 'sign-ups', guesses: 30, windowInSeconds: 60 * 60 },
  forgottenPasswords: { name: 'forgotten-passwords', guesses: 20, windowInSeconds: 60 * 60 },
  formSubmissions: { name: 'form-submissions', guesses: 60, windowInSeconds: 60 * 60 },
} as const satisfies Readonly<Record<string, GuessRule>>;

export type NetworkLimits = Readonly<Record<keyof typeof NETWORK_RULES, GuessLimit>>;

export function createNetworkLimits(database: { readonly em: Em }): NetworkLimits {
  const { signIns, signUps, forgottenPasswords, formSubmissions } = NETWORK_RULES;
  return {
    signIns: createGuessLimit(signIns, database),
    signUps: createGuessLimit(signUps, database),
    forgottenPasswords: createGuessLimit(forgottenPasswords, database),
    formSubmissions: createGuessLimit(formSubmissions, database),
  };
}

/** Too many came from one network, or one user; `secondsToWait` belongs into `Retry-After`. It says nothing about any account. */
class TooManyRequests extends Problem {
  readonly secondsToWait: number;

  constructor(what: string, secondsToWait: number) {
    const minutes = Math.ceil(secondsToWait / 60);
    const wait = `wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again`;
    super('TOO_MANY_REQUESTS', `${what}; ${wait}.`);
    this.secondsToWait = secondsToWait;
  }
}

/** Counts once for the network of an address, and the subject, if there is one. @throws TooManyRequests */
export async function countForNetwork(limit: GuessLimit, address: string, subject = ''): Promise<void> {
  const secondsToWait = await limit.count(subject, address);
  if (secondsToWait !== undefined)
    throw new TooManyRequests('Too many people have tried this from your network', secondsToWait);
}

/** Counts once for a user, from wherever they call. @throws TooManyRequests */
export async function countForUser(limit: GuessLimit, userId: string): Promise<void> {
  const secondsToWait = await limit.count(`user ${userId}`, EVERYWHERE);
  if (secondsToWait !== undefined) throw new TooManyRequests('You have tried this too often', secondsToWait);
}

/** No address: of all networks. */
const EVERYWHERE = '';
