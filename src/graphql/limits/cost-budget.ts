import type { GraphQLError } from 'graphql';
import type { Place } from '../../limits/large-work.ts';
import { COST, limitError } from './limits.ts';

export interface Cost {
  readonly requested: number;
  readonly limit: number;
}

/**
 * Counts what an operation may still cost while it runs. Most is counted before; a cost that only the rows tell (how
 * close the slots of an event type follow each other) is counted here once they are read, and before anything is made
 * of them.
 */
export class CostBudget {
  readonly #limit: number;
  readonly #place: Place | undefined;
  #spent = 0;

  /** `place`: where large operations wait for each other; left out, they do not wait. */
  constructor(limit: number, place?: Place) {
    this.#limit = limit;
    this.#place = place;
  }

  /** The cost so far. */
  get cost(): Cost {
    return { requested: whole(this.#spent), limit: this.#limit };
  }

  get left(): number {
    return this.#limit - this.#spent;
  }

  /** `remedy`: what to do about it, if it is too much. @throws GraphQLError */
  spend(cost: number, remedy?: string): void {
    const error = costError({ requested: whole(this.#spent + cost), limit: this.#limit }, remedy);
    if (error) throw error;
    this.#spent += cost;
  }

  /** Waits until there is room for what it has cost so far, if that is much. @throws TooMuchAtOnce */
  room(signal?: () => AbortSignal): undefined | Promise<void> {
    return this.roomFor(this.#spent * BYTES_OF_ONE, signal);
  }

  /** The same where more is known than the cost. */
  roomFor(bytes: number, signal?: () => AbortSignal): undefined | Promise<void> {
    return this.#place?.take(bytes, signal);
  }

  /** Once the answer is written, or nobody waits for it: others have the room. */
  done(): void {
    this.#place?.giveBack();
  }
}

/** Up to this cost no answer can come near the limit of its size. */
export const COST_OF_SMALL = 300;

/** An object takes this much while its answer is made: its row, its fields, its text. Most take less. */
export const BYTES_OF_ONE = 1_000;

/** The error of an operation that costs too much, else `undefined`. */
export function costError({ requested, limit }: Cost, remedy = COST.remedy): GraphQLError | undefined {
  if (requested <= limit) return undefined;
  return limitError({ ...COST, remedy }, limit, requested, { cost: { requested, limit } });
}

/** Fractions are those of small values; what is left of a sum of them is rounding. */
export function whole(cost: number): number {
  return Math.max(0, Math.ceil(cost - 1e-6));
}
