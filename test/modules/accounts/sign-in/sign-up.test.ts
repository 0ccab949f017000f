import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTeam } from '../../../../src/core/id.ts';
import { type Em, row, sql } from '../../../../src/database/sql.ts';
import { type SignUpInput, signUp } from '../../../../src/modules/accounts/sign-in/sign-up.ts';
import { findUser } from '../../../../src/modules/accounts/user.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { anAccount, aSignUp, PASSWORD } from '../an-account.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

test('signing up makes an account with ordinary settings', async () => {
  const user = await anAccount(em, { name: 'Ada', username: 'ada', email: 'ada@acme.test' });
  expect(isTeam(user.id)).toBe(false);
  expect(user).toMatchObject({
    email: 'ada@acme.test',
    isEmailVerified: true,
    username: 'ada',
    name: 'Ada',
    timeZone: 'UTC',
    weekStart: 'MONDAY',
    timeFormat: 24,
    locale: 'en',
    bio: null,
    avatarUrl: null,
    metadata: {},
    isAdministrator: false,
  });
  expect(await findUser(em, user.id)).toEqual(user);
});

test('input is tidied: spaces around it, capitals of addresses and names, the spelling of a zone', async () => {
  const typed = { name: ' Bo\u0308b ', username: ' Bob ', email: ' Bob@ACME.test ', timeZone: 'europe/berlin' };
  expect(await anAccount(em, typed)).toMatchObject({
    name: 'Böb',
    username: 'bob',
    email: 'bob@acme.test',
    timeZone: 'Europe/Berlin',
  });
});

test('a username may begin as the addresses of teams do', async () => {
  expect(await anAccount(em, { username: 'teams' })).toMatchObject({ username: 'teams' });
});

test('the password is kept as a hash only', async () => {
  const { id } = await anAccount(em);
  const stored = await row(em, sql<{ hash: string }>`select password_hash as hash from users where id = ${id}`);
  expect(stored?.hash).toMatch(/^\$argon2id\$/);
  expect(stored?.hash).not.toContain(PASSWORD);
});

describe('signing up is refused when', () => {
  test.each<[string, Parameters<typeof aSignUp>[0], string, string]>([
    ['the name is empty', { name: '  ' }, 'REQUIRED', 'name'],
    ['the name holds NUL', { name: 'a\0' }, 'INVALID_TEXT', 'name'],
    ['the name holds a lone surrogate', { name: 'a\ud800' }, 'INVALID_TEXT', 'name'],
    ['the name has 65 characters', { name: '🦊'.repeat(65) }, 'TOO_LONG', 'name'],
    ['the username cannot stand in an address', { username: 'a b' }, 'INVALID_SLUG', 'username'],
    ['the username stands before teams in addresses', { username: 'Team' }, 'USERNAME_TAKEN', 'username'],
    ['the username stands before organizations', { username: 'organization' }, 'USERNAME_TAKEN', 'username'],
    ['the e-mail address is none', { email: 'ada' }, 'INVALID_EMAIL', 'email'],
    ['the e-mail address has NUL', { email: 'a\0@acme.test' }, 'INVALID_EMAIL', 'email'],
    ['the password has 7 characters', { password: '1234567' }, 'TOO_SHORT', 'password'],
    ['the password is empty', { password: '' }, 'REQUIRED', 'password'],
    ['the password has 201 characters', { password: 'x'.repeat(201) }, 'TOO_LONG', 'password'],
    ['the password holds a lone surrogate', { password: '1234567\ud800' }, 'INVALID_TEXT', 'password'],
    ['the password is the e-mail', { email: 'x@acme.test', password: 'X@acme.test' }, 'GUESSABLE', 'password'],
    ['the password is the username', { username: 'longname', password: 'LongName' }, 'GUESSABLE', 'password'],
    ['the time zone is unknown', { timeZone: 'Mars/Base' }, 'INVALID_TIME_ZONE', 'timeZone'],
  ])('%s', async (_, input, code, field) => {
    await expect(signUp(em, aSignUp(input))).rejects.toMatchObject({ mistakes: [{ code, path: [field] }] });
  });

  test('many things are wrong, and all are told at once, none of them with the password', async () => {
    const refused = signUp(em, { name: '', username: '', email: '', password: 'secret', timeZone: '' });
    const { mistakes } = await refused.then(
      () => expect.fail('was accepted'),
      (problem: { mistakes: { path: string[] }[] }) => problem,
    );
    expect(mistakes.map(({ path }) => path[0])).toEqual(['name', 'username', 'email', 'password', 'timeZone']);
    expect(JSON.stringify(mistakes)).not.toContain('secret');
  });

  test('the username is taken, in any capitals', async () => {
    const taken = await anAccount(em);
    const username = taken.username.toUpperCase();
    await expect(anAccount(em, { username })).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
  });

  test('the operator vouches for an address that another account has verified, in any capitals', async () => {
    const taken = await anAccount(em);
    const email = taken.email.toUpperCase();
    await expect(anAccount(em, { email })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect(await anAccount(em, { email, isEmailVerified: false })).toMatchObject({
      email: taken.email,
      isEmailVerified: false,
    });
  });
});

test('a name at its limits is accepted', async () => {
  expect(await anAccount(em, { name: '🦊'.repeat(64), password: 'x'.repeat(200) })).toMatchObject({
    name: '🦊'.repeat(64),
  });
});

describe('fifty simultaneous sign-ups', () => {
  const MANY = 50;

  test('with one address that the operator vouches for, one gets it', async () => {
    const outcomes = await signUpAtOnce({ email: 'wanted@acme.test', isEmailVerified: true });
    expect(outcomes).toEqual({ CREATED: 1, EMAIL_TAKEN: MANY - 1 });
  });

  test('with one address that nobody has verified, all get an account', async () => {
    expect(await signUpAtOnce({ email: 'open@acme.test', isEmailVerified: false })).toEqual({ CREATED: MANY });
  });

  test('with one username, one gets it', async () => {
    expect(await signUpAtOnce({ username: 'wanted' })).toEqual({ CREATED: 1, USERNAME_TAKEN: MANY - 1 });
  });

  async function signUpAtOnce(input: Partial<SignUpInput>): Promise<Record<string, number>> {
    // Each from a network of its own: what waits for its hash in one line is limited.
    const tries = Array.from({ length: MANY }, (_, n) =>
      anAccount(database.em.fork(), { ...input, address: `10.0.${n}.1` }),
    );
    const results = await Promise.allSettled(tries);
    const outcomes = results.map((result) => (result.status === 'rejected' ? String(result.reason.code) : 'CREATED'));
    return Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([code, list]) => [code, list.length]));
  }
});
