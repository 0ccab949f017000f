import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import type { GuessLimit } from '../../../src/limits/guess-limit.ts';
import { signIn } from '../../../src/modules/accounts/sign-in.ts';
import { suspendUser } from '../../../src/modules/accounts/suspend-user.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { anAccount, auditOf, PASSWORD, passwordGuesses } from './an-account.ts';

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
      message: 'The e-mail address or the password is not right; check both and try again.',
    });
  });

  test('takes as long for an account that does not exist', async () => {
    const { email } = await anAccount(em);
    const [known, unknown]: [number[], number[]] = [[], []];
    // In turns, and then the fastest of each: what other work of the machine adds is never negative.
    for (let i = 0; i < 5; i += 1) {
      known.push(await millisecondsOf(attempt({ email, password: 'wrong' })));
      unknown.push(await millisecondsOf(attempt({ email: 'nobody@acme.test', password: 'wrong' })));
    }
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2);
  });

  test('of a suspended user is refused, and says so only to who knows the password', async () => {
    const { id, email } = await anAccount(em);
    await suspendUser(em, { userId: id, actorId: 'usr_administrator', address: HERE });
    await expect(attempt({ email })).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    await expect(attempt({ email, password: 'wrong' })).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  });
});

test('the audit log tells of failures, of nobody’s account too, and never what was typed', async () => {
  const { id, email } = await anAccount(em);
  await expect(attempt({ email, password: 'typed by mistake' })).rejects.toThrow('is not right');
  await expect(attempt({ email: 'secret-typed-as-address', password: 'x' })).rejects.toThrow('is not right');
  const failure = { type: 'USER_SIGN_IN_FAILED', address: HERE, detail: { reason: 'WRONG_CREDENTIALS' } };
  expect(await auditOf(em, id)).toMatchObject([{ type: 'USER_SIGNED_UP' }, failure]);
  expect(await auditOf(em, null)).toMatchObject(expect.arrayContaining([expect.objectContaining(failure)]));
  const log = JSON.stringify(await rows(em, sql`select * from audit_events`));
  expect(log).not.toMatch(/typed/);
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

test('of fifty wrong passwords sent at once ten are looked at', async () => {
  const guesses = passwordGuesses(database);
  const { email } = await anAccount(em);
  const tries = Array.from({ length: 50 }, () =>
    attempt({ email, password: 'wrong', guesses, em: database.em.fork() }),
  );
  const codes = (await Promise.allSettled(tries)).map((result) => result.status === 'rejected' && result.reason.code);
  expect(codes.filter((code) => code === 'WRONG_CREDENTIALS')).toHaveLength(10);
  expect(codes.filter((code) => code === 'TOO_MANY_GUESSES')).toHaveLength(40);
});

interface Attempt {
  readonly email: string;
  readonly password?: string;
  readonly address?: string;
  readonly guesses?: GuessLimit;
  readonly em?: Em;
}

function attempt(attempted: Attempt) {
  const guesses = attempted.guesses ?? passwordGuesses(database);
  return signIn(attempted.em ?? em, guesses, { password: PASSWORD, address: HERE, ...attempted });
}

async function guessTimes(times: number, email: string, guesses: GuessLimit): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    await expect(attempt({ email, password: `wrong ${i}`, guesses })).rejects.toMatchObject({
      code: 'WRONG_CREDENTIALS',
    });
  }
}

async function millisecondsOf(refused: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await expect(refused).rejects.toThrow('is not right');
  return performance.now() - start;
}
