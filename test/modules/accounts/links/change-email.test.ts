import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, row, rows, sql } from '../../../../src/database/sql.ts';
import { findPendingEmail, makeLink, voidLinks } from '../../../../src/modules/accounts/links/account-links.ts';
import { confirmEmail, requestEmailChange } from '../../../../src/modules/accounts/links/change-email.ts';
import { changePassword, resetPassword } from '../../../../src/modules/accounts/sign-in/change-password.ts';
import type { UserProfile } from '../../../../src/modules/accounts/user.queries.ts';
import { testAccountMails } from '../../../support/account-mails.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { meanwhile } from '../../../support/meanwhile.ts';
import { aSession } from '../../../support/session.ts';
import { anAccount, PASSWORD, passwordGuesses } from '../an-account.ts';

const ADDRESS = '192.0.2.1';
const NEW_EMAIL = 'new@acme.test';
const NEW_PASSWORD = 'staple mountain river';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

/** The ways to another password, within a transaction of the test. */
const CHANGES: readonly [string, (user: UserProfile) => Promise<(em: Em) => Promise<unknown>>][] = [
  ['a change', change],
  ['a reset', reset],
];

describe.each(CHANGES)('another address that is asked for with the old password, beside %s of it', (_, preparedFor) => {
  test.runIf(isOnPostgres)('waits for that, and is refused', async () => {
    const user = await anAccount(em);
    const late = meanwhile(database, await preparedFor(user), () => ask(user));
    await expect(late).rejects.toMatchObject({ mistakes: [{ code: 'WRONG_PASSWORD', path: ['currentPassword'] }] });
    expect(await findPendingEmail(em, user.id)).toBeUndefined();
  });

  test('is pending for nobody afterwards, whenever it comes: fifty of them', async () => {
    const user = await anAccount(em);
    const begin = await preparedFor(user);
    const [changed, ...asked] = await Promise.allSettled([
      begin(database.em.fork()),
      ...Array.from({ length: 50 }, (_one, n) => delayed(n, () => ask(user))),
    ]);
    expect(changed.status).toBe('fulfilled');
    const refusals = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refusals.filter((code) => code !== 'WRONG_PASSWORD')).toEqual([]);
    expect(await findPendingEmail(em, user.id)).toBeUndefined();
    await ask(user, NEW_PASSWORD);
    expect(await findPendingEmail(em, user.id)).toBe(NEW_EMAIL);
  });
});

test('a change of something else stops no change of the address', async () => {
  const user = await anAccount(em);
  const elsewhere = (inner: Em) => rows(inner, sql`update users set name = 'Grace' where id = ${user.id}`);
  if (isOnPostgres) await meanwhile(database, elsewhere, () => ask(user));
  else await Promise.all([elsewhere(database.em.fork()), ask(user)]);
  expect(await findPendingEmail(em, user.id)).toBe(NEW_EMAIL);
});

test.runIf(isOnPostgres)(
  'a link that is followed while links are made void is over, and neither waits for ever',
  async () => {
    const { id: userId } = await anAccount(em);
    const token = await aLink(userId, 'CHANGE_EMAIL', NEW_EMAIL);
    const late = meanwhile(
      database,
      (inner) => row(inner, sql`select 1 from users where id = ${userId} for update`),
      () => confirm(token),
      (inner) => voidLinks(inner, userId, ['CHANGE_EMAIL']),
    );
    await expect(late).rejects.toMatchObject({ code: 'LINK_OVER' });
  },
);

test('a link that verifies an address gives no account an address that it has given up', async () => {
  const { id: userId, email } = await anAccount(em, { isEmailVerified: false });
  await confirm(await aLink(userId, 'CHANGE_EMAIL', `next-${email}`));
  // As if it had been made at the moment of the change.
  const late = await aLink(userId, 'VERIFY_EMAIL', email);
  await expect(confirm(late)).rejects.toMatchObject({ code: 'LINK_OVER' });
  const now = await row(em, sql<{ email: string }>`select email from users where id = ${userId}`);
  expect(now?.email).toBe(`next-${email}`);
});

function ask({ id: userId }: UserProfile, currentPassword = PASSWORD): Promise<string> {
  const { accountMails } = testAccountMails(database);
  const input = { userId, newEmail: NEW_EMAIL, currentPassword, address: ADDRESS };
  return requestEmailChange(database.em.fork(), passwordGuesses(database), accountMails, input);
}

async function change({ id: userId }: UserProfile): Promise<(em: Em) => Promise<unknown>> {
  const { id: sessionId } = await aSession(em, userId);
  const input = { userId, sessionId, currentPassword: PASSWORD, newPassword: NEW_PASSWORD, address: ADDRESS };
  const { accountMails } = testAccountMails(database);
  return (inner) =>
    changePassword(inner, passwordGuesses(database), accountMails, { ...input, endsOtherSessions: true });
}

async function reset({ id, email }: UserProfile): Promise<(em: Em) => Promise<unknown>> {
  const input = { token: await aLink(id, 'RESET_PASSWORD', email), newPassword: NEW_PASSWORD, address: ADDRESS };
  const { accountMails } = testAccountMails(database);
  return (inner) => resetPassword(inner, passwordGuesses(database), accountMails, input);
}

async function aLink(userId: string, kind: 'CHANGE_EMAIL' | 'VERIFY_EMAIL' | 'RESET_PASSWORD', email: string) {
  return (await makeLink(em, { userId, kind, email })) ?? '';
}

function confirm(token: string) {
  const { accountMails } = testAccountMails(database);
  return confirmEmail(database.em.fork(), accountMails, { token, address: ADDRESS });
}

/** Spread over the time that a change takes. */
async function delayed<Result>(turns: number, begin: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; turn < turns; turn += 1) await em.getKysely().executeQuery(CompiledQuery.raw('select 1'));
  return begin();
}
