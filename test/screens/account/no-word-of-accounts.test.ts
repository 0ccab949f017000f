/**
 * No answer of the pages of accounts tells whether an address has an account: not by its text, its status or its headers,
 * nor by the work that is done before it, which is what its time hangs on. What is done behind the answers is theirs alone.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuessLimit, createNetworkLimits, PASSWORD_GUESSES } from '../../../src/limits/guess-limit.ts';
import { createFirstSchedule } from '../../../src/modules/schedules/schedule.commands.ts';
import type { OpenAuthorizationServer } from '../../../src/oauth/open-authorization-server.ts';
import { accountRoutes } from '../../../src/screens/account/account.routes.ts';
import { askToSignIn } from '../../../src/screens/account/sign-in.ts';
import { Visitors } from '../../../src/screens/kit/visitors.ts';
import { anAccount, PASSWORD } from '../../modules/accounts/an-account.ts';
import { openOn } from '../../oauth/support/test-server.ts';
import { type TestAccountMails, testAccountMails } from '../../support/account-mails.ts';
import { countWork } from '../../support/counted-work.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { formsOf } from '../../support/html-form.ts';
import { Browser } from '../a-browser.ts';

const HERE = 'http://localhost:4000';

let database: TestDatabase;
let authorizationServer: OpenAuthorizationServer;
let mailbox: TestAccountMails;
let counting: ReturnType<typeof countWork>;
let routes: ReturnType<typeof accountRoutes>;
beforeAll(async () => {
  database = await openTestDatabase();
  authorizationServer = await openOn(database);
  mailbox = testAccountMails(database);
  counting = countWork(database.em);
  const { em } = counting;
  const base = { em, publicUrl: HERE, formKey: new Uint8Array(32), addressOf: () => `192.0.${(calls += 1) % 250}.1` };
  routes = accountRoutes({
    webhooksKey: new Uint8Array(32),
    allowPrivateNetwork: false,
    ...base,
    visitors: new Visitors({ ...base, askToSignIn }),
    passwordGuesses: createGuessLimit(PASSWORD_GUESSES, { em }),
    networkLimits: createNetworkLimits({ em }),
    accountMails: mailbox.accountMails,
    authorizationServer,
    furnish: async (em, userId) => createFirstSchedule(em, userId),
    consolePath: undefined,
    mailFolder: undefined,
    showsDemo: () => false,
    demoPassword: undefined,
    report: (error) => expect.fail(`a fault of ours: ${String(error)}`),
  });
});
afterAll(async () => {
  counting.stop();
  await authorizationServer.close();
  await database.close();
});

let calls = 0;

/** How somebody asks about an address, in a browser of their own. */
type Ask = (email: string) => Promise<object>;

const ASKS: Readonly<Record<string, Ask>> = {
  'a sign-in': (email) => sent(aBrowser(), '/auth/login', { email, password: 'a wrong password' }),
  'a sign-in by JSON': (email) =>
    answerOf(email, () => aBrowser().postJson('/auth/login', { email, password: 'a wrong password' })),
  'a sign-up': (email) => sent(aBrowser(), '/auth/signup', { ...aPerson(), email }),
  'a sign-up with mistakes': (email) => sent(aBrowser(), '/auth/signup', { ...aPerson(), name: '', email }),
  'a forgotten password': (email) => sent(aBrowser(), '/auth/forgotten-password', { email }),
  'a change of address': async (email) =>
    sent(await somebody(), '/settings/account', { newEmail: email, passwordForEmail: PASSWORD }),
  'a change of address with a wrong password': async (email) =>
    sent(await somebody(), '/settings/account', { newEmail: email, passwordForEmail: 'wrong' }),
  'the account page while that change waits': async (email) => {
    const browser = await somebody();
    await sent(browser, '/settings/account', { newEmail: email, passwordForEmail: PASSWORD });
    return answerOf(email, () => browser.get('/settings/account'));
  },
  'the account page after a sign-up': async (email) => {
    const browser = await newcomer(email);
    return answerOf(email, () => browser.get('/settings/account'));
  },
  'another mail to confirm an address': async (email) => sent(await newcomer(email), '/settings/account', {}),
};

describe.each(Object.entries(ASKS))('%s', (_, ask) => {
  test('is answered alike for an address of a verified account and for one that nobody has', async () => {
    const { email } = await anAccount(database.em.fork());
    expect(await ask(email)).toEqual(await ask(nobody()));
  });

  test('is answered alike for an address that somebody gave but did not verify, and for one that nobody has', async () => {
    const { email } = await anAccount(database.em.fork(), { isEmailVerified: false });
    expect(await ask(email)).toEqual(await ask(nobody()));
  });

  test('is answered alike for an address with both, and for that of a suspended account', async () => {
    const { email, id } = await anAccount(database.em.fork());
    await anAccount(database.em.fork(), { email, isEmailVerified: false });
    await database.em.getConnection().execute('update users set suspended_at = now() where id = ?', [id]);
    expect(await ask(email)).toEqual(await ask(nobody()));
  });
});

