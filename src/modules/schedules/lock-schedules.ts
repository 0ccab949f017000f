import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import type { Owner } from '../levels/reach.ts';

/**
 * Makes whatever chooses a default among a user's schedules wait for each other until the transaction ends: two of them
 * at the same moment would each take the default from a schedule that has lost it. A statement of its own, so that the
 * next one sees what the one before has left. @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function lockSchedules(em: Em, owner: Owner): Promise<void> {
  // "no key": new schedules and bookings refer to the user and need not wait.
  const found = await row(
    em,
    sql`select 1 from users u where u.id = ${owner.ownerId} and ${owner.isInCharge} for no key update of u`,
  );
  if (found) return;
  await owner.refuse(em);
  throw accountGone();
}

/** Takes the default from the schedule that has it, under lockSchedules: another gets it in the same transaction. */
export async function clearDefault(em: Em, userId: string): Promise<void> {
  await row(
    em,
    sql`update schedules set is_default = false, updated_at = now() where user_id = ${userId} and is_default`,
  );
}

export function accountGone(): Problem {
  return new Problem('NOT_FOUND', 'This account does not exist any more.');
}
