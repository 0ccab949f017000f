import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import type { Owner } from '../levels/reach.ts';
import { accountGone, clearDefault, lockSchedules } from './lock-schedules.ts';
import { DEFAULT_AVAILABILITY, wallTimeText } from './schedule.rules.ts';
import { SCHEDULE_FIELDS } from './schedule-fields.rules.ts';
import type { ScheduleInput, WeeklyHoursInput } from './schedule-input.rules.ts';
import { SCHEDULE_CODES } from './schedule-input.rules.ts';

export const CREATE_SCHEDULE_CODES = SCHEDULE_CODES;

export type NewSchedule = PatchOf<ScheduleInput> &
  Pick<ScheduleInput, 'name'> & {
    /** True takes the default from the schedule that has it. A user's first schedule is the default in any case. */
    readonly isDefault?: boolean | null | undefined;
  };

const FIRST_NAME = 'Working hours';
/** The hours of a schedule for which none are given: Monday to Friday 09:00–17:00. */
export const STANDARD_HOURS: readonly WeeklyHoursInput[] = DEFAULT_AVAILABILITY.map(({ days, start, end }) => ({
  days,
  start: wallTimeText(start, 'start'),
  end: wallTimeText(end, 'end'),
}));

/**
 * Adds a schedule. Left out: the user's own zone, Monday to Friday 09:00–17:00, no overrides.
 * @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, and every mistake of the input at once
 */
export async function createSchedule(em: Em, owner: Owner, input: NewSchedule): Promise<string> {
  const given = checkedFields<ScheduleInput, NewSchedule>(input, SCHEDULE_FIELDS);
  const { name, timeZone = null, availability = STANDARD_HOURS, overrides = [] } = given;
  const { ownerId: userId } = owner;
  return em.transactional(async (inner) => {
    await lockSchedules(inner, owner);
    if (input.isDefault === true) await clearDefault(inner, userId);
    const created = await row(
      inner,
      sql<{ id: string }>`
        insert into schedules
          (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select u.id, ${newId()}, ${name}, coalesce(${timeZone}, u.time_zone),
          not exists (select 1 from schedules s where s.user_id = u.id and s.is_default),
          ${JSON.stringify(availability)}::jsonb, ${JSON.stringify(overrides)}::jsonb, now(), now()
        from users u where u.id = ${userId} and ${owner.isInCharge}
        returning id`,
    );
    if (created) return created.id;
    await owner.refuse(inner);
    throw accountGone();
  });
}

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
