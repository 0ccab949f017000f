/** Rows that stay bytes: whatever way they come, and whatever becomes of the tables, they are what the pool gives. */
import { Socket } from 'node:net';
import type { CompiledQuery } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Compiled, type Em, rows, sql } from '../../../src/database/sql.ts';
import { Line } from '../../../src/persistence/lines/line.ts';
import { StatementNames } from '../../../src/persistence/prepared-statements.ts';
import { ServerWatch } from '../../../src/persistence/server-watch.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { atOnce } from '../../support/servers.ts';
import { NASTY_TEXTS } from '../../support/wire-rows.ts';

type Row = Record<string, unknown>;
interface Same {
  readonly found: readonly unknown[];
  readonly expected: readonly unknown[];
}

const MIXED = sql<Row>`select n, null::text as nothing, '' as empty, repeat('é👋"', n * 7) as text, n % 2 = 0 as flag,
  (select json_agg(one.*) from (select n as a, 'b' as b from generate_series(1, n % 3)) one) as part
  from generate_series(1, 40) n`.compile();
const NOTHING = sql<Row>`select 1 as a where false`.compile();
const NO_COLUMNS = sql<Row>`select from generate_series(1, 3)`.compile();
const DIVIDED = sql<Row>`select 10 / (3 - n) as a from generate_series(1, 5) n`.compile();
const NOWHERE = sql<Row>`select * from nowhere`.compile();

const insertTogether = (n: number) => sql`insert into together values (${n}::int) returning n`.compile();

/** A socket that hands arriving bytes on in pieces of this size. */
class SocketInPieces extends Socket {
  readonly #size: number;

  constructor(size: number) {
    super();
    this.#size = size;
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const [chunk] = args;
    if (event !== 'data' || !Buffer.isBuffer(chunk)) return super.emit(event as never, ...(args as never[]));
    for (let at = 0; at < chunk.length; at += this.#size) super.emit('data', chunk.subarray(at, at + this.#size));
    return true;
  }
}

/** As a statement with a `Selection`, whose rows stay bytes until somebody looks. */
const toBeShown = (statement: CompiledQuery<Row>): Compiled<Row> => ({ ...statement, parts: new Map() });

const shownBy = (found: readonly Row[], names: readonly string[]) => found.map((row) => names.map((name) => row[name]));

describe.runIf(isOnPostgres)('rows on a line', () => {
  let database: TestDatabase;
  const lines: Line[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(lines.map((line) => line.close()));
    await database?.close();
  });
  const em = (): Em => database.em.fork();
  const run = (text: string) => rows(em(), sql`${sql.raw(text)}`);

  async function open(names = new StatementNames(), options: ClientConfig = {}): Promise<Line> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const line = new Line(
      { options: { connectionString: database.url ?? '', ...options }, names, watch: new ServerWatch() },
      { onReady: resolve, onLost: () => reject(new Error('lost')) },
    );
    lines.push(line);
    await promise;
    return line;
  }

  /** By the pool, whose rows are objects. */
  async function byPool({ sql: text, parameters }: CompiledQuery<Row>): Promise<Row[]> {
    const client = new Client({ connectionString: database.url ?? '' });
    await client.connect();
    try {
      return (await client.query<Row>(text, [...parameters])).rows;
    } finally {
      await client.end();
    }
  }

  /** The rows that the line gives, over and over, and those that the pool gives. */
  async function bothWays(line: Line, statement: CompiledQuery<Row>): Promise<Same> {
    const expected = await byPool(statement);
    const names = Object.keys(expected[0] ?? {});
    const found: unknown[] = [];
    // Named from the third time on, and not described any more from the fourth on.
    for (let time = 0; time < 3; time += 1) {
      found.push(await line.send(statement), shownBy(await line.send(toBeShown(statement)), names));
    }
    return { found, expected: found.map((_, time) => (time % 2 === 0 ? expected : shownBy(expected, names))) };
  }

  test.each([1, 2, 3, 4, 5, 7, 64])('are whole in pieces of %i bytes', async (size) => {
    const line = await open(new StatementNames(), { stream: () => new SocketInPieces(size) });
    const expected = await byPool(MIXED);
    for (let time = 0; time < 2; time += 1) {
      const found = await Promise.allSettled(
        [NOTHING, MIXED, NOWHERE, MIXED, NO_COLUMNS, DIVIDED, MIXED].map((one) => line.send(one)),
      );
      expect(found).toMatchObject([
        { value: [] },
        { value: expected },
        { reason: { code: '42P01' } },
        { value: expected },
        { value: [{}, {}, {}] },
        { reason: { code: '22012' } },
        { value: expected },
      ]);
    }
  });

