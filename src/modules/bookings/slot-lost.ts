import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { eventTypeNotFound } from '../event-types/event-type-owner.ts';
import { holdEventType } from './occupy.ts';
import { inTurn } from './take-turn.ts';

/** Somebody was faster between the decision and its execution. What was written must be rolled back. */
export class SlotLost extends Error {
  override readonly name = 'SlotLost';
}

/** What somebody wants to take time for. */
export interface TimeWanted {
  readonly eventTypeId: string;
  readonly start: Temporal.Instant;
  /** All that decides whether it can be had, for `inTurn`; left out when nobody else can have asked the same. */
  readonly question?: string;
  /** Looks whether it can be had, by reading alone: whoever has waited and is too late needs no lock. @throws SlotClosed */
  readonly look?: (em: Em) => Promise<unknown>;
}

const ATTEMPTS = 5;

/**
 * Runs a transaction that holds the event type, in turn, and decides anew when a slot was lost: with round robin another
 * host may have time, with seats the booking that was faster may have one, and otherwise the rules now know why not.
 * @throws Problem SLOT_TAKEN at last; NOT_FOUND when whose event type it is has gone
 */
export function whileSlotIsLost<Result>(
  em: Em,
  { eventTypeId, start, question, look }: TimeWanted,
  work: (inner: Em) => Promise<Result>,
): Promise<Result> {
  return inTurn(eventTypeId, question, async (hasWaited) => {
    if (hasWaited) await look?.(em);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        return await em.transactional(async (inner) => {
          if (!(await holdEventType(inner, eventTypeId))) throw eventTypeNotFound(eventTypeId);
          return work(inner);
        });
      } catch (error) {
        if (!(error instanceof SlotLost)) throw error;
      }
    }
    throw new Problem('SLOT_TAKEN', `The start ${start.toString()} is taken; choose another slot.`, ['start']);
  });
}
