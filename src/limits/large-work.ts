import { Problem } from '../core/problem.ts';
import { holdDeadline, statementLimit } from '../database/deadline.ts';
import { type EndTurn, FairQueue, type QueueSizes } from './fair-queue.ts';
import { networkOf } from './network.ts';

const MEGABYTE = 1_000_000;

/**
 * The bytes, as estimated, that a large answer and its making may take. Strangers may have half of the running and half
 * of the waiting work. As much may wait as one core makes of slots in the time that anybody waits for them.
 */
const SIZES: QueueSizes = {
  running: 64 * MEGABYTE,
  waitingInLine: 1_200 * MEGABYTE,
  waitingInAll: 2_400 * MEGABYTE,
  strangers: { running: 32 * MEGABYTE, waiting: 1_200 * MEGABYTE },
  timeoutInMs: 8_000,
};

/** Up to so many bytes, work waits for no other. */
const SMALL = 300_000;

const SECONDS_TO_WAIT = 5;

/** Refuses work, undone, because too much is being worked on. */
export class TooMuchAtOnce extends Problem {
  readonly secondsToWait = SECONDS_TO_WAIT;

  constructor() {
    super(
      'BUSY',
      `Too many large answers are being made at this moment, so this one was not begun; try again in ${SECONDS_TO_WAIT} seconds, or ask for less.`,
    );
  }
}

/** One queue for the process on purpose: its memory is limited. */
const QUEUE = new FairQueue(SIZES, () => new TooMuchAtOnce());

/**
 * The caller who asks for large work: users wait in a line of their own, each of their apps in another, strangers in
 * that of their network.
 */
export type Asking =
  | { readonly kind: 'token'; readonly grantId: string }
  | { readonly kind: 'session'; readonly userId: string }
  | { readonly kind: 'anonymous'; readonly address: string };

/**
 * The place of one request among those that take much memory. Many half made at the same time would take all that there is;
 * one after the other, each is soon answered. It is taken where it is first known how much the work will take, in no
 * transaction, and is given back once the answer is written.
 */
export class Place {
  readonly #asking: Asking;
  #taken: undefined | Promise<void>;
  #end: EndTurn | undefined;
  #isGivenBack = false;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /**
   * Waits for room for so many bytes, if they are many and there is none. Whoever has a place has it for whatever follows: what waits for more
   * would hold what it has. @throws TooMuchAtOnce, and the reason why nobody waits for the answer any more
   */
  take(bytes: number, signal = (): AbortSignal | undefined => statementLimit().signal): undefined | Promise<void> {
    if (bytes <= SMALL || this.#end || this.#taken) return this.#taken;
    const line = lineOf(this.#asking);
    const isStranger = this.#asking.kind === 'anonymous';
    const end = QUEUE.enter({ line, size: bytes, isStranger, signal });
    if (end instanceof Promise) {
      // The operation's time is held until its work can begin.
      const goOn = holdDeadline();
      this.#taken = end.then((begun) => this.#begin(begun)).finally(goOn);
    } else this.#begin(end);
    return this.#taken;
  }

  /** Has an effect only the first time. */
  giveBack(): void {
    this.#isGivenBack = true;
    const end = this.#end;
    this.#end = undefined;
    end?.();
  }

  #begin(end: EndTurn): void {
    if (this.#isGivenBack) end();
    else this.#end = end;
  }
}

function lineOf(asking: Asking): string {
  if (asking.kind === 'token') return `grant ${asking.grantId}`;
  return asking.kind === 'session' ? `user ${asking.userId}` : `network ${networkOf(asking.address)}`;
}

/** Answers whose bytes others are sent as well: one that nobody reads takes no memory of its own. */
export const sharedAnswers = new WeakSet<object>();
