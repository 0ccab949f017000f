import { LRUCache } from 'lru-cache';
import { OwnerTurns, type Turns } from './owner-turns.ts';

/** One server is asked this much at once, of which visitors are the reason for half at most. */
const OF_A_SERVER = { share: 6, waiting: 4, waitInMs: 500, awayInSeconds: 1 };
const OF_AN_ACCOUNT = { share: 2, waiting: 50, waitInMs: 2_000, awayInSeconds: 1 };
const OF_VISITORS = { share: OF_A_SERVER.share / 2, waiting: 100, waitInMs: 2_000, awayInSeconds: 1 };
/** All visitors together may have all servers asked this much at once. */
const OF_ALL_VISITORS = { share: 64, waiting: 200, waitInMs: 2_000, awayInSeconds: 1 };
const EVERYBODY = '';
/** A whole server is left alone no longer than that: what it says may be meant for one of many who publish there. */
const LONGEST_REST_IN_SECONDS = 900;

/**
 * Turns of servers elsewhere that are asked, shared by all that asks them in a process: per server, per account there, and, where
 * visitors are the reason, in all. What answers slowly holds up its own questions alone.
 */
export class ServerTurns {
  readonly #servers = new OwnerTurns(OF_A_SERVER);
  readonly #accounts = new OwnerTurns(OF_AN_ACCOUNT);
  readonly #serversOfVisitors = new OwnerTurns(OF_VISITORS);
  readonly #visitors = new OwnerTurns(OF_ALL_VISITORS);
  /** By server or account, until when it wants to be left alone, in the time of `performance.now()`. */
  readonly #resting = new LRUCache<string, number>({ max: 10_000 });

  /** For what is done in the background. */
  readonly ofJobs: Turns = {
    run: (server, work, later, account) => {
      const ofServer = () => this.#servers.run(server, work, later);
      return this.#unlessResting(server, ofServer, later, account);
    },
    rest: (named, seconds) => this.#rest(named, seconds),
  };

  /** For questions of which visitors are the reason. */
  readonly ofVisitors: Turns = {
    // Whoever waits for a slow server takes up none of the places of all.
    run: (server, work, later, account) => {
      const ofAll = () => this.#visitors.run(EVERYBODY, work, later);
      // Somebody waits: what the background wants comes after it.
      const ofServer = () => this.#servers.runFirst(server, ofAll, later);
      const ofVisitors = () => this.#serversOfVisitors.run(server, ofServer, later);
      return this.#unlessResting(server, ofVisitors, later, account);
    },
    rest: (named, seconds) => this.#rest(named, seconds),
  };

  async #unlessResting<Result>(
    server: string,
    work: () => Promise<Result>,
    later: (seconds: number) => Result,
    account?: string,
  ): Promise<Result> {
    const until = Math.max(...[server, account ?? server].map((one) => this.#resting.get(one) ?? 0));
    const left = Math.ceil((until - performance.now()) / 1_000);
    if (left > 0) return later(left);
    return account === undefined ? work() : this.#accounts.run(account, work, later);
  }

  #rest(named: string, seconds: number): void {
    const until = performance.now() + Math.min(seconds, LONGEST_REST_IN_SECONDS) * 1_000;
    if (until > (this.#resting.get(named) ?? 0)) this.#resting.set(named, until);
  }
}
