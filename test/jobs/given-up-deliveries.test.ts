import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { findGivenUpDeliveries, retryGivenUpDeliveries } from '../../src/modules/webhooks/request-delivery.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { aRunner } from './support/jobs.ts';
import { aPayload, storedDeliveries, storeWebhooks, testDoor, webhookKindsWith } from './support/webhooks.ts';

let database: TestDatabase;
let em: () => Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
});
afterAll(() => database.close());

test('deliveries that were given up are listed and sent once more, to webhooks that are active', async () => {
  const receiver = await WebhookReceiver.open();
  const door = testDoor(20_000);
  const [ownerId = ''] = await newHosts(em(), 1);
  const [active = ''] = await storeWebhooks(em(), ownerId, [receiver.url()]);
  const [inactive = ''] = await storeWebhooks(em(), ownerId, [receiver.url('/off')], { isActive: false });
  const ids = [active, active, inactive].map((webhookId) => ({ webhookId, id: newId() }));
  for (const { webhookId, id } of ids) {
    await rows(
      em(),
      sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, created_at)
          values (${ownerId}, ${id}, ${webhookId}, ${id}, 'BOOKING_CREATED', ${aPayload({ ownerId, id })}, 'FAILED',
            '[{"endedAt": "2026-12-01T09:00:00Z", "status": 503, "latencyInMs": 3}]', now())`,
    );
  }
  const found = await findGivenUpDeliveries(em(), 10);
  expect(found.map(({ id }) => id).toSorted()).toEqual(ids.map(({ id }) => id).toSorted());
  expect(found[0]).toMatchObject({ ownerId, trigger: 'BOOKING_CREATED', last: { status: 503 } });
  expect(await retryGivenUpDeliveries(em(), { ownerId, id: newId() })).toBe(0);
  expect(await retryGivenUpDeliveries(em(), { ownerId, id: ids[0]?.id ?? '' })).toBe(1);
  expect(await retryGivenUpDeliveries(em(), undefined)).toBe(1);
  expect(await retryGivenUpDeliveries(em(), undefined)).toBe(0);
  const { runner, logged } = aRunner(database.em, ...webhookKindsWith(door));
  await runner.settled();
  expect(logged).toEqual([]);
  expect((await storedDeliveries(em())).map(({ status }) => status).toSorted()).toEqual([
    'DELIVERED',
    'DELIVERED',
    'FAILED',
  ]);
  expect(receiver.all.map(({ path }) => path)).toEqual(['/hook', '/hook']);
  await door.close();
  await receiver.close();
});
