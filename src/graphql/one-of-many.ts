/**
 * One of the values that come together. It is a promise like any other; a caller who waits for several of them
 * (plan.ts) waits once, for all.
 */
export class OneOfMany<Value> implements Promise<Value> {
  readonly all: Promise<readonly Value[]>;
  readonly index: number;
  readonly [Symbol.toStringTag] = 'Promise';

  constructor(all: Promise<readonly Value[]>, index: number) {
    this.all = all;
    this.index = index;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<Fulfilled = Value, Rejected = never>(
    onFulfilled?: ((value: Value) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#alone().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Value | Rejected> {
    return this.#alone().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Value> {
    return this.#alone().finally(onFinally);
  }

  #alone(): Promise<Value> {
    return this.all.then((values) => values[this.index] as Value);
  }
}
