/** What a pool knows of itself, for those who watch over the process. */
export class PoolState {
  /** A write has failed for lack of room, and nobody has seen since that there is room again. */
  wasDiskFull = false;
  #refusedSince: number | undefined;

  /** Somebody has got a connection. */
  served(): void {
    this.#refusedSince = undefined;
  }

  /** Somebody has waited for one in vain. */
  refused(): void {
    this.#refusedSince ??= performance.now();
  }

  /** Milliseconds since when nobody who asked has got a connection. */
  exhaustedFor(): number {
    return this.#refusedSince === undefined ? 0 : performance.now() - this.#refusedSince;
  }

  failed(error: unknown): void {
    if ((error as { readonly code?: unknown } | null)?.code === '53100') this.wasDiskFull = true;
  }
}
