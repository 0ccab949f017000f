import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { type FailedRequest, FailedRequestLog } from '../../src/events/failed-request-log.ts';
import { addClient, addUser } from '../oauth/support/test-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';

let database: TestDatabase;
let em: Em;
let clientId: string;
let errors: unknown[];
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());
beforeEach(async () => {
  clientId = await addClient(em, await addUser(em));
  errors = [];
});

/** The same database; `begin` is asked before each transaction. */
function asked(begin: () => Promise<void>): Em {
  const transactional = async (work: (inner: Em) => Promise<unknown>) => {
    await begin();
    return em.fork().transactional(work);
  };
  return { fork: () => ({ transactional }) } as unknown as Em;
}

const aLog = (of: Em = em): FailedRequestLog => new FailedRequestLog(of, (error) => errors.push(error));

function failed(description: string, others: Partial<FailedRequest> = {}): FailedRequest {
  return { clientId, endpoint: 'GRAPHQL', error: 'INSUFFICIENT_SCOPE', description, ...others };
}

function many(log: FailedRequestLog, count: number, others?: Partial<FailedRequest>): void {
  for (let n = 0; n < count; n += 1) log.note(failed(`${n}`, others));
}

function kept(of = clientId) {
  return rows(
    em,
    sql<{ description: string; age: number }>`
      select description, extract(epoch from now() - occurred_at)::float8 as age
      from oauth_failed_requests where client_id = ${of} order by occurred_at, id`,
  );
}

const descriptions = async (of = clientId): Promise<string[]> => (await kept(of)).map(({ description }) => description);

describe('a failed request', () => {
  test('is written at once when nothing was before, and within a second otherwise', async () => {
    const log = aLog();
    log.note(failed('first'));
    await expect.poll(() => descriptions()).toEqual(['first']);
    log.note(failed('second'));
    log.note(failed('third'));
    await expect.poll(() => descriptions(), { timeout: paced(2_000) }).toEqual(['first', 'second', 'third']);
    const [first, second] = await kept();
    expect(first?.age).toBeGreaterThanOrEqual(second?.age ?? Number.NaN);
  });

  test('is kept with the time at which it came', async () => {
    const log = aLog();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    log.note(failed('some time ago'));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 30_000);
    await log.written();
    vi.restoreAllMocks();
    const [{ age } = { age: 0 }] = await kept();
    expect(age).toBeGreaterThan(29);
    expect(age).toBeLessThan(60);
  });

  test('is recorded for no client that does not exist, and holds up nobody', async () => {
    const log = aLog();
    log.note(failed('of nobody', { clientId: 'nobody' }));
    log.note(failed('of somebody'));
    await log.written();
    expect(await descriptions('nobody')).toEqual([]);
    expect(await descriptions()).toEqual(['of somebody']);
  });

  test('that the database does not take is told of, and holds up nobody', async () => {
    const log = aLog();
    log.note(failed('before'));
    log.note(failed('a text with \u0000'));
    log.note(failed('after'));
    await log.written();
    // Each is written by itself then, so that their times may be a millisecond off.
    expect((await descriptions()).toSorted()).toEqual(['after', 'before']);
    expect(errors).toHaveLength(1);
  });
});

describe('failed requests of one kind', () => {
  test('the first 50 in an hour are kept, in however many goes; another kind has its own', async () => {
    const log = aLog();
    many(log, 30);
    await log.written();
    many(log, 30);
    await log.written();
    many(log, 30);
    many(log, 3, { error: 'FORBIDDEN' });
    await log.written();
    const first = Array.from({ length: 30 }, (_, n) => `${n}`);
    // Some came in the same millisecond.
    expect((await descriptions()).toSorted()).toEqual([...first, ...first.slice(0, 20), '0', '1', '2'].toSorted());
  });

  test('make room after an hour', async () => {
    const log = aLog();
    many(log, 60);
    await log.written();
    await rows(em, sql`update oauth_failed_requests set occurred_at = occurred_at - interval '61 minutes'`);
    many(log, 2);
    await log.written();
    expect((await descriptions()).length).toBe(52);
  });

  test('50 processes at once keep 50 together', async () => {
    const logs = Array.from({ length: 50 }, () => aLog());
    for (const log of logs) many(log, 10);
    await Promise.all(logs.map((log) => log.written()));
    expect((await descriptions()).length).toBe(50);
    expect(errors).toEqual([]);
  });

  test('100,000 are noted by a handful of statements, also when no more are kept', async () => {
    let transactions = 0;
    const log = aLog(
      asked(async () => {
        transactions += 1;
      }),
    );
    for (let round = 0; round < 2; round += 1) {
      many(log, 50_000);
      await log.written();
    }
    expect(transactions).toBeLessThanOrEqual(4);
    expect((await descriptions()).length).toBe(50);
  });
});

test('while the database is away nothing is lost, and nobody is told of it twice', async () => {
  let isAway = true;
  const away = Object.assign(new Error('the database is starting'), { code: '57P03' });
  const log = aLog(asked(async () => (isAway ? Promise.reject(away) : undefined)));
  for (let n = 0; n < 3; n += 1) {
    log.note(failed(`${n}`));
    await log.written();
  }
  expect(errors).toEqual([away]);
  isAway = false;
  await log.written();
  expect(await descriptions()).toEqual(['0', '1', '2']);
});
