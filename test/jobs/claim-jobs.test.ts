import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Em, type RawBuilder, row, rows, sql } from '../../src/database/sql.ts';
import { BY_INDEX, type Claim, claimJobs, type Room, Turns, takingNext } from '../../src/jobs/claim-jobs.ts';
import {
  enqueueJobs,
  finishJobs,
  type NewJob,
  postponeJob,
  prepareQueues,
  releaseAllClaims,
  ripenJobs,
} from '../../src/jobs/job-queue.ts';
import { JOBS_SCHEMA } from '../../src/jobs/job-schema.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { claimSome, numberOf } from './support/jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a job that is claimed again counts as another attempt, and keeps everything else', async () => {
  const em = database.em.fork();
  await enqueueJobs(em, [{ queue: 'claimed', data: { n: 1 }, owner: 'ada', line: 'a line', orderKey: 'a key' }]);
  for (const attempts of [1, 2, 3]) {
    const { jobs } = await claimSome(em, 'claimed', 7);
    expect(jobs).toMatchObject([{ queue: 'claimed', data: { n: 1 }, attempts, owner: 'ada', line: 'a line' }]);
    expect((await claimSome(em, 'claimed', 7)).jobs).toEqual([]);
    const [stored] = await rows(
      em,
      sql<{ job: object }>`select to_jsonb(j) as job from jobs.job j where queue = 'claimed'`,
    );
    expect(stored?.job).toMatchObject({
      state: 'active',
      retry_count: attempts - 1,
      order_key: 'a key',
      started_on: expect.any(String),
      heartbeat_on: expect.any(String),
    });
    await releaseAllClaims(em);
  }
});

const MANY = 1_000;

