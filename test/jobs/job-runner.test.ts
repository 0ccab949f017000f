import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUserId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { type DomainEvent, recordEvent } from '../../src/events/record-event.ts';
import { HopelessJob, type JobKind } from '../../src/jobs/job-kind.ts';
import { type ClaimedJob, enqueueJobs, finishJobs, prepareQueues, releaseAllClaims } from '../../src/jobs/job-queue.ts';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import {
  aRunner,
  claimSome,
  countEvents,
  counting,
  letTimePass,
  numberOf,
  startRunner,
  storedJobs,
} from './support/jobs.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em;
  await prepareQueues(em.fork(), ['counting', 'first', 'newer', 'slow']);
});
afterAll(() => database.close());
beforeEach(() => rows(em.fork(), sql`delete from jobs.job`));

const put = (numbers: readonly number[], orderKey?: string): Promise<void> =>
  enqueueJobs(
    em.fork(),
    numbers.map((n) => ({ queue: 'counting', data: { n }, ...(orderKey !== undefined && { orderKey }) })),
  );
/** As a process takes jobs that then dies. */
async function claim(): Promise<readonly ClaimedJob[]> {
  const { jobs } = await claimSome(em.fork(), 'counting', 5);
  return jobs;
}

const oneToTen = Array.from({ length: 10 }, (_, index) => index + 1);

describe('a job', () => {
  test('is done once, and nothing is left of it', async () => {
    const kind = counting();
    await put(oneToTen);
    await aRunner(em, kind).runner.settled();
    expect(kind.done.toSorted((a, b) => a - b)).toEqual(oneToTen);
    expect(await storedJobs(em)).toEqual([]);
  });

  test('is heard of at once, when the transaction commits that puts it in', async () => {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const kind = counting({ run: async () => (resolve(), []) });
    const { runner } = await startRunner(database, kind);
    await runner.settled();
    const putAt = performance.now();
    await put([1]);
    await done;
    // The poll comes every five seconds.
    expect(performance.now() - putAt).toBeLessThan(4_500);
  });

  test('puts in what follows from it as it is crossed off', async () => {
    const kind = counting();
    const first: JobKind = { ...counting(), queue: 'first', run: async () => [{ queue: 'counting', data: { n: 7 } }] };
    await enqueueJobs(em.fork(), [{ queue: 'first', data: {} }]);
    await aRunner(em, first, kind).runner.settled();
    expect(kind.done).toEqual([7]);
    expect(await storedJobs(em)).toEqual([]);
  });

  test('is tried again after a pause, and given up after the last attempt, which is logged', async () => {
    const kind = counting({
      pausesInSeconds: [60, 60],
      run: async () => {
        throw new Error('The mail server is away.\0');
      },
    });
    await put([1]);
    const { runner, logged } = aRunner(em, kind);
    for (const attempts of [1, 2]) {
      await runner.settled();
      const error = 'The mail server is away.';
      expect(await storedJobs(em)).toMatchObject([{ attempts, error, isGivenUp: false, isClaimed: false }]);
      await letTimePass(em);
    }
    await runner.settled();
    expect(await storedJobs(em)).toMatchObject([{ attempts: 3, isGivenUp: true }]);
    expect(logged.map(([level]) => level)).toEqual(['warn', 'warn', 'error']);
    await letTimePass(em);
    await runner.settled();
    expect(await storedJobs(em)).toMatchObject([{ attempts: 3, isGivenUp: true }]);
  });

  test('that is hopeless is given up at once, and the others are done', async () => {
    const done: number[] = [];
    const kind = counting({
      pausesInSeconds: [60],
      run: async (_em, data) => {
        if (numberOf(data) === 3) throw new HopelessJob('There is no such mailbox.');
        done.push(numberOf(data));
        return [];
      },
    });
    await put(oneToTen);
    await aRunner(em, kind).runner.settled();
    expect(done).toHaveLength(9);
    expect(await storedJobs(em)).toMatchObject([{ error: 'There is no such mailbox.', isGivenUp: true }]);
  });

  test('of a queue that this process does not know is left to one that does', async () => {
    await enqueueJobs(em.fork(), [{ queue: 'newer', data: {} }]);
    await aRunner(em, counting()).runner.settled();
    expect(await storedJobs(em)).toMatchObject([{ queue: 'newer', attempts: 0 }]);
  });

  test('runs beside at most so many of its queue, and a full queue holds up no other one', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const slow: JobKind = {
      ...counting(),
      queue: 'slow',
      atOnce: 2,
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await released;
        running -= 1;
        return [];
      },
    };
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const quick = counting({ run: async () => (resolve(), []) });
    await enqueueJobs(
      em.fork(),
      Array.from({ length: 6 }, () => ({ queue: 'slow', data: {} })),
    );
    await put([1]);
    const { runner } = aRunner(em, slow, quick);
    runner.look();
    await done;
    release();
    await runner.settled();
    expect(most).toBe(2);
    expect(await storedJobs(em)).toEqual([]);
  });
});

