import { AsyncLocalStorage } from 'node:async_hooks';
import type { AbortableQueryOptions } from 'kysely';

const current = new AsyncLocalStorage<AbortSignal>();

/** Runs work whose statements end when the signal does: those that wait are not sent, those under way are cancelled. */
export function statementsUntil<Result>(signal: AbortSignal, run: () => Result): Result {
  return current.run(signal, run);
}

/** For a statement of the current flow of execution. */
export function untilDeadline(): AbortableQueryOptions | undefined {
  const signal = current.getStore();
  return signal && { signal, inflightQueryAbortStrategy: 'cancel query' };
}
