import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { Booking, hostIdsOf } from './booking.entity.ts';
import type { BookingRow } from './booking.queries.ts';
import type { HistoryStage } from './booking-history.rules.ts';

/**
 * Finds the stages of a booking since it was made, wherever it has moved, oldest first; the last one may be that which
 * it has moved to. A seat that moves leaves the meeting behind, so only moves of the whole booking are followed.
 */
export async function findHistory(
  em: Em,
  { ownerId, id, rescheduledToId }: Pick<BookingRow, 'ownerId' | 'id' | 'rescheduledToId'>,
): Promise<readonly HistoryStage[]> {
  const columns = sql`b.owner_id, b.id, b.starts_at, b.created_at, b.host_ids, b.history, b.rescheduled_from_id`;
  return rows(
    em,
    sql<HistoryStage>`
      with recursive stage as (
        select ${columns}, 0 as before from bookings b where b.owner_id = ${ownerId} and b.id = ${id}
        union all
        select ${columns}, stage.before + 1 from stage join bookings b
          on b.owner_id = stage.owner_id and b.id = stage.rescheduled_from_id and b.rescheduled_to_id = stage.id
      ), shown as (
        select * from stage
        union all
        select ${columns}, -1 from bookings b where b.owner_id = ${ownerId} and b.id = ${rescheduledToId}
      )
      select ${selectColumns(Booking, ['id', 'createdAt'], 's')}, ${selectColumnsAs(Booking, { start: 'startsAt' }, 's')},
        ${hostIdsOf('s')} as "hostIds", coalesce(s.history, '[]') as history, coalesce((
          select jsonb_object_agg(u.id, u.name) from users u where u.id = any(array(
            select named.id::uuid from jsonb_array_elements(s.history) entry
            cross join lateral (values (entry->>'by'), (entry->>'fromHostId'), (entry->>'toHostId')) named(id)
            where named.id is not null
          ))
        ), '{}') as names
      from shown s order by s.before desc`,
  );
}
