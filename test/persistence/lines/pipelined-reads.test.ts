import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { giveUpAfter } from '../../../src/database/deadline.ts';
import { type ReadLane, read, readOne } from '../../../src/database/lanes.ts';
import { changed, type Em, rows, sql } from '../../../src/database/sql.ts';
import { connect, type Database } from '../../../src/persistence/connect.ts';
import type { PooledPostgres } from '../../../src/persistence/postgres-dialect.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { paced } from '../../support/pace.ts';
import { POSTGRES_PROGRAMS, PostgresCluster } from '../../support/postgres-cluster.ts';
import { PostgresProxy } from '../../support/postgres-proxy.ts';
import { atOnce } from '../../support/servers.ts';

const rejections: unknown[] = [];
const onRejection = (reason: unknown): unknown => rejections.push(reason);
beforeAll(() => void process.on('unhandledRejection', onRejection));
afterAll(() => {
  process.off('unhandledRejection', onRejection);
});
afterEach(({ expect: expectHere }) => expectHere(rejections).toEqual([]));

const byId = (id: number) => sql<{ id: number; note: string }>`select id, note from notes where id = ${id}`;
const said = (n: number) => sql`select id, note as said from notes where id = ${n + 10}`;
const pidOf = (em: Em) => readOne(em, sql<{ pid: number }>`select pg_backend_pid() as pid`);

function laneOf(em: Em): ReadLane {
  const { lane } = em.getConnection() as PooledPostgres;
  if (!lane) throw new Error('There is no read lane.');
  return lane;
}

async function fill(em: Em): Promise<void> {
  await rows(em, sql`create table notes (id int primary key, note text)`);
  await changed(em, sql`insert into notes select n, 'note ' || n from generate_series(1, 200) n`);
}

test('on the embedded database a read goes the ordinary way', async () => {
  if (isOnPostgres) return;
  const database = await openTestDatabase();
  await fill(database.em.fork());
  expect(await read(database.em.fork(), byId(7))).toEqual([{ id: 7, note: 'note 7' }]);
  await database.close();
});

const FIFTY = Array.from({ length: 50 }, (_, n) => n + 1);
const late = (): Error => new Error('given up');

