import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { type Em, row, rows, sql } from '../../src/database/sql.ts';
import { recordEvents } from '../../src/events/record-event.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { enqueueJobs, prepareQueues, relayEvents } from '../../src/jobs/job-queue.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { createOrganization } from '../../src/modules/organizations/organization.commands.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { connect } from '../../src/persistence/connect.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { paced } from '../support/pace.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { kindsWith } from './support/booking-mails.ts';
import { aPayload, storeWebhooks, testDoor, webhookKindsWith } from './support/webhooks.ts';

let database: TestDatabase;
let em: () => Em;
let mailServer: MailServer;
let receiver: WebhookReceiver;
let door: Outbound;
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
  mailServer = await MailServer.open();
  receiver = await WebhookReceiver.open();
  // Slow receivers are slow for as long as a test wants.
  door = testDoor(300_000);
});
afterAll(async () => {
  await door.close();
  await mailServer.close();
  await receiver.close();
  await database.close();
});
afterEach(async () => {
  mailServer.mails.length = 0;
  receiver.all.length = 0;
  await rows(em(), sql`delete from jobs.job`);
  await rows(em(), sql`delete from webhooks`);
});

/** Lets those answer that take long. */
let release = (): void => undefined;

/** Two processes, as far as the database knows; on the embedded one, which has a single one, two beside each other in it. */
async function twoProcesses(kinds: () => readonly JobKind[]): Promise<void> {
  const log = { warn: () => undefined, error: () => undefined };
  for (let process = 0; process < 2; process += 1) {
    const own =
      database.url === undefined ? undefined : await connect({ databaseUrl: database.url, dataDir: 'memory:' });
    const runner = new JobRunner((own ?? database).em, kinds(), log);
    const timer = setInterval(() => runner.look(), 100);
    onTestFinished(async () => {
      release();
      clearInterval(timer);
      await runner.stop();
      await own?.close();
    });
  }
}

const MANY = 20_000;

const sent = (): string[] => mailServer.mails.map(({ mailbox }) => mailbox);
const come = (path: string): number => receiver.all.filter((delivered) => delivered.path === path).length;

test(`behind ${MANY} mails of one owner, those of another are not`, { timeout: paced(120_000) }, async () => {
  const [flooding = '', other = ''] = await newHosts(em(), 2);
  await prepareQueues(em(), ['mail']);
  await enqueueJobs(
    em(),
    Array.from({ length: MANY }, (_, n) => ({
      queue: 'mail',
      owner: flooding,
      data: {
        mail: {
          to: { name: '', address: `flood${n}@example.test` },
          subject: 'Many',
          parts: ['One of many.'],
          messageId: `<${n}@example.test>`,
        },
      },
    })),
  );
  await twoProcesses(() => kindsWith(mailServer));
  await expect.poll(() => sent().length, { timeout: paced(60_000), interval: 5 }).toBeGreaterThan(20);
  await book(em(), eventTypeOf([other]), slotOn(0, '09:00'));
  const before = sent().length;
  await expect.poll(sent, { timeout: paced(60_000), interval: 5 }).toContain('grace@example.test');
  // A process sends mails by the ten, while the event became a job, and that job a mail; in their order there are
  // 20,000.
  expect(sent().indexOf('grace@example.test') - before).toBeLessThan(MANY / 10);
});

test('jobs about bookings have their turn by the first host, of however many teams they are', async () => {
  const [host = ''] = await newHosts(em(), 1);
  for (let n = 0; n < 3; n += 1) await book(em(), eventTypeOf([host]), slotOn(n, '10:00'));
  // As though each were another team's.
  await rows(em(), sql`update domain_events set owner_id = id`);
  const kinds = kindsWith(mailServer);
  await prepareQueues(
    em(),
    kinds.map(({ queue }) => queue),
  );
  await relayEvents(em(), kinds, 100);
  const owners = await rows(em(), sql<{ owner: string }>`select distinct owner from jobs.job`);
  expect(owners).toEqual([{ owner: host }]);
});