  test('of several MB, and many of them, with short ones behind', async () => {
    const line = await open();
    const large = sql<Row>`select n, repeat(n::text || 'é"\\', 700000) as text, n as behind from generate_series(1, 3) n`;
    const many = sql<Row>`select n, n::text as text, null::text as nothing from generate_series(1, 30000) n`;
    const found = await Promise.all(
      [large, MIXED, many, NOTHING].map((one) => line.send(toBeShown('compile' in one ? one.compile() : one))),
    );
    const [larges, mixed, manies, none] = found as [Row[], Row[], Row[], Row[]];
    expect(larges.map((row) => (row['text'] as string) === `${row['n'] as number}é"\\`.repeat(700_000))).toEqual([
      true,
      true,
      true,
    ]);
    expect(larges.map((row) => row['behind'])).toEqual([1, 2, 3]);
    expect(mixed.map((row) => row['n'])).toEqual((await byPool(MIXED)).map((row) => row['n']));
    expect(
      manies.findIndex(
        (row, index) => row['n'] !== index + 1 || row['text'] !== String(index + 1) || row['nothing'] !== null,
      ),
    ).toBe(-1);
    expect([manies.length, none.length]).toEqual([30_000, 0]);
  });

  test('of texts of every kind, as columns and in JSON', async () => {
    const same: Same[] = [];
    same.push(
      await bothWays(
        await open(),
        sql<Row>`select text, json_build_object('t', text) as object, (select json_agg(one.*) from (select text, 1 as n) one) as list
        from unnest(${NASTY_TEXTS}::text[]) text`.compile(),
      ),
    );
    expect(same.map(({ found }) => found)).toEqual(same.map(({ expected }) => expected));
  });

  test('of every type that comes in the binary format, beside one that does not', async () => {
    const same: Same[] = [];
    const line = await open();
    const values = `n::int2 as small, -n as whole, n % 2 = 0 as flag, gen::text as text, gen::varchar as "varchar", gen as id,
      json_build_object('n', n) as json, nullif(n, 2) as maybe`;
    const times = `select n, time::timestamptz as time from unnest(array['infinity', '-infinity', '4713-01-01 00:00 BC',
      '0001-12-31 23:59:59.5 BC', '0001-01-01', '1582-10-15 12:00:00.000001', '1799-12-31 23:59:59.999999', '2000-01-01',
      '2024-02-29 01:02:03.4+05:30', '9999-12-31 23:59:59.999', '294276-12-31 23:59:59.999999']) with ordinality as t(time, n)`;
    const given = `select ${values} from generate_series(1, 9) n, lateral (select md5(n::text)::uuid as gen) g`;
    for (const text of [given, times, `select given.*, 2.5 as other from (${given}) given`])
      same.push(await bothWays(line, sql<Row>`${sql.raw(text)}`.compile()));
    expect(same.map(({ found }) => found)).toEqual(same.map(({ expected }) => expected));
  });

  test('have columns of whatever names: the last of two is shown', async () => {
    const line = await open();
    const same: Same[] = [];
    same.push(await bothWays(line, sql<Row>`select 1 as a, 'x' as b, 2 as a, null as b, 3 as a`.compile()));
    same.push(
      await bothWays(
        line,
        sql<Row>`select 'c' as constructor, 't' as then, 's' as "toString", 'v' as "valueOf", 'h' as "hasOwnProperty",
      '' as "ä ""x""", 1 as "0", 2 as "length", 3 as "#bytes", 4 as "?column?"`.compile(),
      ),
    );
    const [row] = await line.send<Row>(
      toBeShown(sql<Row>`select '{"a": 1}'::json as "__proto__", 'after' as b`.compile()),
    );
    expect([row?.['__proto__'], row?.['b'], ({} as Row)['a']]).toEqual([{ a: 1 }, 'after', undefined]);
    expect(same.map(({ found }) => found)).toEqual(same.map(({ expected }) => expected));
  });

  test('look like any other object, and cannot be changed', async () => {
    const line = await open();
    const statement = sql<Row>`select 7 as a, null::text as b, '{"c": [1]}'::json as c`.compile();
    const [plain] = await line.send(statement);
    const [row] = await line.send(toBeShown(statement));
    if (!plain || !row) throw new Error('There is no row.');
    expect(row).toStrictEqual(plain);
    expect({ ...row }).toStrictEqual(plain);
    const { a, ...rest } = row;
    expect([a, rest]).toStrictEqual([7, { b: null, c: { c: [1] } }]);
    expect([Object.keys(row), Object.entries(row)]).toStrictEqual([Object.keys(plain), Object.entries(plain)]);
    expect(JSON.stringify(row)).toBe(JSON.stringify(plain));
    expect(['a' in row, 'd' in row, 'toString' in row, Object.hasOwn(row, 'd')]).toEqual([true, false, true, false]);
    expect([row['d'], Object.getPrototypeOf(row)]).toEqual([undefined, Object.prototype]);
    expect(Reflect.ownKeys(row)).toEqual(['a', 'b', 'c']);
    expect(row['c']).toBe(row['c']);
    expect(() => Object.assign(row, { a: 8 })).toThrow(TypeError);
    expect(() => delete row['a']).toThrow(TypeError);
    expect(row['a']).toBe(7);
  });

