import { changed, type Em, sql } from '../database/sql.ts';

const KEPT_FOR_DAYS = 30;

/** Sweeps away jobs that were given up long ago, at most `limit` of them. @returns how many */
export async function removeGivenUpJobs(em: Em, limit: number): Promise<number> {
  return changed(
    em,
    sql`delete from jobs where id in (
          select id from jobs where failed_at < now() - make_interval(days => ${KEPT_FOR_DAYS}::int)
          order by failed_at limit ${limit}::int for update skip locked)`,
  );
}
