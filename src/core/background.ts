/** More than this and the work is dropped: what runs here may be late or lost, but must not pile up. */
const MOST_AT_ONCE = 500;

type Apart = <Result>(run: () => Result) => Result;

/** Work that an answer does not wait for, and whose failure is not the answer's: "last used", mails. */
export class Background {
  readonly #onError: (error: unknown) => void;
  readonly #apart: Apart;
  readonly #running = new Set<Promise<void>>();

  /** `apart` keeps the limits of a request from what goes on after it. */
  constructor(onError: (error: unknown) => void, apart: Apart) {
    this.#onError = onError;
    this.#apart = apart;
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
