import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { Problem } from '../../core/problem.ts';
import { stored } from '../../database/changes.ts';
import type { RowOf } from '../../database/columns.ts';
import { LATER } from '../../database/expressions.ts';
import { Selection } from '../../database/selection.ts';
import { type Em, row } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { isAsSeen } from '../../database/updates/if-unchanged.ts';
import { refuseUpdate, updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { clearDefault, lockSchedules } from './lock-schedules.ts';
import { Schedule } from './schedule.entity.ts';
import { SCHEDULES } from './schedule.queries.ts';
import { SCHEDULE_FIELDS } from './schedule-fields.rules.ts';
import type { ScheduleInput } from './schedule-input.rules.ts';
import { SCHEDULE_CODES } from './schedule-input.rules.ts';

export const UPDATE_SCHEDULE_CODES = [...SCHEDULE_CODES, 'DEFAULT_SCHEDULE'] as const;

export type SchedulePatch = PatchOf<ScheduleInput> & {
  /** True takes the default from the schedule that has it; false is refused for the default itself. */
  readonly isDefault?: boolean | null | undefined;
};

/** Changes what the patch names. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, DEFAULT_SCHEDULE, and every mistake of the patch at once */
export async function updateSchedule(
  em: Em,
  owner: Owner,
  scheduleId: string,
  patch: SchedulePatch,
  shown: Selection<typeof Schedule> = Selection.whole(Schedule),
): Promise<RowOf<typeof Schedule> | undefined> {
  const values = checkedFields<ScheduleInput, SchedulePatch>(patch, SCHEDULE_FIELDS);
  // Only who chooses a default has to wait for others who do.
  if (patch.isDefault == null) return updateOwned(em, SCHEDULES, owner, scheduleId, values, shown);
  const { ownerId: userId } = owner;
  await em.transactional(async (inner) => {
    await lockSchedules(inner, owner);
    if (patch.isDefault === true) await clearDefault(inner, userId, scheduleId);
    const updated = await row(
      inner,
      updateTable(Schedule, { userId, id: scheduleId })
        .set({ ...stored(values), isDefault: patch.isDefault === true ? true : undefined, updatedAt: LATER })
        .where(owner.isInCharge)
        .where(isAsSeen(owner.lastSeen))
        .returning('isDefault'),
    );
    if (!updated) return refuseUpdate(inner, SCHEDULES, owner, scheduleId);
    if (patch.isDefault === false && updated.isDefault) throw defaultSchedule('isDefault');
  });
  return undefined;
}

/** The default is only ever replaced: without one, there would be times in which nobody knows when somebody works. */
export function defaultSchedule(field: string): Problem {
  const message = 'This is the default schedule, which cannot be missing; make another schedule the default first.';
  return new Problem('DEFAULT_SCHEDULE', message, [field]);
}
