import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { findSuccessor, removeFreeUsernames } from '../../../src/modules/accounts/claim-username.ts';
import { updateProfile } from '../../../src/modules/accounts/update-profile.ts';
import type { UserProfile } from '../../../src/modules/accounts/user.queries.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { meanwhile } from '../../support/meanwhile.ts';
import { anAccount } from './an-account.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

let count = 0;
const aName = (): string => `name-${(count += 1)}`;
const TAKEN = { code: 'USERNAME_TAKEN' };

describe('a username that was given up', () => {
  test('is nobody else’s for 90 days, by signing up or by a change, and then anybody’s', async () => {
    const { user, old } = await renamed();
    const other = await anAccount(em);
    await expect(anAccount(em, { username: old })).rejects.toMatchObject(TAKEN);
    await expect(updateProfile(em, other.id, { username: old })).rejects.toMatchObject(TAKEN);
    await age(old, '89 days 23 hours');
    await expect(anAccount(em, { username: old })).rejects.toMatchObject(TAKEN);
    expect(await findSuccessor(em, old)).toBe(user.username);
    await age(old, '2 hours');
    expect(await findSuccessor(em, old)).toBeUndefined();
    expect(await updateProfile(em, other.id, { username: old })).toMatchObject({ username: old });
    await expect(updateProfile(em, user.id, { username: old })).rejects.toMatchObject(TAKEN);
  });

  test('is taken back by the user who gave it up, and the one in between is kept in its place', async () => {
    const { user, old } = await renamed();
    await updateProfile(em, user.id, { username: old });
    expect(await findSuccessor(em, user.username)).toBe(old);
    await expect(anAccount(em, { username: user.username })).rejects.toMatchObject(TAKEN);
    await expect(anAccount(em, { username: old })).rejects.toMatchObject(TAKEN);
  });

  test('is one of five; a user who has given up five takes one back, or waits', async () => {
    const user = await anAccount(em);
    for (let n = 0; n < 5; n += 1) await updateProfile(em, user.id, { username: aName() });
    const sixth = updateProfile(em, user.id, { username: aName() });
    await expect(sixth).rejects.toMatchObject({ code: 'TOO_MANY_USERNAMES', mistakes: [{ path: ['username'] }] });
    expect(await updateProfile(em, user.id, { username: user.username })).toMatchObject({ username: user.username });
    await rows(
      em,
      sql`update usernames set free_at = now() - interval '1 minute' where user_id = ${user.id} and free_at is not null`,
    );
    expect(await updateProfile(em, user.id, { username: aName() })).toBeDefined();
  });

  test('is swept away once it is free, and no other is', async () => {
    const { old } = await renamed();
    const { old: kept } = await renamed();
    await age(old, '91 days');
    while ((await removeFreeUsernames(em, 100)) > 0);
    expect(await rows(em, sql`select 1 from usernames where username = ${old}`)).toEqual([]);
    expect(await rows(em, sql`select 1 from usernames where username = ${kept}`)).toHaveLength(1);
  });
});

test('a refused change keeps nothing of it: neither the new name nor the one before', async () => {
  const user = await anAccount(em);
  const wanted = aName();
  await expect(updateProfile(em, user.id, { username: (await anAccount(em)).username })).rejects.toMatchObject(TAKEN);
  await expect(updateProfile(em, user.id, { username: wanted, timeZone: 'Nowhere' })).rejects.toMatchObject({
    code: 'INVALID_TIME_ZONE',
  });
  expect(await anAccount(em, { username: wanted })).toBeDefined();
  const own = await row(em, sql`select free_at as "freeAt" from usernames where username = ${user.username}`);
  expect(own).toEqual({ freeAt: null });
});

describe('fifty simultaneous users:', () => {
  const MANY = 50;

  test('when all take one name, by signing up and by changes, one gets it', async () => {
    const others = await Promise.all(Array.from({ length: MANY / 2 }, (_, n) => accountFrom(n)));
    const wanted = aName();
    const outcomes = await outcomesOf([
      ...others.map(({ id }) => updateProfile(database.em.fork(), id, { username: wanted })),
      ...others.map((_, n) => accountFrom(n + 100, { username: wanted })),
    ]);
    expect(outcomes).toEqual({ done: 1, USERNAME_TAKEN: MANY - 1 });
  });

  test('when all want a name in the moment in which it is given up, nobody gets it', async () => {
    const user = await anAccount(em);
    const outcomes = await outcomesOf([
      ...Array.from({ length: MANY }, (_, n) => accountFrom(n, { username: user.username })),
      updateProfile(database.em.fork(), user.id, { username: aName() }),
    ]);
    expect(outcomes).toEqual({ done: 1, USERNAME_TAKEN: MANY });
  });

  test('when all exchange their names in a ring, nobody waits for ever and each name stays one person’s', async () => {
    const ring = await Promise.all(Array.from({ length: 10 }, (_, n) => accountFrom(n)));
    await Promise.allSettled(
      ring.map(({ id }, n) =>
        updateProfile(database.em.fork(), id, { username: ring[(n + 1) % ring.length]?.username ?? '' }),
      ),
    );
    const outcomes = await outcomesOf(
      ring.map(({ id }) => updateProfile(database.em.fork(), id, { username: aName() })),
    );
    expect(outcomes).toEqual({ done: ring.length });
  });
});

test.runIf(isOnPostgres)('a user who takes a name while it is being given up waits, and is refused', async () => {
  const user = await anAccount(em);
  const refused = meanwhile(
    database,
    (inner) => updateProfile(inner, user.id, { username: aName() }),
    () => anAccount(database.em.fork(), { username: user.username }),
  );
  await expect(refused).rejects.toMatchObject(TAKEN);
});

async function renamed(): Promise<{ user: UserProfile; old: string }> {
  const before = await anAccount(em);
  return { user: await updateProfile(em, before.id, { username: aName() }), old: before.username };
}

/** From a network of its own: what waits for its hash in one line is limited. */
function accountFrom(n: number, input: { username?: string } = {}): Promise<UserProfile> {
  return anAccount(database.em.fork(), { ...input, address: `10.1.${n}.1` });
}

async function outcomesOf(tries: Promise<unknown>[]): Promise<Record<string, number>> {
  const results = await Promise.allSettled(tries);
  const outcomes = results.map((result) => {
    if (result.status === 'fulfilled') return 'done';
    return String(result.reason.code ?? result.reason);
  });
  return Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([code, list]) => [code, list.length]));
}

/** As if this much time had passed since the name was given up. */
async function age(username: string, time: string): Promise<void> {
  await rows(em, sql`update usernames set free_at = free_at - ${time}::interval where username = ${username}`);
}
