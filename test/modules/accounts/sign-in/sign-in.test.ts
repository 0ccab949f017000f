import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, row, rows, sql } from '../../../../src/database/sql.ts';
import type { GuessLimit } from '../../../../src/limits/guess-limit.ts';
import { startSession } from '../../../../src/modules/accounts/sign-in/sessions.ts';
import { removeOldFailedSignIns, signIn } from '../../../../src/modules/accounts/sign-in/sign-in.ts';
import { suspendUser } from '../../../../src/modules/accounts/suspend-user.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { paced } from '../../../support/pace.ts';
import { ADMINISTRATOR, anAccount, auditOf, PASSWORD, passwordGuesses } from '../an-account.ts';

const HERE = '192.0.2.1';
const ELSEWHERE = '198.51.100.1';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

describe('signing in', () => {
  test('gives the user whose e-mail address and password were typed', async () => {
    const user = await anAccount(em);
    expect(await attempt({ email: user.email })).toEqual(user);
    expect(await attempt({ email: ` ${user.email.toUpperCase()} ` })).toEqual(user);
  });

  test.each<[string, (email: string) => { email: string; password?: string }]>([
    ['the password is wrong', (email) => ({ email, password: 'wrong' })],
    ['the password is empty', (email) => ({ email, password: '' })],
    ['there is no such account', () => ({ email: 'nobody@acme.test' })],
    ['the address is none', () => ({ email: 'nobody' })],
    ['the address holds NUL', (email) => ({ email: `${email}\0` })],
    ['the address is a megabyte', () => ({ email: 'x'.repeat(1_000_000) })],
    ['the password holds NUL', (email) => ({ email, password: '\0' })],
  ])('is refused in the same words when %s', async (_, typed) => {
    const user = await anAccount(em);
    await expect(attempt(typed(user.email))).rejects.toMatchObject({
      code: 'WRONG_CREDENTIALS',
      message: 'The e-mail address or password is wrong; check both and try again.',
    });
  });

  test('of a suspended user is refused, and says so only when the password is right', async () => {
    const { id, email } = await anAccount(em);
    await suspendUser(em, { userId: id, actorId: ADMINISTRATOR, address: HERE });
    await expect(attempt({ email })).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    await expect(attempt({ email, password: 'wrong' })).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  });
});

describe('several accounts with one address', () => {
  test('each is found by its own password: the verified one, and the oldest and the newest that are not verified', async () => {
    const verified = await anAccount(em);
    const { email } = verified;
    const oldest = await anAccount(em, { email, isEmailVerified: false, password: 'the oldest password' });
    await anAccount(em, { email, isEmailVerified: false, password: 'a password between' });
    const newest = await anAccount(em, { email, isEmailVerified: false, password: 'the newest password' });
    expect(await attempt({ email })).toEqual(verified);
    expect(await attempt({ email, password: 'the newest password' })).toEqual(newest);
    expect(await attempt({ email, password: 'the oldest password' })).toEqual(oldest);
    await expect(attempt({ email, password: 'a password between' })).rejects.toMatchObject({
      code: 'WRONG_CREDENTIALS',
    });
  });

  test('the verified one is meant where both have one password', async () => {
    const verified = await anAccount(em);
    await anAccount(em, { email: verified.email, isEmailVerified: false });
    expect(await attempt({ email: verified.email })).toEqual(verified);
  });

  test('one that is not verified clears no count of guesses at the other', async () => {
    const guesses = passwordGuesses(database);
    const { email } = await anAccount(em);
    await anAccount(em, { email, isEmailVerified: false, password: 'the one of the guesser' });
    await guessTimes(9, email, guesses);
    await attempt({ email, guesses, password: 'the one of the guesser' });
    await expect(attempt({ email, guesses })).rejects.toMatchObject({ code: 'TOO_MANY_GUESSES' });
  });
});

