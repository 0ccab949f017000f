import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed, rows, sql } from '../../../src/database/sql.ts';
import {
  APP,
  authorizePath,
  CLI,
  codeFor,
  exchange,
  LEGACY,
  refresh,
  tokensFor,
} from '../../support/oauth-requests.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { aPerson, type MailedApp, mailsTo, openMailedApp, signUp, signUpVerified } from './mailbox.ts';

const SUBJECT = 'An app was given access to your account';

let opened: MailedApp;
let { app, mailServer } = {} as MailedApp;
beforeAll(async () => {
  opened = await openMailedApp();
  ({ app, mailServer } = opened);
});
afterAll(() => opened.close());

test('a user who lets an app in hears of it, with its name, what it may do, and the way to end that', async () => {
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  await codeFor(browser, APP, { scope: 'PROFILE_READ BOOKING_WRITE' });
  const [, notice] = await mailsTo(mailServer, person.email, 2);
  expect(notice?.email.subject).toBe(SUBJECT);
  expect(notice?.text).toContain('An app that calls itself “Demo app” (demo-app)');
  expect(notice?.text).toContain("- View the authorized user's profile");
  expect(notice?.text.match(/^- /gm)).toHaveLength(2);
  expect(notice?.text).toContain(`${app.url}/settings/apps`);
});

test('once for a decision: not where nobody is asked again, and not for a refusal', async () => {
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  await browser.submit(await browser.open(authorizePath(APP)), { decision: 'deny' });
  // Nobody is asked again once the app has redeemed its code.
  expect((await exchange(app.url, APP, await codeFor(browser, APP))).status).toBe(200);
  expect((await browser.open(authorizePath(APP))).kind).toBe('AWAY');
  await codeFor(browser, APP, { scope: 'BOOKING_READ' });
  // Mails of one moment are sent side by side: one of another person, asked for later, came after all of these.
  const later = aPerson();
  await codeFor(await signUpVerified(app.url, mailServer, later), APP);
  await mailsTo(mailServer, later.email, 2);
  const mails = await mailsTo(mailServer, person.email, 3);
  expect(mails.map(({ email }) => email.subject)).toEqual(['Confirm your e-mail address', SUBJECT, SUBJECT]);
});

test('access without limits is called that', async () => {
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  const path = `/auth/oauth2/authorize?${new URLSearchParams({ response_type: 'code', client_id: LEGACY.client_id, redirect_uri: LEGACY.redirect_uri, state: 'xyz' })}`;
  await browser.allow(path);
  const [, notice] = await mailsTo(mailServer, person.email, 2);
  expect(notice?.text).toContain('- do everything that you can');
});

test('a name that is a web address is no link in a mail of ours', async () => {
  const em = app.database.em.fork();
  const [before] = await rows(em, sql<{ name: string }>`select name from oauth_clients where client_id = 'demo-app'`);
  await changed(em, sql`update oauth_clients set name = 'www.evil.example/login' where client_id = 'demo-app'`);
  const person = aPerson();
  await codeFor(await signUpVerified(app.url, mailServer, person), APP);
  const [, notice] = await mailsTo(mailServer, person.email, 2);
  expect(notice?.text).toContain('An app (demo-app) was given access');
  expect(notice?.text).not.toContain('evil');
  await changed(em, sql`update oauth_clients set name = ${before?.name ?? ''} where client_id = 'demo-app'`);
});

test('the access that an app was given and has lost is reported in the language of the user', async () => {
  const foreign = await foreignTo('de');
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  await browser.mutate('profileUpdate', { locale: 'de-AT' }, 'userErrors { code }');
  const first = await tokensFor(browser, CLI);
  const second = await refresh(app.url, CLI, first.refresh_token);
  await refresh(app.url, CLI, second.body.refresh_token);
  await refresh(app.url, CLI, first.refresh_token);
  const told = (await mailsTo(mailServer, person.email, 3)).slice(1);
  expect(told.map(({ email }) => email.subject)).toEqual([
    'Eine App hat Zugriff auf Ihr Konto bekommen',
    'Eine App wurde von Ihrem Konto getrennt',
  ]);
  const said = ['Demo command line demo-cli', `${app.url}/settings/apps`];
  for (const { text } of told) {
    expect(text).toMatch(/^Eine App, die sich „Demo command line“ nennt \(demo-cli\), /);
    expect(foreign(text, said)).toEqual([]);
  }
});

test('an address that nobody has verified gets no mail: it may be anybody’s', async () => {
  const stranger = aPerson();
  const browser = await signUp(app.url, stranger);
  await codeFor(browser, APP);
  // When a later mail is here, an earlier one would be, too.
  const other = aPerson();
  await codeFor(await signUpVerified(app.url, mailServer, other), APP);
  await mailsTo(mailServer, other.email, 2);
  expect((await mailsTo(mailServer, stranger.email, 1)).map(({ email }) => email.subject)).toEqual([
    'Confirm your e-mail address',
  ]);
});
