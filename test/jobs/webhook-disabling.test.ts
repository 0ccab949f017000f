/** A webhook whose receiver has only failed for long is disabled, once, and its owners are told. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId, publicOwnedId } from '../../src/core/id.ts';
import { textOf } from '../../src/core/mail-content.ts';
import { Selection } from '../../src/database/columns.ts';
import { type Em, row, rows, sql } from '../../src/database/sql.ts';
import type { Mail } from '../../src/mail/mailer.ts';
import { own } from '../../src/modules/levels/reach.ts';
import { attemptDelivery } from '../../src/modules/webhooks/attempt-delivery.ts';
import { updateWebhook } from '../../src/modules/webhooks/webhook.commands.ts';
import { Webhook } from '../../src/modules/webhooks/webhook.entity.ts';
import { WEBHOOKS } from '../../src/modules/webhooks/webhook.queries.ts';
import { DISABLED_AFTER, statusOf } from '../../src/modules/webhooks/webhook.rules.ts';
import { isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { NEW_ID } from '../support/ids.ts';
import { TAKEN, WebhookReceiver } from '../support/webhook-receiver.ts';
import { aRunner, counting, storedJobs } from './support/jobs.ts';
import { aPayload, storeAbsence, storeWebhooks, testDoor, WEBHOOKS_KEY, webhookKindsWith } from './support/webhooks.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
let door: Outbound;
let em: () => Em;
let ownerId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
  receiver = await WebhookReceiver.open();
  door = testDoor(20_000);
});
afterAll(async () => {
  await door.close();
  await receiver.close();
  await database.close();
});
beforeEach(async () => {
  [ownerId = ''] = await newHosts(em(), 1);
  receiver.answer = (response) => void response.writeHead(503).end();
});
afterEach(async () => {
  await rows(em(), sql`delete from jobs.job`);
  await rows(em(), sql`delete from domain_events`);
  await rows(em(), sql`delete from webhooks`);
});

/** One that has failed for so long and so often. */
async function failing(
  days: number,
  attempts: number,
  options: Parameters<typeof storeWebhooks>[3] = {},
): Promise<string> {
  const [id = ''] = await storeWebhooks(em(), ownerId, [receiver.url()], options);
  await rows(
    em(),
    sql`update webhooks set failing_since = now() - make_interval(days => ${days}::int), failed_attempts = ${attempts} where id = ${id}`,
  );
  return id;
}

