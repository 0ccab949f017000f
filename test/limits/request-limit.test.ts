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
// What processes share by themselves, four times a second, tests share when they want it.
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
  return Promise.all(Array.from({ length: count }, async () => limit.take(key, most)));
}

const allowed = (verdicts: readonly RequestVerdict[]): number => verdicts.filter(({ isAllowed }) => isAllowed).length;

describe('one process', () => {
  test('lets as many requests pass as the limit says, and tells what is left', () => {
    const { limit, clock } = aCounter({});
    expect(limit.take('ada', 2)).toEqual({ isAllowed: true, limit: 2, remaining: 1, resetInSeconds: 60 });
    clock.now += 20_500;
    expect(limit.take('ada', 2)).toEqual({ isAllowed: true, limit: 2, remaining: 0, resetInSeconds: 40 });
    expect(limit.take('ada', 2)).toEqual({ isAllowed: false, limit: 2, remaining: 0, resetInSeconds: 40 });
  });

  test('counts each key by itself', () => {
    const { limit } = aCounter({});
    void limit.take('ada', 1);
    expect(limit.take('ada', 1)).toMatchObject({ isAllowed: false });
    expect(limit.take('bob', 1)).toMatchObject({ isAllowed: true });
  });

  test('begins anew when the window is over, and refused requests do not prolong it', () => {
    const { limit, clock } = aCounter({});
    void limit.take('ada', 1);
    clock.now += 59_999;
    expect(limit.take('ada', 1)).toMatchObject({ isAllowed: false, resetInSeconds: 1 });
    clock.now += 1;
    expect(limit.take('ada', 1)).toMatchObject({ isAllowed: true });
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
    await other.limit.take('shared', 500);
    await other.limit.share();
    expect(await other.limit.take('shared', 500)).toMatchObject({ remaining: 488 });
  });

  test('let a request pass without asking, and share many of them by one statement', async () => {
    const statements: number[] = [];
    const { limit } = aProcess((counts) => {
      statements.push(counts.size);
      return share(counts);
    });
    for (let key = 0; key < 100; key += 1) expect(limit.take(`quiet ${key}`, 500)).toMatchObject({ isAllowed: true });
    expect(statements).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    await limit.share();
    expect(statements).toEqual([100]);
  });

  test('begin a window anew together', async () => {
    const [one, other] = [aProcess(), aProcess()];
    await takeTimes(3, one.limit, 'window', 3);
    await one.limit.share();
    await other.limit.take('window', 3);
    await other.limit.share();
    expect(await other.limit.take('window', 3)).toMatchObject({ isAllowed: false });

    await changed(database.em.fork(), sql`update counters set ends_at = now() - interval '1 second'`);
    other.clock.now += 60_000;
    await other.limit.take('window', 3);
    await other.limit.share();
    expect(await other.limit.take('window', 3)).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  test('share what they have counted when they stop', async () => {
    const [one, other] = [aProcess(), aProcess()];
    await takeTimes(2, one.limit, 'stopping', 500);
    await one.limit.close();
    await other.limit.take('stopping', 500);
    await other.limit.share();
    expect(await other.limit.take('stopping', 500)).toMatchObject({ remaining: 496 });
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
    await other.limit.take('outage', 50);
    await other.limit.share();
    expect(await other.limit.take('outage', 50)).toMatchObject({ remaining: 28 });
  });
});
