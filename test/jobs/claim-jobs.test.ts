import { CompiledQuery } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takingNext } from '../../src/jobs/claim-jobs.ts';
import { prepareQueues } from '../../src/jobs/job-queue.ts';
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
