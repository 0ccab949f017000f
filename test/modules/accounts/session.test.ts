import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUserId } from '../../../src/core/id.ts';
import { pageRequest } from '../../../src/core/page.ts';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import {
  endOtherSessions,
  endSession,
  findSession,
  findSessions,
  removeExpiredSessions,
  revokeSession,
  type SessionStart,
} from '../../../src/modules/accounts/sign-in/sessions.ts';
import { reinstateUser, suspendUser } from '../../../src/modules/accounts/suspend-user.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aSession as openSession } from '../../support/session.ts';
import { ADMINISTRATOR, anAccount, auditOf } from './an-account.ts';

const ADDRESS = '192.0.2.1';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

describe('a session', () => {
  test('is found by its token, with its user', async () => {
    const user = await anAccount(em);
    const { id, token } = await aSession(user.id);
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(await findSession(em, token)).toEqual({
      id,
      userId: user.id,
      userName: user.name,
      userEmail: user.email,
      userLocale: 'en',
      isEmailVerified: true,
      isAdministrator: false,
    });
  });

  test.each(['', 'x', '\0', '\ud800', '__proto__', 'x'.repeat(100_000)])('is not found by %j', async (token) => {
    expect(await findSession(em, token)).toBeUndefined();
  });

  test('is stored without its token', async () => {
    const { id: userId } = await anAccount(em);
    const { id, token } = await aSession(userId);
    const stored = await row(em, sql`select * from sessions where id = ${id}`);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('is found until 30 days have passed without use', async () => {
    const { id, token } = await aSession((await anAccount(em)).id);
    await grow(id, '29 days 23 hours');
    expect(await findSession(em, token)).toBeDefined();
    await grow(id, '29 days 23 hours');
    expect(await findSession(em, token)).toBeDefined();
    await grow(id, '30 days');
    expect(await findSession(em, token)).toBeUndefined();
  });

  test('ends after 90 days, however often it is used', async () => {
    const { id, token } = await aSession((await anAccount(em)).id);
    for (const _ of [1, 2, 3, 4]) {
      await grow(id, '22 days');
      expect(await findSession(em, token)).toBeDefined();
    }
    await grow(id, '2 days');
    expect(await findSession(em, token)).toBeUndefined();
  });

  test('notes once a minute that it was seen', async () => {
    const { id, token } = await aSession((await anAccount(em)).id);
    const atStart = await lastSeenAt(id);
    await findSession(em, token);
    expect(await lastSeenAt(id)).toBe(atStart);
    await grow(id, '61 seconds');
    await findSession(em, token);
    expect((await lastSeenAt(id)) >= atStart).toBe(true);
  });

  test('takes the place of the one whose token the browser showed', async () => {
    const [before, after] = [await anAccount(em), await anAccount(em)];
    const { token: previousToken } = await aSession(before.id);
    const { token } = await aSession(after.id, { previousToken });
    expect(await findSession(em, previousToken)).toBeUndefined();
    expect(await findSession(em, token)).toMatchObject({ userId: after.id });
  });

  test('keeps the start of a long user agent', async () => {
    const { id } = await aSession((await anAccount(em)).id, { userAgent: `\0${'a'.repeat(10_000)}` });
    const stored = await row(em, sql<{ agent: string }>`select user_agent as agent from sessions where id = ${id}`);
    expect(stored?.agent).toBe('a'.repeat(299));
  });
});

describe('sessions end', () => {
  test('by their token, and only that one', async () => {
    const { id: userId } = await anAccount(em);
    const [one, other] = [await aSession(userId), await aSession(userId)];
    expect(await endSession(em, one.token, ADDRESS)).toBe(true);
    expect(await endSession(em, one.token, ADDRESS)).toBe(false);
    expect(await findSession(em, one.token)).toBeUndefined();
    expect(await findSession(em, other.token)).toBeDefined();
  });

  test('by their id for their own user, not for anybody else', async () => {
    const [owner, stranger] = [await anAccount(em), await anAccount(em)];
    const { id, token } = await aSession(owner.id);
    expect(await revokeSession(em, stranger.id, id, ADDRESS)).toBe(false);
    expect(await findSession(em, token)).toBeDefined();
    expect(await revokeSession(em, owner.id, id, ADDRESS)).toBe(true);
    expect(await findSession(em, token)).toBeUndefined();
  });

  test('all but one, of one user', async () => {
    const [user, other] = [await anAccount(em), await anAccount(em)];
    const [kept, ended] = [await aSession(user.id), await aSession(user.id)];
    const untouched = await aSession(other.id);
    expect(await endOtherSessions(em, user.id, kept.id, ADDRESS)).toBe(1);
    expect(await findSession(em, kept.token)).toBeDefined();
    expect(await findSession(em, ended.token)).toBeUndefined();
    expect(await findSession(em, untouched.token)).toBeDefined();
  });
});

test('expired sessions are removed in batches, living ones are not', async () => {
  const { id: userId } = await anAccount(em);
  const living = await aSession(userId);
  while ((await removeExpiredSessions(em, 100)) > 0);
  for (const _ of [1, 2, 3]) await grow((await aSession(userId)).id, '31 days');
  expect(await removeExpiredSessions(em, 2)).toBe(2);
  expect(await removeExpiredSessions(em, 2)).toBe(1);
  expect(await findSession(em, living.token)).toBeDefined();
});

describe('suspending a user', () => {
  test('ends the sessions and lets no new one start; reinstating does, with the old ones gone', async () => {
    const { id } = await anAccount(em);
    const { token } = await aSession(id);
    expect(await suspendUser(em, byAdministrator(id))).toBe(true);
    expect(await findSession(em, token)).toBeUndefined();
    await expect(aSession(id)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    expect(await reinstateUser(em, byAdministrator(id))).toBe(true);
    expect(await findSession(em, token)).toBeUndefined();
    const again = await aSession(id);
    expect(await findSession(em, again.token)).toBeDefined();
  });

  test('refuses a session that slipped through, also after the user is reinstated', async () => {
    const { id } = await anAccount(em);
    await suspendUser(em, byAdministrator(id));
    await rows(em, sql`update users set suspended_at = null where id = ${id}`);
    const { token } = await aSession(id);
    await rows(em, sql`update users set suspended_at = now() where id = ${id}`);
    expect(await findSession(em, token)).toBeUndefined();
    await reinstateUser(em, byAdministrator(id));
    expect(await findSession(em, token)).toBeUndefined();
  });

  test('twice changes nothing, and reinstating one who is not suspended keeps the sessions', async () => {
    const { id } = await anAccount(em);
    const { token } = await aSession(id);
    expect(await reinstateUser(em, byAdministrator(id))).toBe(false);
    expect(await findSession(em, token)).toBeDefined();
    await suspendUser(em, byAdministrator(id));
    expect(await suspendUser(em, byAdministrator(id))).toBe(false);
  });

  test('that does not exist is an error', async () => {
    const id = newUserId();
    await expect(suspendUser(em, byAdministrator(id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(reinstateUser(em, byAdministrator(id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('the audit log tells of sessions and suspensions, and of what changed nothing it does not', async () => {
  const { id } = await anAccount(em);
  const [signedOut, revoked, kept, ended] = [
    await aSession(id),
    await aSession(id),
    await aSession(id),
    await aSession(id),
  ];
  for (const _ of [1, 2]) {
    await endSession(em, signedOut.token, ADDRESS);
    await revokeSession(em, id, revoked.id, ADDRESS);
    await endOtherSessions(em, id, kept.id, ADDRESS);
    await suspendUser(em, byAdministrator(id));
  }
  for (const _ of [1, 2]) await reinstateUser(em, byAdministrator(id));
  const signedIn = { type: 'USER_SIGNED_IN', address: ADDRESS };
  expect(await auditOf(em, id)).toMatchObject([
    { type: 'USER_SIGNED_UP' },
    { ...signedIn, detail: { sessionId: signedOut.id } },
    { ...signedIn, detail: { sessionId: revoked.id } },
    { ...signedIn, detail: { sessionId: kept.id } },
    { ...signedIn, detail: { sessionId: ended.id } },
    { type: 'USER_SIGNED_OUT', detail: { sessionId: signedOut.id } },
    { type: 'SESSION_REVOKED', detail: { sessionId: revoked.id } },
    { type: 'SESSION_REVOKED', detail: { sessionsEnded: 1, keptSessionId: kept.id } },
    { type: 'USER_SUSPENDED', actorId: ADMINISTRATOR },
    { type: 'USER_REINSTATED', actorId: ADMINISTRATOR },
  ]);
});

test('the list of sessions is the user’s own, living ones, newest first, by pages in both directions', async () => {
  const [user, other] = [await anAccount(em), await anAccount(em)];
  await aSession(other.id);
  const [first, second, third, expired] = [
    await aSession(user.id, { userAgent: 'Firefox', address: '192.0.2.7' }),
    await aSession(user.id),
    await aSession(user.id),
    await aSession(user.id),
  ];
  await grow(first.id, '2 days');
  await grow(second.id, '1 day');
  await grow(expired.id, '30 days');
  const all = await findSessions(em, user.id, pageRequest({}, KEY));
  expect(all.rows.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
  expect(all.rows[2]).toMatchObject({ userAgent: 'Firefox', address: '192.0.2.7' });
  const after = all.rows[0]?.key ?? ['', ''];
  const next = await findSessions(em, user.id, { ...pageRequest({ first: 1 }, KEY), after });
  expect(next).toMatchObject({ rows: [{ id: second.id }], hasNextPage: true, hasPreviousPage: true });
  const last = await findSessions(em, user.id, pageRequest({ last: 2 }, KEY));
  expect(last).toMatchObject({
    rows: [{ id: second.id }, { id: first.id }],
    hasPreviousPage: true,
    hasNextPage: false,
  });
});

const KEY = ['TIME', 'UUID'] as const;

function aSession(userId: string, start: Partial<SessionStart> = {}) {
  return openSession(em, userId, { address: ADDRESS, ...start });
}

function byAdministrator(userId: string) {
  return { userId, actorId: ADMINISTRATOR, address: ADDRESS };
}

/** Makes a session older, as if this much time had passed since. */
async function grow(id: string, age: string): Promise<void> {
  await rows(
    em,
    sql`update sessions set created_at = created_at - ${age}::interval, last_seen_at = last_seen_at - ${age}::interval,
      expires_at = expires_at - ${age}::interval where id = ${id}`,
  );
}

async function lastSeenAt(id: string): Promise<string> {
  const found = await row(em, sql<{ at: string }>`select last_seen_at as at from sessions where id = ${id}`);
  return found?.at ?? '';
}
