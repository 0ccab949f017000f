/** Answers of a database are read alike, from the embedded one and from a server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { NASTY_TEXTS } from '../support/wire-rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const ask = (text: string) => rows(database.em.fork(), sql`${sql.raw(text)}`);
const PIECES = 3_000;

test('an answer of many pieces is whole, be they short or longer than one piece may be', async () => {
  const found = await rows(
    database.em.fork(),
    sql`select n, repeat('é👋', n % 50) as short, case when n % 1000 = 0 then repeat('ab', 500000) end as long
      from generate_series(1, ${PIECES}::int) n`,
  );
  const expected = Array.from({ length: PIECES }, (_, index) => index + 1);
  expect(found).toEqual(
    expected.map((n) => ({ n, short: 'é👋'.repeat(n % 50), long: n % 1_000 === 0 ? 'ab'.repeat(500_000) : null })),
  );
});

test('a text arrives as it was sent, whatever is in it', async () => {
  const found = await rows(
    database.em.fork(),
    sql`select text from unnest(${NASTY_TEXTS}::text[]) with ordinality as one (text, place) order by place`,
  );
  expect(found).toEqual(NASTY_TEXTS.map((text) => ({ text })));
});

test.each([
  ['no rows', 'select 1 as a where false', []],
  ['rows without columns', 'select from generate_series(1, 2)', [{}, {}]],
  ['two columns of one name, of which the last is shown', 'select 1 as a, 2 as a', [{ a: 2 }]],
  ['nothing but a notice', `do $$ begin raise notice 'hello'; end $$`, []],
])('%s', async (_, text, expected) => {
  expect(await ask(text)).toEqual(expected);
});

test.each([
  ['bool', 'true', true],
  ['int2', '7', 7],
  ['int8', '9007199254740993', '9007199254740993'],
  ['float8', '0.1', 0.1],
  ['numeric', '1.10', '1.10'],
  ['json', '{"a":[1]}', { a: [1] }],
  ['bytea', '\\x00ff', Buffer.from([0, 255])],
  ['date', '2031-01-07', '2031-01-07'],
  ['timestamptz', '2031-01-07T00:00:00.123456Z', '2031-01-07 00:00:00.123456+00'],
  ['timestamptz[]', '{2031-01-07T00:00:00Z,null}', ['2031-01-07 00:00:00+00', null]],
  ['interval', '1 day 2 hours', '1 day 02:00:00'],
  ['uuid[]', '{0192a3b4-c5d6-7e8f-9a0b-1c2d3e4f5a6b}', ['0192a3b4-c5d6-7e8f-9a0b-1c2d3e4f5a6b']],
  ['int8[]', '{9007199254740993}', ['9007199254740993']],
  ['text[]', '{a,"b,\\"",NULL,"NULL"}', ['a', 'b,"', null, 'NULL']],
])('a value of type %s is the same on either database', async (type, text, expected) => {
  await ask(`set time zone 'UTC'`);
  expect(await ask(`select '${text}'::${type} as value`)).toEqual([{ value: expected }]);
});

test('an error keeps all that PostgreSQL says of it', async () => {
  const raised =
    ask(`do $$ begin raise exception 'the message' using errcode = '22001', detail = 'a detail', hint = 'a hint',
    schema = 'a_schema', table = 'a_table', column = 'a_column', datatype = 'a_type', constraint = 'a_constraint'; end $$`);
  await expect(raised).rejects.toMatchObject({
    message: 'the message',
    severity: 'ERROR',
    code: '22001',
    detail: 'a detail',
    hint: 'a hint',
    where: expect.stringContaining('at RAISE'),
    schema: 'a_schema',
    table: 'a_table',
    column: 'a_column',
    dataType: 'a_type',
    constraint: 'a_constraint',
    file: 'pl_exec.c',
    line: expect.stringMatching(/^\d+$/),
    routine: 'exec_stmt_raise',
  });
  await expect(ask('select nothing')).rejects.toMatchObject({ code: '42703', position: '8' });
});

test('an error behind some rows leaves none of them, and nothing of either in the next answer', async () => {
  for (let time = 0; time < 4; time += 1) {
    const divided = rows(database.em.fork(), sql`select 10 / (${3}::int - n) as a from generate_series(1, 5) n`);
    await expect(divided).rejects.toMatchObject({ code: '22012' });
    expect(await ask('select 1 as a')).toEqual([{ a: 1 }]);
  }
});

test.skipIf(isOnPostgres)('the last of several statements in one text answers; the first error ends them', async () => {
  expect(await ask('select 1 as a; select 2 as b')).toEqual([{ b: 2 }]);
  expect(await ask('select 1 as a; create temporary table begun (id int)')).toEqual([]);
  await expect(ask('insert into begun values (1); select 1 / 0; select 3 as c')).rejects.toMatchObject({
    code: '22012',
  });
  expect(await ask('select * from begun')).toEqual([]);
});

test.skipIf(isOnPostgres)('data to copy are refused, and the database goes on', async () => {
  await ask('create temporary table copied (id int)');
  await expect(ask('copy copied from stdin')).rejects.toMatchObject({ code: '57014' });
  expect(await ask(`select 'stdin' as word`)).toEqual([{ word: 'stdin' }]);
  expect(await ask('select * from copied')).toEqual([]);
});
