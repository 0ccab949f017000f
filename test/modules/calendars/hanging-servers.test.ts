/** A question to a calendar ends with the wait of the last one who waits for it: servers that hang keep out none that answers. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Background } from '../../../src/core/background.ts';
import { newId } from '../../../src/core/id.ts';
import { apartFromCaller } from '../../../src/database/deadline.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { calendarReadingsKind } from '../../../src/jobs/kinds/calendar-readings.job.ts';
import { icsFeedsKind } from '../../../src/jobs/kinds/ics-feeds.job.ts';
import { ServerTurns } from '../../../src/limits/server-turns.ts';
import { CalendarAccounts } from '../../../src/modules/calendars/connections/calendar-accounts.ts';
import { connectCalendars } from '../../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { CaldavServers } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import { FreshCalendars } from '../../../src/modules/calendars/fresh-calendars.ts';
import { connect, type Database } from '../../../src/persistence/connect.ts';
import { aRunner } from '../../jobs/support/jobs.ts';
import { TEST_CREDENTIALS, testConnections } from '../../support/calendar-accounts.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { TEST_FEEDS } from '../../support/feeds.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { paced } from '../../support/pace.ts';
import { postgresSettings } from '../../support/settings.ts';
import { book, eventTypeOf, newHosts, slotOn, times } from '../bookings/support/booked-hosts.ts';
import { calendar, event } from './feeds/support/ics.ts';

const [NINE, TEN] = [slotOn(0, '09:00'), slotOn(0, '10:00')];
const utc = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
const meetingAt = (at: Temporal.Instant) => calendar('', event(`UID:x\nDTSTART:${utc(at)}\nDURATION:PT30M`));
const hangs: RequestListener = () => undefined;

let database: TestDatabase;
let processes: readonly Database[];
let server: Server;
/** By host name: all of 127.0.0.0/8 leads here, and each address is a server of its own. */
const answers = new Map<string, RequestListener>();
const asked: { readonly host: string; readonly at: number; endedAt: number | undefined }[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  const name = new URL(database.url ?? 'none:/').pathname.slice(1);
  const another = database.url === undefined ? undefined : await connect(postgresSettings(database.url, name));
  processes = another ? [database, another] : [database];
  server = createServer((request, response) => {
    const [host = ''] = hostOf(request).split(':');
    const one: (typeof asked)[number] = { host, at: performance.now(), endedAt: undefined };
    asked.push(one);
    response.once('close', () => {
      one.endedAt = performance.now();
    });
    (answers.get(host) ?? hangs)(request, response);
  });
  await new Promise<void>((done) => server.listen(0, done));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await processes[1]?.close();
  await database.close();
});
function hostOf({ headers }: IncomingMessage): string {
  return headers.host ?? '';
}
const em = () => database.em.fork();
const port = () => (server.address() as AddressInfo).port;

const accounts = new CalendarAccounts({
  providers: {},
  caldav: new CaldavServers(TEST_FEEDS.outbound),
  credentials: TEST_CREDENTIALS,
  connections: testConnections(),
});
const errors: unknown[] = [];
const onError = (error: unknown): void => void errors.push(error);
const background = new Background(onError, apartFromCaller);
beforeEach(() => {
  asked.length = 0;
  for (const { em: on } of processes) {
    const hosts = new ServerTurns().ofVisitors;
    new FreshCalendars({ em: on, feeds: TEST_FEEDS, calendarAccounts: accounts, hosts, background, onError }).serve();
  }
});
afterEach(async () => {
  await background.settled();
  await rows(em(), sql`delete from jobs.job`);
  const [first] = errors.splice(0);
  if (first !== undefined) throw new Error('A question has failed.', { cause: first });
});

/** A feed of somebody's, which was read a while ago. */
async function addFeed(userId: string, host: string): Promise<void> {
  const id = newId();
  const sealed = await TEST_FEEDS.credentials.seal(`http://${host}:${port()}/a.ics`, ['ics_feeds', userId, id]);
  await rows(
    em(),
    sql`insert into ics_feeds (user_id, id, sealed_url, host, ending, expanded_at, read_at, next_read_at, event_count,
          unreadable_event_count, created_at, updated_at)
        values (${userId}, ${id}, ${sealed}, 'calendar.example', '.ics', now() - interval '1 hour', now() - interval '1 hour', now() + interval '1 hour', 0, 0, now(), now())`,
  );
}

async function addCalendar(userId: string, host: string): Promise<void> {
  const url = `http://${host}:${port()}/`;
  const place = { url, hosts: [new URL(url).host], isDigest: false };
  const opened = async (id: string) => ({
    credentials: await accounts.seal({ username: 'ada', appPassword: 'secret', place }, { userId, id }),
    accessId: null,
  });
  const listed = [{ externalId: `${url}agenda/`, name: 'Work', isPrimary: true, isReadOnly: false }];
  const name = { userId, provider: 'CALDAV', server: new URL(url).host, account: 'ada' } as const;
  await connectCalendars(em(), { ...name, listed, opened });
}

const ADD = [
  ['a feed', addFeed],
  ['a CalDAV calendar', addCalendar],
] as const;

