import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import {
  RequestLimit,
  type RequestVerdict,
  type ShareCounts,
  shareInDatabase,
} from '../../src/limits/request-limit.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const MINUTE = 60;
let database: TestDatabase;
let share: ShareCounts;
beforeAll(async () => {
  database = await openTestDatabase();
  share = shareInDatabase(database.em, MINUTE);
});
afterAll(() => database.close());
// Processes share counts by themselves, four times a second; tests share them when they want it.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** A process, with a clock that a test can set. */
function aProcess(sharing: ShareCounts = share) {
  return aCounter({ share: sharing });
}

function aCounter(options: { share?: ShareCounts }) {
  const clock = { now: 1000 };
  const errors: unknown[] = [];
  const limit = new RequestLimit({
    windowInSeconds: MINUTE,
    ...options,
    now: () => clock.now,
    onError: (error) => errors.push(error),
  });
  return { limit, clock, errors };
}

async function takeTimes(count: number, limit: RequestLimit, key: string, most: number): Promise<RequestVerdict[]> {
  return Promise.all(Array.from({ length: count }, async () => limit.take([{ key, limit: most }])));
}

const allowed = (verdicts: readonly RequestVerdict[]): number => verdicts.filter(({ isAllowed }) => isAllowed).length;

describe('one process', () => {
  test('lets as many requests pass as the limit says, and tells what is left', () => {
    const { limit, clock } = aCounter({});
    expect(limit.take([{ key: 'ada', limit: 2 }])).toEqual({
      isAllowed: true,
      limit: 2,
      remaining: 1,
      resetInSeconds: 60,
    });
    clock.now += 20_500;
    expect(limit.take([{ key: 'ada', limit: 2 }])).toEqual({
      isAllowed: true,
      limit: 2,
      remaining: 0,
      resetInSeconds: 40,
    });
    expect(limit.take([{ key: 'ada', limit: 2 }])).toEqual({
      isAllowed: false,
      limit: 2,
      remaining: 0,
      resetInSeconds: 40,
    });
  });

  test('counts each key by itself', () => {
    const { limit } = aCounter({});
    void limit.take([{ key: 'ada', limit: 1 }]);
    expect(limit.take([{ key: 'ada', limit: 1 }])).toMatchObject({ isAllowed: false });
    expect(limit.take([{ key: 'bob', limit: 1 }])).toMatchObject({ isAllowed: true });
  });

  test('begins anew when the window is over, and refused requests do not prolong it', () => {
    const { limit, clock } = aCounter({});
    void limit.take([{ key: 'ada', limit: 1 }]);
    clock.now += 59_999;
    expect(limit.take([{ key: 'ada', limit: 1 }])).toMatchObject({ isAllowed: false, resetInSeconds: 1 });
    clock.now += 1;
    expect(limit.take([{ key: 'ada', limit: 1 }])).toMatchObject({ isAllowed: true });
  });
});

describe('a request that counts for several', () => {
  const one = { key: 'session', limit: 3 };
  const wide = { key: 'user', limit: 4 };

  test('is told of the one with the least left', () => {
    const { limit, clock } = aCounter({});
    expect(limit.take([one, wide])).toEqual({ isAllowed: true, limit: 3, remaining: 2, resetInSeconds: 60 });
    void limit.take([{ ...one, key: 'other session' }, wide]);
    clock.now += 20_000;
    void limit.take([{ ...one, key: 'third session' }, wide]);
    expect(limit.take([{ ...one, key: 'third session' }, wide])).toMatchObject({
      limit: 4,
      remaining: 0,
      resetInSeconds: 40,
    });
  });

  test('is refused by whichever is full, and then counts for none', () => {
    const { limit } = aCounter({});
    for (let n = 0; n < 3; n += 1) void limit.take([one, wide]);
    for (let n = 0; n < 5; n += 1) expect(limit.take([one, wide])).toMatchObject({ isAllowed: false, limit: 3 });
    expect(limit.take([{ ...one, key: 'other session' }, wide])).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(limit.take([{ ...one, key: 'other session' }, wide])).toMatchObject({ isAllowed: false, limit: 4 });
  });

  test('holds in several processes as for one', async () => {
    const processes = [aProcess(), aProcess()];
    const takeAll = ({ limit }: ReturnType<typeof aProcess>, name: number) =>
      Promise.all(
        Array.from({ length: 300 }, async (_, n) =>
          limit.take([
            { key: `wide ${name} ${n % 10}`, limit: 500 },
            { key: 'wide', limit: 250 },
          ]),
        ),
      );
    const passed = allowed((await Promise.all(processes.map(takeAll))).flat());
    expect(passed).toBeGreaterThanOrEqual(250);
    expect(passed).toBeLessThanOrEqual(260);
  });
});

