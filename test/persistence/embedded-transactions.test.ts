import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { row, rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';

// PostgreSQL gives the second statement a connection of its own; there is nothing to guard.
describe.skipIf(isOnPostgres)('on the embedded database, inside an open transaction', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  test('a statement through the transaction itself runs', async () => {
    const answer = await database.em.fork().transactional((em) => row(em, sql<{ one: number }>`select 1 as one`));
    expect(answer).toEqual({ one: 1 });
  });

  test('a statement past the transaction throws at once', async () => {
    const outside = database.em.fork();
    await outside.transactional(async () => {
      await expect(rows(database.em.fork(), sql`select 1`)).rejects.toThrow('outside the open transaction');
    });
  });

  test('a second transaction beside it throws at once', async () => {
    await database.em.fork().transactional(async () => {
      const second = database.em.fork().transactional(async () => 'never');
      await expect(second).rejects.toThrow('outside the open transaction');
    });
  });

  test('statements of others wait for its end and are not part of it', async () => {
    await rows(database.em.fork(), sql`create table kept (who text)`);
    const begun = Promise.withResolvers<void>();
    const failing = database.em.fork().transactional(async (em) => {
      await rows(em, sql`insert into kept values ('inside')`);
      begun.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('rolled back');
    });
    await begun.promise;
    const other = rows(database.em.fork(), sql`insert into kept values ('outside')`);
    await expect(failing).rejects.toThrow('rolled back');
    await other;
    expect(await rows(database.em.fork(), sql`select who from kept`)).toEqual([{ who: 'outside' }]);
  });
});