const GOOD = '127.0.9.9';
/** A new text each time, as that of a feed; and the answers of CalDAV, of which the last one is a calendar's. */
const withMeeting =
  (at: Temporal.Instant, afterMs = 0): RequestListener =>
  async (request, response) => {
    if (request.method === 'GET') await pause(afterMs);
    if (request.method === 'GET')
      return void response.writeHead(200, { 'content-type': 'text/calendar' }).end(meetingAt(at));
    const isQuery = request.method === 'REPORT';
    if (isQuery) await pause(afterMs);
    const data = isQuery ? `<d:href>/agenda/x.ics</d:href>` : `<d:href>/agenda/</d:href>`;
    const prop = isQuery
      ? `<d:getetag>"1"</d:getetag><c:calendar-data>${meetingAt(at)}</c:calendar-data>`
      : `<d:sync-token>${newId()}</d:sync-token>`;
    response
      .writeHead(207, { 'content-type': 'application/xml' })
      .end(
        `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>${data}<d:propstat><d:prop>${prop}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`,
      );
  };

const booking = (hostId: string, at: Temporal.Instant, by: Database = database) =>
  outcomeOf(book(by.em.fork(), eventTypeOf([hostId]), at));

describe.each(ADD)('%s at a server that hangs', (_, add) => {
  test('is asked no longer than somebody waits, is no failure of its, and is read in the background', async () => {
    const [host = ''] = await newHosts(em(), 1);
    await add(host, GOOD);
    answers.set(GOOD, hangs);
    const beganAt = performance.now();
    expect(await booking(host, NINE)).toBe('done');
    await vi.waitFor(() => expect(asked.every(({ endedAt }) => endedAt !== undefined)).toBe(true));
    expect(asked).toHaveLength(1);
    expect(performance.now() - beganAt).toBeLessThan(paced(2_700));
    const state = sql`select error from ics_feeds where user_id = ${host} union all
      select coalesce(c.error, a.failing_since::text) from connected_calendars c join calendar_connections a on a.id = c.connection_id
      where c.user_id = ${host}`;
    expect(await row(em(), state)).toEqual({ error: null });
    answers.set(GOOD, withMeeting(TEN));
    await background.settled();
    const kinds = [icsFeedsKind(TEST_FEEDS), calendarReadingsKind({ calendarAccounts: accounts })];
    await rows(em(), sql`delete from jobs.job where data->>'type' = 'CALENDAR_SELECTED'`);
    const { runner } = aRunner(database.em, ...kinds);
    await runner.settled();
    const busy = sql`select lower(during) = ${TEN.toString()}::timestamptz as "isTen" from busy_periods where user_id = ${host}`;
    expect(await rows(em(), busy)).toEqual([{ isTen: true }]);
  });

  test('is asked as long as another one waits, who gets the answer', async () => {
    const [host = ''] = await newHosts(em(), 1);
    await add(host, GOOD);
    answers.set(GOOD, withMeeting(TEN, 2_300));
    const first = booking(host, NINE);
    await pause(1_500);
    const second = booking(host, TEN);
    expect(await Promise.all([first, second])).toEqual(['done', 'SLOT_TAKEN']);
    expect(asked.filter(({ endedAt, at }) => (endedAt ?? 0) - at > 1_000)).toHaveLength(1);
  });

  test.runIf(isOnPostgres)('is asked anew by another process, where the one that asked has stopped', async () => {
    const [host = ''] = await newHosts(em(), 1);
    await add(host, GOOD);
    answers.set(GOOD, hangs);
    const first = booking(host, NINE);
    await pause(1_500);
    const second = booking(host, TEN, processes[1]);
    await pause(200);
    answers.set(GOOD, withMeeting(TEN));
    expect(await Promise.all([first, second])).toEqual(['done', 'SLOT_TAKEN']);
  });
});

test('sixty-four servers that hang at the same moment, and more that wait, keep nobody else’s calendar from being asked', async () => {
  const users = await newHosts(em(), 12);
  const good = await newHosts(em(), 2);
  let count = 0;
  for (const [place, userId] of users.entries()) {
    const [, add] = ADD[place % 2] ?? ADD[0];
    for (let n = 0; n < 8; n += 1) await add(userId, `127.0.1.${(count += 1)}`);
  }
  for (const [place, userId] of good.entries()) await (ADD[place]?.[1] ?? addFeed)(userId, GOOD);
  answers.set(GOOD, withMeeting(TEN));
  const hanging = users.map((userId) => booking(userId, TEN));
  const beganAt = performance.now();
  expect(await Promise.all(good.map((userId) => booking(userId, TEN)))).toEqual(['SLOT_TAKEN', 'SLOT_TAKEN']);
  expect(performance.now() - beganAt).toBeLessThan(paced(3_000));
  expect(await Promise.all(hanging)).toEqual(times(12, () => 'done'));
  // A while later they hang for others, who wait no longer than the first.
  await vi.waitFor(() => expect(asked.every(({ endedAt }) => endedAt !== undefined)).toBe(true));
  expect(new Set(asked.map(({ host }) => host)).size).toBeGreaterThan(64);
});
