/**
 * Microsoft Graph does not answer, or answers what it should not: what was known stays, and the next good answer
 * counts.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { calendarReadingsKind } from '../../../src/jobs/kinds/calendar-readings.job.ts';
import { connectCalendars } from '../../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { CalendarFailure } from '../../../src/modules/calendars/connections/calendar-provider.ts';
import { Graph } from '../../../src/modules/calendars/connections/servers/graph.ts';
import { aRunner, letTimePass } from '../../jobs/support/jobs.ts';
import { testDoor } from '../../jobs/support/webhooks.ts';
import { newHosts, slotOn } from '../../modules/bookings/support/booked-hosts.ts';
import { testCalendarAccounts } from '../../support/calendar-accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

type Behave = (request: IncomingMessage, response: ServerResponse) => unknown;

const SECRET = 'what the server says of itself';
const at = (time: string) => slotOn(0, time).toString().slice(0, 19);
const time = (dateTime: string, timeZone = 'UTC') => ({ dateTime: `${dateTime}.0000000`, timeZone });
const eventOf = (start: string, end: string, more: object = {}) => ({ start: time(start), end: time(end), ...more });
const MEETING = eventOf(at('09:00'), at('10:00'), { showAs: 'busy' });
const DAY = at('09:00').slice(0, 10);
const NEXT_DAY = Temporal.PlainDate.from(DAY).add({ days: 1 }).toString();

/** Any status, with anything in it. */
const says =
  (status: number, body: string, headers: Record<string, string> = {}): Behave =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const json = (value: unknown) => says(200, JSON.stringify(value));
const page = (...value: unknown[]) => json({ value });
const leadsTo = (link: unknown) => json({ value: [MEETING], '@odata.nextLink': link });
/** Its first page is as it should be. */
const afterFirst =
  (next: Behave): Behave =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    if (searchParams.has('$skip')) return next(request, response);
    const link = `http://${request.headers.host}${request.url}&$skip=1`;
    return leadsTo(link)(request, response);
  };

