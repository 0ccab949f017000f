import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';
import { findOwner } from '../../../../src/modules/accounts/require-password.ts';
import { changePassword, type PasswordChange } from '../../../../src/modules/accounts/sign-in/change-password.ts';
import { findSession, startSession } from '../../../../src/modules/accounts/sign-in/sessions.ts';
import { signIn } from '../../../../src/modules/accounts/sign-in/sign-in.ts';
import { testAccountMails } from '../../../support/account-mails.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { meanwhile } from '../../../support/meanwhile.ts';
import { aSession } from '../../../support/session.ts';
import { anAccount, auditOf, PASSWORD, passwordGuesses } from '../an-account.ts';

const ADDRESS = '192.0.2.1';
const NEW_PASSWORD = 'staple mountain river';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

describe('changing a password', () => {
  test('signs in with the new one from then on, and signs other browsers out', async () => {
    const { user, here, elsewhere, change } = await aSignedInUser();
    await change({});
    const guesses = passwordGuesses(database);
    expect(await signIn(em, guesses, { email: user.email, password: NEW_PASSWORD, address: ADDRESS })).toMatchObject({
      user: { id: user.id },
    });
    const withOldOne = signIn(em, guesses, { email: user.email, password: PASSWORD, address: ADDRESS });
    await expect(withOldOne).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
    expect(await findSession(em, here.token)).toBeDefined();
    expect(await findSession(em, elsewhere.token)).toBeUndefined();
    expect(await auditOf(em, user.id)).toContainEqual(expect.objectContaining({ type: 'USER_PASSWORD_CHANGED' }));
  });

  test.each<[string, { currentPassword?: string; newPassword?: string }, string, string]>([
    ['the current one is wrong', { currentPassword: 'wrong' }, 'WRONG_PASSWORD', 'currentPassword'],
    ['the new one is short', { newPassword: 'short' }, 'TOO_SHORT', 'newPassword'],
    ['the new one is the e-mail address', { newPassword: 'grace@acme.test' }, 'GUESSABLE', 'newPassword'],
    ['the new one is not Unicode', { newPassword: '12345678\ud800' }, 'INVALID_TEXT', 'newPassword'],
  ])('is refused when %s, and other browsers stay signed in', async (_, input, code, field) => {
    const email = code === 'GUESSABLE' ? { email: 'grace@acme.test' } : {};
    const { elsewhere, change } = await aSignedInUser(email);
    await expect(change(input)).rejects.toMatchObject({ mistakes: [{ code, path: [field] }] });
    expect(await findSession(em, elsewhere.token)).toBeDefined();
  });

  test('is no second door to guess at: after ten wrong ones the right one is refused', async () => {
    const { change } = await aSignedInUser();
    for (let i = 0; i < 10; i += 1) {
      await expect(change({ currentPassword: 'wrong' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    }
    await expect(change({})).rejects.toMatchObject({ code: 'TOO_MANY_GUESSES' });
  });

  test('at the same moment in two places succeeds in one', async () => {
    const { change } = await aSignedInUser();
    const results = await Promise.allSettled([change({}), change({ newPassword: 'another long password' })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a session that is opened with the old password while it is changed', () => {
  test('after the change finds no account with that password', async () => {
    const { user, change } = await aSignedInUser();
    const proven = await signIn(em, passwordGuesses(database), {
      email: user.email,
      password: PASSWORD,
      address: ADDRESS,
    });
    await change({ endsOtherSessions: false });
    const late = startSession(em, { userId: user.id, ...proven, userAgent: 'test', address: ADDRESS });
    await expect(late).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  });

  test('ends also where other browsers stay', async () => {
    const { user, here, elsewhere, change } = await aSignedInUser();
    const during = await aSession(em, user.id);
    // As if it had been opened a moment after the change began.
    const created = sql`update sessions set created_at = now()`;
    await rows(em, sql`${created} + interval '1 minute' where id = ${during.id}`);
    // And this one some time before: the change is of a millisecond, in which it may have been opened.
    await rows(em, sql`${created} - interval '1 minute' where id = ${elsewhere.id}`);
    await change({ endsOtherSessions: false });
    expect(await findSession(em, during.token)).toBeUndefined();
    expect(await findSession(em, elsewhere.token)).toBeDefined();
    expect(await findSession(em, here.token)).toBeDefined();
  });

  test.runIf(isOnPostgres)('waits for the change, and is refused', async () => {
    const { user, here } = await aSignedInUser();
    const owner = await findOwner(em, user.id);
    const late = meanwhile(
      database,
      (inner) =>
        changePassword(
          inner,
          passwordGuesses(database),
          testAccountMails(database).accountMails,
          changeOf(user.id, here.id),
        ),
      () => startSession(database.em.fork(), { userId: user.id, ...owner, userAgent: 'test', address: ADDRESS }),
    );
    await expect(late).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  });

  test('does not live on, whenever it comes: fifty of them', async () => {
    const { user, here, change } = await aSignedInUser();
    const { passwordHash } = await findOwner(em, user.id);
    const start = { userId: user.id, passwordHash, userAgent: 'test', address: ADDRESS };
    const [, ...started] = await Promise.allSettled([
      change({}),
      ...Array.from({ length: 50 }, (_, n) => delayed(n, () => startSession(database.em.fork(), start))),
    ]);
    const tokens = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token] : []));
    for (const token of tokens) expect(await findSession(em, token)).toBeUndefined();
    expect(await findSession(em, here.token)).toBeDefined();
  });
});

/** Spread over the time that a change takes: about two hashes, of which each turn of the loop is a small part. */
async function delayed<Result>(turns: number, begin: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; turn < turns; turn += 1) await em.getKysely().executeQuery(CompiledQuery.raw('select 1'));
  return begin();
}

async function aSignedInUser(input: { email?: string } = {}) {
  const guesses = passwordGuesses(database);
  const { accountMails } = testAccountMails(database);
  const user = await anAccount(em, input);
  const [here, elsewhere] = [await aSession(em, user.id), await aSession(em, user.id)];
  const change = (input: Partial<PasswordChange>) =>
    changePassword(database.em.fork(), guesses, accountMails, { ...changeOf(user.id, here.id), ...input });
  return { user, here, elsewhere, change };
}

function changeOf(userId: string, sessionId: string): PasswordChange {
  return {
    userId,
    sessionId,
    currentPassword: PASSWORD,
    newPassword: NEW_PASSWORD,
    endsOtherSessions: true,
    address: ADDRESS,
  };
}
