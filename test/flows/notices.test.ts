import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { letTimePass, storedJobs } from '../jobs/support/jobs.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { MailServer } from '../support/mail-server.ts';
import { mailsSettled } from '../support/mails-settled.ts';

let mailServer: MailServer;
let app: TestApp;
beforeAll(async () => {
  mailServer = await MailServer.open();
  app = await startTestApp({ SMTP_URL: mailServer.url }, { runsJobs: true });
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

const CREATE =
  'mutation($input: OauthClientCreateInput!) { oauthClientCreate(input: $input) { client { clientId } userErrors { code } } }';
const input = {
  name: 'App',
  purpose: 'Test',
  type: 'CONFIDENTIAL',
  redirectUris: ['https://app.example.test/cb'],
  scopes: ['PROFILE_READ'],
};

test('an administrator hears that a client waits for a review, also when the mail server was busy first', async () => {
  const { em } = app.database;
  mailServer.refusalFor = () => ({ code: 451, message: 'Busy.' });
  const ada = await app.signIn('ada@acme.test');
  await ada.graphql(CREATE, { input });
  await expect.poll(() => storedJobs(em)).toMatchObject([{ queue: 'mail', error: expect.stringContaining('Busy.') }]);
  mailServer.refusalFor = () => undefined;
  await letTimePass(em);
  await rows(em.fork(), sql`select pg_notify('jobs', '')`);
  await mailServer.received(1);
  const [mail] = mailServer.mails.splice(0);
  expect(mail?.mailbox).toBe('admin@gatehouse.test');
  expect(mail?.email.subject).toBe('App is waiting for review');
  expect(mail?.email.messageId).toMatch(/^<[\w-]+@localhost>$/);
});

interface Refused {
  readonly oauthClientCreate: { readonly client: null; readonly userErrors: readonly { readonly code: string }[] };
}

test('a developer whose address may be anybody’s registers nothing, and causes no mail', async () => {
  const em = () => app.database.em.fork();
  await rows(em(), sql`update users set email_verified_at = null where username = 'dan'`);
  const dan = await app.signIn('dan@solo.test');
  const { oauthClientCreate } = await dan.graphql<Refused>(CREATE, { input: { ...input, name: 'Cheap pills' } });
  expect(oauthClientCreate).toEqual({ client: null, userErrors: [{ code: 'EMAIL_NOT_VERIFIED' }] });
  expect(await mailsSettled(app, mailServer)).toEqual([]);
  await rows(em(), sql`update users set email_verified_at = now() where username = 'dan'`);
});
