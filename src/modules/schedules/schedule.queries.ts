import type { RowOf } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { Schedule } from './schedule.entity.ts';

export const SCHEDULES: OwnedTable<typeof Schedule> = { entity: Schedule, kind: 'schedule', owner: 'userId' };

/** The default schedule of each user who has one. */
export async function findDefaultSchedules(
  em: Em,
  userIds: readonly string[],
  selection: Selection<typeof Schedule>,
): Promise<Map<string, RowOf<typeof Schedule>>> {
  const found = await rows(
    em,
    sql<RowOf<typeof Schedule>>`select ${selection.with('userId').from('item')} from schedules item
        where item.user_id = any(${userIds}::uuid[]) and item.is_default`,
  );
  return new Map(found.map((schedule) => [schedule.userId, schedule]));
}
