import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { NO_ID, newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { changed, type Em, LATER, row, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../database/statements.ts';
import { isAsSeen, stored } from '../../database/updates.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import { notFoundHere, refuseUpdate, updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { Schedule } from './schedule.entity.ts';
import { SCHEDULES } from './schedule.queries.ts';
import {
  DEFAULT_AVAILABILITY,
  MAX_SCHEDULES,
  SCHEDULE_CODES,
  SCHEDULE_FIELDS,
  type ScheduleInput,
  type WeeklyHoursInput,
  wallTimeText,
} from './schedule.rules.ts';

export const CREATE_SCHEDULE_CODES = SCHEDULE_CODES;

/** The hours of a schedule for which none are given: Monday to Friday 09:00–17:00. */
export const STANDARD_HOURS: readonly WeeklyHoursInput[] = DEFAULT_AVAILABILITY.map(({ days, start, end }) => ({
  days,
  start: wallTimeText(start, 'start'),
  end: wallTimeText(end, 'end'),
}));

export const UPDATE_SCHEDULE_CODES = [...SCHEDULE_CODES, 'DEFAULT_SCHEDULE'] as const;

export const DELETE_SCHEDULE_CODES = ['DEFAULT_SCHEDULE', 'SCHEDULE_IN_USE'] as const;

const KEPT: KeptRows = { what: 'schedules', most: MAX_SCHEDULES };

type NewSchedule = PatchOf<ScheduleInput> &
  Pick<ScheduleInput, 'name'> & {
    /** True takes the default from the schedule that has it. A user's first schedule is the default in any case. */
    readonly isDefault?: boolean | null | undefined;
  };

/**
 * Adds a schedule. Left out: the user's own zone, Monday to Friday 09:00–17:00, no overrides.
 * @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, TOO_MANY, and every mistake of the input at once
 */
export async function createSchedule(em: Em, owner: Owner, input: NewSchedule): Promise<string> {
  const given = checkedFields<ScheduleInput, NewSchedule>(input, SCHEDULE_FIELDS);
  const { name, timeZone = null, availability = STANDARD_HOURS, overrides = [] } = given;
  const { ownerId: userId } = owner;
  return em.transactional(async (inner) => {
    await lockOwnerAlone(inner, owner);
    if (input.isDefault === true) await clearDefault(inner, userId);
    const created = await row(
      inner,
      sql<{ id: string }>`
        insert into schedules
          (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select u.id, ${newId()}, ${name}, coalesce(${timeZone}, u.time_zone),
          not exists (select 1 from schedules s where s.user_id = u.id and s.is_default),
          ${JSON.stringify(availability)}::jsonb, ${JSON.stringify(overrides)}::jsonb, now(), now()
        from users u
        where u.id = ${userId} and ${owner.isInCharge} and ${hasRoom(KEPT, sql`schedules where user_id = ${userId}`)}
        returning id`,
    );
    if (created) return created.id;
    await owner.refuse(inner);
    throw tooManyKept(KEPT);
  });
}

const FIRST_NAME = 'Working hours';

/**
 * Makes the first schedule of an account: Monday to Friday 09:00–17:00 in the user's zone. Code that makes an account
 * calls this in the same transaction; accounts do not know of schedules. Does nothing for a user who has a default
 * schedule.
 */
export async function createFirstSchedule(
  em: Em,
  userId: string,
  hours = STANDARD_HOURS,
  name = FIRST_NAME,
): Promise<void> {
  await changed(
    em,
    sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select u.id, ${newId()}, ${name}, u.time_zone, true,
          ${JSON.stringify(hours)}::jsonb, '[]', now(), now()
        from users u where u.id = ${userId}
        on conflict (user_id) where is_default do nothing`,
  );
}

type SchedulePatch = PatchOf<ScheduleInput> & {
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
    await lockOwnerAlone(inner, owner);
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

/**
 * Takes the default from the schedule that has it, unless it is the one that is to have it. Under `lockOwnerAlone`: two at the same
 * moment would each take it from a schedule that has lost it.
 */
async function clearDefault(em: Em, userId: string, newDefaultId = NO_ID): Promise<void> {
  const others = updateTable(Schedule, { userId, isDefault: true }).where('id', '<>', newDefaultId);
  await changed(em, others.set({ isDefault: false, updatedAt: LATER }));
}

/** The default is only ever replaced: without one, there would be times in which nobody knows when somebody works. */
function defaultSchedule(field: string): Problem {
  const message = 'This is the default schedule, which cannot be missing; make another schedule the default first.';
  return new Problem('DEFAULT_SCHEDULE', message, [field]);
}

function scheduleInUse(): Problem {
  const message = 'An event type uses this schedule; give it another schedule first.';
  return new Problem('SCHEDULE_IN_USE', message, ['scheduleId']);
}
