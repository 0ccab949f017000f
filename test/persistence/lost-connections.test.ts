import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isDatabaseAway } from '../../src/database/database-away.ts';
import { apartFromCaller, giveUpAfter } from '../../src/database/deadline.ts';
import { type Em, row, rows, sql } from '../../src/database/sql.ts';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { atOnce } from '../support/servers.ts';

const PLACES = 8;

describe.runIf(isOnPostgres)('the pool of PostgreSQL', () => {
  let operator: TestDatabase;
  let proxy: PostgresProxy;
  let database: Database;
  beforeAll(async () => {
    operator = await openTestDatabase();
    proxy = await PostgresProxy.open(operator.url ?? '');
    database = await connect({ databaseUrl: proxy.url, dataDir: 'memory:' });
  });
  afterEach(() => proxy.mend());
  afterAll(async () => {
    await database.close();
    await proxy.cut();
    await operator.close();
  });

  test('is whole again after connections were lost inside transactions', async () => {
    for (let round = 0; round < 3; round += 1) {
      const lost = await togetherInTransactions(PLACES, async (pids) => {
        await rows(operator.em.fork(), sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as lost(pid)`);
      });
      expect(lost.filter(isDatabaseAway)).toHaveLength(PLACES);
    }
    await expectWhole();
  });

  test.each(['begin', 'commit', 'rollback'])(
    'is whole again after connections were lost at their %s',
    async (command) => {
      for (let round = 0; round < PLACES + 2; round += 1) {
        const sent = proxy.withholdAnswerTo(command);
        const work = database.em.fork().transactional(async (em) => {
          await row(em, sql`select 1`);
          if (command === 'rollback') throw new Error('Rolled back');
        });
        const failure = work.catch((error: unknown) => error);
        // An idle connection that was lost before may not have been noticed yet.
        await Promise.race([sent, failure]);
        await proxy.cut();
        expect(await failure).toBeInstanceOf(Error);
        await proxy.mend();
      }
      await expectWhole();
    },
  );

  test('takes a connection for lost whose server does not even answer a request to cancel', async () => {
    const givenUp = new Error('given up');
    await expectWhole();
    proxy.hush();
    const results = await atOnce(PLACES, () =>
      giveUpAfter(
        50,
        () => rows(database.em.fork(), sql`select 1`),
        () => givenUp,
      ).catch((error: unknown) => error),
    );
    expect(results).toEqual(Array.from({ length: PLACES }, () => givenUp));
    proxy.speak();
    await expectWhole();
  });

  test('has one of all who wait knock at a server that is silent, and asks it to cancel nothing', async () => {
    await expectWhole();
    proxy.hush();
    await atOnce(PLACES, ask);
    // Each has asked once for its statement to be cancelled, and is closed when nobody has answered that.
    await pause(3_000);
    const known = proxy.arrived;
    expect(new Set(await atOnce(5 * PLACES, ask))).toEqual(new Set(['given up']));
    expect(proxy.arrived - known).toBe(1);
    proxy.speak();
    await expect.poll(ask).toBe('served');
    await expectWhole();
  });

  test('does not wait to be closed for a connection that is silent', async () => {
    const another = await connect({ databaseUrl: proxy.url, dataDir: 'memory:' });
    const sent = proxy.withholdAnswerTo('select 2');
    const silent = rows(another.em.fork(), sql`select 2`).catch((error: unknown) => error);
    await sent;
    const before = performance.now();
    await another.close();
    expect(performance.now() - before).toBeLessThan(paced(5_000));
    expect(isDatabaseAway(await silent)).toBe(true);
  });

  test('that has given nobody a place for long makes the process not live, if the database answers others', async () => {
    const reasons: (string | undefined)[] = [];
    await togetherInTransactions(PLACES, async () => {
      await rows(database.em.fork(), sql`select 1`).catch(() => undefined);
      reasons.push(await database.health.live());
      const now = performance.now.bind(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 45_000);
      reasons.push(await database.health.live());
    });
    reasons.push(await database.health.live());
    vi.restoreAllMocks();
    expect(reasons).toEqual([
      undefined,
      'the database answers, but every connection of this process is lost',
      undefined,
    ]);
  });

  test('gives nobody a place whose time is over, and cancels nothing of others', async () => {
    const pids = await togetherInTransactions(PLACES, async () => {
      const late = giveUpAfter(
        20,
        () => rows(database.em.fork(), sql`select 1`),
        () => new Error('given up'),
      );
      await expect(late).rejects.toThrow('given up');
    });
    expect(new Set(pids).size).toBe(PLACES);
    await expectWhole();
  });

  test('work apart from its caller goes on when the caller has given up', async () => {
    let shared: Promise<unknown> | undefined;
    const caller = giveUpAfter(
      20,
      () => {
        shared = apartFromCaller(() => row(database.em.fork(), sql`select pg_sleep(0.2), 'done' as state`));
        return shared;
      },
      () => new Error('given up'),
    );
    await expect(caller).rejects.toThrow('given up');
    expect(await shared).toMatchObject({ state: 'done' });
  });

  function ask(): Promise<string> {
    const asked = giveUpAfter(
      500,
      () => rows(database.em.fork(), sql`select 1`),
      () => new Error('given up'),
    );
    return asked.then(
      () => 'served',
      () => 'given up',
    );
  }

  /** So many transactions hold a connection at the same moment. @returns how each ended */
  async function togetherInTransactions(
    count: number,
    whileOpen: (pids: number[]) => Promise<void>,
  ): Promise<unknown[]> {
    const pids: number[] = [];
    const all = Promise.withResolvers<void>();
    const open = all.promise.then(() => whileOpen(pids));
    return atOnce(count, () =>
      database.em
        .fork()
        .transactional(async (em) => {
          pids.push(await pidOf(em));
          if (pids.length === count) all.resolve();
          await open;
          return pidOf(em);
        })
        .catch((error: unknown) => {
          all.resolve();
          return error;
        }),
    );
  }

  async function expectWhole(): Promise<void> {
    const pids = await togetherInTransactions(PLACES, async () => undefined);
    expect(new Set(pids).size).toBe(PLACES);
    expect(pids.every((pid) => typeof pid === 'number')).toBe(true);
  }
});

async function pidOf(em: Em): Promise<number> {
  const found = await row(em, sql<{ pid: number }>`select pg_backend_pid() as pid`);
  return found?.pid ?? 0;
}
