import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import {
  enqueueJobs,
  finishJobs,
  giveUpJob,
  handBackJobs,
  postponeJob,
  prepareQueues,
  ripenJobs,
} from '../../src/jobs/job-queue.ts';
import { queueMetrics } from '../../src/jobs/queue-metrics.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { claimSome } from './support/jobs.ts';
import { aPayload, storeWebhooks } from './support/webhooks.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

/** Each sample by its name and labels. */
async function measured(): Promise<Record<string, number>> {
  const lines = (await queueMetrics(em)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

test('waiting jobs and those that were given up are reported by queue, also for empty queues', async () => {
  await prepareQueues(em, ['mail', 'sms']);
  await enqueueJobs(
    em,
    [1, 2, 3].map((n) => ({ queue: 'mail', data: { n } })),
  );
  const [failing, failed] = (await claimSome(em, 'mail', 2)).jobs;
  if (!failing || !failed) throw new Error('There are not two jobs.');
  await postponeJob(em, failing, 600, new Error('Busy.'));
  await giveUpJob(em, failed, new Error('No such user.'));
  await rows(
    em,
    sql`update jobs.job set start_after = now() - interval '2 minutes' where state = 'created' and queue = 'mail'`,
  );
  const [ownerId = ''] = await newHosts(em, 1);
  const [webhookId = ''] = await storeWebhooks(em, ownerId, ['https://app.example/hook']);
  for (const status of ['FAILED', 'FAILED', 'DELIVERED']) {
    const id = newId();
    await rows(
      em,
      sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, created_at)
          values (${ownerId}, ${id}, ${webhookId}, ${id}, 'BOOKING_CREATED', ${aPayload({ ownerId, id })}, ${status}, '[]', now())`,
    );
  }
  const found = await measured();
  expect(found).toMatchObject({
    'gatehouse_jobs_waiting{queue="mail"}': 2,
    'gatehouse_jobs_failing{queue="mail"}': 1,
    'gatehouse_jobs_given_up{queue="mail"}': 1,
    'gatehouse_jobs_waiting{queue="sms"}': 0,
    'gatehouse_jobs_oldest_seconds{queue="sms"}': 0,
    gatehouse_webhook_deliveries_given_up: 2,
    'gatehouse_messages_held{of="notices"}': 0,
    'gatehouse_messages_unsent{of="workflows"}': 0,
  });
  // A job that waits for its next attempt, in ten minutes, is not late.
  const oldest = found['gatehouse_jobs_oldest_seconds{queue="mail"}'];
  expect(oldest).toBeGreaterThanOrEqual(120);
  expect(oldest).toBeLessThan(300);
});

/** The age of the oldest job in a queue, in seconds. */
async function age(queue: string): Promise<number> {
  return (await measured())[`gatehouse_jobs_oldest_seconds{queue="${queue}"}`] ?? 0;
}

test('the age of what is due counts from when it first was, whatever it has waited for since', async () => {
  await prepareQueues(em, ['old', 'ordered']);
  await enqueueJobs(em, [{ queue: 'old', data: {} }]);
  await rows(em, sql`update jobs.job set start_after = now() - interval '1 hour' where queue = 'old'`);
  const [tried] = (await claimSome(em, 'old', 1)).jobs;
  if (!tried) throw new Error('There is no job.');
  await postponeJob(em, tried, 60, new Error('Busy.'));
  expect(await age('old')).toBe(0);
  await rows(em, sql`update jobs.job set start_after = now() - interval '1 second' where queue = 'old'`);
  expect(await age('old')).toBeGreaterThanOrEqual(3_600);
  await ripenJobs(em, 10);
  const [again] = (await claimSome(em, 'old', 1)).jobs;
  await handBackJobs(em, again ? [again] : []);
  expect(await age('old')).toBeGreaterThanOrEqual(3_600);

  await enqueueJobs(
    em,
    [1, 2].map((n) => ({ queue: 'ordered', data: { n }, orderKey: 'one' })),
  );
  await rows(em, sql`update jobs.job set start_after = now() - interval '1 hour' where queue = 'ordered'`);
  const first = (await claimSome(em, 'ordered', 2)).jobs;
  expect(first).toHaveLength(1);
  await finishJobs(
    em,
    first.map((job) => ({ job, next: [] })),
  );
  expect(await age('ordered')).toBeGreaterThanOrEqual(3_600);
});
