import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { StatementNames } from '../../src/persistence/prepared-statements.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';

const named = (names: StatementNames, text: string) => [1, 2, 3, 4].map(() => names.nameOf(text)).at(-1);

describe('a statement', () => {
  test('has a name of its own once it comes again', () => {
    const names = new StatementNames();
    expect([1, 2, 3, 4].map(() => names.nameOf('select 1') !== undefined)).toEqual([false, false, true, true]);
    expect(named(names, 'select 2')).not.toBe(named(names, 'select 1'));
  });

  test('finds no name left when too many have one', () => {
    const names = new StatementNames();
    const found = Array.from({ length: 400 }, (_, index) => named(names, `select ${index}`));
    expect(found.filter((name) => name !== undefined)).toHaveLength(300);
    expect(named(names, 'select 0')).toBe(found[0]);
  });

  test('loses its name when its answer has changed, and no other does', () => {
    const names = new StatementNames();
    const other = named(names, 'select 2');
    named(names, 'select 1');
    names.failed('select 1', { code: '0A000' });
    names.failed('select 2', { code: '23505' });
    expect([named(names, 'select 1'), named(names, 'select 2')]).toEqual([undefined, other]);
  });

  test.each(['26000', '42P05'])('has none behind a pooler that keeps none (%s)', (code) => {
    const names = new StatementNames();
    named(names, 'select 1');
    names.failed('select 1', { code });
    expect([named(names, 'select 1'), named(names, 'select 2')]).toEqual([undefined, undefined]);
  });
});

describe.runIf(isOnPostgres)('on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const many = async (times: number) => {
    let found: unknown[] = [];
    for (let time = 0; time < times; time += 1) {
      found = await rows(database.em.fork(), sql`select * from shapes where id > ${0}`);
    }
    return found;
  };

  test('what comes again is prepared once, and a change of its answer is survived', async () => {
    const em = database.em.fork();
    await rows(em, sql`create table shapes (id int)`);
    await rows(em, sql`insert into shapes values (1)`);
    expect(await many(6)).toEqual([{ id: 1 }]);
    const prepared = await rows(
      em,
      sql`select statement from pg_prepared_statements where statement like '%from shapes%'`,
    );
    expect(prepared).toHaveLength(1);
    await rows(em, sql`alter table shapes add column color text`);
    await expect(many(1)).rejects.toThrow('cached plan must not change result type');
    expect(await many(6)).toEqual([{ id: 1, color: null }]);
  });
});
