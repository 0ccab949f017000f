import type { OwnedId } from '../../core/id.ts';
import type { RowOf, Selection } from '../../database/columns.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { EVERYBODYS_OWN, findOwned, type OwnedTable } from '../levels/owned.queries.ts';
import { Schedule } from './schedule.entity.ts';

export const SCHEDULES: OwnedTable<typeof Schedule> = { entity: Schedule, kind: 'schedule', owner: 'userId' };

/** Schedules by their keys, in their order. Whether the caller may see them is decided before. */
export async function findSchedules(
  em: Em,
  ids: readonly OwnedId[],
  selection: Selection<typeof Schedule>,
): Promise<(RowOf<typeof Schedule> | undefined)[]> {
  const own = ids.map((id) => ({ ...id, parentId: id.ownerId }));
  return findOwned(em, SCHEDULES, EVERYBODYS_OWN, own, selection);
}

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