describe('the audit log', () => {
  const failure = { type: 'USER_SIGN_IN_FAILED', address: HERE };

  test('tells of failures, of nobody’s account too, and never what was typed', async () => {
    const { id, email } = await anAccount(em);
    await expect(attempt({ email, password: 'typed by mistake' })).rejects.toThrow('password is wrong');
    await expect(attempt({ email: 'secret-typed-as-address', password: 'x' })).rejects.toThrow('password is wrong');
    const detail = { reason: 'WRONG_CREDENTIALS', failures: 1 };
    expect(await auditOf(em, id)).toMatchObject([{ type: 'USER_SIGNED_UP' }, { ...failure, detail }]);
    expect(await auditOf(em, null)).toMatchObject([{ ...failure, detail: { reason: 'WRONG_CREDENTIALS' } }]);
    const log = JSON.stringify(await rows(em, sql`select * from audit_events`));
    expect(log).not.toMatch(/typed/);
  });

  test('counts the failures of an account from one network in an hour in one event, and keeps reasons apart', async () => {
    const { id, email } = await anAccount(em);
    const attempts = Array.from({ length: 50 }, () =>
      attempt({ email, password: 'wrong', em: database.em.fork(), guesses: passwordGuesses(database) }),
    );
    await Promise.allSettled(attempts);
    await Promise.allSettled([attempt({ email, password: 'wrong', address: ELSEWHERE })]);
    const wrong = { ...failure, detail: { reason: 'WRONG_CREDENTIALS', failures: 50 } };
    const elsewhere = { ...wrong, address: ELSEWHERE, detail: { reason: 'WRONG_CREDENTIALS', failures: 1 } };
    expect(await auditOf(em, id)).toMatchObject([{ type: 'USER_SIGNED_UP' }, wrong, elsewhere]);

    await rows(em, sql`update failed_sign_ins set ends_at = ends_at - interval '1 hour'`);
    await suspendUser(em, { userId: id, actorId: ADMINISTRATOR, address: HERE });
    await Promise.allSettled([attempt({ email }), attempt({ email, password: 'wrong' })]);
    const later = (await auditOf(em, id)).slice(4) as { detail: { reason: string } }[];
    expect(later.toSorted((a, b) => a.detail.reason.localeCompare(b.detail.reason))).toMatchObject([
      { ...failure, detail: { reason: 'ACCOUNT_SUSPENDED', failures: 1 } },
      { ...failure, detail: { reason: 'WRONG_CREDENTIALS', failures: 1 } },
    ]);
  });

  test('grows by one event an hour for all addresses that nobody has', async () => {
    const before = await auditOf(em, null);
    for (let n = 0; n < 20; n += 1) {
      await expect(attempt({ email: `nobody-${n}@acme.test` })).rejects.toThrow('password is wrong');
    }
    expect((await auditOf(em, null)).length - before.length).toBeLessThanOrEqual(1);
    while ((await removeOldFailedSignIns(em, 100)) > 0);
    await rows(em, sql`update failed_sign_ins set ends_at = now() - interval '1 second'`);
    expect(await removeOldFailedSignIns(em, 1_000)).toBeGreaterThan(0);
    expect(await rows(em, sql`select * from failed_sign_ins`)).toEqual([]);
  });
});

describe('after ten wrong passwords from one network', () => {
  test('the right one is refused there too, and accepted from elsewhere', async () => {
    const guesses = passwordGuesses(database);
    const user = await anAccount(em);
    await guessTimes(10, user.email, guesses);
    const refused = attempt({ email: user.email, guesses });
    await expect(refused).rejects.toMatchObject({ code: 'TOO_MANY_GUESSES', secondsToWait: expect.any(Number) });
    expect(await attempt({ email: user.email, guesses, address: ELSEWHERE })).toEqual(user);
  });

  test('an account that does not exist is refused in the same way', async () => {
    const guesses = passwordGuesses(database);
    await guessTimes(10, 'nobody@acme.test', guesses);
    await expect(attempt({ email: 'nobody@acme.test', guesses })).rejects.toMatchObject({ code: 'TOO_MANY_GUESSES' });
  });

  test('another account is not', async () => {
    const guesses = passwordGuesses(database);
    const [victim, neighbour] = [await anAccount(em), await anAccount(em)];
    await guessTimes(10, victim.email, guesses);
    expect(await attempt({ email: neighbour.email, guesses })).toEqual(neighbour);
  });
});

