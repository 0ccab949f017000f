import type { GraphQLError } from 'graphql';
import { COST, limitError } from './limits.ts';

export interface Cost {
  readonly requested: number;
  readonly limit: number;
}

/**
 * What an operation may still cost while it runs. Most is counted before; what only the rows tell (how close the slots
 * of an event type follow each other) is counted here once they are read, and before anything is made of them.
 */
export class CostBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What it has cost so far. */
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
}

/** The error of an operation that costs too much, else `undefined`. */
export function costError({ requested, limit }: Cost, remedy = COST.remedy): GraphQLError | undefined {
  if (requested <= limit) return undefined;
  return limitError({ ...COST, remedy }, limit, requested, { cost: { requested, limit } });
}

/** Fractions are those of small values; what is left of a sum of them is rounding. */
export function whole(cost: number): number {
  return Math.max(0, Math.ceil(cost - 1e-6));
}
