/** Feeds of a real server: saved, read again in the background, and what they do to slots. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OwnedId } from '../../../../src/core/id.ts';
import { Problem } from '../../../../src/core/problem.ts';
import { row, rows, sql } from '../../../../src/database/sql.ts';
import { icsFeedsKind } from '../../../../src/jobs/kinds/ics-feeds.job.ts';
import { OwnerTurns } from '../../../../src/limits/owner-turns.ts';
import { rowOf, unreadableOf } from '../../../../src/modules/calendars/feeds/feed-reader.ts';
import { rereadFeed } from '../../../../src/modules/calendars/feeds/reread-feed.ts';
import { FEED_TRIES, saveFeeds } from '../../../../src/modules/calendars/feeds/save-feeds.ts';
import { aRunner, startRunner } from '../../../jobs/support/jobs.ts';
import { reviveAll, stopAll } from '../../../jobs/support/stopping.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { TEST_FEEDS } from '../../../support/feeds.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { ownGuessLimit } from '../../../support/own-guess-limit.ts';
import { paced } from '../../../support/pace.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../../bookings/support/booked-hosts.ts';
import { CalendarServer } from './support/calendar-server.ts';
import { calendar, event } from './support/ics.ts';

let database: TestDatabase;
let server: CalendarServer;
let me: string;
beforeAll(async () => {
  database = await openTestDatabase();
  server = await CalendarServer.start();
});
afterAll(async () => {
  await server.close();
  await database.close();
});
beforeEach(async () => {
  [me = ''] = await newHosts(em(), 1);
  server.asked.length = 0;
});

const em = () => database.em.fork();
const HOSTS = new OwnerTurns({ share: 1, waiting: 0, waitInMs: 0, awayInSeconds: 1 });
const [NINE, TEN] = [slotOn(0, '09:00'), slotOn(0, '10:00')];
const utc = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
/** A calendar with half an hour that is taken. */
const busyAt = (at: Temporal.Instant): string => calendar(event(`UID:x\nDTSTART:${utc(at)}\nDURATION:PT30M`));
const at = (start: Temporal.Instant) => outcomeOf(book(em(), eventTypeOf([me]), start));

function save(
  urls: readonly string[],
  keepIds: readonly OwnedId[] = [],
  changes: Partial<Parameters<typeof saveFeeds>[3]> = {},
): Promise<void> {
  const tries = ownGuessLimit(FEED_TRIES, database);
  return saveFeeds(em(), me, { urls, keepIds }, { ...TEST_FEEDS, allowsPrivate: true, tries, ...changes });
}

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw new Error('It was not refused.');
  return error.mistakes.map(({ code, path, message }) => ({ code, path: path?.join('.'), message }));
}

interface Feed {
  readonly id: string;
  readonly sealedUrl: string;
  readonly host: string;
  readonly ending: string;
  readonly error: string | null;
  readonly failures: number;
  readonly minutes: number;
}
const feeds = (): Promise<Feed[]> =>
  rows(
    em(),
    sql<Feed>`select id, sealed_url as "sealedUrl", host, ending, error, failures,
      (extract(epoch from next_read_at - now()) / 60)::float8 as minutes from ics_feeds where user_id = ${me} order by id`,
  );
const theFeed = async (): Promise<OwnedId> => ({ ownerId: me, id: (await feeds())[0]?.id ?? '' });
const isDue = () =>
  rows(em(), sql`update ics_feeds set next_read_at = now() - interval '1 second' where user_id = ${me}`);
async function reread(): Promise<number | undefined> {
  await isDue();
  return rereadFeed(em(), await theFeed(), TEST_FEEDS, HOSTS);
}

const named = async () => {
  const found = await row(
    em(),
    sql<{ count: number; sealed: string | null }>`
      select unreadable_event_count as count, sealed_unreadable as sealed from ics_feeds where user_id = ${me}`,
  );
  const events = await unreadableOf(TEST_FEEDS.credentials, rowOf(await theFeed()), found?.sealed ?? null);
  return [found?.count, events.map(({ problem, title }) => [problem, title])];
};

