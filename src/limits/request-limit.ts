import { isIPv4 } from 'node:net';
import { unlessDatabaseIsSilent } from '../database/database-away.ts';
import { apartFromCaller } from '../database/deadline.ts';
import type { Em } from '../database/sql.ts';
import { together } from '../database/together.ts';
import { addCounts, type Counted, counterKey, secondsIn } from './counters.ts';
import { networkOf, plainAddress } from './network.ts';

/** One of the things that a request counts for, and how many of them a window has. */
export interface Rate {
  readonly key: string;
  readonly limit: number;
}

/** Whether a request may pass, and what is left of its window afterwards: of the tightest, where it counts for several. */
export interface RequestVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetInSeconds: number;
}

/** Adds one process's counts to everybody's. @returns what everybody has counted, by the same keys */
export type ShareCounts = (counts: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, Counted>>;

export interface RequestLimitOptions {
  readonly windowInSeconds: number;
  /** Shares the counts with the other processes; without it, this process counts for itself. */
  readonly share?: ShareCounts | undefined;
  /** Told once when sharing begins to fail; until it works again, this process counts for itself. */
  readonly onError?: (error: unknown) => void;
  /** Milliseconds of a clock that never goes back */
  readonly now?: () => number;
  readonly maxKeys?: number;
}

interface Window {
  /** The count of all processes, this one included, when this process last looked. */
  shared: number;
  /** How many requests this process has counted since then. */
  own: number;
  endsAt: number;
}

/** While a process knows of fewer than this share of a limit that nobody else knows of, it lets requests pass at once. */
const SLACK = 0.02;
const SHARE_MILLISECONDS = 250;
/** Some 250 bytes each. None goes for another: past this many, everybody's counts are asked about those that are unknown here. */
const MAX_KEYS = 100_000;
const SWEEP_FULL_MS = 1_000;
const TIMEOUT_IN_MS = 2_000;

/** Shares counts in the database, many keys by one statement. */
export function shareInDatabase(em: Em, windowInSeconds: number): ShareCounts {
  const share: ShareCounts = async (counts) => {
    const keys = new Map([...counts.keys()].map((key) => [counterKey('request', key), key]));
    const additions = [...keys].map(([hash, key]) => [hash, { by: counts.get(key) ?? 0, windowInSeconds }] as const);
    const found = await addCounts(em.fork(), new Map(additions));
    return new Map([...found].map(([hash, counted]) => [keys.get(hash) ?? hash, counted]));
  };
  // Requests of many callers wait for it, and can do without.
  return (counts) => apartFromCaller(() => unlessDatabaseIsSilent(() => share(counts), { timeoutInMs: TIMEOUT_IN_MS }));
}

/**
 * Counts requests by key in windows of fixed length, over all processes, without a query for a request: each process
 * counts for itself and shares what it has counted four times a second, all keys by one statement. A key that is called
 * faster has its requests wait for the next sharing, together. So a limit is overrun by at most 2 % for each process.
 */
export class RequestLimit {
  readonly #options: RequestLimitOptions;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();
  readonly #unshared = new Set<string>();
  #sharing: Promise<void> | undefined;
  #isAlone: boolean;
  #timer: NodeJS.Timeout | undefined;
  #sweepAt = 0;
  readonly #askTogether = together((each: readonly (readonly Rate[])[]) => this.#ask(each));

  constructor(options: RequestLimitOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#isAlone = options.share === undefined;
  }

  /**
   * Counts a request, unless it is one too many for anything that it counts for: then for none. Only a promise when it has to
   * wait for the other processes.
   */
  take(rates: readonly Rate[]): RequestVerdict | Promise<RequestVerdict> {
    const now = this.#now();
    let tightest: RequestVerdict | undefined;
    let hasToAsk = false;
    for (const { key, limit } of rates) {
      const window = this.#windowOf(key, now);
      if (!window) return this.#askTogether(rates);
      const { shared, own, endsAt } = window;
      const verdict = verdictOf(limit, shared + own, endsAt - now);
      if (!tightest || isTighter(verdict, tightest)) tightest = verdict;
      hasToAsk ||= !this.#isAlone && own >= Math.max(1, Math.floor(limit * SLACK));
    }
    if (!tightest) throw new Error('A request has to count for something.');
    if (!tightest.isAllowed) return tightest;
    if (hasToAsk) return this.share().then(() => this.take(rates));
    for (const { key } of rates) {
      const window = this.#windowOf(key, now);
      if (window) window.own += 1;
      if (this.#options.share) this.#unshared.add(key);
    }
    this.#shareLater();
    return tightest;
  }

  /** Tells the other processes what was counted here, and learns what they have. Never rejects. */
  share(): Promise<void> {
    this.#sharing ??= this.#share().finally(() => {
      this.#sharing = undefined;
    });
    return this.#sharing;
  }

  /** Shares what is left, so that a process which stops does not take its counts with it. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.share();
  }

  /** Undefined: it is a new one, and there is no room for it. */
  #windowOf(key: string, now: number): Window | undefined {
    if (now >= this.#sweepAt) this.#sweep(now);
    const known = this.#windows.get(key);
    if (known && now < known.endsAt) return known;
    if (!known && this.#windows.size >= (this.#options.maxKeys ?? MAX_KEYS)) {
      this.#sweepAt = Math.min(this.#sweepAt, now + SWEEP_FULL_MS);
      return undefined;
    }
    const window = { shared: 0, own: 0, endsAt: now + this.#options.windowInSeconds * 1000 };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    return window;
  }

  /** Decides by the counts of all processes; while they are missing, every request is refused. */
  async #ask(each: readonly (readonly Rate[])[]): Promise<readonly RequestVerdict[]> {
    const counts = new Map<string, number>();
    for (const { key } of each.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
    const { share, windowInSeconds } = this.#options;
    const totals = await share?.(counts).catch(() => undefined);
    return each.map((rates) => {
      const verdicts = rates.map(({ key, limit }) => {
        const { counted, millisecondsLeft } = totals?.get(key) ?? {
          counted: Infinity,
          millisecondsLeft: windowInSeconds,
        };
        return verdictOf(limit, counted - 1, millisecondsLeft);
      });
      return verdicts.reduce((tightest, one) => (isTighter(one, tightest) ? one : tightest));
    });
  }

  #sweep(now: number): void {
    this.#sweepAt = now + this.#options.windowInSeconds * 1000;
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key);
  }

  #shareLater(): void {
    if (!this.#options.share) return;
    this.#timer ??= setTimeout(() => void this.share(), SHARE_MILLISECONDS).unref();
  }

  async #share(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { share, onError } = this.#options;
    const windows = new Map([...this.#unshared].map((key) => [key, this.#windows.get(key)] as const));
    const counts = new Map([...windows].flatMap(([key, window]) => (window?.own ? [[key, window.own] as const] : [])));
    this.#unshared.clear();
    if (!share || counts.size === 0) return;
    try {
      const totals = await share(counts);
      for (const [key, { counted, millisecondsLeft }] of totals) {
        const window = windows.get(key);
        if (!window) continue;
        window.own -= counts.get(key) ?? 0;
        window.shared = counted;
        window.endsAt = this.#now() + millisecondsLeft;
      }
      this.#isAlone = false;
    } catch (error) {
      for (const key of counts.keys()) this.#unshared.add(key);
      this.#shareLater();
      if (!this.#isAlone) onError?.(error);
      this.#isAlone = true;
    }
  }
}

function verdictOf(limit: number, count: number, millisecondsLeft: number): RequestVerdict {
  const isAllowed = count < limit;
  return {
    isAllowed,
    limit,
    remaining: isAllowed ? limit - count - 1 : 0,
    resetInSeconds: secondsIn(millisecondsLeft),
  };
}

/** A full limit comes first, and among full ones the one that is full for longest. */
function isTighter(one: RequestVerdict, other: RequestVerdict): boolean {
  if (one.isAllowed !== other.isAllowed) return other.isAllowed;
  return one.isAllowed ? one.remaining < other.remaining : one.resetInSeconds > other.resetInSeconds;
}

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
