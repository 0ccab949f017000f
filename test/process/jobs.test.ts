import { rm } from 'node:fs/promises';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Browser } from '../../src/cli/demo-browser.ts';
import { row, sql } from '../../src/database/sql.ts';
import { countEvents, letTimePass, storedJobs } from '../jobs/support/jobs.ts';
import { DEMO_PASSWORD } from '../support/app.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, startService, usedDataFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';
import { TAKEN, verified, WebhookReceiver } from '../support/webhook-receiver.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

let mailServer: MailServer;
/** Undefined where it is embedded in the service. */
let database: TestDatabase | undefined;
let env: Record<string, string>;
beforeEach(async () => {
  mailServer = await MailServer.open();
  onTestFinished(() => mailServer.close());
  database = isOnPostgres ? await openTestDatabase() : undefined;
  onTestFinished(() => database?.close());
  const DATA_DIR = await usedDataFolder();
  folders.push(DATA_DIR);
  const settings = { SMTP_URL: mailServer.url, MAIL_LIMITS: 'off' };
  env = { ...SHARED, DATA_DIR, ...settings, ...(database?.url && { DATABASE_URL: database.url }) };
});

async function start(changes: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({ ...env, ...changes });
  onTestFinished(async () => {
    if (service.child.exitCode === null) await service.kill('SIGKILL');
  });
  return service;
}

async function ask(url: string, query: string, variables: object = {}) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()).data;
}

/** Books free slots of Ada's, each for somebody else; each is two mails. @returns the mailboxes of the bookers */
async function bookSlots(url: string, count: number): Promise<string[]> {
  const { publicEventType } = await ask(
    url,
    '{ publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { id } }',
  );
  const [from, to] = [3, 30].map((days) =>
    Temporal.Now.instant()
      .add({ hours: 24 * days })
      .round('second')
      .toString(),
  );
  const { slots } = await ask(
    url,
    'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }',
    { id: publicEventType.id, from, to },
  );
  const bookers: string[] = [];
  for (const { start: slot } of slots.slice(0, count)) {
    const attendee = { name: 'Grace', email: `grace${bookers.length}@example.test`, timeZone: 'UTC' };
    const { bookingCreate } = await ask(
      url,
      'mutation($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid } userErrors { code } } }',
      { input: { eventTypeId: publicEventType.id, start: slot, attendee } },
    );
    expect(bookingCreate.userErrors).toEqual([]);
    bookers.push(attendee.email);
  }
  return bookers;
}

const messageIds = () => new Set(mailServer.mails.map(({ email }) => email.messageId));
const mailboxes = () => mailServer.mails.map(({ mailbox }) => mailbox).toSorted();

describe('a service that is killed', () => {
  test('while it sends loses neither mail nor message; what was under way comes again with the same id', async () => {
    const receiver = await WebhookReceiver.open();
    onTestFinished(() => receiver.close());
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    // Both take what they are sent, and never say so.
    mailServer.onTaken = () => (take(), new Promise(() => undefined));
    receiver.answer = () => undefined;
    const first = await start({ ALLOW_PRIVATE_NETWORK: 'on' });
    const ada = await Browser.signIn(first.url, 'ada@acme.test', DEMO_PASSWORD);
    const input = { url: receiver.url(), triggers: ['BOOKING_CREATED'] };
    const { webhookCreate } = await ada.graphql<{ webhookCreate: { secret: string } }>(
      'mutation($input: WebhookCreateInput!) { webhookCreate(input: $input) { secret } }',
      { input },
    );
    const [booker = ''] = await bookSlots(first.url, 1);
    await Promise.all([taken, receiver.received(1)]);
    await first.kill('SIGKILL');
    mailServer.onTaken = () => undefined;
    receiver.answer = TAKEN;
    if (database) await letTimePass(database.em);
    await start({ ALLOW_PRIVATE_NETWORK: 'on' });
    await Promise.all([mailServer.received(mailServer.mails.length + 2), receiver.received(2)]);
    expect(messageIds().size).toBe(2);
    expect(new Set(mailboxes())).toEqual(new Set(['ada@acme.test', booker]));
    const ids = receiver.all.map((delivered) => verified(webhookCreate.secret, delivered).id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  test('as soon as it has booked sends the mails once it is back', async () => {
    mailServer.onTaken = () => new Promise(() => undefined);
    const first = await start();
    const [booker = ''] = await bookSlots(first.url, 1);
    // Wherever it is by now: before the relay, after it, or at the first mail.
    await first.kill('SIGKILL');
    const before = mailServer.mails.length;
    mailServer.onTaken = () => undefined;
    if (database) await letTimePass(database.em);
    await start();
    await mailServer.received(before + 2);
    expect(messageIds().size).toBe(2);
    expect(new Set(mailboxes())).toEqual(new Set(['ada@acme.test', booker]));
  });

  test.runIf(isOnPostgres)('between the commit and the relay loses no event, and tells each once', async () => {
    const { em } = database as TestDatabase;
    const first = await start();
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    // Nobody relays while somebody else does.
    const holding = em.fork().transactional(async (inner) => {
      await row(inner, sql`select pg_advisory_xact_lock(hashtext('gatehouse: relay'))`);
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    const bookers = await bookSlots(first.url, 3);
    expect(await countEvents(em)).toBe(3);
    expect(await storedJobs(em)).toEqual([]);
    await first.kill('SIGKILL');
    held.resolve();
    await holding;
    await start();
    await mailServer.received(6);
    expect(mailboxes()).toEqual(['ada@acme.test', 'ada@acme.test', 'ada@acme.test', ...bookers].toSorted());
    await expect.poll(() => storedJobs(em)).toEqual([]);
    expect(messageIds().size).toBe(6);
  });
});

test('a service that is stopped while it sends finishes that, and nothing is sent twice', async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  mailServer.onTaken = () => (take(), released);
  const first = await start();
  await bookSlots(first.url, 1);
  await taken;
  const stopped = first.kill('SIGTERM');
  release();
  expect(await stopped).toBe(0);
  const second = await start();
  await mailServer.received(2);
  await second.kill('SIGTERM');
  expect(mailServer.mails).toHaveLength(2);
  expect(messageIds().size).toBe(2);
});

test.runIf(isOnPostgres)(
  'two workers and another process send each mail once',
  { timeout: paced(120_000) },
  async () => {
    const { em } = database as TestDatabase;
    const [workers, other] = await Promise.all([start({ WORKERS: '2', LOG_LEVEL: 'info' }), start()]);
    const isReady = () =>
      fetch(`${workers.url}/health/ready`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(isReady, { timeout: paced(60_000) }).toBe(200);
    const bookers = [...(await bookSlots(workers.url, 15)), ...(await bookSlots(other.url, 15))];
    await mailServer.received(60);
    await expect.poll(() => storedJobs(em)).toEqual([]);
    expect(mailServer.mails).toHaveLength(60);
    expect(messageIds().size).toBe(60);
    expect(mailboxes().filter((mailbox) => mailbox !== 'ada@acme.test')).toEqual(bookers.toSorted());
  },
);
