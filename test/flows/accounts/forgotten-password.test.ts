import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { NEW_PASSWORD_PATH } from '../../../src/modules/accounts/links/account-mail.rules.ts';
import { APP, statusOf, tokensFor } from '../../support/oauth-requests.ts';
import { atOnce } from '../../support/servers.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';
import {
  aPerson,
  isSignedIn,
  lastMailTo,
  linkIn,
  type MailedApp,
  mailsTo,
  openMailedApp,
  PASSWORD,
  signIn,
  signUp,
  signUpVerified,
  tokenOf,
} from './mailbox.ts';

const NEW_PASSWORD = 'a password that is new';

let opened: MailedApp;
let { app, mailServer } = {} as MailedApp;
beforeAll(async () => {
  opened = await openMailedApp();
  ({ app, mailServer } = opened);
});
afterAll(() => opened.close());

describe('a forgotten password', () => {
  test('is set anew by the link of a mail, which ends all sessions, and the owner is notified', async () => {
    const person = aPerson();
    const here = await signUpVerified(app.url, mailServer, person);
    const link = await linkFor(person.email);
    const browser = new TestBrowser(app.url);
    const page = shownPage(await browser.open(link));
    expect(page.text).toContain(`For the account ${person.username}`);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const done = shownPage(await browser.submit(page, { newPassword: NEW_PASSWORD }));
    expect(done.text).toContain('Your new password is set');
    expect(shownPage(await here.open('/settings/account')).address).toContain('/auth/login');
    expect(isSignedIn(await signIn(app.url, person.email))).toBe(false);
    expect(isSignedIn(await signIn(app.url, person.email, NEW_PASSWORD))).toBe(true);
    const notice = await lastMailTo(mailServer, person.email, 3);
    expect(notice.email.subject).toBe('Your password was changed');
    expect(notice.text).not.toContain('token=');
  });

  test('with mistakes in the new one shows the form again, and the link is still good', async () => {
    const person = aPerson();
    await signUpVerified(app.url, mailServer, person);
    const link = await linkFor(person.email);
    expect((await setPassword(link, 'short')).text).toContain('shorter than 8 characters');
    expect((await setPassword(link, person.email)).text).toContain('is the e-mail address');
    expect((await setPassword(link, NEW_PASSWORD)).text).toContain('Your new password is set');
    expect((await setPassword(link, NEW_PASSWORD)).status).toBe(410);
  });

  test('has one link that works, the newest, for 30 minutes', async () => {
    const person = aPerson();
    await signUpVerified(app.url, mailServer, person);
    const first = await linkFor(person.email);
    const second = await linkFor(person.email);
    expect((await setPassword(first, NEW_PASSWORD)).status).toBe(410);
    await rows(app.database.em.fork(), sql`update account_links set expires_at = expires_at - interval '29 minutes'`);
    expect(shownPage(await new TestBrowser(app.url).open(second)).status).toBe(200);
    await rows(app.database.em.fork(), sql`update account_links set expires_at = expires_at - interval '1 minute'`);
    expect((await setPassword(second, NEW_PASSWORD)).status).toBe(410);
    expect(isSignedIn(await signIn(app.url, person.email))).toBe(true);
  });

  test('is set by one of fifty who use one link at once', async () => {
    const person = aPerson();
    await signUpVerified(app.url, mailServer, person);
    const link = await linkFor(person.email);
    const browser = new TestBrowser(app.url);
    const page = await browser.open(link);
    const pages = await atOnce(50, async (n) =>
      shownPage(await browser.submit(page, { newPassword: `the password of number ${n}` })),
    );
    const winners = pages.flatMap(({ text }, n) => (text.includes('Your new password is set') ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(pages.filter(({ status }) => status === 410)).toHaveLength(49);
    expect(isSignedIn(await signIn(app.url, person.email, `the password of number ${winners[0]}`))).toBe(true);
  });

  test('keeps the access of apps, or ends it, as it is wished', async () => {
    const person = aPerson();
    const browser = await signUpVerified(app.url, mailServer, person);
    const { access_token: token } = await tokensFor(browser, APP);
    await setPassword(await linkFor(person.email), NEW_PASSWORD);
    expect(await statusOf(app.url, token)).toBe(200);
    await setPassword(await linkFor(person.email), 'another new password', { revokesApps: 'on' });
    expect(await statusOf(app.url, token)).toBe(401);
  });

  test('lets nobody in who was locked out by guessing, but its owner, at once', async () => {
    const person = aPerson();
    await signUpVerified(app.url, mailServer, person);
    for (let guess = 0; guess < 10; guess += 1) await signIn(app.url, person.email, `wrong ${guess}`);
    expect((await signIn(app.url, person.email)).status).toBe(429);
    await setPassword(await linkFor(person.email), NEW_PASSWORD);
    expect(isSignedIn(await signIn(app.url, person.email, NEW_PASSWORD))).toBe(true);
  });
});

describe('the password of an account that is not verified', () => {
  test('is set by the reader of the mail, which verifies the address, and the maker of the account is out', async () => {
    const person = aPerson();
    const maker = await signUp(app.url, person);
    const { access_token: token } = await tokensFor(maker, APP);
    await setPassword(await linkFor(person.email), NEW_PASSWORD);
    expect(shownPage(await maker.open('/settings/account')).address).toContain('/auth/login');
    expect(await statusOf(app.url, token)).toBe(401);
    const page = await signIn(app.url, person.email, NEW_PASSWORD);
    expect(page.text).not.toContain('is not confirmed yet');
    const [verification] = await mailsTo(mailServer, person.email, 1);
    if (!verification) throw new Error('There was no mail.');
    expect(shownPage(await new TestBrowser(app.url).open(linkIn(verification))).status).toBe(410);
  });

  test('is not meant while another account has verified the address', async () => {
    const owner = aPerson();
    await signUpVerified(app.url, mailServer, owner);
    await signUp(app.url, aPerson({ email: owner.email }));
    await mailsTo(mailServer, owner.email, 2);
    const page = shownPage(await new TestBrowser(app.url).open(await linkFor(owner.email)));
    expect(page.text).toContain(`For the account ${owner.username} `);
  });
});

describe('when several accounts have one address, which none has verified,', () => {
  test('each has a link of its own in the mail, so that no later one hides an earlier one', async () => {
    const honest = aPerson();
    const theirs = await signUp(app.url, honest);
    const intruder = aPerson({ email: honest.email });
    await signUp(app.url, intruder);
    const links = linksOf(await resetMailTo(honest.email));
    expect(Object.keys(links)).toEqual([honest.username, intruder.username]);
    const page = shownPage(await new TestBrowser(app.url).open(links[honest.username] ?? ''));
    expect(page.text).toContain(`For the account ${honest.username} `);
    expect((await setPassword(links[honest.username] ?? '', NEW_PASSWORD)).text).toContain('Your new password is set');
    expect(shownPage(await theirs.open('/settings/account')).address).toContain('/auth/login');
    expect(isSignedIn(await signIn(app.url, honest.email, NEW_PASSWORD))).toBe(true);
    expect((await setPassword(links[intruder.username] ?? '', NEW_PASSWORD)).status).not.toBe(200);
  });

  test('the oldest and the youngest are in the mail, and the owner of any other asks by username', async () => {
    const { email } = aPerson();
    const all = Array.from({ length: 13 }, () => aPerson({ email }));
    for (const person of all) await signUp(app.url, person);
    const text = await resetMailTo(email);
    const names = all.map(({ username }) => username);
    expect(Object.keys(linksOf(text))).toEqual([...names.slice(0, 5), ...names.slice(-5)]);
    const [, way = ''] = /https?:\/\/[^/\s]+(\/auth\/forgotten-password\?several=\S+)/.exec(text) ?? [];
    const [hidden = ''] = names.slice(6);
    const one = await resetMailTo(email, way, { username: hidden });
    const [, path = ''] = /https?:\/\/[^/\s]+(\/\S+token=[0-9A-Za-z]{43})/.exec(one) ?? [];
    expect(shownPage(await new TestBrowser(app.url).open(path)).text).toContain(`For the account ${hidden} `);
  });
});

test('a suspended account gets no link, and one from before works no more', async () => {
  const person = aPerson();
  await signUpVerified(app.url, mailServer, person);
  const link = await linkFor(person.email);
  await rows(app.database.em.fork(), sql`update users set suspended_at = now() where username = ${person.username}`);
  expect((await setPassword(link, NEW_PASSWORD)).status).toBe(410);
  const before = mailServer.mails.length;
  await ask(person.email);
  // Mails go in turn: when the next one is here, this one would be, too.
  const other = aPerson();
  await signUp(app.url, other);
  await lastMailTo(mailServer, other.email);
  expect(mailServer.mails.slice(before).map(({ mailbox }) => mailbox)).toEqual([other.email]);
});

test('a change of the password makes links worthless that were mailed before it', async () => {
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  const link = await linkFor(person.email);
  const input = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  await browser.mutate('passwordChange', input, '');
  expect((await setPassword(link, 'the password of a thief')).status).toBe(410);
  expect((await lastMailTo(mailServer, person.email, 3)).email.subject).toBe('Your password was changed');
});

test('the rows in the database open nothing', async () => {
  const person = aPerson();
  await signUpVerified(app.url, mailServer, person);
  const token = tokenOf(await linkFor(person.email));
  const stored = await rows(app.database.em.fork(), sql`select * from account_links`);
  const jobs = await rows(app.database.em.fork(), sql`select * from jobs.job`);
  expect(JSON.stringify([stored, jobs])).not.toContain(token);
});

async function ask(email: string): Promise<ShownPage> {
  const browser = new TestBrowser(app.url);
  return shownPage(await browser.submit(await browser.open('/auth/forgotten-password'), { email }));
}

/** Asks for a link, and looks into the mailbox, where other mails may arrive meanwhile. */
async function linkFor(email: string): Promise<string> {
  const links = () =>
    mailServer.mails.filter((mail) => mail.mailbox === email && mail.text.includes(NEW_PASSWORD_PATH));
  const before = links().length;
  expect((await ask(email)).text).toContain('If there’s an account with that address');
  while (links().length === before) await mailServer.received(mailServer.mails.length + 1);
  const [last] = links().slice(-1);
  return last ? linkIn(last) : '';
}

async function setPassword(link: string, newPassword: string, more: Record<string, string> = {}): Promise<ShownPage> {
  const browser = new TestBrowser(app.url);
  const page = shownPage(await browser.open(link));
  return page.status === 200 ? shownPage(await browser.submit(page, { newPassword, ...more })) : page;
}

/** The mail to somebody who asks for a new password. */
async function resetMailTo(email: string, way = '/auth/forgotten-password', more: object = {}): Promise<string> {
  const mails = () =>
    mailServer.mails.filter((mail) => mail.mailbox === email && mail.text.includes(NEW_PASSWORD_PATH));
  const before = mails().length;
  const browser = new TestBrowser(app.url);
  await browser.submit(await browser.open(way), { email, ...more });
  while (mails().length === before) await mailServer.received(mailServer.mails.length + 1);
  return mails().at(-1)?.text ?? '';
}

/** By the usernames that stand before them. */
function linksOf(text: string): Readonly<Record<string, string>> {
  const found = text.matchAll(/“([a-z0-9-]+)”, made on[^:]*:\s+https?:\/\/[^/\s]+(\/\S+token=[0-9A-Za-z]{43})/g);
  return Object.fromEntries([...found].map(([, username = '', link = '']) => [username, link]));
}
