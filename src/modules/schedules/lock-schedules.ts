import { NO_ID } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { LATER } from '../../database/expressions.ts';
import { changed, type Em, row } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { User } from '../accounts/user.entity.ts';
import type { Owner } from '../levels/reach.ts';
import { Schedule } from './schedule.entity.ts';

/**
 * Makes whatever chooses a default among a user's schedules wait for each other until the transaction ends: two of them
 * at the same moment would each take the default from a schedule that has lost it. A statement of its own, so that the
 * next one sees what the one before has left. @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function lockSchedules(em: Em, owner: Owner): Promise<void> {
  // "no key": new schedules and bookings refer to the user and need not wait.
  const found = await row(
    em,
    selectFrom(User, { id: owner.ownerId }).where(owner.isInCharge).select('id').forNoKeyUpdate(),
  );
  if (found) return;
  await owner.refuse(em);
  throw accountGone();
}

/** Takes the default from the schedule that has it, under lockSchedules, unless it is the one that is to have it. */
export async function clearDefault(em: Em, userId: string, newDefaultId = NO_ID): Promise<void> {
  const others = updateTable(Schedule, { userId, isDefault: true }).where('id', '<>', newDefaultId);
  await changed(em, others.set({ isDefault: false, updatedAt: LATER }));
}

export function accountGone(): Problem {
  return new Problem('NOT_FOUND', 'This account no longer exists.');
}
