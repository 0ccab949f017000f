import { changed, type Em, sql } from '../database/sql.ts';
import { GIVEN_UP } from './job-queue.ts';

/** Sweeps away jobs that were given up long ago, at most `limit` of them. @returns how many */
export async function removeGivenUpJobs(em: Em, limit: number): Promise<number> {
  return changed(
    em,
    sql`delete from jobs.job where name = ${GIVEN_UP} and id in (
          select id from jobs.job where name = ${GIVEN_UP} and keep_until < now()
          limit ${limit}::int for update skip locked)`,
  );
}
