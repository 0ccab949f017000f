import { defineEntity, p } from '@mikro-orm/core';
import { Client, DatabaseError } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../src/core/id.ts';
import { Selection } from '../../../src/database/columns.ts';
import { giveUpAfter } from '../../../src/database/deadline.ts';
import { type WriteLane, write } from '../../../src/database/lanes.ts';
import { changed, type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { User } from '../../../src/modules/accounts/user.entity.ts';
import { updateOwned } from '../../../src/modules/levels/change-owned.ts';
import { own } from '../../../src/modules/levels/reach.ts';
import { connect, type Database } from '../../../src/persistence/connect.ts';
import { isRefusedByServer } from '../../../src/persistence/lines/shared-commits.ts';
import type { PooledPostgres } from '../../../src/persistence/postgres-dialect.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { paced } from '../../support/pace.ts';
import { PostgresProxy } from '../../support/postgres-proxy.ts';
import { atOnce } from '../../support/servers.ts';

const ROWS = 50;

const rejections: unknown[] = [];
const onRejection = (reason: unknown): unknown => rejections.push(reason);
beforeAll(() => void process.on('unhandledRejection', onRejection));
afterAll(() => {
  process.off('unhandledRejection', onRejection);
});
afterEach(({ expect: expectHere }) => expectHere(rejections).toEqual([]));

interface Counted {
  readonly id: number;
  readonly count: number;
  readonly xid: string;
}

const Tally = defineEntity({ name: 'Tally', tableName: 'tallies', properties: { id: p.integer().primary() } });
const order = (id: number): string => String(id).padStart(4, '0');
const count = (em: Em, id: number) =>
  write(
    em,
    Tally,
    sql<Counted>`update tallies set count = count + 1 where id = ${id} returning id, count, pg_current_xact_id()::text as xid`,
    order(id),
  );
const name = (em: Em, id: number, text: string) =>
  write(em, Tally, sql<{ id: number }>`update tallies set name = ${text} where id = ${id} returning id`, order(id));

async function fill(em: Em): Promise<void> {
  await rows(
    em,
    sql`create table tallies (id int primary key, count int not null, name text unique, check (count < 1000))`,
  );
  await changed(em, sql`insert into tallies select n, 0, 'tally ' || n from generate_series(1, ${ROWS}) n`);
}

async function counts(em: Em): Promise<number[]> {
  return (await rows(em, sql<Counted>`select count from tallies order by id`)).map((one) => one.count);
}

/** Finds the changes that were said to be done, and are not. */
function notDone(outcomes: readonly PromiseSettledResult<unknown>[], found: readonly number[]): number[] {
  return outcomes.flatMap(({ status }, index) => (status === 'fulfilled' && found[index] !== 1 ? [index + 1] : []));
}

test('a table that tells of its changes is not changed so, nor is it by a resource', async () => {
  const em = undefined as unknown as Em;
  const told = /^users tells of its changes/;
  await expect(write(em, User, sql`update users set name = 'x'`, '')).rejects.toThrow(told);
  const owned = { entity: User, kind: 'schedule', owner: 'id' } as const;
  const [ownerId, id] = [newId(), newId()];
  await expect(updateOwned(em, owned, own(ownerId), id, { name: 'x' }, new Selection(User, ['id']))).rejects.toThrow(
    told,
  );
});

test('on the embedded database a change goes the ordinary way', async () => {
  if (isOnPostgres) return;
  const database = await openTestDatabase();
  await fill(database.em.fork());
  expect(await count(database.em.fork(), 7)).toMatchObject([{ id: 7, count: 1 }]);
  await database.close();
});

describe.runIf(isOnPostgres)('changes that share commits', () => {
  let operator: TestDatabase;
  let proxy: PostgresProxy;
  let database: Database;
  let other: Database;
  beforeAll(async () => {
    operator = await openTestDatabase();
    await fill(operator.em.fork());
    proxy = await PostgresProxy.open(operator.url ?? '');
    database = await connect({ databaseUrl: proxy.url, dataDir: 'memory:' });
    other = await connect({ databaseUrl: operator.url ?? '', dataDir: 'memory:' });
  });
  afterAll(async () => {
    await database?.close();
    await other?.close();
    await proxy?.cut();
    await operator?.close();
  });
  beforeEach(async () => {
    await rows(operator.em.fork(), sql`update tallies set count = 0, name = 'tally ' || id`);
    await Promise.all([open(), open(other)]);
  });

  const fork = (): Em => database.em.fork();
  const laneOf = (of: Database = database): WriteLane => {
    const { sharedCommits } = of.em.getConnection() as unknown as PooledPostgres;
    if (!sharedCommits) throw new Error('There are no shared commits.');
    return sharedCommits;
  };
  const open = (of: Database = database) =>
    vi.waitFor(() => laneOf(of).write(sql`select 1`.compile(), ''), { timeout: paced(10_000) });

  test('each of 50 callers at once has their own answer, and few transactions do it all', async () => {
    const done = await atOnce(ROWS, (n) => count(fork(), n + 1));
    expect(done.map(([one]) => [one?.id, one?.count])).toEqual(Array.from({ length: ROWS }, (_, n) => [n + 1, 1]));
    expect(new Set(done.map(([one]) => one?.xid)).size).toBeLessThan(10);
    expect(await counts(fork())).toEqual(Array.from({ length: ROWS }, () => 1));
  });

  test('50 changes of one row follow each other', async () => {
    const done = await atOnce(ROWS, () => count(fork(), 1));
    expect(done.map(([one]) => one?.count).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: ROWS }, (_, n) => n + 1),
    );
  });

  test('a change that fails fails by itself, with the error of the pool, and all others are done once', async () => {
    const viaPool = await rows(fork(), sql`update tallies set name = 'tally 2' where id = 1`).catch((error) => error);
    const wrong = atOnce(5, (n) => name(fork(), n + 10, 'tally 2').catch((error: unknown) => error));
    const right = atOnce(ROWS, (n) => count(fork(), n + 1));
    for (const error of await wrong) expect(error).toMatchObject({ name: viaPool.name, code: '23505' });
    expect((await right).map(([one]) => one?.count)).toEqual(Array.from({ length: ROWS }, () => 1));
    expect(await counts(fork())).toEqual(Array.from({ length: ROWS }, () => 1));
    expect(laneOf().isOpen).toBe(true);
  });

  test('one of 50 that want the same name has it', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: ROWS }, (_, n) => name(fork(), n + 1, 'the one')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await row(fork(), sql`select count(*)::int as count from tallies where name = 'the one'`)).toEqual({
      count: 1,
    });
  });

  test('two processes that change the same rows in other orders lose nothing and wait for each other shortly', async () => {
    const before = performance.now();
    await Promise.all([
      atOnce(10 * ROWS, (n) => count(fork(), 1 + (n % ROWS))),
      atOnce(10 * ROWS, (n) => count(other.em.fork(), ROWS - (n % ROWS))),
    ]);
    expect(await counts(fork())).toEqual(Array.from({ length: ROWS }, () => 20));
    expect(performance.now() - before).toBeLessThan(paced(10_000));
  });

  test('a lock that is in the way of one holds up that one alone', async () => {
    const locking = new Client(operator.url);
    await locking.connect();
    await locking.query('begin; select from tallies where id = 3 for update');
    const held = count(fork(), 3);
    const free = atOnce(20, (n) => count(fork(), n + 10));
    expect((await free).flat()).toHaveLength(20);
    let isDone = false;
    void held.then(() => (isDone = true));
    expect((await atOnce(20, (n) => count(fork(), n + 10))).flat()).toHaveLength(20);
    expect(isDone).toBe(false);
    await locking.query('rollback');
    await locking.end();
    expect(await held).toMatchObject([{ count: 1 }]);
    expect((await counts(fork())).slice(9, 29)).toEqual(Array.from({ length: 20 }, () => 2));
  });

  test('a connection that is lost in the middle does nothing twice, and is opened anew', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await open();
      const changes = Promise.allSettled(Array.from({ length: ROWS }, (_, n) => count(fork(), n + 1)));
      await new Promise((resolve) => setTimeout(resolve, round));
      await proxy.cut();
      const outcomes = await changes;
      await proxy.mend();
      const found = await counts(operator.em.fork());
      expect(Math.max(...found)).toBeLessThanOrEqual(1);
      expect(notDone(outcomes, found)).toEqual([]);
      await rows(operator.em.fork(), sql`update tallies set count = 0`);
    }
    await vi.waitFor(async () => expect(await count(fork(), 1)).toHaveLength(1), { timeout: paced(10_000) });
  });

  test('a transaction keeps its changes to itself', async () => {
    const rolledBack = fork().transactional(async (em) => {
      expect(await count(em, 1)).toMatchObject([{ count: 1 }]);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect((await counts(fork()))[0]).toBe(0);
  });

  test('a caller who has given up changes nothing any more', async () => {
    const sent = vi.spyOn(laneOf(), 'write');
    const late = async ({ signal }: { readonly signal: AbortSignal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await count(fork(), 1);
    };
    await giveUpAfter(1, late, () => new Error('given up')).catch(() => undefined);
    expect(sent).not.toHaveBeenCalled();
    sent.mockRestore();
    expect((await counts(fork()))[0]).toBe(0);
  });

  test('changes that wait when the database is closed are done, or reported as not done', async () => {
    const closing = await connect({ databaseUrl: operator.url ?? '', dataDir: 'memory:' });
    await open(closing);
    const changes = Promise.allSettled(Array.from({ length: ROWS }, (_, n) => count(closing.em.fork(), n + 1)));
    await closing.close();
    const outcomes = await changes;
    const found = await counts(fork());
    expect(notDone(outcomes, found)).toEqual([]);
  });
});

test.each([
  ['23505', true],
  ['40P01', true],
  ['55P03', true],
  ['57014', true],
  ['57P01', false],
  ['25P03', false],
  ['08P01', false],
  ['XX000', false],
])('an error %s of a server that speaks German says whether nothing was committed: %s', (code, isKnown) => {
  const error = Object.assign(new DatabaseError('Nein', 4, 'error'), { code, severity: 'FEHLER' });
  expect(isRefusedByServer(error)).toBe(isKnown);
  // A socket's error is never an answer of the server.
  expect(isRefusedByServer(Object.assign(new Error('Nein'), { code: 'EPIPE' }))).toBe(false);
});
