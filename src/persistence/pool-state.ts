/** The state of a pool, for those who watch over the process. */
export class PoolState {
  /** A write has failed for lack of room, and nobody has seen since that there is room again. */
  wasDiskFull = false;
  /** A pooler stands between, which may hand each transaction to another connection of the server. */
  isPooled = false;
  #refusedSince: number | undefined;

  /** Somebody has got a connection. */
  served(): void {
    this.#refusedSince = undefined;
  }

  /** Somebody has waited for one in vain. */
  refused(): void {
    this.#refusedSince ??= performance.now();
  }

  /** For how many milliseconds no request for a connection has been served. */
  exhaustedFor(): number {
    return this.#refusedSince === undefined ? 0 : performance.now() - this.#refusedSince;
  }

  failed(error: unknown): void {
    if ((error as { readonly code?: unknown } | null)?.code === '53100') this.wasDiskFull = true;
  }
}
