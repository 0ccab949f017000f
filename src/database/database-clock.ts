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
    return Temporal.Instant.fromEpochMilliseconds(Math.floor(this.now()));
  }
}
