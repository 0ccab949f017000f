/** jobs/ runs by itself, beside the requests. */
import { type Em, row, sql } from '../database/sql.ts';

/** Deletes at most `limit` rows that nobody needs any more, and returns how many. */
export type Task = (em: Em, limit: number) => Promise<number>;

export interface JanitorSettings {
  /** The global EntityManager; each batch is a transaction of its own. */
  readonly em: Em;
  readonly tasks: readonly Task[];
  readonly onError: (error: unknown) => void;
  readonly everySeconds?: number;
}

export interface Janitor {
  /** One round of all tasks; for tests. */
  sweep(): Promise<void>;
  /** No round begins after this; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

const ROWS_PER_BATCH = 1_000;
/** After this many batches a task waits for the next round, so that it never holds up the others for long. */
const BATCHES_PER_ROUND = 20;

/**
 * Sweeps expired rows away in small batches, so that no delete is ever long. Every process has a janitor; a lock in the
 * database lets one of them work at a time.
 */
export function startJanitor({ em, tasks, onError, everySeconds = 60 }: JanitorSettings): Janitor {
  let sweeping: Promise<void> = Promise.resolve();
  let isStopped = false;
  const round = async (before: Promise<void>): Promise<void> => {
    await before;
    for (const task of isStopped ? [] : tasks) await runTask(em, task).catch(onError);
  };
  const sweep = (): Promise<void> => {
    sweeping = round(sweeping);
    return sweeping;
  };
  const timer = setInterval(() => void sweep(), everySeconds * 1_000);
  timer.unref();
  return {
    sweep,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      return sweeping;
    },
  };
}

async function runTask(em: Em, task: Task): Promise<void> {
  for (let batch = 0; batch < BATCHES_PER_ROUND; batch += 1) {
    const removed = await em.fork().transactional(async (inner) => {
      const lock = await row(
        inner,
        sql<{ isMine: boolean }>`select pg_try_advisory_xact_lock(hashtext('gatehouse: janitor')) as "isMine"`,
      );
      return lock?.isMine ? task(inner, ROWS_PER_BATCH) : 0;
    });
    if (removed < ROWS_PER_BATCH) return;
  }
}
