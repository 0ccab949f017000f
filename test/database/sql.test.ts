import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { sql } from '../../src/database/sql.ts';

test('a value between the texts becomes a parameter, or another piece with parameters of its own', () => {
  const inner = sql`b = ${'two'} and c = any(${[3, 4]}::int[])`;
  const { sql: text, parameters } = sql`select 1 where a = ${1} and ${inner} and d is ${null}`.compile();
  expect(text).toBe('select 1 where a = $1 and b = $2 and c = any($3::int[]) and d is $4');
  expect(parameters).toEqual([1, 'two', [3, 4], null]);
});

test('an expression of the builder is refused, since it would be sent as a value', () => {
  const alias = sql`a is not null`.as('isThere');
  expect(() => sql`select ${alias}`).toThrow('An expression of the builder stands in a template');
  expect(() => sql.join([sql`a`, alias])).toThrow(TypeError);
});

test('pieces are joined by commas, or by what is given; none are nothing', () => {
  const pieces = [sql`a = ${1}`, 2, sql``, sql`b = ${3}`];
  expect(sql`${sql.join(pieces)}`.compile()).toMatchObject({ sql: 'a = $1, $2, , b = $3', parameters: [1, 2, 3] });
  expect(sql.join([sql`x`, sql`y`], sql` or `).compile().sql).toBe('x or y');
  expect(sql`in (${sql.join([])})`.compile()).toMatchObject({ sql: 'in ()', parameters: [] });
});

test('names and texts are quoted', () => {
  expect(sql.ref('b.owner_id').compile().sql).toBe('"b"."owner_id"');
  expect(sql.ref('odd"name').compile().sql).toBe('"odd""name"');
  expect(sql.lit("it's").compile().sql).toBe("'it''s'");
});

test('a piece is used twice, and compiled again, without a trace', () => {
  const piece = sql`a > ${5}`;
  const both = sql`${piece} or ${piece}`;
  expect([both.compile().sql, both.compile().sql]).toEqual(['a > $1 or a > $2', 'a > $1 or a > $2']);
  expect(piece.compile()).toMatchObject({ sql: 'a > $1', parameters: [5] });
});

test('Kysely takes it as an expression', () => {
  const kysely = new Kysely<{ t: { a: number } }>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const query = kysely
    .selectFrom('t')
    .select('a')
    .where(sql<boolean>`a = ${1} and ${sql`b = ${2}`}`);
  expect(query.compile()).toMatchObject({
    sql: 'select "a" from "t" where a = $1 and b = $2',
    parameters: [1, 2],
  });
});
