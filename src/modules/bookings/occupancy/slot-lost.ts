import { isTeam, type OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import type { Em } from '../../../database/sql.ts';
import { type Asking, askingCalendars } from '../../calendars/fresh-calendars.ts';
import { eventTypeNotFound } from '../../event-types/event-type-owner.ts';
import { lockOwner } from '../../teams/lock-owner.ts';
import { lockMembers, removalsEnded } from './lock-members.ts';
import { lockEventType } from './occupy.ts';
import { AT_ONCE, inTurn } from './take-turn.ts';

/** Somebody was faster between the decision and its execution. The transaction must be rolled back. */
export class SlotLost extends Error {
  override readonly name = 'SlotLost';
}

/**
 * Some of these hosts are being removed from the team, or were just now. Whether they stay is known once that has ended.
 */
class HostLeaving extends SlotLost {
  readonly teamId: string;
  readonly hostIds: readonly string[];

  constructor(teamId: string, hostIds: readonly string[]) {
    super();
    this.teamId = teamId;
    this.hostIds = hostIds;
  }
}

/**
 * Keeps hosts what they are until the transaction ends, before they are given a booking of a team: see `lockingMembers`.
 * @throws HostLeaving
 */
export async function requireMembers(em: Em, ownerId: string, hostIds: readonly string[]): Promise<void> {
  if (isTeam(ownerId) && !(await lockMembers(em, ownerId, hostIds))) throw new HostLeaving(ownerId, hostIds);
}

/** The purpose for which somebody wants to take time. */
export interface TimeWanted<Seen = unknown> {
  readonly eventType: OwnedId;
  /** For the message; null when it is not the caller who chooses the time. */
  readonly start: Temporal.Instant | null;
  /**
   * Whether more than free time decides, which a constraint of the database protects. Counts must not change before the
   * booking is stored, so bookings of this event type wait for each other.
   */
  readonly isCounted: boolean;
  /** All that decides whether the slot can be had, for `inTurn`; left out when no other caller can have sent the same request. */
  readonly question?: string;
  /** Looks whether it can be had, by reading alone. @throws SlotClosed, and what `asking` does */
  readonly look?: (em: Em, asking: Asking) => Promise<Seen>;
}

const ATTEMPTS = 5;

/**
 * Runs a transaction in turn, and decides anew when a slot was lost: with round robin another host may have time, with
 * seats the booking that was faster may have one, and otherwise the rules now know why not. Where nothing is counted, what
 * `look` has seen is carried out without a lock, and a caller who is too late has not even begun a transaction; otherwise `work`
 * decides under the lock of the event type. `atOnce` may first carry out what was seen by one statement: undefined when it
 * cannot, a promise of undefined when it has done nothing. Whoever takes time of hosts' asks their calendars first, by `asking`: that
 * ends the turn, and another one follows. @throws Problem SLOT_TAKEN at last; NOT_FOUND when the owner is gone
 */
export function whileSlotIsLost<Result, Seen>(
  em: Em,
  { eventType, start, isCounted, question, look }: TimeWanted<Seen>,
  work: (inner: Em, seen: Seen | undefined, asking: Asking) => Promise<Result>,
  atOnce?: (seen: Seen) => Promise<Result | undefined> | undefined,
): Promise<Result> {
  const lock = (inner: Em): Promise<boolean> =>
    isCounted ? lockEventType(inner, eventType) : lockOwner(inner, eventType.ownerId);
  const attempt = (asking: Asking) => async (hasWaited: boolean) => {
    // A caller who has waited is probably too late, and finds that out without the lock.
    if (isCounted && hasWaited) await look?.(em, asking);
    for (let count = 0; count < ATTEMPTS; count += 1) {
      const seen = isCounted ? undefined : await look?.(em, asking);
      const trying = count === 0 && seen !== undefined ? atOnce?.(seen) : undefined;
      if (trying) {
        const done = await trying;
        if (done !== undefined) return done;
        // Mostly because of a rival, which another look finds out without a transaction.
        continue;
      }
      try {
        return await em.transactional(async (inner) => {
          if (!(await lock(inner))) throw eventTypeNotFound(eventType);
          return work(inner, seen, asking);
        });
      } catch (error) {
        await afterLoss(em, error);
      }
    }
    throw start === null ? outpaced() : slotTaken(start);
  };
  const atOnceAtMost = isCounted ? AT_ONCE.counted : AT_ONCE.free;
  return askingCalendars(em, (asking) => inTurn(eventType.id, question, atOnceAtMost, attempt(asking)));
}

/** The same for a transaction about times of several event types, which decides anew as a whole. @throws Problem SLOT_TAKEN at last */
export async function whileTimesAreLost<Result>(em: Em, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      await afterLoss(em, error);
    }
  }
  throw outpaced();
}

/** Returns when it makes sense to try again. @throws whatever was no loss of a slot */
async function afterLoss(em: Em, error: unknown): Promise<void> {
  if (!(error instanceof SlotLost)) throw error;
  if (error instanceof HostLeaving) await removalsEnded(em, error.teamId, error.hostIds);
}

function outpaced(): Problem {
  return new Problem('SLOT_TAKEN', 'Others booked the slot first each time; try again.');
}

export function slotTaken(start: Temporal.Instant): Problem {
  return new Problem('SLOT_TAKEN', `The start ${start.toString()} is taken; choose another slot.`, ['start']);
}
