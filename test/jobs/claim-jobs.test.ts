import { CompiledQuery } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Em, row, rows, sql } from '../../src/database/sql.ts';
import { claimJobs, takingNext } from '../../src/jobs/claim-jobs.ts';
import { enqueueJobs, finishJobs, prepareQueues } from '../../src/jobs/job-queue.ts';
import { JOBS_SCHEMA } from '../../src/jobs/job-schema.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Without its layout, up to the columns that it returns. */
function gist(statement: string): string {
  const [before = ''] = statement.replaceAll(/\s+/g, ' ').split(/ returning /i);
  return before.trim().toLowerCase();
}

test('the next jobs are taken by the statement that pg-boss sends, from tables that it takes for its own', async () => {
  await prepareQueues(database.em.fork(), ['mail']);
  const sent: string[] = [];
  const boss = new PgBoss({
    db: {
      executeSql: async (text, values = []) => {
        sent.push(text);
        return database.em.fork().getKysely().executeQuery(CompiledQuery.raw(text, values));
      },
    },
    schema: JOBS_SCHEMA,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.fetch('mail', { batchSize: 7 });
  await boss.stop({ graceful: false, close: false });
  const { sql, parameters } = takingNext('mail', 7).compile();
  expect(parameters).toEqual([7]);
  expect(sent.map(gist)).toContain(gist(sql.replace('$1', '7')));
});

const MANY = 1_000;

/** How many rows of jobs the transaction has read so far. */
async function rowsRead(em: Em): Promise<number> {
  const found = await row(
    em,
    sql<{ count: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
      from pg_stat_xact_user_tables where schemaname = ${JOBS_SCHEMA} and relname = 'job_common'`,
  );
  return found?.count ?? 0;
}

/** Claims four jobs, of which some may have to wait for others, and ends the rest. */
async function doSome(em: Em): Promise<{ readonly isAnyPutBack: boolean; readonly done: number }> {
  const { jobs, isAnyPutBack } = await claimJobs(em, 'many', 4);
  await finishJobs(
    em,
    jobs.map((job) => ({ job, next: [] })),
  );
  return { isAnyPutBack, done: jobs.length };
}

function enqueueMany(em: Em, count: number): Promise<void> {
  // In the order of their keys, two of each.
  const jobs = Array.from({ length: count }, (_, n) => ({ queue: 'many', data: {}, orderKey: `${Math.floor(n / 2)}` }));
  return enqueueJobs(em, jobs);
}

test('plans that were made for a few jobs do not compare thousands with each other', async () => {
  const em = database.em.fork();
  await prepareQueues(em, ['many']);
  await rows(em, sql`analyze jobs.job_common`);
  await em.transactional(async (inner) => {
    // After so many times a server keeps the plan.
    for (let time = 0; time < 12; time += 1) {
      await enqueueMany(inner, 4);
      expect(await doSome(inner)).toEqual({ isAnyPutBack: true, done: 2 });
      await rows(inner, sql`delete from jobs.job`);
    }
    await enqueueMany(inner, MANY);
    const before = await rowsRead(inner);
    const { isAnyPutBack, done } = await doSome(inner);
    expect(isAnyPutBack || done > 0).toBe(true);
    expect((await rowsRead(inner)) - before).toBeLessThan(20 * MANY);
  });
});
