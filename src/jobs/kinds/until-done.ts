import type { Em } from '../../database/sql.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';

/** The result of an attempt. BUSY: somebody else is at it, which is no failure. */
export type Attempted =
  | { readonly kind: 'DONE' }
  | {
      readonly kind: 'BUSY';
      /** When to come again; left out, soon. */
      readonly inSeconds?: number;
    }
  | {
      readonly kind: 'FAILED';
      /** It is not tried again before that; left out, or less than the next wait: that. */
      readonly notBeforeSeconds?: number;
      /** A job that takes longer is of no use any more. */
      readonly usefulForSeconds?: number;
    };

export interface UntilDone<Data extends object> {
  readonly queue: string;
  readonly hears?: JobKind['hears'];
  readonly atOnce: number;
  /** The most of these of one owner. */
  readonly ofOwner: number;
  /** The owner whose turn it takes; left out: that of the job from which it follows. */
  readonly ownerOf?: (data: Data) => string;
  /** After each failure, for what servers of others do wrong; after the last it is given up. */
  readonly waitsInSeconds: readonly number[];
  /** Those with the same key are done one after the other. */
  readonly orderKeyOf?: (data: Data) => string;
  readonly attempt: (em: Em, data: Data) => Promise<Attempted>;
  readonly giveUp?: (em: Em, data: Data) => Promise<void>;
}

const BUSY_SECONDS = 5;
/** A job fails this often at least before it is given up, however soon it is of no use. */
const LEAST_FAILURES = 3;

/** Work at servers of others that is tried again until it is done: each attempt is a job, which puts in the next one. */
export class Persistence<Data extends object> {
  readonly #work: UntilDone<Data>;

  constructor(work: UntilDone<Data>) {
    this.#work = work;
  }

  get kind(): JobKind {
    const { queue, hears = [], atOnce, ofOwner } = this.#work;
    // Jobs of their own wait out the failures of an attempt.
    return {
      queue,
      hears,
      atOnce,
      share: { ofOwner, ofLine: ofOwner },
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: (em, data) => this.#run(em, data),
    };
  }

  /** The first attempt, or the one after so many failures. */
  job(data: Data, failures = 0, delayInSeconds = 0): NewJob {
    const { queue, orderKeyOf, ownerOf } = this.#work;
    return {
      queue,
      data: { ...data, failures },
      ...(orderKeyOf && { orderKey: orderKeyOf(data) }),
      ...(ownerOf && { owner: ownerOf(data) }),
      ...(delayInSeconds > 0 && { delayInSeconds }),
    };
  }

  async #run(em: Em, stored: unknown): Promise<readonly NewJob[]> {
    const { failures = 0, ...rest } = stored as Data & { readonly failures?: number };
    const data = rest as unknown as Data;
    const attempted = await this.#work.attempt(em, data);
    if (attempted.kind === 'DONE') return [];
    if (attempted.kind === 'BUSY') return [this.job(data, failures, attempted.inSeconds ?? BUSY_SECONDS)];
    const delay = this.#delayAfter(failures, attempted);
    if (delay !== undefined) return [this.job(data, failures + 1, delay)];
    await this.#work.giveUp?.(em, data);
    return [];
  }

  #delayAfter(
    failures: number,
    { notBeforeSeconds = 0, usefulForSeconds = Number.POSITIVE_INFINITY }: Extract<Attempted, { kind: 'FAILED' }>,
  ): number | undefined {
    const wait = this.#work.waitsInSeconds[failures];
    if (wait === undefined) return undefined;
    const delay = Math.max(wait, notBeforeSeconds);
    return delay > usefulForSeconds && failures >= LEAST_FAILURES ? undefined : delay;
  }
}
