import { expect, onTestFinished, test } from 'vitest';
import { row, rows, sql } from '../../src/database/sql.ts';
import { openTestDatabase } from '../support/database.ts';

const SMALLEST_DEPTH = '100kB';
/** Each used to leave more than a kilobyte on the stack of the embedded database. */
const FAILURES = 200;

test('however many statements fail, the next one is answered', async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const em = database.em.fork();
  await rows(em, sql`select set_config('max_stack_depth', ${SMALLEST_DEPTH}, false)`);
  const failing = [
    () => rows(em, sql`select ${'none'}::uuid`),
    () => rows(em, sql`select nothing`),
    () => em.transactional((inner) => rows(inner, sql`insert into users (id) values (null)`)),
  ];
  const codes = new Set<string>();
  for (let n = 0; n < FAILURES; n += 1)
    await failing[n % failing.length]?.().catch((error: { code: string }) => codes.add(error.code));
  expect(codes).toEqual(new Set(['22P02', '23502', '42703']));
  expect(await row(em, sql<{ one: number }>`select ${1}::int as one`)).toEqual({ one: 1 });
});
