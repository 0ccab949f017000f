import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { letTimePass, storedJobs } from '../jobs/support/jobs.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { MailServer } from '../support/mail-server.ts';

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

test('an administrator hears that a client waits for a review, also when the mail server was busy first', async () => {
  const { em } = app.database;
  mailServer.refusalFor = () => ({ code: 451, message: 'Busy.' });
  const ada = await app.signIn('ada@acme.test');
  const input = {
    name: 'App',
    purpose: 'Test',
    type: 'CONFIDENTIAL',
    redirectUris: ['https://app.example.test/cb'],
    scopes: ['PROFILE_READ'],
  };
  await ada.graphql(
    'mutation($input: OauthClientCreateInput!) { oauthClientCreate(input: $input) { userErrors { code } } }',
    { input },
  );
  await expect.poll(() => storedJobs(em)).toMatchObject([{ queue: 'mail', error: expect.stringContaining('Busy.') }]);
  mailServer.refusalFor = () => undefined;
  await letTimePass(em);
  await rows(em.fork(), sql`select pg_notify('jobs', '')`);
  const [mail] = await mailServer.received(1);
  expect(mail?.mailbox).toBe('admin@gatehouse.test');
  expect(mail?.email.subject).toBe('App waits for a review');
  expect(mail?.email.messageId).toMatch(/^<[\w-]+@localhost>$/);
});