  test('have no columns, or are none', async () => {
    const line = await open();
    const same: Same[] = [];
    same.push(await bothWays(line, NO_COLUMNS));
    same.push(await bothWays(line, NOTHING));
    same.push(await bothWays(line, sql<Row>`update pg_class set relname = relname where false`.compile()));
    expect(same.map(({ found }) => found)).toEqual(same.map(({ expected }) => expected));
  });

  test('are right between statements that fail', async () => {
    const line = await open();
    const statements = Array.from({ length: 60 }, (_, n) =>
      sql<Row>`select n / (${n % 5}::int - 2) as quotient, n from generate_series(${n}::int, ${n}::int + 1) n`.compile(),
    );
    const found = await Promise.allSettled(statements.map((one) => line.send(one)));
    expect(found.map(({ status }, n) => [n, status])).toEqual(
      found.map((_, n) => [n, n % 5 === 2 ? 'rejected' : 'fulfilled']),
    );
    expect(found.flatMap((one) => (one.status === 'fulfilled' ? one.value.map((row) => row['n']) : []))).toEqual(
      found.flatMap((_, n) => (n % 5 === 2 ? [] : [n, n + 1])),
    );
  });

  test.each<[string, string, string]>([
    ['one of them fails', 'select 1 / (3 - n) from together', '22012'],
    ['the commit fails', 'insert into together values (9, 7)', '23503'],
  ])('of statements that are sent together: all are done, or none where %s', async (_, failing, code) => {
    await run(
      `drop table if exists together;
       create table together (n int primary key, refers int references together deferrable initially deferred)`,
    );
    const line = await open();
    const count = sql<Row>`select count(*)::int as n from together`.compile();
    expect(await line.sendTogether([insertTogether(1), count, insertTogether(2)])).toEqual([
      [{ n: 1 }],
      [{ n: 1 }],
      [{ n: 2 }],
    ]);
    // They have one text, which gets its name on the way.
    for (let time = 0; time < 4; time += 1) {
      const broken = line.sendTogether([insertTogether(3), sql`${sql.raw(failing)}`.compile(), insertTogether(4)]);
      const [refused, behind] = await Promise.allSettled([broken, line.send(count)]);
      expect([refused, behind]).toMatchObject([{ reason: { code } }, { value: [{ n: 2 }] }]);
    }
    expect(await line.sendTogether([insertTogether(3), insertTogether(4), count])).toEqual([
      [{ n: 3 }],
      [{ n: 4 }],
      [{ n: 4 }],
    ]);
  });

  test.each([
    ['gets a column in front', 'drop view if exists seen; alter table changed add column "0th" text default \'new\''],
    ['loses a column', 'alter table changed drop column b'],
    ['gets a column of another name', 'alter table changed rename column b to z'],
    ['gets a column of another type', "alter table changed alter column a type text using a || ' as text'"],
    [
      'is another one',
      "drop table changed; create table changed (c text, b text, a int); insert into changed values ('new', 'n', 7)",
    ],
    ['is gone', 'drop table changed'],
  ])('of a table that %s are those of the new one, or none', async (_change, change) => {
    await run(
      "drop table if exists changed; create table changed (a int, b text, c text); insert into changed values (1, 'b', 'c'), (2, null, 'd')",
    );
    const names = new StatementNames();
    const [prepared, described, fresh] = [await open(names), await open(names), await open(names)];
    const statement = sql<Row>`select * from changed order by c`.compile();
    for (let time = 0; time < 5; time += 1) await prepared.send(statement);
    await described.send(statement);
    await run(change);
    const expected = await byPool(statement).catch(() => undefined);
    const asked = [prepared, described, fresh];
    const ask = (line: Line) => atOnce(3, () => line.send(statement).catch(() => undefined));
    // Some were on their way already when the first failed.
    const first = await Promise.all(asked.map(ask));
    for (const one of first.flat()) expect([expected, undefined]).toContainEqual(one);
    const then = await Promise.all(asked.map(ask));
    expect(then.flat()).toEqual(then.flat().map(() => expected));
  });
});