describe('several processes', () => {
  test('hold one limit between them: at most 2 % for each of them more, never less', async () => {
    const processes = [aProcess(), aProcess(), aProcess(), aProcess(), aProcess()];
    const verdicts = await Promise.all(processes.map(({ limit }) => takeTimes(300, limit, 'burst', 500)));
    const passed = allowed(verdicts.flat());
    expect(passed).toBeGreaterThanOrEqual(500);
    expect(passed).toBeLessThanOrEqual(550);
  });

  test('know of one another after the next sharing, whichever counted', async () => {
    const [one, other] = [aProcess(), aProcess()];
    await takeTimes(10, one.limit, 'shared', 500);
    await one.limit.share();
    await other.limit.take([{ key: 'shared', limit: 500 }]);
    await other.limit.share();
    expect(await other.limit.take([{ key: 'shared', limit: 500 }])).toMatchObject({ remaining: 488 });
  });

  test('let a request pass without asking, and share many of them by one statement', async () => {
    const statements: number[] = [];
    const { limit } = aProcess((counts) => {
      statements.push(counts.size);
      return share(counts);
    });
    for (let key = 0; key < 100; key += 1)
      expect(limit.take([{ key: `quiet ${key}`, limit: 500 }])).toMatchObject({ isAllowed: true });
    expect(statements).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    await limit.share();
    expect(statements).toEqual([100]);
  });

  test('begin a window anew together', async () => {
    const [one, other] = [aProcess(), aProcess()];
    await takeTimes(3, one.limit, 'window', 3);
    await one.limit.share();
    await other.limit.take([{ key: 'window', limit: 3 }]);
    await other.limit.share();
    expect(await other.limit.take([{ key: 'window', limit: 3 }])).toMatchObject({ isAllowed: false });

    await changed(database.em.fork(), sql`update counters set ends_at = now() - interval '1 second'`);
    other.clock.now += 60_000;
    await other.limit.take([{ key: 'window', limit: 3 }]);
    await other.limit.share();
    expect(await other.limit.take([{ key: 'window', limit: 3 }])).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  test('share what they have counted when they stop', async () => {
    const [one, other] = [aProcess(), aProcess()];
    await takeTimes(2, one.limit, 'stopping', 500);
    await one.limit.close();
    await other.limit.take([{ key: 'stopping', limit: 500 }]);
    await other.limit.share();
    expect(await other.limit.take([{ key: 'stopping', limit: 500 }])).toMatchObject({ remaining: 496 });
  });

  test('count for themselves while the database is away, say so once, and together again afterwards', async () => {
    let isAway = true;
    const { limit, errors } = aProcess((counts) =>
      isAway ? Promise.reject(new Error('The database is away.')) : share(counts),
    );
    expect(allowed(await takeTimes(30, limit, 'outage', 20))).toBe(20);
    await limit.share();
    expect(errors).toHaveLength(1);

    isAway = false;
    await limit.share();
    const other = aProcess();
    await other.limit.take([{ key: 'outage', limit: 50 }]);
    await other.limit.share();
    expect(await other.limit.take([{ key: 'outage', limit: 50 }])).toMatchObject({ remaining: 28 });
  });
});
