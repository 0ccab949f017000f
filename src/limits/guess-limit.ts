/** limits/ counts what callers do, for one process or for all of them, so that guessing and flooding end early. */
import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../core/problem.ts';
import { sha256Hex } from '../core/secret.ts';
import { type Em, sql } from '../database/sql.ts';
import { sweepOf } from '../database/sweep.ts';
import { GuessCount } from './guess-count.entity.ts';
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

/** Counts in PostgreSQL, for all processes; beside the embedded database, which has one process, in memory. */
export function createGuessLimit(
  rule: GuessRule,
  database: { readonly em: Em; readonly isEmbedded: boolean },
): GuessLimit {
  const options = { keyPrefix: rule.name, points: rule.guesses, duration: rule.windowInSeconds };
  if (database.isEmbedded) return new CountedGuesses(new RateLimiterMemory(options));
  return new CountedGuesses(
    new RateLimiterPostgres({
      ...options,
      storeClient: storeClient(database.em.fork()),
      storeType: 'client',
      tableName: 'guess_counts',
      tableCreated: true,
      clearExpiredByTimeout: false,
    }),
  );
}

/** Deletes counts whose window is over. */
export const removeExpiredGuessCounts = sweepOf(GuessCount, 'expire', sql`extract(epoch from now()) * 1000`);

/** Past this many refused keys the one used longest ago is forgotten here; the shared count still refuses it. */
const MAX_KNOWN_REFUSALS = 10_000;

class CountedGuesses implements GuessLimit {
  readonly #counter: RateLimiterMemory | RateLimiterPostgres;
  readonly #refusedUntil = leastRecentlyUsed<string, number>(MAX_KNOWN_REFUSALS);

  constructor(counter: RateLimiterMemory | RateLimiterPostgres) {
    this.#counter = counter;
  }

  async count(subject: string, address: string): Promise<number | undefined> {
    const key = keyOf(subject, address);
    const known = this.#knownRefusal(key);
    if (known !== undefined) return known;
    try {
      await this.#counter.consume(key);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      this.#refusedUntil.set(key, Date.now() + refusal.msBeforeNext);
      return secondsIn(refusal.msBeforeNext);
    }
  }

  secondsToWait(subject: string, address: string): number | undefined {
    // Nearly always: the key costs a hash.
    if (this.#refusedUntil.size === 0) return undefined;
    return this.#knownRefusal(keyOf(subject, address));
  }

  async clear(subject: string, address: string): Promise<void> {
    const key = keyOf(subject, address);
    this.#refusedUntil.delete(key);
    await this.#counter.delete(key);
  }

  #knownRefusal(key: string): number | undefined {
    const until = this.#refusedUntil.get(key);
    if (until === undefined) return undefined;
    const left = until - Date.now();
    if (left > 0) return secondsIn(left);
    this.#refusedUntil.delete(key);
    return undefined;
  }
}

/** Hashed, so that the table is no list of who signed in from where, and every key is short whatever was typed. */
function keyOf(subject: string, address: string): string {
  return sha256Hex(`${networkOf(address)} ${subject}`);
}

function secondsIn(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** What rate-limiter-flexible takes for a client of PostgreSQL: our own connections, so that there is one pool. */
function storeClient(em: Em): object {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    },
  };
}
