import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, type Em, rows, sql } from '../../src/database/sql.ts';
import { StatementNames } from '../../src/persistence/prepared-statements.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';

const insertSize = (em: Em, id: number) => changed(em, sql`insert into sizes values (${id})`);
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

  test('takes the name that was used longest ago, where names are given up', () => {
    const givenUp: string[] = [];
    const names = new StatementNames((name) => givenUp.push(name));
    const found = Array.from({ length: 300 }, (_, index) => named(names, `select ${index}`));
    expect(names.nameOf('select 0')).toBe(found[0]);
    expect(named(names, 'one more')).toBeDefined();
    expect(givenUp).toEqual([found[1]]);
    expect(names.nameOf('select 0')).toBe(found[0]);
  });

  test('takes no name from another one until it comes again', () => {
    const givenUp: string[] = [];
    const names = new StatementNames((name) => givenUp.push(name));
    for (let index = 0; index < 300; index += 1) named(names, `select ${index}`);
    for (let index = 0; index < 1_000; index += 1) names.nameOf(`select ${index} once`);
    expect(givenUp).toEqual([]);
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

describe('on a database', () => {
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

  test('a statement that comes again is prepared once, and a change of its answer is survived', async () => {
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

  test.runIf(!isOnPostgres)(
    'those that are sent now are prepared, however many were before, and no more than 300',
    async () => {
      const em = database.em.fork();
      const send = (index: number) =>
        rows(em, sql`select ${index}::int as value, ${sql.raw(String(index))} as "of many"`);
      for (let index = 0; index < 400; index += 1) {
        for (let time = 0; time < 4; time += 1) expect(await send(index)).toEqual([{ value: index, 'of many': index }]);
      }
      const texts = await rows(em, sql<{ statement: string }>`select statement from pg_prepared_statements`);
      expect(texts.length).toBeLessThanOrEqual(300);
      const isPrepared = (index: number) =>
        texts.some(({ statement }) => statement.includes(`, ${index} as "of many"`));
      expect([0, 399].map(isPrepared)).toEqual([false, true]);
      for (let time = 0; time < 4; time += 1) expect(await send(0)).toEqual([{ value: 0, 'of many': 0 }]);
    },
  );

  test.runIf(!isOnPostgres)('a statement without parameters is prepared too, if it is one statement', async () => {
    const em = database.em.fork();
    const texts = ['select 4711 as one', 'select 4711 as a; select 4712 as two', `select 4711 as "a;b"`];
    for (let time = 0; time < 4; time += 1) {
      const found = await Promise.all(texts.map((text) => rows(em, sql`${sql.raw(text)}`)));
      expect(found).toEqual([[{ one: 4711 }], [{ two: 4712 }], [{ 'a;b': 4711 }]]);
    }
    const prepared = await rows(
      em,
      sql`select statement from pg_prepared_statements where statement like ${'select 4711%'}`,
    );
    expect(prepared).toEqual([{ statement: texts[0] }]);
  });

  test.each([
    ['text', 'a "b" \\ c\u{1f44d}'],
    ['text', ''],
    ['text', null],
    ['int', -7],
    ['bigint', '9007199254740993'],
    ['float8', 0.1],
    ['numeric', '1.10'],
    ['boolean', false],
    ['uuid', '0192a3b4-c5d6-7e8f-9a0b-1c2d3e4f5a6b'],
    ['timestamptz', '2031-01-07T00:00:00.123456Z'],
    ['date', '2031-01-07'],
    ['bytea', Uint8Array.from([0, 255, 92])],
    ['jsonb', '{"a":[1,null,"x"]}'],
    ['text[]', ['a', '"', null, 'NULL', '{}', '\\']],
    ['int[]', []],
  ])('a value of type %s is the same each time, prepared or not: %j', async (type, value) => {
    const statement = sql`select ${value}::${sql.raw(type)} as value, ${null}::text as nothing`;
    const found: unknown[] = [];
    for (let time = 0; time < 8; time += 1) found.push(...(await rows(database.em.fork(), statement)));
    expect(found).toHaveLength(8);
    for (const one of found) expect(one).toEqual(found[0]);
  });

  test('the rows that it changes are counted each time', async () => {
    const em = database.em.fork();
    await rows(em, sql`create table colors (id int primary key)`);
    const counts: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      counts.push(await changed(em, sql`insert into colors select n from generate_series(1, ${3}) n`));
      counts.push(await changed(em, sql`delete from colors where id > ${1}`));
      counts.push(await changed(em, sql`update colors set id = id where id < ${5}`));
      counts.push(await changed(em, sql`delete from colors where id = ${1}`));
      counts.push(await changed(em, sql`delete from colors where id = ${2}`));
    }
    expect(counts).toEqual(Array.from({ length: 5 }, () => [3, 2, 1, 1, 0]).flat());
  });

  test('an error says what it is each time, and is over with its transaction', async () => {
    const em = database.em.fork();
    await rows(em, sql`create table sizes (id int primary key)`);
    await insertSize(em, 1);
    for (let time = 0; time < 6; time += 1) {
      await expect(
        em.transactional(async (inner) => {
          await insertSize(inner, 2);
          await insertSize(inner, 1);
        }),
      ).rejects.toMatchObject({ code: '23505', constraint: 'sizes_pkey' });
    }
    expect(await rows(em, sql`select id from sizes where id > ${0}`)).toEqual([{ id: 1 }]);
  });
});
