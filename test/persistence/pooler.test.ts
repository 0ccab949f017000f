import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ReadLane, read } from '../../src/database/lanes.ts';
import { changed, type Em, rows, sql } from '../../src/database/sql.ts';
import { connect, type Database } from '../../src/persistence/connect.ts';
import type { PooledPostgres } from '../../src/persistence/postgres-dialect.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { HAS_PGBOUNCER, PgBouncer } from '../support/pgbouncer.ts';
import { atOnce } from '../support/servers.ts';

const SETTINGS = ['jit', 'statement_timeout', 'idle_in_transaction_session_timeout', 'max_parallel_workers_per_gather'];

describe.runIf(isOnPostgres && HAS_PGBOUNCER)(
  'behind a pooler that keeps no prepared statements (needs pgbouncer)',
  () => {
    let operator: TestDatabase;
    beforeAll(async () => {
      operator = await openTestDatabase();
      await rows(operator.em.fork(), sql`create table notes (id int primary key, note text)`);
      await rows(operator.em.fork(), sql`insert into notes select n, 'note' from generate_series(1, 50) n`);
    });
    afterAll(() => operator?.close());

    describe.each([
      ['refuses', []],
      ['leaves out', ['options']],
    ])('and %s the settings of a connection', (_does, ignored) => {
      let bouncer: PgBouncer;
      let database: Database;
      beforeEach(async () => {
        bouncer = await PgBouncer.start(operator.url ?? '', ignored);
        database = await connect({ databaseUrl: bouncer.url, dataDir: 'memory:' });
      });
      afterEach(async () => {
        await database?.close();
        await bouncer?.stop();
      });
      const fork = (): Em => database.em.fork();

      test('no statement fails, in transactions and outside, of reads and of changes', async () => {
        for (let round = 0; round < 20; round += 1) {
          await atOnce(50, async (n) => {
            const id = n + 1;
            expect(await read(fork(), sql`select id from notes where id = ${id}`)).toEqual([{ id }]);
            expect(await changed(fork(), sql`update notes set note = ${`note ${round}`} where id = ${id}`)).toBe(1);
            await fork().transactional(async (em) => {
              await rows(em, sql`select note from notes where id = ${id} for update`);
              await changed(em, sql`update notes set note = ${'kept'} where id = ${id}`);
            });
          });
        }
      });

      test('others find no setting of ours on the connections that they are given', async () => {
        await atOnce(50, (n) => rows(fork(), sql`select id from notes where id = ${n}`));
        const expected = await settingsAt(operator.url ?? '');
        for (let client = 0; client < 5; client += 1) expect(await settingsAt(bouncer.url)).toEqual(expected);
      });

      test('the ways beside the pool, which need settings of their own, are not taken', async () => {
        const lane = (database.em.getConnection() as unknown as { readonly lane: ReadLane }).lane;
        const sent = () => lane.read(sql`select 1`.compile());
        await expect(sent()).rejects.toThrow('No line is ready');
        await expect.poll(() => lane.isOpen).toBe(false);
        await expect(sent()).rejects.toThrow('No line is ready');
      });

      test('the operator is told what the role needs, until it has it, and of the way to listen', async () => {
        const [settings = '', listening = ''] = await database.advice({ hasDirectUrl: false });
        for (const name of SETTINGS) expect(settings).toContain(`set ${name} =`);
        expect(listening).toContain('DATABASE_DIRECT_URL');
        const role = /alter role (\S+)/.exec(settings)?.[1] ?? '';
        const wanted = [...settings.matchAll(/alter role \S+ set (\w+ = \S+);/g)].map(([, setting]) => setting);
        await operator.em.fork().transactional(async (em) => {
          // In this transaction alone, as the role is that of all tests.
          for (const setting of wanted) await rows(em, sql`${sql.raw(`set local ${setting}`)}`);
          const found = await rows(em, sql`${sql.raw(`select current_setting('jit') as jit`)}`);
          expect([found, role]).toEqual([[{ jit: 'off' }], 'gatehouse']);
        });
      });
    });

    test('a change of a user is heard of in its own process before it is told to be made, without LISTEN', async () => {
      const bouncer = await PgBouncer.start(operator.url ?? '');
      const database = await connect({ databaseUrl: bouncer.url, dataDir: 'memory:' });
      const heard: string[] = [];
      (database.em.getConnection() as unknown as PooledPostgres).onOwnChange((channel) => heard.push(channel));
      const change = sql`update users set name = ${'Ada'} where id = ${'00000000-0000-7000-8000-000000000000'}`;
      await changed(database.em.fork(), change);
      expect(heard).toEqual(['user_changes']);
      await database.em.fork().transactional(async (em) => {
        await changed(em, change);
        expect(heard).toHaveLength(1);
      });
      expect(heard).toHaveLength(2);
      const undone = database.em.fork().transactional(async (em) => {
        await changed(em, change);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await rows(database.em.fork(), sql`select name from users`);
      expect(heard).toHaveLength(2);
      await database.close();
      await bouncer.stop();
    });
  },
);

test.runIf(isOnPostgres)('without a pooler there is nothing to say', async () => {
  const database = await openTestDatabase();
  await rows(database.em.fork(), sql`select 1`);
  expect(await database.advice({ hasDirectUrl: false })).toEqual([]);
  await database.close();
});

async function settingsAt(url: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: found } = await client.query('select name, setting from pg_settings where name = any($1) order by 1', [
    SETTINGS,
  ]);
  await client.end();
  return found;
}
