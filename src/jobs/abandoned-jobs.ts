import type { OthersJob } from './claim-jobs.ts';

/** A process says every two seconds that it is at its jobs; silence for longer than this is death. */
const SILENCE_MS = 5_500;
/** A look that came later, or took longer, has seen nothing: the database or this process was away, and so others may have been. */
const LONGEST_GAP_MS = 4_500;
const LONGEST_LOOK_MS = 2_000;

/**
 * Finds the jobs whose process has died, by watching that it says nothing. It does not compare times of the database: after
 * a database was away, everybody's last word is old, and nobody is dead.
 */
export class AbandonedJobs {
  #seen = new Map<string, number>();
  #lookedAt = 0;

  /** Takes what a look found, by a clock in milliseconds that nobody sets. @returns those to take over */
  watch(others: readonly OthersJob[], beganAt: number, endedAt: number): OthersJob[] {
    const isBlind = beganAt - this.#lookedAt > LONGEST_GAP_MS || endedAt - beganAt > LONGEST_LOOK_MS;
    const before = isBlind ? new Map<string, number>() : this.#seen;
    this.#lookedAt = endedAt;
    this.#seen = new Map(others.map((job) => [wordOf(job), before.get(wordOf(job)) ?? endedAt]));
    return others.filter((job) => beganAt - (this.#seen.get(wordOf(job)) ?? endedAt) >= SILENCE_MS);
  }
}

function wordOf({ id, attempts, heartbeat }: OthersJob): string {
  return `${id} ${attempts} ${heartbeat}`;
}