describe.runIf(isOnPostgres)('the read lane of PostgreSQL', () => {
  let operator: TestDatabase;
  let proxy: PostgresProxy;
  let database: Database;
  beforeAll(async () => {
    operator = await openTestDatabase();
    await fill(operator.em.fork());
    proxy = await PostgresProxy.open(operator.url ?? '');
    database = await connect({ databaseUrl: proxy.url, dataDir: 'memory:' });
  });
  afterAll(async () => {
    await database?.close();
    await proxy?.cut();
    await operator?.close();
  });
  const fork = (): Em => database.em.fork();
  const open = () => vi.waitFor(() => laneOf(fork()).read(sql`select 1`.compile()), { timeout: paced(10_000) });

  test('gives each of 50 callers at once their own answer, over and over', async () => {
    for (let round = 0; round < 10; round += 1) {
      const found = await atOnce(50, (n) => read(fork(), byId(n + 1)));
      expect(found).toEqual(Array.from({ length: 50 }, (_, n) => [{ id: n + 1, note: `note ${n + 1}` }]));
    }
    const pids = await atOnce(50, () => pidOf(fork()));
    expect(new Set(pids.map((one) => one?.pid)).size).toBeLessThanOrEqual(4);
  });

  test('gives values as the pool does', async () => {
    const values = sql`select 1::int2 as a, 2::int4 as b, 9007199254740993::int8 as c, 1.50::numeric as d, 0.1::float8 as e,
      true as f, 'ä"\u2028' as g, null::text as h, '2026-12-01 09:00:00.25+02'::timestamptz as i, '2026-12-01'::date as j,
      '10:00'::time as k, '{"a": [1, null]}'::jsonb as l, array['x', null, 'y,"z']::text[] as m, array[1, 2] as n,
      '0192aabb-0000-7000-8000-000000000001'::uuid as o, '\\x00ff'::bytea as p, interval '1 day' as q, 'infinity'::timestamptz as r`;
    expect(await read(fork(), values)).toEqual(await rows(fork(), values));
  });

  test('writes nothing, whatever it is given: the pool does', async () => {
    const statement = sql<{ id: number }>`insert into notes values (1000, 'written') returning id`;
    await expect(laneOf(fork()).read(statement.compile())).rejects.toThrow('was sent as a read');
    const locks = sql`select id from notes for update`;
    await expect(laneOf(fork()).read(locks.compile())).rejects.toThrow('was sent as a read');
    expect(await read(fork(), statement)).toEqual([{ id: 1000 }]);
  });

  test('asks again where a statement fails, and the error is that of the pool', async () => {
    const wrong = sql`select * from nowhere`;
    const viaPool = await rows(fork(), wrong).catch((error: unknown) => error);
    const viaLane = await read(fork(), wrong).catch((error: unknown) => error);
    expect(viaLane).toMatchObject({ name: (viaPool as Error).name, message: (viaPool as Error).message });
    // Those beside it have their answers.
    const [found] = await Promise.all([
      atOnce(20, (n) => read(fork(), byId(n + 1))),
      atOnce(20, () => read(fork(), wrong).catch(() => undefined)),
    ]);
    expect(found.flat()).toHaveLength(20);
  });

  test('is not used in a transaction, which sees what it has written', async () => {
    await fork().transactional(async (em) => {
      await changed(em, sql`update notes set note = 'changed' where id = 5`);
      expect(await readOne(em, byId(5))).toMatchObject({ note: 'changed' });
      expect(await readOne(fork(), byId(5))).toMatchObject({ note: 'note 5' });
      expect(await pidOf(em)).toEqual(await readOne(em, sql`select pg_backend_pid() as pid`));
    });
    expect(await readOne(fork(), byId(5))).toMatchObject({ note: 'changed' });
  });

  test('shows what was committed before the call', async () => {
    for (let n = 0; n < 50; n += 1) {
      await changed(fork(), sql`update notes set note = ${`round ${n}`} where id = 6`);
      expect(await readOne(fork(), byId(6))).toMatchObject({ note: `round ${n}` });
    }
  });

  test('waits for no lock: the pool does, and the lane goes on', async () => {
    const one = (n: number) => read(fork(), said(n));
    const locking = new Client(operator.url);
    await locking.connect();
    await locking.query('begin; lock table notes in access exclusive mode');
    // They have one text and are sent ahead of each other: the first cannot be prepared, and those behind it count on
    // that.
    const sent = vi.spyOn(laneOf(fork()), 'read');
    const waiting = atOnce(12, one);
    await expect(Promise.race([waiting, pause(600, 'they wait')])).resolves.toBe('they wait');
    const failures = await Promise.all(
      sent.mock.results.map(({ value }) => (value as Promise<unknown>).catch((error) => error.code)),
    );
    expect(new Set(failures)).toEqual(new Set(['55P03', '26000']));
    sent.mockRestore();
    await locking.query('rollback');
    await locking.end();
    expect((await waiting).flat()).toHaveLength(12);
    await open();
    // One tries, and a moment later all know.
    await vi.waitFor(() => laneOf(fork()).read(said(1).compile()), { timeout: paced(10_000) });
    await pause(paced(500));
    const again = vi.spyOn(laneOf(fork()), 'read');
    for (let round = 0; round < 5; round += 1) expect((await atOnce(12, one)).flat()).toHaveLength(12);
    expect(again).toHaveBeenCalledTimes(60);
    expect(await Promise.allSettled(again.mock.results.slice(12).map(({ value }) => value as unknown))).toEqual(
      Array.from({ length: 48 }, () => expect.objectContaining({ status: 'fulfilled' })),
    );
    again.mockRestore();
  });

  test('is held up no more by those who meet a lock again and again', async () => {
    const locking = new Client(operator.url);
    await locking.connect();
    await locking.query('begin; lock table notes in access exclusive mode');
    const asked = sql`select note as held from notes where id = ${1}`.compile();
    const codes: unknown[] = [];
    const isOver = AbortSignal.timeout(3_000);
    const insists = async () => {
      while (!isOver.aborted) {
        await laneOf(fork())
          .read(asked)
          .catch((error) => codes.push(error.code));
        await pause(10);
      }
    };
    await open();
    await atOnce(8, insists);
    const met = codes.filter((code) => code === '55P03').length;
    expect(codes.length - met).toBeGreaterThan(8 * 50);
    // All at first, and one in each second after that, with those who come before it knows.
    expect(met).toBeLessThan(8 + 3 * 8);
    await locking.query('rollback');
    await locking.end();
    await vi.waitFor(() => laneOf(fork()).read(asked), { timeout: paced(10_000) });
  });

  test('that is lost in the middle of its statements costs nobody an answer', async () => {
    await open();
    for (let round = 0; round < 3; round += 1) {
      const reads = atOnce(50, (n) =>
        read(fork(), sql<{ id: number }>`select id, pg_sleep(0.002) from notes where id = ${n + 1}`),
      );
      const killed = rows(
        operator.em.fork(),
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(0.002)%'`,
      );
      const [found] = await Promise.allSettled([reads, killed]);
      // The pool's own connections are ended as well: what fails there fails as it always has.
      const ids = found.status === 'fulfilled' ? found.value.map(([row]) => row?.id) : FIFTY;
      expect(ids).toEqual(FIFTY);
    }
    await vi.waitFor(async () => expect(await read(fork(), byId(8))).toHaveLength(1), { timeout: paced(5_000) });
    await open();
  });

  test('comes back after the network was away', async () => {
    await open();
    await read(fork(), byId(1));
    await proxy.cut();
    await expect(read(fork(), byId(1))).rejects.toThrow(/./);
    expect(laneOf(fork()).isOpen).toBe(false);
    await proxy.mend();
    await vi.waitFor(async () => expect(await read(fork(), byId(1))).toHaveLength(1), { timeout: paced(10_000) });
    await open();
    expect(await atOnce(20, (n) => read(fork(), byId(n + 1)))).toHaveLength(20);
  });

  test('lets a caller who has given up go, at once and without a trace', async () => {
    const slow = () => read(fork(), sql`select pg_sleep(1)`);
    const before = performance.now();
    await expect(giveUpAfter(30, slow, late)).rejects.toThrow('given up');
    expect(performance.now() - before).toBeLessThan(900);
    const sent = vi.spyOn(laneOf(fork()), 'read');
    await giveUpAfter(
      1,
      async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await read(fork(), byId(1));
      },
      late,
    ).catch(() => undefined);
    expect(sent).not.toHaveBeenCalled();
    sent.mockRestore();
  });

  test('is held to the settings of a connection, which no other inherits', async () => {
    const settings = sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('lock_timeout', 'statement_timeout', 'plan_cache_mode') order by name`;
    expect(await laneOf(fork()).read(settings.compile())).toEqual([
      { name: 'lock_timeout', setting: '100' },
      { name: 'plan_cache_mode', setting: 'force_generic_plan' },
      { name: 'statement_timeout', setting: '2000' },
    ]);
    // The settings of the opening are of that connection alone, however many share it afterwards.
    expect(
      await laneOf(fork()).read(
        sql<{
          source: string;
        }>`select distinct source from pg_settings where name = 'lock_timeout'`.compile(),
      ),
    ).toEqual([{ source: 'client' }]);
    expect(await rows(fork(), sql`show lock_timeout`)).toEqual([{ lock_timeout: '0' }]);
  });
});

describe.runIf(isOnPostgres && POSTGRES_PROGRAMS !== undefined)('a server that is restarted', () => {
  test('is read again, as soon as it is there', async () => {
    const cluster = await PostgresCluster.start();
    const database = await connect({ databaseUrl: cluster.url, dataDir: 'memory:' });
    try {
      await fill(database.em.fork());
      await atOnce(20, (n) => read(database.em.fork(), byId(n + 1)));
      const during = atOnce(200, async (n) => {
        await new Promise((resolve) => setTimeout(resolve, 5 * n));
        const found = await read(database.em.fork(), byId(n + 1)).catch(() => undefined);
        return found?.[0]?.id ?? n + 1;
      });
      await cluster.restartImmediately();
      expect(await during).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
      await vi.waitFor(async () => expect(await read(database.em.fork(), byId(9))).toHaveLength(1), {
        timeout: paced(20_000),
      });
      await vi.waitFor(() => expect(laneOf(database.em.fork()).isOpen).toBe(true), { timeout: paced(20_000) });
      expect(await atOnce(20, (n) => read(database.em.fork(), byId(n + 1)))).toHaveLength(20);
    } finally {
      await database.close();
      await cluster.stop();
    }
  });
});
