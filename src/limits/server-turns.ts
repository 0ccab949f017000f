import { LRUCache } from 'lru-cache';
import { OwnerTurns, type TurnOf, type Turns, type WorkInTurn } from './owner-turns.ts';

/** One server is asked this much at once, of which visitors are the reason for half at most. */
const OF_A_SERVER = { share: 6, waiting: 4, waitInMs: 500, awayInSeconds: 1 };
const OF_AN_ACCOUNT = { share: 2, waiting: 50, waitInMs: 2_000, awayInSeconds: 1 };
const OF_VISITORS = { share: OF_A_SERVER.share / 2, waiting: 100, waitInMs: 2_000, awayInSeconds: 1 };
/** All visitors together may have all servers asked this much at once. */
const OF_ALL_VISITORS = { share: 64, waiting: 200, waitInMs: 2_000, awayInSeconds: 1 };
const EVERYBODY = '';
/** Where all of these are taken, a question that has lasted so long makes room for one that waits: many servers that hang keep out none that answers. */
const LEAST_MS = 500;
/** The longest time for which a whole server is left alone: its answer may be meant for only one of many users there. */
const LONGEST_REST_IN_SECONDS = 900;

interface Asking {
  readonly beganAt: number;
  readonly ending: AbortController;
}

/**
 * Turns of servers elsewhere that are asked, shared by all that asks them in a process: per server, per account there, and, where
 * visitors are the reason, in all. What answers slowly holds up its own questions alone.
 */
export class ServerTurns {
  readonly #servers = new OwnerTurns(OF_A_SERVER);
  readonly #accounts = new OwnerTurns(OF_AN_ACCOUNT);
  readonly #serversOfVisitors = new OwnerTurns(OF_VISITORS);
  readonly #visitors = new OwnerTurns(OF_ALL_VISITORS);
  /** Those of visitors that run, the longest first. */
  readonly #asking = new Set<Asking>();
  /** How many of visitors wait for a place, and for how many of them one is made. */
  #wanted = 0;
  #ending = 0;
  #room: NodeJS.Timeout | undefined;
  /** By server or account, until when it wants to be left alone, in the time of `performance.now()`. */
  readonly #resting = new LRUCache<string, number>({ max: 10_000 });

  /** For what is done in the background. */
  readonly ofJobs: Turns = {
    run: (server, work, later, of) => {
      const ofServer = () => this.#servers.run(server, work, later, of);
      return this.#unlessResting(server, ofServer, later, of);
    },
    rest: (named, seconds) => this.#rest(named, seconds),
  };

  /** For questions of which visitors are the reason. */
  readonly ofVisitors: Turns = {
    // Whoever waits for a slow server takes up none of the places of all.
    run: (server, work, later, of) => {
      const ofAll = () => this.#amongAll(work, later, of);
      // Somebody waits: what the background wants comes after it.
      const ofServer = () => this.#servers.run(server, ofAll, later, { ...of, isFirst: true });
      const ofVisitors = () => this.#serversOfVisitors.run(server, ofServer, later, of);
      return this.#unlessResting(server, ofVisitors, later, of);
    },
    rest: (named, seconds) => this.#rest(named, seconds),
  };

  /** In one of the places of all visitors. Where all are taken, the longest of these that have lasted long enough make room. */
  #amongAll<Result>(work: WorkInTurn<Result>, later: (seconds: number) => Result, of: TurnOf = {}): Promise<Result> {
    const waits = this.#visitors.isFull(EVERYBODY) ? 1 : 0;
    this.#wanted += waits;
    this.#makeRoom();
    const inPlace = async (): Promise<Result> => {
      const asking = { beganAt: performance.now(), ending: new AbortController() };
      const { signal } = asking.ending;
      this.#wanted -= waits;
      this.#ending -= waits;
      this.#asking.add(asking);
      this.#makeRoom();
      try {
        return await work(of.signal ? AbortSignal.any([of.signal, signal]) : signal);
      } finally {
        this.#asking.delete(asking);
      }
    };
    const away = (seconds: number): Result => {
      this.#wanted -= waits;
      return later(seconds);
    };
    return this.#visitors.run(EVERYBODY, inPlace, away, of);
  }

  #makeRoom(): void {
    clearTimeout(this.#room);
    // Somebody may have got the place of one that ended by itself, or have gone.
    this.#ending = Math.min(Math.max(0, this.#ending), this.#wanted);
    for (const asking of this.#asking) {
      if (this.#ending >= this.#wanted) return;
      const left = asking.beganAt + LEAST_MS - performance.now();
      if (left > 0) {
        this.#room = setTimeout(() => this.#makeRoom(), left);
        return;
      }
      this.#asking.delete(asking);
      this.#ending += 1;
      asking.ending.abort();
    }
  }

  async #unlessResting<Result>(
    server: string,
    work: WorkInTurn<Result>,
    later: (seconds: number) => Result,
    { account, signal }: TurnOf = {},
  ): Promise<Result> {
    const until = Math.max(...[server, account ?? server].map((one) => this.#resting.get(one) ?? 0));
    const left = Math.ceil((until - performance.now()) / 1_000);
    if (left > 0) return later(left);
    return account === undefined ? work(signal) : this.#accounts.run(account, work, later, { signal });
  }

  #rest(named: string, seconds: number): void {
    const until = performance.now() + Math.min(seconds, LONGEST_REST_IN_SECONDS) * 1_000;
    if (until > (this.#resting.get(named) ?? 0)) this.#resting.set(named, until);
  }
}