let asked: string[] = [];
let behave: Behave = page();
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  behave(request, response);
});
const door = testDoor(500);
let database: TestDatabase;
let graph: Graph;
let accounts: ReturnType<typeof testCalendarAccounts>;
let userId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1.0/`;
  graph = new Graph(url, door.fetchOf('CALENDAR', { maxAnswerBytes: 1_048_576 }));
  accounts = testCalendarAccounts(graph);
  [userId = ''] = await newHosts(em(), 1);
  await connectCalendars(em(), {
    userId,
    provider: 'APPLE',
    account: 'ada',
    listed: [{ externalId: 'work', name: 'Work', isPrimary: true, isReadOnly: false }],
    opened: async (id) => ({
      credentials: await accounts.seal({ username: 'ada', appPassword: 'x' }, { userId, id }),
      accessId: null,
    }),
  });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all([door.close(), database.close()]);
});
beforeEach(() => {
  asked = [];
});

const em = () => database.em.fork();
/** A quarter of an hour later. */
const readAgain = async () => {
  await rows(em(), sql`update connected_calendars set next_read_at = now() - interval '1 second' returning id`);
  // Its password stands for a token, which is asked for again when it was refused.
  await rows(em(), sql`update calendar_connections set refused_at = null returning id`);
  await letTimePass(database.em);
  const { runner, logged } = aRunner(database.em, calendarReadingsKind({ calendarAccounts: accounts }));
  await runner.settled();
  expect(logged).toEqual([]);
};
const busy = async () => {
  const found = await rows(
    em(),
    sql<{ start: string; end: string }>`select lower(during) as start, upper(during) as "end" from busy_periods
      where user_id = ${userId} order by during`,
  );
  return found.map(({ start, end }) => [start, end].map((one) => Temporal.Instant.from(one).toString().slice(0, 19)));
};
const failures = () =>
  row(em(), sql<{ failures: number }>`select failures from connected_calendars where user_id = ${userId}`);
const readNow = () => graph.read('Bearer x', 'work', { start: 0, end: 1_000 });
const failureOf = async (answered: Behave) => {
  behave = answered;
  const error = await readNow().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CalendarFailure)) throw new Error('It was read, or failed in another way.', { cause: error });
  if (error.message.includes(SECRET)) throw new Error('What the server says is passed on.');
  return error;
};

test.each<[what: string, answer: Behave, kind: string]>([
  [
    'a page that says that it is being mended',
    says(200, `<html>${SECRET}`, { 'content-type': 'text/html' }),
    'UNAVAILABLE',
  ],
  ['nothing', says(200, ''), 'UNAVAILABLE'],
  ['no content', (_, response) => response.writeHead(204).end(), 'UNAVAILABLE'],
  ['no list', json({ error: SECRET }), 'UNAVAILABLE'],
  ['null', json(null), 'UNAVAILABLE'],
  ['a list that is none', json({ value: { 0: MEETING, length: 1 } }), 'UNAVAILABLE'],
  ['half a list', says(200, JSON.stringify({ value: [MEETING] }).slice(0, -5)), 'UNAVAILABLE'],
  ['a list as deep as it goes', says(200, `{"value":${'['.repeat(500_000)}`), 'UNAVAILABLE'],
  ['more in a page than was asked for', page(...Array.from({ length: 1_001 }, () => 0)), 'UNAVAILABLE'],
  ['a next page at another server', leadsTo('https://thief.example/v1.0/me/events'), 'UNAVAILABLE'],
  ['a next page in the network of ours', leadsTo('http://169.254.169.254/latest/meta-data'), 'UNAVAILABLE'],
  ['a next page at no address', leadsTo('http://['), 'UNAVAILABLE'],
  ['a next page in a file', leadsTo('file:///etc/passwd'), 'UNAVAILABLE'],
  [
    'a next page with a name and a password',
    (request, response) => leadsTo(`http://a:b@${request.headers.host}/`)(request, response),
    'UNAVAILABLE',
  ],
  ['a next page that is a number', leadsTo(2), 'UNAVAILABLE'],
  ['an empty next page', leadsTo(''), 'UNAVAILABLE'],
  [
    'a next page that is the same',
    (request, response) => leadsTo(`http://${request.headers.host}/v1.0/again`)(request, response),
    'UNAVAILABLE',
  ],
  ['an event without a start', page(MEETING, { end: time(at('11:00')) }), 'UNAVAILABLE'],
  ['an event without an end', page(MEETING, { start: time(at('11:00')) }), 'UNAVAILABLE'],
  ['an event that ends before it starts', page(MEETING, eventOf(at('12:00'), at('11:00'))), 'UNAVAILABLE'],
  ['an event on a day that is none', page(eventOf('2027-02-30T09:00:00', '2027-03-01T09:00:00')), 'UNAVAILABLE'],
  ['an event at 25 o’clock', page(eventOf(`${DAY}T09:00:00`, `${DAY}T25:00:00`)), 'UNAVAILABLE'],
  [
    'an event in another time zone',
    page({ start: time(at('11:00'), 'Customized Time Zone'), end: time(at('12:00'), 'Customized Time Zone') }),
    'UNAVAILABLE',
  ],
  ['no access any more, at the second page', afterFirst(says(401, SECRET)), 'REFUSED'],
  ['that calendars are forbidden', says(403, SECRET), 'UNAVAILABLE'],
  ['that the calendar is gone', says(404, SECRET), 'GONE'],
  ['that the calendar is gone for good', says(410, SECRET), 'GONE'],
  ['a mistake of its own, at the second page', afterFirst(says(500, SECRET)), 'UNAVAILABLE'],
  ['a way into the network of ours', says(302, SECRET, { location: 'http://127.0.0.1:1/' }), 'UNAVAILABLE'],
  ['a way to another server', says(307, SECRET, { location: 'https://thief.example/' }), 'UNAVAILABLE'],
  ['more than is read', says(200, `{"value":["${'x'.repeat(1_200_000)}"]}`), 'UNREADABLE'],
  ['silence', () => undefined, 'UNAVAILABLE'],
  [
    'a letter now and then',
    (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
    },
    'UNAVAILABLE',
  ],
])('a calendar whose server answers with %s keeps what was known, and is read again', async (_what, strange, kind) => {
  behave = page(MEETING);
  await readAgain();
  const known = [[at('09:00'), at('10:00')]];
  expect([await busy(), await failures()]).toEqual([known, { failures: 0 }]);
  behave = strange;
  await readAgain();
  expect([await busy(), await failures()]).toEqual([known, { failures: 1 }]);
  expect((await failureOf(strange)).kind).toBe(kind);
  behave = page();
  await readAgain();
  expect([await busy(), await failures()]).toEqual([[], { failures: 0 }]);
});

