import { instantAt } from '../core/instant.ts';
import { readOne } from './lanes.ts';
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

/** How much two clocks may drift apart: what NTP corrects at most, 500 millionths. */
const DRIFT = 5e-4;

/**
 * The database's clock, as this process knows it: a reading plus what has passed here since, measured by a clock that nobody
 * sets. So neither a wrong nor a corrected clock of this machine makes a token live longer.
 */
export class DatabaseClock {
  /** The database's clock is ahead of `performance.now()` by this. */
  #ahead = Date.now() - performance.now();
  /** By how much that may have been wrong when it was read. */
  #error = Number.POSITIVE_INFINITY;
  #readAt = 0;

  /**
   * Takes a reading from a statement that began and ended at these times of `performance.now()`, and was made at any time
   * between them. That of a busy process, which sends late and hears late, says little: an earlier one stays while it says
   * more, and does not contradict the new one, as it would if somebody had set the database's clock.
   */
  observe(reading: Temporal.Instant, beganAt: number, endedAt: number): void {
    const error = (endedAt - beganAt) / 2;
    const ahead = reading.epochMilliseconds - (beganAt + endedAt) / 2;
    const known = this.#error + (endedAt - this.#readAt) * DRIFT;
    if (error > known && Math.abs(ahead - this.#ahead) <= error + known + 1) return;
    this.#ahead = ahead;
    this.#error = error;
    this.#readAt = endedAt;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#ahead + performance.now();
  }

  instant(): Temporal.Instant {
    return instantAt(Math.floor(this.now()));
  }
}