/** A webhook of each url, of one user or of an organization of theirs, and so many messages that wait for each. */
async function waitingFor(setBy: string, paths: readonly string[], each: number, organization?: string): Promise<void> {
  const of = organization === undefined ? {} : { of: { organization, setBy } };
  const ids = await storeWebhooks(
    em(),
    setBy,
    paths.map((path) => receiver.url(path)),
    of,
  );
  const ownerId = organization ?? setBy;
  const deliveries = ids.flatMap((webhookId) => Array.from({ length: each }, () => ({ webhookId, id: newId() })));
  await rows(
    em(),
    sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, next_attempt_at, created_at)
        select ${ownerId}::uuid, d.id, d.webhook_id, d.id, 'BOOKING_CREATED', d.payload, 'PENDING', '[]', now(), now()
        from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ webhookId }) => webhookId)}::uuid[],
          ${deliveries.map(({ id }) => aPayload({ ownerId, id }))}::text[]) as d(id, webhook_id, payload)`,
  );
  await recordEvents(
    em(),
    deliveries.map(({ webhookId, id }) => ({
      ownerId,
      event: { type: 'WEBHOOK_DELIVERY_WANTED', webhookId, deliveryId: id } as const,
    })),
  );
}

const named = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => `/${name}/${n}`);

describe('while receivers take long', () => {
  let isReleased: PromiseWithResolvers<void>;
  let hanging = 0;
  /** Those that are called slow answer once they are let. */
  function beSlow(): void {
    isReleased = Promise.withResolvers();
    hanging = 0;
    receiver.answer = async (response, { path }) => {
      if (path.startsWith('/slow')) {
        hanging += 1;
        await isReleased.promise;
      }
      response.writeHead(204).end();
    };
    release = isReleased.resolve;
  }

  test('as many as an account likes, of any number of its organizations, others’ messages are sent', {
    timeout: 120_000,
  }, async () => {
    beSlow();
    const [flooding = '', other = ''] = await newHosts(em(), 2);
    for (let n = 0; n < 6; n += 1) {
      const organization = await createOrganization(em(), flooding, {
        slug: `slow-${n}-${flooding.slice(-8)}`,
        name: 'Slow',
      });
      await waitingFor(flooding, named(`slow/${n}`, 25), 4, organization);
    }
    await twoProcesses(() => webhookKindsWith(door));
    // Each process waits for all that it may of one account.
    await expect.poll(() => hanging, { timeout: paced(60_000) }).toBeGreaterThanOrEqual(100);
    await waitingFor(other, named('good', 3), 20);
    await expect
      .poll(() => receiver.all.filter(({ path }) => path.startsWith('/good')).length, { timeout: paced(60_000) })
      .toBe(60);
    expect(hanging).toBeLessThanOrEqual(2 * (50 + 10));
  });

  test('an account’s own that answer are told', { timeout: paced(120_000) }, async () => {
    beSlow();
    const [account = ''] = await newHosts(em(), 1);
    await waitingFor(account, [...named('slow', 40), '/zzz-good'], 20);
    await twoProcesses(() => webhookKindsWith(door));
    await expect.poll(() => come('/zzz-good'), { timeout: paced(60_000) }).toBe(20);
    expect(hanging).toBeLessThanOrEqual(2 * (50 + 10));
  });

  test('waiting messages are not touched, and their age is true', { timeout: paced(120_000) }, async () => {
    beSlow();
    const [account = ''] = await newHosts(em(), 1);
    await waitingFor(account, ['/slow/only'], 200);
    await twoProcesses(() => webhookKindsWith(door));
    const waiting = () =>
      rows(
        em(),
        sql<{ id: string; version: string }>`select id, xmin::text as version from jobs.job
        where queue = 'webhook-deliveries' and state = 'created' order by id`,
      );
    await expect.poll(() => hanging, { timeout: paced(60_000) }).toBe(2);
    await expect.poll(async () => (await waiting()).length, { timeout: paced(60_000) }).toBe(198);
    const before = await waiting();
    // Whatever else is sent meanwhile.
    const [other = ''] = await newHosts(em(), 1);
    await waitingFor(other, ['/good'], 100);
    await expect.poll(() => come('/good'), { timeout: paced(60_000) }).toBe(100);
    expect(await waiting()).toEqual(before);
  });

  test('they are known by it: the next message to them takes none of the places of others', {
    timeout: 120_000,
  }, async () => {
    beSlow();
    const [account = ''] = await newHosts(em(), 1);
    await waitingFor(account, ['/slow/once'], 1);
    await twoProcesses(() => webhookKindsWith(door));
    await expect.poll(() => hanging, { timeout: paced(60_000) }).toBe(1);
    const isSlow = async () => (await row(em(), sql<{ slow: boolean }>`select slow from webhooks`))?.slow;
    expect(await isSlow()).toBe(false);
    // Longer than half a second, which a receiver may take.
    await expect.poll(() => performance.now(), { timeout: paced(10_000) }).toBeGreaterThan(performance.now() + 600);
    isReleased.resolve();
    await expect.poll(isSlow, { timeout: paced(60_000) }).toBe(true);
    beSlow();
    await book(em(), eventTypeOf([account]), slotOn(1, '09:00'));
    await expect.poll(() => hanging, { timeout: paced(60_000) }).toBe(1);
    expect(await rows(em(), sql`select queue from jobs.job where state = 'active'`)).toEqual([
      { queue: 'webhook-retries' },
    ]);
    receiver.answer = (response) => void response.writeHead(204).end();
    isReleased.resolve();
  });
});
