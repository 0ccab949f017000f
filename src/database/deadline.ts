/**
 * database/deadline says how long statements may take. Code that answers a request sets a limit when it begins, and every
 * statement below it ends with that limit, whatever sends it; the drivers (persistence/) look here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { onBehalfOf } from './on-behalf.ts';

interface Limit {
  /** Statements of this flow end when it aborts. */
  readonly signal: AbortSignal | undefined;
  readonly millisecondsEach: number;
}

/** For work that nobody waits for: longer than any statement of ours takes, and no place in the pool is lost for good. */
const UNATTENDED: Limit = { signal: undefined, millisecondsEach: 30_000 };
const PATIENT: Limit = { signal: undefined, millisecondsEach: Number.POSITIVE_INFINITY };

/** Nobody waits for the answer any more, or it has taken too long. */
export class GivenUp extends Error {}

const current = new AsyncLocalStorage<Limit>();

/** For a statement of the current flow of execution. */
export function statementLimit(): Limit {
  return current.getStore() ?? UNATTENDED;
}

/**
 * Ends the statements of a flow, beside whatever ends those of the flow around it. Its signal is made when somebody
 * looks at it; most flows are over before.
 */
export class Ending implements Limit {
  readonly millisecondsEach = UNATTENDED.millisecondsEach;
  readonly #outer = current.getStore();
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #reason: Error | undefined;
  #ring: (() => void) | undefined;
  #leftInMs = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  /** How many callers keep the time from running out. */
  #holds = 0;

  /** Statements that wait are not sent any more, those under way are cancelled. */
  end(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }

  /** Ends the flow after this time, with an error that is made then. @returns a promise that is rejected with it */
  endAfter(milliseconds: number, late: () => Error): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#leftInMs = milliseconds;
    this.#ring = () => {
      const reason = late();
      this.end(reason);
      reject(reason);
    };
    if (this.#holds === 0) this.#goOn();
    return promise;
  }

  /** The flow is over: time does not end it any more. */
  done(): void {
    this.#ring = undefined;
    clearTimeout(this.#timer);
  }

  /** Time does not count while the flow waits for its turn. @returns the function that lets time go on */
  hold(): () => void {
    if (this.#holds === 0) this.#stop();
    this.#holds += 1;
    const goOnOutside = this.#outer instanceof Ending ? this.#outer.hold() : undefined;
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0) this.#goOn();
      goOnOutside?.();
    };
  }

  #goOn(): void {
    if (!this.#ring) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#ring, this.#leftInMs);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#leftInMs -= performance.now() - this.#since;
  }

  throwIfOver(): void {
    if (this.#reason) throw this.#reason;
    if (this.#outer instanceof Ending) this.#outer.throwIfOver();
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  #makeSignal(): AbortSignal {
    this.#controller = new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    const outer = this.#outer?.signal;
    return outer ? AbortSignal.any([outer, this.#controller.signal]) : this.#controller.signal;
  }
}

/** @throws Error the reason why statements of the current flow have ended, if they have */
export function throwIfOver(): void {
  const limit = current.getStore();
  if (limit instanceof Ending) limit.throwIfOver();
}

/** Runs work whose statements `ending` ends. */
export function statementsUntil<Result>(ending: Ending, run: () => Result): Result {
  return current.run(ending, run);
}

/** Waits for `work` until a deadline; then its statements are ended, and the call fails with the error of `late`. */
export function giveUpAfter<Result>(
  milliseconds: number,
  work: (ending: Ending) => Promise<Result>,
  late: () => Error,
): Promise<Result> {
  const ending = new Ending();
  return statementsUntil(ending, async () => {
    const isLate = ending.endAfter(milliseconds, late);
    try {
      return await Promise.race([work(ending), isLate]);
    } finally {
      ending.done();
    }
  });
}

/** For the current flow of execution, while it waits for its turn. @returns what lets its time go on */
export function holdDeadline(): () => void {
  const limit = current.getStore();
  return limit instanceof Ending ? limit.hold() : () => undefined;
}

/** Waits for `work`, or throws the signal's reason once it aborts; the work itself goes on. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Runs work that several callers share, or that outlives its caller: one of them who goes away does not take it along.
 * A timer runs within the limit of the code that sets it, so this is also for work that a timer begins. Nor does it
 * write on behalf of that caller (on-behalf.ts).
 */
export function apartFromCaller<Result>(run: () => Result): Result {
  return onBehalfOf(undefined, () => current.run(UNATTENDED, run));
}

/** For migrations and the like, which may take as long as they take. */
export function withoutStatementLimit<Result>(run: () => Result): Result {
  return current.run(PATIENT, run);
}
