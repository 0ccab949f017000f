import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { changed, type Em, row, rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { plainGraphql, post } from '../support/plain-graphql.ts';

let database: TestDatabase;
const rejections: unknown[] = [];
const onRejection = (reason: unknown): unknown => rejections.push(reason);
beforeAll(async () => {
  database = await openTestDatabase();
  await changed(database.em.fork(), sql`create table notes (note text)`);
  process.on('unhandledRejection', onRejection);
});
afterAll(async () => {
  process.off('unhandledRejection', onRejection);
  await database.close();
});

const begun: string[] = [];
const never = new Promise<never>(() => undefined);
const schema = makeExecutableSchema({
  typeDefs:
    'type Query { quick: Int, slow: Int, sleep: Int, lists: [Item] } type Item { id: Int } type Mutation { note: Int, forever: Int, next: Int }',
  resolvers: {
    Query: {
      quick: async () => (await row(fork(), sql<{ one: number }>`select 1 as one`))?.one,
      slow: () => never,
      sleep: () => rows(fork(), sql`select pg_sleep(60)`),
    },
    Mutation: {
      note: () =>
        fork().transactional(async (em) => {
          await changed(em, sql`insert into notes values ('kept?')`);
          await rows(em, sql`select pg_sleep(60)`);
        }),
      forever: () => never,
      next: () => begun.push('next'),
    },
  },
});

function fork(): Em {
  return database.em.fork();
}

async function sleeping(): Promise<number> {
  const found = await row(
    fork(),
    sql<{ count: string }>`select count(*) from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
  );
  return Number(found?.count);
}

async function send(query: string, seconds: number): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await post(plainGraphql(schema, { executionSeconds: seconds }), { query });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const TIMEOUT = {
  errors: [
    { message: expect.stringMatching(/took more than 0\.05 seconds/), extensions: { code: 'EXECUTION_TIMEOUT' } },
  ],
};

test('an operation that is done in time is answered', async () => {
  expect(await send('{ quick }', 5)).toMatchObject({ status: 200, body: { data: { quick: 1 } } });
});

test('an operation that takes too long is 504, whatever of it was done', async () => {
  expect(await send('{ quick slow }', 0.05)).toEqual({ status: 504, body: TIMEOUT });
});

test('a field that comes after the deadline is not begun', async () => {
  expect(await send('mutation { forever next }', 0.05)).toEqual({ status: 504, body: TIMEOUT });
  await send('{ quick }', 5);
  expect(begun).toEqual([]);
  expect(rejections).toEqual([]);
});

describe.runIf(isOnPostgres)('on PostgreSQL', () => {
  beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => vi.restoreAllMocks());

  test('a statement under way is cancelled', async () => {
    expect(await send('{ sleep }', 0.05)).toEqual({ status: 504, body: TIMEOUT });
    await vi.waitFor(async () => expect(await sleeping()).toBe(0), { timeout: paced(5_000) });
  });

  test('a transaction under way is rolled back', async () => {
    expect(await send('mutation { note }', 0.05)).toEqual({ status: 504, body: TIMEOUT });
    await vi.waitFor(async () => expect(await sleeping()).toBe(0), { timeout: paced(5_000) });
    expect(await rows(fork(), sql`select note from notes`)).toEqual([]);
    expect(rejections).toEqual([]);
  });
});
