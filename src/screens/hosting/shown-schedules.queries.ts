import { type OwnedId, ownedIdOf } from '../../core/id.ts';
import type { RowOf } from '../../database/columns.ts';
import { anyOf } from '../../database/expressions.ts';
import { Selection } from '../../database/selection.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import { Schedule } from '../../modules/schedules/schedule.entity.ts';
import { findDefaultSchedules, findSchedules } from '../../modules/schedules/schedule.queries.ts';

/** The most event types that are named. */
const NAMED = 5;

export type ShownSchedule = RowOf<typeof Schedule>;

/** A user's own schedule by its public id; undefined names their default one. */
export async function findSchedule(
  em: Em,
  userId: string,
  named: string | undefined,
): Promise<ShownSchedule | undefined> {
  const whole = Selection.whole(Schedule);
  if (named === undefined) return (await findDefaultSchedules(em, [userId], whole)).get(userId);
  const id = ownedIdOf('schedule', named);
  return id?.ownerId === userId ? (await findSchedules(em, [id], whole))[0] : undefined;
}

/** How many of a user's event types name each of these schedules. */
export async function countUses(
  em: Em,
  ownerId: string,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counted = selectFrom(EventType, { ownerId })
    .where('scheduleId', '=', anyOf(scheduleIds))
    .groupBy('scheduleId')
    .select(['scheduleId', sql<number>`count(*)::int`.as('count')]);
  return new Map((await rows(em, counted)).map(({ scheduleId, count }) => [scheduleId ?? '', count]));
}

/** The first of the event types that name a schedule. */
export async function findUsers(em: Em, { ownerId, id }: OwnedId): Promise<readonly UsingEventType[]> {
  const using = selectFrom(EventType, { ownerId, scheduleId: id });
  return rows(em, using.select(['ownerId', 'id', 'title']).orderBy('id').limit(NAMED));
}

export type UsingEventType = Pick<RowOf<typeof EventType>, 'ownerId' | 'id' | 'title'>;