describe('saved', () => {
  test('it is read, and its events are in the way of bookings; removed, they are not', async () => {
    await save([server.publish('/a.ics', busyAt(NINE))]);
    expect(await at(NINE)).toBe('SLOT_TAKEN');
    await save([]);
    expect(await feeds()).toEqual([]);
    expect(await at(NINE)).toBe('done');
  });

  test('its address is kept encrypted and shown in part', async () => {
    const url = server.publish('/calendar/private-0123456789abcdef/basic.ics', busyAt(NINE));
    await save([url]);
    const [feed] = await feeds();
    expect(feed).toMatchObject({ host: new URL(url).host, ending: 'ic.ics'.slice(-6), error: null });
    const all = await row(
      em(),
      sql<{ text: string }>`select row_to_json(f)::text as text from ics_feeds f where user_id = ${me}`,
    );
    expect(all?.text).not.toContain('private-');
  });

  test('it names the parts that cannot be read until they can be', async () => {
    const damaged = busyAt(NINE).replace('UID:x', 'UID:x\r\nEXDATE:never');
    await save([server.publish('/damaged.ics', damaged)]);
    expect([await at(NINE), await named()]).toEqual(['SLOT_TAKEN', [1, [['DATES', 'Something']]]]);
    server.publish('/damaged.ics', busyAt(NINE));
    await reread();
    expect(await named()).toEqual([0, []]);
    server.publish('/damaged.ics', damaged);
    await reread();
    expect(await named()).toEqual([1, [['DATES', 'Something']]]);
  });

  test('it is read no more once it has stopped, and again once it is revived', async () => {
    const url = server.publish('/stopped.ics', busyAt(NINE));
    await save([url]);
    await stopAll(em(), me);
    expect(await at(NINE)).toBe('done');
    await rows(em(), sql`delete from jobs.job`);
    server.publish('/stopped.ics', busyAt(TEN).replace('UID:x', 'UID:another'));
    const { runner, logged } = aRunner(database.em, icsFeedsKind(TEST_FEEDS));
    await runner.settled();
    const asked = server.asked.length;
    expect(await reviveAll(em(), me)).toBe(1);
    await runner.settled();
    expect([server.asked.length > asked, logged, await at(TEN)]).toEqual([true, [], 'SLOT_TAKEN']);
  });

  test('again, with another one: the first stays as it is; kept by its id, too', async () => {
    const [a, b] = [server.publish('/b1.ics', busyAt(NINE)), server.publish('/b2.ics', busyAt(TEN))];
    await save([a]);
    const [first] = await feeds();
    await save([a, b]);
    await save([b], [{ ownerId: me, id: first?.id ?? '' }]);
    expect((await feeds()).map(({ id }) => id)).toContain(first?.id);
    expect(server.asked.map(({ path }) => path)).toEqual(['/b1.ics', '/b2.ics']);
    await save([b]);
    expect([await at(NINE), await at(TEN)]).toEqual(['done', 'SLOT_TAKEN']);
  });

  test('each that is no calendar is an error of its own, which does not repeat the address, and nothing changes', async () => {
    await save([server.publish('/good.ics', busyAt(NINE))]);
    const page = server.publish('/secret-page', '<html>');
    const gone = `${new URL(page).origin}/secret-gone`;
    const found = await refusal(save([page, server.publish('/other.ics', busyAt(TEN)), gone]));
    expect(found.map(({ code, path }) => `${code} ${path}`).toSorted()).toEqual([
      'FEED_UNREADABLE urls.0',
      'FEED_UNREADABLE urls.2',
    ]);
    expect(JSON.stringify(found)).not.toContain('secret');
    expect(found.map(({ message }) => message).join()).toContain('answers 404');
    expect(await feeds()).toHaveLength(1);
  });

  test.each<[string, (url: string) => readonly string[], boolean, string, string]>([
    ['no address', () => ['secret'], true, 'INVALID_URL', 'urls.0'],
    ['a private address', (url) => [url], false, 'INVALID_URL', 'urls.0'],
    [
      'an address twice, once as webcal',
      () => ['https://calendar.example/secret', 'webcal://calendar.example/secret'],
      false,
      'DUPLICATE',
      'urls.1',
    ],
    ['too many', (url) => Array.from({ length: 11 }, (_, n) => `${url}${n}`), true, 'TOO_MANY', 'urls'],
  ])('%s is refused before anything is asked', async (_, urls, allowsPrivate, code, path) => {
    const found = await refusal(save(urls(server.publish('/secret.ics', busyAt(NINE))), [], { allowsPrivate }));
    expect(found).toMatchObject([{ code, path }]);
    expect(JSON.stringify(found)).not.toContain('secret');
    expect(server.asked).toEqual([]);
  });

  test('a feed of somebody else is not kept by its id', async () => {
    await save([server.publish('/theirs.ics', busyAt(NINE))]);
    const theirs = await theFeed();
    [me = ''] = await newHosts(em(), 1);
    expect(await refusal(save([], [{ ownerId: me, id: theirs.id }]))).toMatchObject([
      { code: 'NOT_FOUND', path: 'keepIds.0' },
    ]);
  });

  test('at the same moment, twice: there is one of each address', async () => {
    const url = server.publish('/twice.ics', busyAt(NINE));
    await Promise.all([save([url]), save([url])]);
    expect(await feeds()).toHaveLength(1);
  });

  test.each<[string, Parameters<CalendarServer['publish']>[1]]>([
    [
      'an endless stream',
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('X'.repeat(1_048_576)), 1);
        response.once('close', () => clearInterval(timer));
      },
    ],
    [
      'what takes longer than it may',
      calendar(
        ...Array.from({ length: 20_000 }, (_, n) =>
          event(`UID:${n}\nDTSTART:20200101T000000Z\nDURATION:PT1M\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE`),
        ),
      ),
    ],
  ])('%s ends, and holds up nobody', async (_, there) => {
    let [longest, last] = [0, performance.now()];
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 20);
    const found = await refusal(save([server.publish('/bomb.ics', there)], [], { maxReadingSeconds: 0.1 }));
    clearInterval(timer);
    expect(found).toMatchObject([{ code: 'FEED_UNREADABLE' }]);
    // Reading goes on for a tenth of a second, in a thread of its own.
    expect(Math.max(longest, performance.now() - last)).toBeLessThan(paced(700));
  });
});

