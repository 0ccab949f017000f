import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { uuidOf } from '../support/ids.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-mails-'));
});
afterAll(() => rm(folder, { recursive: true }));

const PUBLIC_TYPE = '{ publicEventTypes(username: "dan") { nodes { id } } }';
const ASK = `mutation($input: BookerEmailVerificationRequestInput!) {
  bookerEmailVerificationRequest(input: $input) { expiresInMinutes userErrors { code } } }`;

test('a code to book with is mailed to the caller who requests it, behind the answer', async () => {
  const app = await startTestApp({ DATA_DIR: folder });
  const { body } = await app.graphql(PUBLIC_TYPE);
  const eventTypeId: string = body.data.publicEventTypes.nodes[0].id;
  await app.database.em
    .fork()
    .getConnection()
    .execute('update event_types set requires_booker_email_verification = true where id = ?', [uuidOf(eventTypeId)]);
  const input = { eventTypeId, email: 'grace@example.test' };
  const answer = await app.graphql(ASK, { variables: { input } });
  expect(answer.body.data.bookerEmailVerificationRequest).toEqual({ expiresInMinutes: 15, userErrors: [] });
  // An application that stops sends what it still has to send.
  await app.close();
  const mails = await readdir(join(folder, 'mail'));
  expect(mails).toHaveLength(1);
  const mail = await readFile(join(folder, 'mail', mails[0] ?? ''), 'utf8');
  expect(mail).toMatch(/^To: grace@example\.test$/m);
  expect(mail).toMatch(/booking: \d{6}$/m);
});
