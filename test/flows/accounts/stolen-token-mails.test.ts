import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { MailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { mailsSettled } from '../../support/mails-settled.ts';
import { CLI, refresh, tokensFor } from '../../support/oauth-requests.ts';
import type { TestBrowser } from '../../support/test-browser.ts';
import { aPerson, signUp, signUpVerified } from './mailbox.ts';

const MOST = 3;
const SUBJECT = 'An app was disconnected from your account';

let app: TestApp;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await MailServer.open();
  app = await startTestApp({ SMTP_URL: mailServer.url, MAIL_LIMITS: `ownAccount=${MOST}` }, { runsJobs: true });
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

/** A refresh token of the one before last: somebody else has it, too. */
async function useTwice(browser: TestBrowser): Promise<void> {
  const first = await tokensFor(browser, CLI);
  const second = await refresh(app.url, CLI, first.refresh_token);
  const third = await refresh(app.url, CLI, second.body.refresh_token);
  expect([second.status, third.status]).toEqual([200, 200]);
  expect((await refresh(app.url, CLI, first.refresh_token)).body.error).toBe('invalid_grant');
  expect((await refresh(app.url, CLI, third.body.refresh_token)).body.error).toBe('invalid_grant');
}

const mails: ReceivedMail[] = [];
/** The mails to the receiver about stolen credentials, once so many are there, and all that is queued is sent. */
async function toldOf(email: string, atLeast: number): Promise<readonly ReceivedMail[]> {
  const told = () => mails.filter((mail) => mail.mailbox === email && mail.email.subject === SUBJECT);
  do mails.push(...(await mailsSettled(app, mailServer)));
  while (told().length < atLeast);
  return told();
}

test('an account at somebody else’s address mails them nothing, however many of its grants end', async () => {
  const stranger = aPerson();
  const browser = await signUp(app.url, stranger);
  for (let time = 0; time < MOST; time += 1) await useTwice(browser);
  // When the mail of a later theft is here, an earlier one would be, too.
  const other = aPerson();
  await useTwice(await signUpVerified(app.url, mailServer, other));
  expect(await toldOf(other.email, 1)).toHaveLength(1);
  expect(await toldOf(stranger.email, 0)).toEqual([]);
});

test('a verified address hears of so many in an hour, and of other things all the same', async () => {
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  for (let time = 0; time <= MOST; time += 1) await useTwice(browser);
  const other = aPerson();
  await useTwice(await signUpVerified(app.url, mailServer, other));
  expect(await toldOf(other.email, 1)).toHaveLength(1);
  expect(await toldOf(person.email, MOST)).toHaveLength(MOST);
  const granted = mails.filter(
    ({ mailbox, email }) => mailbox === person.email && /given access/.test(email.subject ?? ''),
  );
  expect(granted).toHaveLength(MOST);
});

test('the name of an app is no link there, and ends no line', async () => {
  const em = app.database.em.fork();
  await changed(em, sql`update oauth_clients set name = 'www.evil.example/login' where client_id = ${CLI.client_id}`);
  const person = aPerson();
  await useTwice(await signUpVerified(app.url, mailServer, person));
  const [mail] = await toldOf(person.email, 1);
  expect(mail?.text).toContain(`An app (${CLI.client_id}) was disconnected from your account`);
  expect(mail?.everything).not.toContain('evil');
});