/** How many rows of jobs the transaction has read so far. */
async function rowsRead(em: Em): Promise<number> {
  const found = await row(
    em,
    sql<{ count: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
      from pg_stat_xact_user_tables where schemaname = ${JOBS_SCHEMA} and relname = 'job'`,
  );
  return found?.count ?? 0;
}

/** Claims four jobs, of which some may have to wait for others, and ends the rest. */
async function doSome(em: Em): Promise<{ readonly isMore: boolean; readonly done: number }> {
  const { jobs, isMore } = await claimSome(em, 'many', 4);
  await finishJobs(
    em,
    jobs.map((job) => ({ job, next: [] })),
  );
  return { isMore, done: jobs.length };
}

function enqueueMany(em: Em, count: number): Promise<void> {
  // In the order of their keys, two of each.
  const jobs = Array.from({ length: count }, (_, n) => ({ queue: 'many', data: {}, orderKey: `${Math.floor(n / 2)}` }));
  return enqueueJobs(em, jobs);
}

test('plans that were made for a few jobs do not compare thousands with each other', async () => {
  const em = database.em.fork();
  await prepareQueues(em, ['many']);
  await rows(em, sql`analyze jobs.job`);
  await em.transactional(async (inner) => {
    // After so many times a server keeps the plan.
    for (let time = 0; time < 12; time += 1) {
      await enqueueMany(inner, 4);
      expect(await doSome(inner)).toEqual({ isMore: true, done: 2 });
      await rows(inner, sql`delete from jobs.job`);
    }
    await enqueueMany(inner, MANY);
    const before = await rowsRead(inner);
    const { isMore, done } = await doSome(inner);
    expect(isMore || done > 0).toBe(true);
    expect((await rowsRead(inner)) - before).toBeLessThan(20 * MANY);
  });
});

const ownersOf = ({ jobs }: Claim): string[] => jobs.map(({ owner }) => owner).toSorted();

/** SQL: puts in 50,000 jobs, of these owners. */
const waiting = (owner: RawBuilder<unknown>, isLater: boolean) => sql`
      insert into jobs.job (id, queue, owner, data, start_after, blocked)
      select lpad(to_hex(nextval('jobs.job_number')), 32, '0')::uuid, 'turns', ${owner}, '{}',
        now() + case when ${isLater}::boolean then interval '1 hour' else interval '0' end, ${isLater}::boolean
      from generate_series(1, 50000) as n`;

describe('turns', () => {
  let em: Em;
  beforeAll(async () => {
    em = database.em.fork();
    await prepareQueues(em, ['turns']);
  });
  beforeEach(() => rows(em, sql`delete from jobs.job`));

  const putIn = (owner: string, count: number, more: Partial<NewJob> = {}): Promise<void> =>
    enqueueJobs(
      em,
      Array.from({ length: count }, (_, n) => ({ queue: 'turns', data: { n }, owner, ...more })),
    );

  test('are taken by owners, one after the other, whatever each of them has waiting', async () => {
    await putIn('many', 30);
    await putIn('few', 2);
    await putIn('one', 1);
    expect(ownersOf(await claimSome(em, 'turns', 6))).toEqual(['few', 'few', 'many', 'many', 'many', 'one']);
  });

  test('go round: with one place at a time, everybody’s is next', async () => {
    for (const owner of ['a', 'b', 'c']) await putIn(owner, 3);
    const turns = new Turns();
    const taken: string[] = [];
    for (let n = 0; n < 9; n += 1) taken.push(...ownersOf(await claimSome(em, 'turns', 1, turns)));
    expect(taken).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('are taken by lines of an owner, and what was due first is first in each', async () => {
    await putIn('ada', 20, { line: 'bad' });
    await putIn('ada', 2, { line: 'good' });
    const turns = new Turns();
    const taken: string[] = [];
    for (let n = 0; n < 4; n += 1)
      for (const { line, data } of (await claimSome(em, 'turns', 1, turns)).jobs)
        taken.push(`${line} ${numberOf(data)}`);
    expect(taken).toEqual(['bad 0', 'good 0', 'bad 1', 'good 1']);
  });

  test('are no one’s who has no place left, nor a line’s, and what waits for it is not touched', async () => {
    await putIn('full', 20, { line: 'x' });
    await putIn('half', 20, { line: 'full' });
    await putIn('half', 20, { line: 'free' });
    const before = await rows(
      em,
      sql`select id, ctid::text, xmin::text from jobs.job where owner = 'full' or line = 'full' order by id`,
    );
    const owners = new Map([
      ['full', 0],
      ['half', 3],
    ]);
    const room: Room = { limit: 10, ofOwner: 5, ofLine: 5, owners, lines: [['half', 'full', 0]] };
    const turns = new Turns();
    const { jobs } = await claimJobs(em, 'turns', room, turns);
    expect(jobs.map(({ owner, line }) => `${owner} ${line}`)).toEqual(Array(3).fill('half free'));
    expect(
      (
        await claimJobs(
          em,
          'turns',
          {
            ...room,
            limit: 1,
            owners: new Map([
              ['full', 0],
              ['half', 0],
            ]),
          },
          turns,
        )
      ).jobs,
    ).toEqual([]);
    expect(
      await rows(
        em,
        sql`select id, ctid::text, xmin::text from jobs.job where owner = 'full' or line = 'full' order by id`,
      ),
    ).toEqual(before);
  });

  test('come to what waits for another try after what is new of the same line, and before it of another owner', async () => {
    await putIn('ada', 2);
    const [failing] = (await claimSome(em, 'turns', 1)).jobs;
    if (failing) await postponeJob(em, failing, 0, new Error('Busy.'));
    await putIn('bob', 1);
    await ripenJobs(em, 10);
    const turns = new Turns();
    const taken: string[] = [];
    for (let n = 0; n < 3; n += 1)
      for (const { owner, attempts } of (await claimSome(em, 'turns', 1, turns)).jobs)
        taken.push(`${owner} ${attempts}`);
    expect(taken).toEqual(['ada 1', 'bob 1', 'ada 2']);
  });

  test('are not that of what is to be done later, until it is later', async () => {
    await putIn('ada', 1, { delayInSeconds: 60 });
    await putIn('bob', 1, { delayInSeconds: 60 });
    expect(await ripenJobs(em, 10)).toBe(0);
    await rows(em, sql`update jobs.job set start_after = now() where owner = 'bob'`);
    expect(await ripenJobs(em, 10)).toBe(1);
    expect(ownersOf(await claimSome(em, 'turns', 5))).toEqual(['bob']);
    expect(await ripenJobs(em, 10)).toBe(0);
  });

  test('cost the same with 150,000 jobs waiting, of one owner, of thousands, or for later', async () => {
    const cost = async (): Promise<number> => {
      const room: Room = { limit: 10, ofOwner: 10, ofLine: 10, owners: new Map([['flood', 0]]), lines: [] };
      const explained = await em.transactional(async (inner) => {
        await rows(inner, BY_INDEX);
        const taking = takingNext('turns', room, new Turns());
        const [found] = await rows(
          inner,
          sql<{
            'QUERY PLAN': readonly { Plan: Record<string, number> }[];
          }>`explain (analyze, buffers, format json) ${taking}`,
        );
        await rows(inner, sql`update jobs.job set state = 'created', started_on = null where state = 'active'`);
        return found?.['QUERY PLAN'][0]?.Plan;
      });
      return (explained?.['Shared Hit Blocks'] ?? 0) + (explained?.['Shared Read Blocks'] ?? 0);
    };
    await putIn('bob', 10);
    const alone = await cost();
    await rows(em, waiting(sql`'flood'`, false));
    await rows(em, waiting(sql`'owner ' || n % 5000`, false));
    await rows(em, waiting(sql`'later ' || n`, true));
    expect(alone).toBeGreaterThan(10);
    // Ten owners are entered in place of one, each some pages deep.
    expect(await cost()).toBeLessThan(alone + 1_000);
  });
});