test('pages that never end are read up to a number', async () => {
  let pages = 0;
  const endless: Behave = (request, response) => {
    pages += 1;
    leadsTo(`http://${request.headers.host}/v1.0/page/${pages}`)(request, response);
  };
  expect((await failureOf(endless)).message).toContain('too many events');
  expect(pages).toBe(40);
});

test.each<[what: string, event: object, times: readonly (readonly string[])[]]>([
  ['free', { ...MEETING, showAs: 'free' }, []],
  ['working elsewhere', { ...MEETING, showAs: 'workingElsewhere' }, []],
  ['cancelled', { ...MEETING, isCancelled: true }, []],
  ['declined', { ...MEETING, responseStatus: { response: 'declined' } }, []],
  ['tentative', { ...MEETING, showAs: 'tentative' }, [[at('09:00'), at('10:00')]]],
  ['out of office', { ...MEETING, showAs: 'oof' }, [[at('09:00'), at('10:00')]]],
  ['shown as something new', { ...MEETING, showAs: 'unknownFutureValue' }, [[at('09:00'), at('10:00')]]],
  ['shown as nothing', { ...MEETING, showAs: null }, [[at('09:00'), at('10:00')]]],
  ['over at once', eventOf(at('09:00'), at('09:00')), []],
  [
    'all day',
    eventOf(`${DAY}T00:00:00`, `${NEXT_DAY}T00:00:00`, { isAllDay: true }),
    [[`${DAY}T00:00:00`, `${NEXT_DAY}T00:00:00`]],
  ],
  ['all day with times', { ...MEETING, isAllDay: true }, [[`${DAY}T00:00:00`, `${NEXT_DAY}T00:00:00`]]],
  [
    'all of a day that ends as it begins',
    eventOf(`${DAY}T00:00:00`, `${DAY}T00:00:00`, { isAllDay: true }),
    [[`${DAY}T00:00:00`, `${NEXT_DAY}T00:00:00`]],
  ],
  ['of the year 1', eventOf('0001-01-01T00:00:00', '0001-01-02T00:00:00'), []],
  ['of the last day of all', eventOf('9999-12-31T00:00:00', '9999-12-31T23:59:59', { isAllDay: true }), []],
])('an event that is %s', async (_what, event, times) => {
  behave = page(event);
  await readAgain();
  expect([await busy(), await failures()]).toEqual([times, { failures: 0 }]);
});

test('an event of all time makes busy as far as is known', async () => {
  behave = page(eventOf('0001-01-01T00:00:00', '9999-12-31T23:59:59'));
  await readAgain();
  const [[start = '', end = ''] = [], ...others] = await busy();
  const days = Temporal.PlainDate.from(start.slice(0, 10)).until(end.slice(0, 10)).days;
  expect([days, others]).toEqual([401, []]);
});

test.each([
  ['120', 120],
  ['99999999999999999999', 21_600],
  ['soon', 0],
  ['-5', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 21_600],
])(
  'a server that wants to be asked again after %s is taken at its word, for six hours at most',
  async (after, seconds) => {
    for (const status of [429, 503])
      expect(await failureOf(says(status, SECRET, { 'retry-after': after }))).toMatchObject({
        kind: 'UNAVAILABLE',
        retryInSeconds: seconds,
      });
  },
);
