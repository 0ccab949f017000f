/** This many owners without an answer at once are no coincidence: the server answers nobody. */
const SEVERAL = 3;

/**
 * Remembers whose calls to a server had no answer lately. The next calls of that owner are spared the wait; those of all
 * others only once several owners have had none, so that one account's trouble is nobody else's.
 */
export class Silence {
  readonly #lastsMs: number;
  readonly #now: () => number;
  readonly #until = new Map<string, number>();

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(lastsMs: number, now: () => number = () => performance.now()) {
    this.#lastsMs = lastsMs;
    this.#now = now;
  }

  /** A call of this owner had no answer. */
  note(owner: string): void {
    this.#until.set(owner, this.#now() + this.#lastsMs);
  }

  /** Whether a call of this owner would probably have no answer either. */
  isLikelyFor(owner: string): boolean {
    const now = this.#now();
    for (const [one, until] of this.#until) if (until <= now) this.#until.delete(one);
    return this.#until.has(owner) || this.#until.size >= SEVERAL;
  }
}
