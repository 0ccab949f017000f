import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';

/** Somebody was faster between the decision and its execution. What was written must be rolled back. */
export class SlotLost extends Error {
  override readonly name = 'SlotLost';
}

const ATTEMPTS = 5;

/**
 * Runs a transaction, and decides anew when a slot was lost: with round robin another host may have time, with seats the
 * booking that was faster may have one, and otherwise the rules now know why not. @throws Problem SLOT_TAKEN at last
 */
export async function whileSlotIsLost<Result>(
  em: Em,
  start: Temporal.Instant,
  work: (inner: Em) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await em.transactional(work);
    } catch (error) {
      if (!(error instanceof SlotLost)) throw error;
    }
  }
  throw new Problem('SLOT_TAKEN', `The start ${start.toString()} is taken; choose another slot.`, ['start']);
}
