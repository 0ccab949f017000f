import { setTimeout } from 'node:timers/promises';
import { Problem } from '../core/problem.ts';
import { type Em, row, sql } from '../database/sql.ts';
import type { Admission, Mail } from '../mail/mailer.ts';
import { addCounts, admitCounted, type Count, clearCounts, counterKey, type Refusal, secondsIn } from './counters.ts';
import type { MailLimit } from './mail-limit.ts';
import { networkOf } from './network.ts';

/** Somebody's guesses of one kind, counted by subject (an account, a client) and network. */
export interface GuessLimit {
  /**
   * Counts one guess. Called before the guess is judged, a thousand guesses sent at once do not slip through together. Where
   * too many networks guess at the subject, it takes seconds, unless `isKnownThere` says that the subject has proved itself
   * from that network before. @returns the seconds to wait when it is one too many, else undefined
   */
  count(subject: string, address: string, isKnownThere?: () => Promise<boolean>): Promise<number | undefined>;
  /**
   * The seconds to wait, for what is counted only after it failed. Costs no query, unless more are refused at the moment than
   * this process keeps in mind: then the database is asked.
   */
  secondsToWait(subject: string, address: string): number | undefined | Promise<number | undefined>;
  /** Forgets the guesses: the subject has proved itself. */
  clear(subject: string, address: string): Promise<void>;
}

export interface GuessRule {
  /** Names what is guessed, and keeps one rule's counts from another's. */
  readonly name: string;
  readonly guesses: number;
  readonly windowInSeconds: number;
  /**
   * The guesses from all networks together, beyond which further ones are judged one at a time, with a pause between them. Nobody
   * is locked out by that: a user who knows the secret waits for a moment or, from a network where they have shown it before, not
   * at all.
   */
  readonly everywhere?: { readonly guesses: number; readonly pauseInSeconds: number };
}

/** 10 wrong passwords in 15 minutes for an account and network; 30 for an account over all networks, and then one in 2 seconds. */
export const PASSWORD_GUESSES: GuessRule = {
  name: 'password',
  guesses: 10,
  windowInSeconds: 15 * 60,
  everywhere: { guesses: 30, pauseInSeconds: 2 },
};

/** Too many guesses; `secondsToWait` belongs into `Retry-After`. It says nothing about whether the subject exists. */
export class TooManyGuesses extends Problem {
  readonly secondsToWait: number;

  constructor(secondsToWait: number) {
    const minutes = Math.ceil(secondsToWait / 60);
    super('TOO_MANY_GUESSES', `Too many tries; wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`);
    this.secondsToWait = secondsToWait;
  }
}

/** Some 200 bytes each. Past this many refused keys none is forgotten for another: the database is asked about those that are unknown here. */
const MAX_KNOWN_REFUSALS = 10_000;
const LOOK_AGAIN_MS = 1_000;

/** How long somebody waits for a turn, well within the time that any answer may take. */
const LONGEST_WAIT_IN_MS = 5_000;
/** The most guesses that wait in a process, of one subject and of all: an attack holds no more connections than that. */
const MOST_WAITING = { ofOne: 20, ofAll: 200 };

/** Counts in the database, for all processes. */
export function createGuessLimit(rule: GuessRule, database: { readonly em: Em }): GuessLimit {
  return new CountedGuesses(rule, database.em.fork());
}

type Full = Refusal<'NETWORK' | 'EVERYWHERE' | 'TURN'>;

class CountedGuesses implements GuessLimit {
  readonly #rule: GuessRule;
  readonly #em: Em;
  /** The time until which each is refused, in milliseconds of a clock that nobody sets. */
  readonly #refusedUntil = new Map<string, number>();
  #looksAgainAt = 0;
  /** A refusal without room lasts as long as this. */
  #asksUntil = 0;
  /** How many wait for a turn, by the key of the subject's turns. */
  readonly #waiting = new Map<string, number>();

  constructor(rule: GuessRule, em: Em) {
    this.#rule = rule;
    this.#em = em;
  }

