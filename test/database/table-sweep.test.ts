import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, newUserId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { TableSweep } from '../../src/database/sweep.ts';
import { DomainEvent } from '../../src/events/domain-event.entity.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a sweep walks through the whole table, some rows a step, deletes those that are over, and begins anew', async () => {
  const em = database.em.fork();
  const isOver = sql<boolean>`occurred_at < now() - interval '1 day'`;
  const sweep = new TableSweep(DomainEvent, isOver, 2);
  const [first, second] = [newUserId(), newUserId()];
  const add = (ownerId: string, days: number) =>
    rows(
      em,
      sql`insert into domain_events (owner_id, id, type, data, occurred_at)
          values (${ownerId}, ${newId()}, 'TEST', '{}', now() - make_interval(days => ${days}::int))`,
    );
  for (const [ownerId, days] of [
    [first, 2],
    [first, 0],
    [first, 2],
    [second, 2],
    [second, 0],
  ] as const) {
    await add(ownerId, days);
  }
  const left = async () => (await rows(em, sql`select 1 from domain_events where type = 'TEST'`)).length;
  expect([await sweep.step(em), await left()]).toEqual([1, 4]);
  expect([await sweep.step(em), await left()]).toEqual([2, 2]);
  // The last step meets one row, the end, and begins anew.
  expect([await sweep.step(em), await left()]).toEqual([0, 2]);
  await rows(em, sql`update domain_events set occurred_at = now() - interval '2 days' where type = 'TEST'`);
  expect([await sweep.step(em), await left()]).toEqual([2, 0]);
});
