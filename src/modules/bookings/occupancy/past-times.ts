import { NO_ID } from '../../../core/id.ts';
import { changed, type Em, rows, sql } from '../../../database/sql.ts';

const TIMES_PER_STEP = 20_000;

/**
 * Deletes what bookings have taken of their hosts' time once that is over for a day: nobody books the past. It walks through
 * the table step by step, since an index by the end would be one more that every booking has to write.
 */
export class PastTimeSweep {
  #reached: readonly [hostId: string, holderId: string] = [NO_ID, NO_ID];

  /** @returns how many times the step deleted */
  async step(em: Em): Promise<number> {
    const [hostId, holderId] = this.#reached;
    const seen = await rows(
      em,
      sql<{ hostId: string; holderId: string; isOver: boolean }>`
        select host_id as "hostId", holder_id as "holderId", upper(during) < now() - interval '1 day' as "isOver"
        from occupied_times where (host_id, holder_id) > (${hostId}, ${holderId})
        order by host_id, holder_id limit ${TIMES_PER_STEP}::int`,
    );
    const last = seen.length < TIMES_PER_STEP ? undefined : seen.at(-1);
    this.#reached = last ? [last.hostId, last.holderId] : [NO_ID, NO_ID];
    const over = seen.filter(({ isOver }) => isOver);
    if (over.length === 0) return 0;
    return changed(
      em,
      sql`delete from occupied_times where (host_id, holder_id) in (
            select t.host_id, t.holder_id from occupied_times t
            join unnest(${over.map((time) => time.hostId)}::uuid[], ${over.map((time) => time.holderId)}::uuid[]) as over(host_id, holder_id)
              on t.host_id = over.host_id and t.holder_id = over.holder_id
            where upper(t.during) < now() - interval '1 day' for update of t skip locked)`,
    );
  }
}