describe('jobs of one order', () => {
  test('are done one after the other, in the order in which they were put in', async () => {
    const kind = counting();
    await put(oneToTen, 'a');
    await aRunner(em, kind).runner.settled();
    expect(kind.done).toEqual(oneToTen);
  });

  test('wait for one that is to be tried again, and others do not', async () => {
    const done: number[] = [];
    let isAway = true;
    const kind = counting({
      pausesInSeconds: [60],
      run: async (_em, data) => {
        if (numberOf(data) === 1 && isAway) throw new Error('Later.');
        done.push(numberOf(data));
        return [];
      },
    });
    await put([1, 2], 'a');
    await put([3], 'b');
    const { runner } = aRunner(em, kind);
    await runner.settled();
    expect(done).toEqual([3]);
    isAway = false;
    await letTimePass(em);
    await runner.settled();
    expect(done).toEqual([3, 1, 2]);
  });

  test('go on behind one that was given up', async () => {
    const done: number[] = [];
    const kind = counting({
      run: async (_em, data) => {
        if (numberOf(data) === 1) throw new HopelessJob('Never.');
        done.push(numberOf(data));
        return [];
      },
    });
    await put([1, 2], 'a');
    await aRunner(em, kind).runner.settled();
    expect(done).toEqual([2]);
  });
});

describe('a process that stops', () => {
  test('finishes what it is at, and begins nothing new', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const kind = counting({ atOnce: 1, run: async () => (begin(), await released, []) });
    await put([1, 2]);
    const { runner } = aRunner(em, kind);
    runner.look();
    await begun;
    const stopped = runner.stop();
    release();
    await stopped;
    expect(await storedJobs(em)).toMatchObject([{ attempts: 0 }]);
  });

  test('that was killed leaves its job to another one, once its claim is over', async () => {
    await put([1], 'a');
    await put([2], 'a');
    const abandoned = await claim();
    expect(abandoned.map(({ data }) => numberOf(data))).toEqual([1]);
    const kind = counting();
    const { runner } = aRunner(em, kind);
    await runner.settled();
    expect(kind.done).toEqual([]);
    await letTimePass(em);
    await runner.settled();
    expect(kind.done).toEqual([1, 2]);
    // And if it was not dead, only slow: it has nothing to say any more.
    const next = [{ queue: 'counting', data: { n: 9 } }];
    await finishJobs(
      em.fork(),
      abandoned.map((job) => ({ job, next })),
    );
    expect(await storedJobs(em)).toEqual([]);
  });

  test('leaves no claim behind on a database that was its alone', async () => {
    await put([1]);
    await claim();
    await releaseAllClaims(em.fork());
    const kind = counting();
    await aRunner(em, kind).runner.settled();
    expect(kind.done).toEqual([1]);
  });
});

describe('a domain event', () => {
  const ownerId = newUserId();

  test('is told once to each who asked for its type, and is gone', async () => {
    const mails = subscriber('mails', ['BOOKING_CONFIRMED', 'BOOKING_CANCELLED']);
    const hooks = subscriber('hooks', ['BOOKING_CONFIRMED']);
    const others = subscriber('others', ['BOOKING_CANCELLED']);
    await recordEvent(em.fork(), ownerId, confirmed('one'));
    await aRunner(em, mails, hooks, others).runner.settled();
    expect(idsOf(mails.heard)).toEqual(['one']);
    expect(mails.heard).toMatchObject([
      {
        type: 'BOOKING_CONFIRMED',
        ownerId,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        occurredAt: expect.any(String),
      },
    ]);
    expect(idsOf(hooks.heard)).toEqual(['one']);
    expect(others.heard).toEqual([]);
    expect(await countEvents(em)).toBe(0);
  });

  test('that nobody asked for is gone too', async () => {
    await recordEvent(em.fork(), ownerId, confirmed('one'));
    await aRunner(em, subscriber('mails', [])).runner.settled();
    expect(await countEvents(em)).toBe(0);
    expect(await storedJobs(em)).toEqual([]);
  });

  test('is told when its transaction commits, and never when it does not', async () => {
    const kind = subscriber('mails', ['BOOKING_CONFIRMED']);
    const { runner } = aRunner(em, kind);
    const failing = em.fork().transactional(async (inner) => {
      await recordEvent(inner, ownerId, confirmed('undone'));
      throw new Error('The booking failed.');
    });
    await expect(failing).rejects.toThrow('The booking failed.');
    await em.fork().transactional((inner) => recordEvent(inner, ownerId, confirmed('done')));
    await runner.settled();
    expect(idsOf(kind.heard)).toEqual(['done']);
  });

  test('is told after those before it of the same booking, however many there are', async () => {
    const kind = subscriber('mails', ['BOOKING_CONFIRMED']);
    const names = Array.from({ length: 230 }, (_, index) => String(index));
    for (const uid of names) await recordEvent(em.fork(), ownerId, confirmed(uid));
    await aRunner(em, kind).runner.settled();
    expect(idsOf(kind.heard)).toEqual(names);
  });

  test('is heard of by a message, as soon as it is committed', async () => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const kind = { ...subscriber('mails', ['BOOKING_CONFIRMED']), run: async () => (resolve(), []) };
    const { runner } = await startRunner(database, kind);
    await runner.settled();
    const committedAt = performance.now();
    await recordEvent(em.fork(), ownerId, confirmed('one'));
    await heard;
    // The poll comes every five seconds.
    expect(performance.now() - committedAt).toBeLessThan(4_500);
  });

  test.runIf(isOnPostgres)('is told once by several who relay at the same time, still in order', async () => {
    const kind = subscriber('mails', ['BOOKING_CONFIRMED']);
    const names = Array.from({ length: 300 }, (_, index) => String(index));
    const runners = [1, 2, 3].map(() => aRunner(em, kind).runner);
    for (const uid of names) {
      await recordEvent(em.fork(), ownerId, confirmed(uid));
      for (const runner of runners) runner.look();
    }
    while ((await countEvents(em)) > 0 || (await storedJobs(em)).length > 0) {
      await Promise.all(runners.map((runner) => runner.settled()));
    }
    expect(idsOf(kind.heard)).toEqual(names);
  });
});

