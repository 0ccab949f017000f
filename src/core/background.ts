import { AsyncLocalStorage } from 'node:async_hooks';

/** More than this and the work is dropped: what runs here may be late or lost, but must not pile up. */
const MOST_AT_ONCE = 500;

/** Work that an answer does not wait for, and whose failure is not the answer's: "last used", notes of failed requests, mails. */
export class Background {
  readonly #onError: (error: unknown) => void;
  /** What a request has to be done by a time does not bind what goes on after it. */
  readonly #apart = AsyncLocalStorage.snapshot();
  readonly #running = new Set<Promise<void>>();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  run(work: () => Promise<unknown>): void {
    if (this.#running.size >= MOST_AT_ONCE) return;
    const running = this.#apart(work)
      .then(() => undefined)
      .catch(this.#onError)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when nothing runs any more: before the database is closed, and in tests. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
