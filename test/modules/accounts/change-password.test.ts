import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Em } from '../../../src/database/sql.ts';
import { changePassword } from '../../../src/modules/accounts/change-password.ts';
import { findSession } from '../../../src/modules/accounts/session.queries.ts';
import { signIn } from '../../../src/modules/accounts/sign-in.ts';
import { startSession } from '../../../src/modules/accounts/start-session.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { anAccount, auditOf, PASSWORD, passwordGuesses } from './an-account.ts';

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
      id: user.id,
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

async function aSignedInUser(input: { email?: string } = {}) {
  const guesses = passwordGuesses(database);
  const user = await anAccount(em, input);
  const start = { userId: user.id, userAgent: 'test', address: ADDRESS };
  const [here, elsewhere] = [await startSession(em, start), await startSession(em, start)];
  const change = (input: { currentPassword?: string; newPassword?: string }) =>
    changePassword(database.em.fork(), guesses, {
      userId: user.id,
      sessionId: here.id,
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
      address: ADDRESS,
      ...input,
    });
  return { user, here, elsewhere, change };
}
