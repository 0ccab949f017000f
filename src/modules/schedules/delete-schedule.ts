import { Problem } from '../../core/problem.ts';
import { changed, type Em, row } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { notFoundHere } from '../levels/not-found-here.ts';
import type { Owner } from '../levels/reach.ts';
import { Schedule } from './schedule.entity.ts';
import { defaultSchedule } from './update-schedule.ts';

export const DELETE_SCHEDULE_CODES = ['DEFAULT_SCHEDULE', 'SCHEDULE_IN_USE'] as const;

/** Deletes a schedule that nothing uses. @throws Problem NOT_FOUND, FORBIDDEN, DEFAULT_SCHEDULE, SCHEDULE_IN_USE */
export async function deleteSchedule(em: Em, owner: Owner, scheduleId: string): Promise<void> {
  const schedule = { userId: owner.ownerId, id: scheduleId };
  const deletion = deleteFrom(Schedule, { ...schedule, isDefault: false }).where(owner.isInCharge);
  const count = await changed(em, deletion).catch((error: unknown) => {
    // A row without children of its own can only break the foreign key of something that uses it.
    if (violatedConstraint(error) !== undefined) throw scheduleInUse();
    throw error;
  });
  if (count > 0) return;
  await owner.refuse(em);
  if (await row(em, selectFrom(Schedule, schedule).select('id'))) throw defaultSchedule('scheduleId');
  throw notFoundHere('schedule', { ownerId: owner.ownerId, id: scheduleId });
}

function scheduleInUse(): Problem {
  const message = 'An event type uses this schedule; give it another schedule first.';
  return new Problem('SCHEDULE_IN_USE', message, ['scheduleId']);
}