describe('read again', () => {
  test('it asks for what is new alone, and takes it over', async () => {
    const url = server.publish('/r.ics', busyAt(NINE));
    await save([url]);
    expect(await reread()).toBeGreaterThan(700);
    server.publish('/r.ics', `${busyAt(TEN)}\r\n`);
    await reread();
    expect(server.asked.map(({ status }) => status)).toEqual([200, 304, 200]);
    expect([await at(NINE), await at(TEN)]).toEqual(['done', 'SLOT_TAKEN']);
  });

  test('it keeps its last busy times while it cannot be read, and the pauses grow', async () => {
    await save([server.publish('/f.ics', busyAt(NINE))]);
    server.published.delete('/f.ics');
    await reread();
    await reread();
    const [feed] = await feeds();
    expect(feed).toMatchObject({ failures: 2, error: expect.stringContaining('404') });
    expect(feed?.minutes).toBeGreaterThan(50);
    expect(await at(NINE)).toBe('SLOT_TAKEN');
    server.publish('/f.ics', calendar());
    await reread();
    expect((await feeds())[0]).toMatchObject({ failures: 0, error: null });
    expect(await at(NINE)).toBe('done');
  });

  test('a text of yesterday is asked for as a whole, as time has moved', async () => {
    await save([server.publish('/old.ics', busyAt(NINE))]);
    await rows(em(), sql`update ics_feeds set expanded_at = now() - interval '1 day' where user_id = ${me}`);
    await reread();
    await reread();
    expect(server.asked.map(({ status }) => status)).toEqual([200, 200, 304]);
  });

  test('not before its time, not while its user is suspended, and not once it is removed', async () => {
    await save([server.publish('/s.ics', busyAt(NINE))]);
    const feed = await theFeed();
    expect(await rereadFeed(em(), feed, TEST_FEEDS, HOSTS)).toBeGreaterThan(700);
    await isDue();
    await rows(em(), sql`update users set suspended_at = now() where id = ${me}`);
    expect(await rereadFeed(em(), feed, TEST_FEEDS, HOSTS)).toBe(3_600);
    await save([]);
    expect(await rereadFeed(em(), feed, TEST_FEEDS, HOSTS)).toBeUndefined();
    expect(server.asked).toHaveLength(1);
  });

  test('removed while it is read: nothing of it stays', async () => {
    await save([server.publish('/gone.ics', busyAt(NINE))]);
    const feed = await theFeed();
    server.publish('/gone.ics', (_, response) => void save([]).then(() => response.end(busyAt(TEN))));
    await isDue();
    expect(await rereadFeed(em(), feed, TEST_FEEDS, HOSTS)).toBeUndefined();
    expect([await at(NINE), await at(TEN)]).toEqual(['done', 'done']);
  });

  test('by one of two processes, when its time has come', async () => {
    await save([server.publish('/job.ics', busyAt(NINE))]);
    server.publish('/job.ics', `${busyAt(TEN)}\r\n`);
    await isDue();
    const [one, other] = [icsFeedsKind(TEST_FEEDS), icsFeedsKind(TEST_FEEDS)];
    await startRunner(database, one);
    await startRunner(database, other);
    await expect.poll(async () => (await feeds())[0]?.minutes, { timeout: paced(15_000) }).toBeGreaterThan(10);
    expect(server.asked.map(({ status }) => status)).toEqual([200, 200]);
    expect(await at(TEN)).toBe('SLOT_TAKEN');
    await expect
      .poll(() =>
        row(
          em(),
          sql`select 1 as waits from jobs.job where queue = 'ics-feeds' and state = 'created' and start_after > now()`,
        ),
      )
      .toEqual({ waits: 1 });
  });
});
