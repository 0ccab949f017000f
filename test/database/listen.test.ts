import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StopListening } from '../../src/database/listen.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { listenOn } from '../oauth/support/test-server.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

describe('listening', () => {
  test('hears what is sent on its channel when the sender commits, and nothing else', async () => {
    const heard = counter();
    const stop = await listenOn(database)('a_channel', heard.count);
    const before = heard.times();
    await rows(em, sql`select pg_notify('another_channel', '')`);
    await em.transactional(async (inner) => {
      await rows(inner, sql`select pg_notify('a_channel', '')`);
      expect(heard.times()).toBe(before);
    });
    await heard.reaches(before + 1);
    await stop();
  });

  test('ends', async () => {
    const [ended, other] = [counter(), counter()];
    const stopEnded = await listenOn(database)('a_channel', ended.count);
    const stopOther = await listenOn(database)('a_channel', other.count);
    await stopEnded();
    const [endedBefore, otherBefore] = [ended.times(), other.times()];
    await rows(em, sql`select pg_notify('a_channel', '')`);
    await other.reaches(otherBefore + 1);
    expect(ended.times()).toBe(endedBefore);
    await stopOther();
  });

  test('hears several channels, each for the listener that asked for it', async () => {
    const [first, second] = [counter(), counter()];
    const listen = listenOn(database);
    const stops = await Promise.all([listen('a_channel', first.count), listen('b_channel', second.count)]);
    const [firstBefore, secondBefore] = [first.times(), second.times()];
    await rows(em, sql`select pg_notify('b_channel', '')`);
    await second.reaches(secondBefore + 1);
    expect(first.times()).toBe(firstBefore);
    await stops[1]();
    await rows(em, sql`select pg_notify('b_channel', ''), pg_notify('a_channel', '')`);
    await first.reaches(firstBefore + 1);
    expect(second.times()).toBe(secondBefore + 1);
    await stops[0]();
  });
});

describe.runIf(isOnPostgres)('a listener whose connection is lost', () => {
  test('comes back by itself, says that something may have been missed, and hears again', async () => {
    const heard = counter();
    const listen = listenOn(database);
    const stops: StopListening[] = [await listen('a_channel', heard.count), await listen('b_channel', () => undefined)];
    const before = heard.times();
    const [connections] = await rows(
      em,
      sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
          where application_name = 'gatehouse listener' and datname = current_database()`,
    );
    expect(connections?.count).toBe(1);
    await rows(
      em,
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse listener' and datname = current_database()`,
    );
    await heard.reaches(before + 1);
    await rows(em, sql`select pg_notify('a_channel', '')`);
    await heard.reaches(before + 2);
    expect(heard.times()).toBe(before + 2);
    for (const stop of stops) await stop();
  });
});

/** Counts messages; `reaches` resolves when there were so many. */
function counter() {
  let times = 0;
  const waiting: { readonly goal: number; readonly resolve: () => void }[] = [];
  return {
    times: () => times,
    count: () => {
      times += 1;
      for (const { goal, resolve } of waiting) if (times >= goal) resolve();
    },
    reaches: (goal: number): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ goal, resolve });
        if (times >= goal) resolve();
      }),
  };
}
