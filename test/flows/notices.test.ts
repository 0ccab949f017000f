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

interface Created {
  readonly oauthClientCreate: { readonly client: { readonly clientId: string } };
  readonly oauthClientSecretCreate: { readonly secretId: string };
}

test('of a developer whose address may be anybody’s there go few mails, and no word of theirs', async () => {
  const em = () => app.database.em.fork();
  await rows(em(), sql`update users set email_verified_at = null where username = 'dan'`);
  const dan = await app.signIn('dan@solo.test');
  const SECRET =
    'mutation($input: OauthClientSecretCreateInput!) { oauthClientSecretCreate(input: $input) { secretId userErrors { code } } }';
  const DROP =
    'mutation($input: OauthClientSecretDeleteInput!) { oauthClientSecretDelete(input: $input) { userErrors { code } } }';
  for (let index = 0; index < 8; index += 1) {
    const { oauthClientCreate } = await dan.graphql<Created>(CREATE, {
      input: { ...input, name: `Cheap pills ${index}` },
    });
    const { clientId } = oauthClientCreate.client;
    const { oauthClientSecretCreate } = await dan.graphql<Created>(SECRET, {
      input: { clientId, name: 'Call the winners' },
    });
    await dan.graphql(DROP, { input: { clientId, secretId: oauthClientSecretCreate.secretId } });
  }
  const mails = await mailsSettled(app, mailServer);
  const to = (mailbox: string) => mails.filter((mail) => mail.mailbox === mailbox).length;
  expect([to('admin@gatehouse.test'), to('dan@solo.test'), mails.length]).toEqual([5, 3, 8]);
  for (const { everything } of mails) expect(everything).not.toMatch(/pills|winners/);
  await rows(em(), sql`update users set email_verified_at = now() where username = 'dan'`);
});
