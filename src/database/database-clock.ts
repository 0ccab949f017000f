import { instantAt } from '../core/instant.ts';
import { readOne } from './read.ts';
import { type Em, sql } from './sql.ts';

/**
 * There is one clock, the database's, for all processes: in a statement `now()`, in a transaction that decides by rules
 * `databaseNow`, without a statement `DatabaseClock`. Rules take the time as an argument. `performance.now()` measures how long
 * something takes here; nothing is decided by the clock of this machine (test/contract/instants.test.ts).
 */

/** Epoch milliseconds; of one transaction, always the same. */
export async function databaseNow(em: Em): Promise<number> {
  const found = await readOne(em, sql<{ now: number }>`select (extract(epoch from now()) * 1000)::float8 as now`);
  return Math.floor(found?.now ?? Number.NaN);
}

/**
 * The database's clock, as this process knows it: its last reading plus what has passed here since, measured by a clock
 * that nobody sets. So neither a wrong nor a corrected clock of this machine makes a token live longer.
 */
export class DatabaseClock {
  #reading = Date.now();
  #readAt = performance.now();

  /** Takes a reading from a statement that began and ended at these times of `performance.now()`. */
  observe(reading: Temporal.Instant, beganAt: number, endedAt: number): void {
    this.#reading = reading.epochMilliseconds;
    // Half of the way there and back: the reading was made somewhere between.
    this.#readAt = (beganAt + endedAt) / 2;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#reading + (performance.now() - this.#readAt);
  }

  instant(): Temporal.Instant {
    return instantAt(Math.floor(this.now()));
  }
}