test('the measure is sharp: it sees the hashes and the statements of an answer', async () => {
  const { email } = await anAccount(database.em.fork());
  const failed = await sent(aBrowser(), '/auth/login', { email, password: 'a wrong password' });
  const entered = await sent(aBrowser(), '/auth/login', { email, password: PASSWORD });
  expect(failed).toMatchObject({ status: 401, work: { hashes: 3 } });
  expect(entered).toMatchObject({ status: 303, work: { hashes: 1 } });
  const { work } = (await sent(aBrowser(), '/auth/forgotten-password', { email })) as { work: { statements: number } };
  expect(work.statements).toBeLessThan(10);
  await mailbox.settled();
  expect(counting.work.statements).toBeGreaterThan(work.statements);
});

test('behind the answer to a forgotten password, nobody costs as much as somebody: a mail is written, the disk waited for', async () => {
  const { email } = await anAccount(database.em.fork());
  for (const [asked, mailed] of [
    [email, [1, 0]],
    [nobody(), [0, 1]],
  ] as const) {
    const before = [mailbox.mails.length, mailbox.rehearsed.length, await flushed()] as const;
    await sent(aBrowser(), '/auth/forgotten-password', { email: asked });
    expect([mailbox.mails.length - before[0], mailbox.rehearsed.length - before[1]]).toEqual(mailed);
    expect(await flushed()).toBeGreaterThan(before[2]);
  }
  const [real, rehearsed] = [mailbox.mails.at(-1), mailbox.rehearsed.at(-1)];
  expect(rehearsed?.subject).toBe(real?.subject);
  expect(Math.abs((rehearsed?.text.length ?? 0) - (real?.text.length ?? 0))).toBeLessThan(100);
});

/** How far the database's log is on disk. */
async function flushed(): Promise<bigint> {
  const [found] = await database.em
    .getConnection()
    .execute<{ at: string }[]>(`select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as at`);
  return BigInt(found?.at ?? 0);
}

function aBrowser(): Browser {
  return new Browser(routes, HERE);
}

function aPerson() {
  return { name: 'Grace', username: `u${randomUUID()}`, password: PASSWORD };
}

function nobody(): string {
  return `u${randomUUID()}@acme.test`;
}

/** Somebody who has signed in to a verified account. */
async function somebody(): Promise<Browser> {
  const { email } = await anAccount(database.em.fork());
  const browser = aBrowser();
  await browser.submit('/auth/login', { email, password: PASSWORD });
  return browser;
}

/** Somebody who has just signed up with this address. */
async function newcomer(email: string): Promise<Browser> {
  const browser = aBrowser();
  await browser.submit('/auth/signup', { ...aPerson(), email });
  await mailbox.settled();
  return browser;
}

/** Fills the form of a page in that has these fields, and sends it. */
async function sent(browser: Browser, path: string, values: Record<string, string>): Promise<object> {
  const page = await (await browser.get(path)).text();
  const form = formsOf(page).find(({ controls }) => Object.keys(values).every((name) => controls.includes(name)));
  if (!form) throw new Error(`There is no such form at ${path}.`);
  const email = values['email'] ?? values['newEmail'] ?? '';
  return answerOf(email, () => browser.post(form.action, { ...form.fields, ...values }));
}

/** All that is seen from outside, and what was done before it. */
async function answerOf(email: string, request: () => Promise<Response>): Promise<object> {
  const before = { ...counting.work };
  const response = await request();
  // Before anything behind the answer begins.
  const { statements, hashes } = counting.work;
  const work = { statements: statements - before.statements, hashes: hashes - before.hashes };
  const text = withoutOwn(await response.text(), email);
  await mailbox.settled();
  const headers = withoutOwn(JSON.stringify([...response.headers]), email);
  return { status: response.status, headers, text, work };
}

/** Takes out what is each answer's own: what was typed, tokens, names and times. */
function withoutOwn(text: string, email: string): string {
  return text
    .replaceAll(email, 'EMAIL')
    .replaceAll(/u[0-9a-f]{8}-[0-9a-f-]{27}(@acme\.test)?/g, 'NAME')
    .replaceAll(/(gatehouse_\w+=)[\w-]{43}/g, '$1…')
    .replaceAll(/name="csrf" value="[\w-]{65}"/g, 'TOKEN')
    .replaceAll(/name="idempotencyKey" value="[^"]+"/g, 'KEY')
    .replaceAll(/name="updatedAt" value="[^"]+"/g, 'UPDATED')
    .replaceAll(/ses_[\w-]+/g, 'SESSION')
    .replaceAll(/From 192\.0\.\d+\.1/g, 'From HERE')
    .replaceAll(/<time [^>]*>[^<]*/g, '<time>');
}
