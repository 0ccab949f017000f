/** One owner's slow calendars, and a server that answers nobody, hold up none of the others. */
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/core/id.ts';
import { rows, sql } from '../../../../src/database/sql.ts';
import { enqueueJobs, prepareQueues } from '../../../../src/jobs/job-queue.ts';
import { icsFeedsKind } from '../../../../src/jobs/kinds/ics-feeds.job.ts';
import { rowOf } from '../../../../src/modules/calendars/feeds/feed-reader.ts';
import { READING_SIZES, readInThread } from '../../../../src/modules/calendars/feeds/read-in-thread.ts';
import { startRunner } from '../../../jobs/support/jobs.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { TEST_FEEDS } from '../../../support/feeds.ts';
import { paced } from '../../../support/pace.ts';
import { newHosts } from '../../bookings/support/booked-hosts.ts';
import { CalendarServer } from './support/calendar-server.ts';
import { calendar, event } from './support/ics.ts';

let database: TestDatabase;
let [hanging, healthy]: CalendarServer[] = [];
beforeAll(async () => {
  [database, hanging, healthy] = await Promise.all([
    openTestDatabase(),
    CalendarServer.start(),
    CalendarServer.start(),
  ]);
});
afterAll(() => Promise.all([database.close(), hanging?.close(), healthy?.close()]));

const QUICK = calendar(event('UID:x\nDTSTART:20260302T090000Z\nDURATION:PT30M'));
const BOMB = calendar(
  ...Array.from({ length: 500 }, (_, n) =>
    event(`UID:${n}\nDTSTART:20200101T000000Z\nDURATION:PT1M\nRRULE:FREQ=MINUTELY;INTERVAL=10`),
  ),
);
const read = (ownerId: string, text: string, seconds?: number) =>
  readInThread({ ownerId, timeZone: 'UTC', range: RANGE }, Buffer.from(text), seconds);
const RANGE = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2027, 2, 1) };

test('calendars are read in turns of their owners, and beyond a number that waits none of the owner’s own', async () => {
  const ended: string[] = [];
  const bombs = Array.from({ length: 25 }, async () => {
    const answer = await read('ada', BOMB, 0.2);
    ended.push('failure' in answer ? answer.failure : 'READ');
  });
  const mine = read('ben', QUICK).then((answer) => ({
    answer,
    before: ended.filter((end) => end !== 'POSTPONED').length,
  }));
  const { answer, before } = await mine;
  expect(answer).toMatchObject({ eventCount: 1, periods: [{ icsUid: null }] });
  const { running, waitingInLine } = READING_SIZES;
  expect(before).toBeLessThan(waitingInLine);
  await Promise.all(bombs);
  expect(ended.filter((end) => end === 'TOO_MUCH_WORK')).toHaveLength(running + waitingInLine);
  expect(ended.filter((end) => end === 'POSTPONED')).toHaveLength(25 - running - waitingInLine);
});

test('one thread reads for visitors, one text after the other, and no longer than it may', async () => {
  const waits = { ownerId: 'ada', timeZone: 'UTC', range: RANGE };
  const dear = Buffer.from(
    calendar(...Array.from({ length: 4_000 }, (_, n) => event(`UID:${n}\nDTSTART:20260302T090000Z\nDURATION:PT30M`))),
  );
  await readInThread({ ...waits, cpuLeft: { milliseconds: 20 } }, Buffer.from(QUICK));
  const before = await newThreadId();
  const texts = Array.from({ length: 15 }, (_, n) => (n % 3 === 0 ? dear : Buffer.from(QUICK)));
  const left = texts.map(() => ({ milliseconds: 20 }));
  const answers = await Promise.all(
    texts.map((text, n) => readInThread({ ...waits, cpuLeft: left[n] ?? { milliseconds: 0 } }, text)),
  );
  expect(answers.map((one) => 'failure' in one)).toEqual(texts.map((text) => text === dear));
  expect((await newThreadId()) - before).toBe(1);
  // A step takes some milliseconds on a busy machine.
  for (const { milliseconds } of left) expect(milliseconds).toBeGreaterThan(-20);
  // The CPU that one text has taken is not left for the next text of the same attempt.
  const spent = { milliseconds: 0 };
  expect(await readInThread({ ...waits, cpuLeft: spent }, Buffer.from(QUICK))).toEqual({ failure: 'TOO_DEAR' });
});

/** Ids of threads are counted. */
async function newThreadId(): Promise<number> {
  const thread = new Worker('', { eval: true });
  const id = thread.threadId;
  await thread.terminate();
  return id;
}

test('a server that answers none of two hundred users keeps nobody from being read whose server answers', async () => {
  const slow = hanging?.publish('/slow.ics', () => undefined) ?? '';
  const url = healthy?.publish('/quick.ics', QUICK) ?? '';
  const em = () => database.em.fork();
  const owners = await newHosts(em(), 201);
  const feeds = owners.map((ownerId, n) => ({ ownerId, id: newId(), url: n === 200 ? url : slow }));
  const sealed = await Promise.all(feeds.map((feed) => TEST_FEEDS.credentials.seal(feed.url, rowOf(feed))));
  await rows(
    em(),
    sql`insert into ics_feeds (user_id, id, sealed_url, host, ending, expanded_at, read_at, failures, next_read_at, event_count,
          unreadable_event_count, created_at, updated_at)
        select user_id, id, sealed, '', '', now(), now() - interval '1 hour', 0, now() - interval '1 second', 0, 0, now(), now()
        from unnest(${owners}::uuid[], ${feeds.map(({ id }) => id)}::uuid[], ${sealed}::text[]) as f(user_id, id, sealed)`,
  );
  await prepareQueues(em(), ['ics-feeds']);
  await enqueueJobs(
    em(),
    feeds.map(({ ownerId, id }) => ({ queue: 'ics-feeds', data: { ownerId, id }, owner: ownerId })),
  );
  await startRunner(database, icsFeedsKind(TEST_FEEDS));
  const readNow = () =>
    rows(em(), sql`select user_id as "userId" from ics_feeds where read_at > now() - interval '1 minute'`);
  await expect.poll(readNow, { timeout: paced(20_000), interval: 50 }).toEqual([{ userId: owners.at(-1) }]);
  // The question that runs ends now, and the service need not wait for it.
  await hanging?.close();
});