/** So many messages to it, all of which are tried at the same moment. */
async function attempt(webhookId: string, count = 1): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  const [webhook] = await rows(
    em(),
    sql<{ ownerId: string }>`select owner_id as "ownerId" from webhooks where id = ${webhookId}`,
  );
  const owner = webhook?.ownerId ?? '';
  await rows(
    em(),
    sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, next_attempt_at, created_at)
        select ${owner}::uuid, id, ${webhookId}::uuid, id, 'BOOKING_CREATED', payload, 'PENDING', '[]', now(), now()
        from unnest(${ids}::uuid[], ${ids.map((id) => aPayload({ ownerId: owner, id }))}::text[]) as d(id, payload)`,
  );
  const settings = { outbound: door, webhooksKey: WEBHOOKS_KEY, isLetIn };
  await Promise.all(ids.map(async (id) => (await attemptDelivery(em(), { ownerId: owner, id }, settings))?.(em())));
}

async function found(id: string) {
  const stored = await row(
    em(),
    sql<{
      isActive: boolean;
      disabledAt: string | null;
      disabledReason: string | null;
      failedAttempts: number;
      isFailing: boolean;
    }>`
      select is_active as "isActive", disabled_at as "disabledAt", disabled_reason as "disabledReason", failed_attempts as "failedAttempts",
        failing_since is not null as "isFailing" from webhooks where id = ${id}`,
  );
  if (!stored) throw new Error('It is gone.');
  return { status: statusOf(stored, null), ...stored };
}

/** The mails about it: they are jobs, which the tests' runner leaves to the mail queue. */
async function mails(): Promise<readonly { to: { address: string }; text: string; messageId: string }[]> {
  const kept = counting({ queue: 'mail', atOnce: 0 });
  const { runner, logged } = aRunner(database.em, ...webhookKindsWith(door), kept);
  await runner.settled();
  expect(logged).toEqual([]);
  const jobs = await rows(
    em(),
    sql<{
      data: { mail: Mail & { to: { address: string }; messageId: string } };
    }>`select data from jobs.job where queue = 'mail'`,
  );
  return jobs.map(({ data: { mail } }) => ({ to: mail.to, messageId: mail.messageId, text: textOf(mail) }));
}

const { days, attempts } = DISABLED_AFTER;

test('it is disabled with a reason and a time, by the last of many failures over days', async () => {
  const id = await failing(days, attempts - 1);
  await attempt(id);
  expect(await found(id)).toMatchObject({
    status: 'DISABLED',
    isActive: false,
    disabledAt: expect.any(String),
    disabledReason: 'The last attempt was answered with the HTTP status 503.',
  });
  const [mail, ...more] = await mails();
  expect([mail?.to.address, more]).toEqual([ownerId, []]);
  // Its path may be a key.
  expect(mail?.text).toContain(new URL(receiver.url()).origin);
  expect(mail?.text).not.toContain('/hook');
  expect(mail?.text).toContain(`/settings/webhooks/${publicOwnedId('webhook', { ownerId, id })}`);
});

test.each([
  ['too few attempts', days, attempts - 2],
  ['too few days', days - 1, 1_000],
])('it is not after %s', async (_what, sinceDays, before) => {
  const id = await failing(sinceDays, before);
  await attempt(id);
  expect(await found(id)).toMatchObject({ status: 'ACTIVE', disabledAt: null, failedAttempts: before + 1 });
  expect(await mails()).toEqual([]);
});

test('one message that is taken begins it anew', async () => {
  const id = await failing(days, 1_000);
  receiver.answer = TAKEN;
  await attempt(id);
  expect(await found(id)).toMatchObject({ status: 'ACTIVE', failedAttempts: 0, isFailing: false });
  receiver.answer = (response) => void response.writeHead(500).end();
  await attempt(id);
  expect(await found(id)).toMatchObject({ status: 'ACTIVE', failedAttempts: 1, isFailing: true });
});

test('fifty failures at the same moment disable it once, and lead to one mail', async () => {
  const id = await failing(days, attempts);
  await attempt(id, 50);
  expect((await found(id)).status).toBe('DISABLED');
  const events = sql<{ count: number }>`select count(*)::int from domain_events where type = 'WEBHOOK_DISABLED'`;
  expect(await rows(em(), events)).toEqual([{ count: 1 }]);
  expect(await mails()).toHaveLength(1);
});

test('its message that waits is given up, and another one is not written', async () => {
  const id = await failing(days, attempts);
  await attempt(id);
  await attempt(id);
  const statuses = sql`select status from webhook_deliveries where webhook_id = ${id} and status = 'FAILED'`;
  expect(await rows(em(), statuses)).toHaveLength(1);
  expect(await storedJobs(em())).toEqual([]);
});

test('an update makes it active again, and it has as long as any other', async () => {
  const id = await failing(days, attempts);
  await attempt(id);
  const director = { allowsPrivate: true, userId: ownerId, clientId: null, readable: [] };
  const changed = (patch: object) =>
    updateWebhook(em(), WEBHOOKS, own(ownerId), id, patch, new Selection(Webhook, []), director);
  await changed({ triggers: ['BOOKING_CREATED'] });
  expect((await found(id)).status).toBe('DISABLED');
  await changed({ isActive: true });
  expect(await found(id)).toMatchObject({
    status: 'ACTIVE',
    disabledReason: null,
    failedAttempts: 0,
    isFailing: false,
  });
  await attempt(id);
  expect((await found(id)).status).toBe('ACTIVE');
});

test('the owners and administrators of an organization are told, and none of its members', async () => {
  const organization = newId();
  const [admin = '', member = '', invited = ''] = await newHosts(em(), 3);
  await rows(
    em(),
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        values (${organization}, ${organization}, 'Acme', 'UTC', 'MONDAY', false, '{}', now(), now())`,
  );
  await rows(
    em(),
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        select ${NEW_ID}, ${organization}::uuid, m.user_id, m.role, m.accepted, now()
        from (values (${ownerId}::uuid, 'OWNER', true), (${admin}::uuid, 'ADMIN', true), (${member}::uuid, 'MEMBER', true),
          (${invited}::uuid, 'OWNER', false)) as m(user_id, role, accepted)`,
  );
  const id = await failing(days, attempts, { of: { organization } });
  await attempt(id);
  const written = await mails();
  expect(written.map(({ to }) => to.address).toSorted()).toEqual([ownerId, admin].toSorted());
  expect(new Set(written.map(({ messageId }) => messageId)).size).toBe(2);
  // They may all see its page.
  expect(written.map(({ text }) => text.includes('/settings/webhooks/whk_'))).toEqual(written.map(() => true));
});

test('its new messages wait with the retries while it fails, so that they hold up nobody', async () => {
  const id = await failing(0, 1);
  await rows(
    em(),
    sql`insert into domain_events (owner_id, id, type, data, occurred_at) values (${ownerId}, ${newId()},
    'OUT_OF_OFFICE_CREATED', ${JSON.stringify({ outOfOfficeId: await storeAbsence(em(), ownerId), start: '2031-01-06T00:00:00Z', end: '2031-01-07T00:00:00Z' })}::jsonb, now())`,
  );
  const [fanOut] = webhookKindsWith(door);
  if (!fanOut) throw new Error('There is no such job.');
  const { runner } = aRunner(database.em, fanOut);
  await runner.settled();
  expect(await storedJobs(em())).toMatchObject([{ queue: 'webhook-retries' }]);
  expect((await found(id)).isFailing).toBe(true);
});