  async count(subject: string, address: string, isKnownThere?: () => Promise<boolean>): Promise<number | undefined> {
    const { guesses, windowInSeconds, everywhere } = this.#rule;
    const key = this.#keyOf(subject, address);
    const known = this.#knownWait(key);
    if (known !== undefined) return known;
    const ofNetwork = { limit: 'NETWORK', key, most: guesses, windowInSeconds } as const;
    let full = await this.#admit([ofNetwork, ...this.#everywhere(subject)]);
    if (everywhere && full?.limit === 'EVERYWHERE') {
      const isKnown = await isKnownThere?.();
      full = await (isKnown ? this.#admit([ofNetwork]) : this.#inTurn(subject, ofNetwork, everywhere.pauseInSeconds));
    }
    if (full?.limit === 'NETWORK') this.#remember(key, performance.now() + full.secondsToWait * 1000);
    return full?.secondsToWait;
  }

  secondsToWait(subject: string, address: string): number | undefined | Promise<number | undefined> {
    // Returns here in nearly all cases, as the key costs a hash.
    if (this.#refusedUntil.size === 0) return undefined;
    const key = this.#keyOf(subject, address);
    return this.#knownWait(key) ?? (performance.now() < this.#asksUntil ? this.#askedFor(key) : undefined);
  }

  async clear(subject: string, address: string): Promise<void> {
    const key = this.#keyOf(subject, address);
    this.#refusedUntil.delete(key);
    await clearCounts(this.#em, [key]);
    // Others' guesses stay counted: only this one was none.
    const ofThis = this.#everywhere(subject).map(
      ({ key: wide }) => [wide, { by: -1, windowInSeconds: this.#rule.windowInSeconds }] as const,
    );
    if (ofThis.length > 0) await addCounts(this.#em, new Map(ofThis));
  }

  #everywhere(subject: string) {
    const { name, everywhere, windowInSeconds } = this.#rule;
    if (!everywhere) return [];
    const key = counterKey('guess everywhere', name, subject);
    return [{ limit: 'EVERYWHERE', key, most: everywhere.guesses, windowInSeconds } as const];
  }

  /** Any of those who wait may take the next turn: they stand in no order. */
  async #inTurn(subject: string, ofNetwork: Count<'NETWORK'>, pauseInSeconds: number): Promise<Full | undefined> {
    const key = counterKey('guess turn', this.#rule.name, subject);
    const turn = { limit: 'TURN', key, most: 1, windowInSeconds: pauseInSeconds } as const;
    const waiting = this.#waiting.get(key) ?? 0;
    const ofAll = this.#waiting.values().reduce((sum, one) => sum + one, 0);
    if (waiting >= MOST_WAITING.ofOne || ofAll >= MOST_WAITING.ofAll) {
      return { limit: 'TURN', secondsToWait: pauseInSeconds };
    }
    this.#waiting.set(key, waiting + 1);
    try {
      for (const until = performance.now() + LONGEST_WAIT_IN_MS; ; ) {
        const full = await this.#admit([ofNetwork, turn]);
        const milliseconds = (full?.secondsToWait ?? 0) * 1000 + Math.random() * 200;
        if (full?.limit !== 'TURN' || performance.now() + milliseconds > until) return full;
        await setTimeout(milliseconds);
      }
    } finally {
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
    }
  }

  async #admit(counts: readonly Count<Full['limit']>[]): Promise<Full | undefined> {
    const [full] = await admitCounted(this.#em, [counts]);
    return full;
  }

  /** None that lasts goes for another; while one has no room, the database is asked about those that are unknown here. */
  #remember(key: string, until: number): void {
    const now = performance.now();
    if (this.#refusedUntil.size >= MAX_KNOWN_REFUSALS && now >= this.#looksAgainAt) {
      this.#looksAgainAt = now + LOOK_AGAIN_MS;
      for (const [known, end] of this.#refusedUntil) if (end <= now) this.#refusedUntil.delete(known);
    }
    if (this.#refusedUntil.size < MAX_KNOWN_REFUSALS) this.#refusedUntil.set(key, until);
    else this.#asksUntil = Math.max(this.#asksUntil, until);
  }

  async #askedFor(key: string): Promise<number | undefined> {
    const counter = await row(
      this.#em,
      sql<{ readonly counted: number; readonly milliseconds: number }>`
        select counted, round(extract(epoch from ends_at - now()) * 1000)::int as milliseconds
        from counters where key = ${key} and ends_at > now()`,
    );
    return counter && counter.counted >= this.#rule.guesses ? secondsIn(counter.milliseconds) : undefined;
  }

  #knownWait(key: string): number | undefined {
    const left = (this.#refusedUntil.get(key) ?? 0) - performance.now();
    return left > 0 ? secondsIn(left) : undefined;
  }

  #keyOf(subject: string, address: string): string {
    return counterKey('guess', this.#rule.name, networkOf(address), subject);
  }
}

/** 5 codes in 15 minutes for an e-mail address and network. */
export const CODE_REQUESTS: GuessRule = { name: 'code-request', guesses: 5, windowInSeconds: 15 * 60 };

/** 3 wrong codes for what is verified and network; the next code that is sent begins anew. */
export const CODE_TRIES: GuessRule = { name: 'code-try', guesses: 3, windowInSeconds: 15 * 60 };

/** The key and the limits that it takes to send somebody a code, and to see whether they have it. */
export interface Verification {
  /** Codes are stored as MACs under it: six digits behind a plain hash would be found by trying them all. */
  readonly key: Uint8Array;
  readonly requests: GuessLimit;
  readonly tries: GuessLimit;
  readonly mailLimit: MailLimit;
  /** Sends a mail behind the answer, which neither waits for it nor fails with it. */
  readonly send: (mail: Mail, admission: Admission) => void;
}

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
