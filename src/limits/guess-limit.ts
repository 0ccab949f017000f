import { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import { admitCounted, clearCounts, counterKey, secondsIn } from './counters.ts';
import { leastRecentlyUsed } from './least-recently-used.ts';
import { networkOf } from './network.ts';

/** Somebody's guesses of one kind, counted by subject (an account, a client) and network. */
export interface GuessLimit {
  /**
   * Counts one guess. Called before the guess is judged, a thousand guesses sent at once do not slip through together.
   * @returns the seconds to wait when it is one too many, else undefined
   */
  count(subject: string, address: string): Promise<number | undefined>;
  /** The seconds to wait, as far as this process knows; costs no query. For what is counted only after it failed. */
  secondsToWait(subject: string, address: string): number | undefined;
  /** Forgets the guesses: the subject has proved itself. */
  clear(subject: string, address: string): Promise<void>;
}

export interface GuessRule {
  /** What is guessed; keeps one rule's counts from another's. */
  readonly name: string;
  readonly guesses: number;
  readonly windowInSeconds: number;
}

/** 10 wrong passwords in 15 minutes for an account and network. */
export const PASSWORD_GUESSES: GuessRule = { name: 'password', guesses: 10, windowInSeconds: 15 * 60 };

/** Too many guesses; `secondsToWait` belongs into `Retry-After`. It says nothing about whether the subject exists. */
export class TooManyGuesses extends Problem {
  readonly secondsToWait: number;

  constructor(secondsToWait: number) {
    const minutes = Math.ceil(secondsToWait / 60);
    super('TOO_MANY_GUESSES', `Too many tries; wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`);
    this.secondsToWait = secondsToWait;
  }
}

/** Past this many refused keys the one used longest ago is forgotten here; the database still refuses it. */
const MAX_KNOWN_REFUSALS = 10_000;

/** Counts in the database, for all processes. */
export function createGuessLimit(
  { name, guesses, windowInSeconds }: GuessRule,
  database: { readonly em: Em },
): GuessLimit {
  const em = database.em.fork();
  /** Until when, in milliseconds of a clock that nobody sets. */
  const refusedUntil = leastRecentlyUsed<string, number>(MAX_KNOWN_REFUSALS);
  const keyOf = (subject: string, address: string) => counterKey('guess', name, networkOf(address), subject);
  const knownWait = (key: string): number | undefined => {
    const left = (refusedUntil.get(key) ?? 0) - performance.now();
    return left > 0 ? secondsIn(left) : undefined;
  };
  return {
    async count(subject, address) {
      const key = keyOf(subject, address);
      const known = knownWait(key);
      if (known !== undefined) return known;
      const [refusal] = await admitCounted(em, [[{ limit: name, key, most: guesses, windowInSeconds }]]);
      if (!refusal) return undefined;
      refusedUntil.set(key, performance.now() + refusal.secondsToWait * 1000);
      return refusal.secondsToWait;
    },
    // Nearly always nobody is refused, and the key costs a hash.
    secondsToWait: (subject, address) => (refusedUntil.size === 0 ? undefined : knownWait(keyOf(subject, address))),
    async clear(subject, address) {
      const key = keyOf(subject, address);
      refusedUntil.delete(key);
      await clearCounts(em, [key]);
    },
  };
}
