import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, newUserId } from '../../src/core/id.ts';
import { anyOf, COUNT, changed, type Em, fromNow, json, NOW, row, rows } from '../../src/database/sql.ts';
import { deleteFrom, insertInto, selectFrom, updateTable } from '../../src/database/statements.ts';
import { sweepOf } from '../../src/database/sweep.ts';
import { IdempotencyKey } from '../../src/limits/idempotency-key.entity.ts';
import { Session } from '../../src/modules/accounts/sign-in/session.entity.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

test('columns are named as in the database, and what is selected as in code', () => {
  const [userId, id] = [newUserId(), newId()];
  const listed = selectFrom(Session, { userId })
    .select(['id', 'item.lastSeenAt'])
    .select((eb) => eb('userAgent', '=', '').as('isUnnamed'))
    .where('expiresAt', '>', NOW)
    .orderBy('createdAt', 'desc');
  expect(listed.compile()).toMatchObject({
    sql: 'select "id", "item"."last_seen_at" as "lastSeenAt", "user_agent" = $1 as "isUnnamed" from "sessions" as "item" where "user_id" = $2 and "expires_at" > now() order by "created_at" desc',
    parameters: ['', userId],
  });
  expect(deleteFrom(Session, { id }).returning(['id', 'userId']).compile().sql).toBe(
    'delete from "sessions" as "item" where "id" = $1 returning "id", "user_id" as "userId"',
  );
});

test('a statement inserts, finds, changes and deletes rows, and says how many it changed', async () => {
  const ownerId = newUserId();
  const keys = ['a', 'b', 'c'];
  for (const keyHash of keys) expect(await changed(em, insertOnce(ownerId, keyHash))).toBe(1);
  expect(await changed(em, insertOnce(ownerId, 'a'))).toBe(0);

  const some = updateTable(IdempotencyKey, { ownerId }).where('keyHash', '=', anyOf(['a', 'b', 'x']));
  expect(await changed(em, some.set({ result: json([1, 'it’s']) }))).toBe(2);
  const found = selectFrom(IdempotencyKey, { ownerId }).select(['keyHash', 'result']).orderBy('keyHash');
  expect(await rows(em, found)).toEqual([
    { keyHash: 'a', result: [1, 'it’s'] },
    { keyHash: 'b', result: [1, 'it’s'] },
    { keyHash: 'c', result: null },
  ]);
  expect(await rows(em, selectFrom(IdempotencyKey, { ownerId, result: null }).select('keyHash'))).toEqual([
    { keyHash: 'c' },
  ]);

  const gone = await row(em, deleteFrom(IdempotencyKey, { ownerId, keyHash: 'c' }).returning('requestHash'));
  expect([gone, await count(ownerId)]).toEqual([{ requestHash: 'request c' }, 2]);
});

test('a statement belongs to the transaction of the EntityManager that it is given', async () => {
  const ownerId = newUserId();
  const rolledBack = em.transactional(async (inner) => {
    await changed(inner, insertOnce(ownerId, 'a'));
    expect(await row(inner, selectFrom(IdempotencyKey, { ownerId }).select(COUNT.as('count')))).toEqual({ count: 1 });
    throw new Error('No.');
  });
  await expect(rolledBack).rejects.toThrow('No.');
  expect(await count(ownerId)).toBe(0);
});

test('a sweep deletes so many rows at most, those that were over first', async () => {
  const ownerId = newUserId();
  for (const [keyHash, days] of [
    ['old', -2],
    ['oldest', -3],
    ['new', 1],
  ] as const) {
    await changed(em, insertOnce(ownerId, keyHash, days));
  }
  const sweep = sweepOf(IdempotencyKey, 'createdAt');
  const left = async () => rows(em, selectFrom(IdempotencyKey, { ownerId }).select('keyHash').orderBy('createdAt'));
  expect([await sweep(em, 1), await left()]).toEqual([1, [{ keyHash: 'old' }, { keyHash: 'new' }]]);
  // Those of the tests above are of now, which is past.
  await sweep(em, 10);
  expect(await left()).toEqual([{ keyHash: 'new' }]);
});

function insertOnce(ownerId: string, keyHash: string, days = 0) {
  return insertInto(IdempotencyKey)
    .values({ ownerId, keyHash, requestHash: `request ${keyHash}`, createdAt: fromNow(days, 'days') })
    .onConflict((key) => key.columns(['ownerId', 'keyHash']).doNothing());
}

async function count(ownerId: string): Promise<number | undefined> {
  return (await row(em, selectFrom(IdempotencyKey, { ownerId }).select(COUNT.as('count'))))?.count;
}