describe.runIf(isOnPostgres)('while the database is away', () => {
  let proxy: PostgresProxy;
  let away: Database;
  beforeAll(async () => {
    proxy = await PostgresProxy.open(database.url ?? '');
    away = await connect({ databaseUrl: proxy.url, dataDir: 'memory:' });
  });
  afterAll(async () => {
    await away.close();
    await proxy.cut();
  });
  afterEach(() => proxy.mend());

  test('jobs wait, which is logged, and are done when it is back', async () => {
    const kind = counting();
    await put([1]);
    const { runner, logged } = aRunner(away.em, kind);
    await proxy.cut();
    await runner.settled();
    expect(logged).toEqual([['warn', 'Jobs wait until the database answers.']]);
    await proxy.mend();
    await expect.poll(() => runner.settled().then(() => kind.done)).toEqual([1]);
  });

  test('the outcome of a job is noted when it is back, once, with the jobs that follow, and the job is not done again', async () => {
    const done: number[] = [];
    const noted: number[] = [];
    const kind = counting({
      run: async (_em, data) => {
        done.push(numberOf(data));
        await proxy.cut();
        return async (inner) => {
          await rows(inner, sql`select 1`);
          noted.push(numberOf(data));
          return [{ queue: 'newer', data: { n: 9 } }];
        };
      },
    });
    await put([1]);
    const { runner } = aRunner(away.em, kind);
    runner.look();
    await expect.poll(() => done).toEqual([1]);
    await proxy.mend();
    await expect.poll(() => storedJobs(em)).toMatchObject([{ queue: 'newer', attempts: 0 }]);
    await letTimePass(em);
    await runner.settled();
    expect({ done, noted }).toEqual({ done: [1], noted: [1] });
  });

  test('finished jobs are crossed off when it is back, and are not done again', async () => {
    const done: number[] = [];
    const kind = counting({ run: async (_em, data) => (done.push(numberOf(data)), await proxy.cut(), []) });
    await put([1]);
    const { runner } = aRunner(away.em, kind);
    runner.look();
    await expect.poll(() => done).toEqual([1]);
    await proxy.mend();
    await expect.poll(() => storedJobs(em)).toEqual([]);
    await letTimePass(em);
    await runner.settled();
    expect(done).toEqual([1]);
  });
});

function confirmed(
  id: string,
): Extract<DomainEvent, { type: 'BOOKING_CREATED' | 'BOOKING_REQUESTED' | 'BOOKING_CONFIRMED' }> {
  const times = { start: '2030-01-01T09:00:00Z', end: '2030-01-01T10:00:00Z' };
  return {
    type: 'BOOKING_CONFIRMED',
    booking: { id, thread: 'one booking', eventTypeId: 'evt', hostIds: [], ...times },
    by: { userId: null, network: null },
  };
}

function idsOf(heard: readonly unknown[]): string[] {
  return heard.map((data) => (data as ReturnType<typeof confirmed>).booking.id);
}

function subscriber(queue: string, hears: JobKind['hears']): JobKind & { readonly heard: unknown[] } {
  const heard: unknown[] = [];
  return { ...counting(), queue, hears, heard, run: async (_em, data) => (heard.push(data), []) };
}