test('the right password makes nine wrong ones forgotten', async () => {
  const guesses = passwordGuesses(database);
  const { email } = await anAccount(em);
  await guessTimes(9, email, guesses);
  await attempt({ email, guesses });
  await guessTimes(9, email, guesses);
  await expect(attempt({ email, guesses })).resolves.toMatchObject({ email });
});

test('ten of fifty wrong passwords sent at once are looked at', async () => {
  const guesses = passwordGuesses(database);
  const { email } = await anAccount(em);
  const tries = Array.from({ length: 50 }, () =>
    attempt({ email, password: 'wrong', guesses, em: database.em.fork() }),
  );
  const codes = (await Promise.allSettled(tries)).map((result) => result.status === 'rejected' && result.reason.code);
  expect(codes.filter((code) => code === 'WRONG_CREDENTIALS')).toHaveLength(10);
  expect(codes.filter((code) => code === 'TOO_MANY_GUESSES')).toHaveLength(40);
});

async function underAttack() {
  const user = await anAccount(em);
  const guesses = passwordGuesses(database);
  for (let index = 0; index < 30; index += 1) {
    const guess = attempt({ email: user.email, password: 'wrong', address: network(index), guesses });
    await expect(guess).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  }
  return { ...user, guesses };
}

describe('while many networks guess at one account', () => {
  test('further guesses are slow, and nobody who knows the password is locked out', async () => {
    const { email, guesses } = await underAttack();
    const wrong = (index: number) => attempt({ email, password: 'wrong', address: network(index), guesses });
    await timed(wrong(31));
    expect(await timed(wrong(32))).toBeGreaterThan(1_000);
    expect(await attempt({ email, guesses, address: network(33) })).toMatchObject({ email });
  });

  test('whoever is signed in from a network already waits for nothing there', async () => {
    const { id, email, guesses } = await underAttack();
    const account = await row(em, sql<{ hash: string }>`select password_hash as hash from users where id = ${id}`);
    const passwordHash = account?.hash ?? '';
    await startSession(em, { userId: id, passwordHash, userAgent: 'a browser', address: '203.0.113.7' });
    await timed(attempt({ email, password: 'wrong', address: network(31), guesses }));
    const home = attempt({ email, address: '203.0.113.99', guesses });
    expect(await timed(home)).toBeLessThan(paced(1_500));
    expect(await home).toMatchObject({ email });
  });

  test('it is the same for an address that nobody has', async () => {
    const guesses = passwordGuesses(database);
    const wrong = (index: number) => attempt({ email: 'nobody@acme.test', address: network(index), guesses });
    for (let index = 0; index < 31; index += 1) await timed(wrong(index));
    expect(await timed(wrong(32))).toBeGreaterThan(1_000);
  });
});

interface Attempt {
  readonly email: string;
  readonly password?: string;
  readonly address?: string;
  readonly guesses?: GuessLimit;
  readonly em?: Em;
}

async function attempt(attempted: Attempt) {
  const guesses = attempted.guesses ?? passwordGuesses(database);
  const { user } = await signIn(attempted.em ?? em, guesses, { password: PASSWORD, address: HERE, ...attempted });
  return user;
}

async function guessTimes(times: number, email: string, guesses: GuessLimit): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    await expect(attempt({ email, password: `wrong ${i}`, guesses })).rejects.toMatchObject({
      code: 'WRONG_CREDENTIALS',
    });
  }
}

function network(index: number): string {
  return `198.51.${index}.1`;
}

/** Milliseconds, whatever comes of it. */
async function timed(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work.catch(() => undefined);
  return performance.now() - begun;
}
