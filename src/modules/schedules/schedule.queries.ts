import { type Em, rows, sql } from '../../database/sql.ts';
import type { WeekDay } from './schedule.rules.ts';
import type { UserList } from './user-list.queries.ts';

export interface ScheduleRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly timeZone: string;
  readonly isDefault: boolean;
  readonly availability: readonly WeeklyHoursRow[];
  readonly overrides: readonly DateOverrideRow[];
  /** RFC 3339, as the database writes it */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `HH:MM`, and `24:00` for the end of the day. */
export interface WeeklyHoursRow {
  readonly days: readonly WeekDay[];
  readonly start: string;
  readonly end: string;
}

/** `YYYY-MM-DD` with hours, or with two nulls: a day off. */
export interface DateOverrideRow {
  readonly date: string;
  readonly start: string | null;
  readonly end: string | null;
}

/** For `select` and `returning`, over `schedules item`. */
export const SCHEDULE_COLUMNS = sql<ScheduleRow>`item.id, item.user_id as "userId", item.name,
  item.time_zone as "timeZone", item.is_default as "isDefault", item.availability, item.overrides,
  item.created_at as "createdAt", item.updated_at as "updatedAt"`;

export const SCHEDULES: UserList<ScheduleRow> = {
  kind: 'schedule',
  table: sql`schedules`,
  columns: SCHEDULE_COLUMNS,
};

/** The default schedule of each user who has one. */
export async function findDefaultSchedules(em: Em, userIds: readonly string[]): Promise<Map<string, ScheduleRow>> {
  const found = await rows(
    em,
    sql<ScheduleRow>`select ${SCHEDULE_COLUMNS} from schedules item
        where item.user_id = any(${userIds}::text[]) and item.is_default`,
  );
  return new Map(found.map((schedule) => [schedule.userId, schedule]));
}
