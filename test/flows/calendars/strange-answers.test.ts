import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CalendarFailure } from '../../../src/modules/calendars/connections/calendar-provider.ts';
import { CalDav } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import { testDoor } from '../../jobs/support/webhooks.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
}

const SECRET = 'what the server says of itself';
const OK = 'HTTP/1.1 200 OK';
const response = (href: string, properties: string, status = OK) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>${status}</d:status></d:propstat></d:response>`;
const multistatus = (...responses: readonly string[]) =>
  `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses.join('')}</d:multistatus>`;
const dataOf = (text: string) => `<c:calendar-data>${text}</c:calendar-data>`;

const gone = (href: string, status: number) =>
  `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 ${status} ${SECRET}</d:status></d:response>`;

const HOME = multistatus(
  response(
    '/',
    '<d:current-user-principal><d:href>/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/</d:href></c:calendar-home-set>',
  ),
);
const CALENDAR = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';
const STATE = multistatus(response('/work/', '<d:sync-token>two</d:sync-token>'));
const FIRST = response('/work/1.ics', dataOf('one'));

const door = testDoor(2_000);
let answer: (request: IncomingMessage) => Answer = () => ({});
const server = createServer((request, response_) => {
  request.resume();
  const { status = 207, type = 'application/xml', body = '' } = answer(request);
  response_
    .writeHead(status, { 'content-type': type, location: '/elsewhere', 'retry-after': '99' })
    .end(status === 204 ? undefined : body);
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await door.close();
});

const caldav = () => new CalDav(url, door.fetchOf('CALDAV'));
const RANGE = { start: 0, end: 1_000 };
const read = (report: Answer, state: Answer = { body: STATE }) => {
  answer = ({ method }) => (method === 'REPORT' ? report : state);
  return caldav().read('Basic x', `${url}work/`, RANGE);
};
const list = (home: Answer) => {
  answer = ({ headers }) => (headers['depth'] === '1' ? home : { body: HOME });
  return caldav().list('Basic x');
};
const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    (error: unknown) => {
      if (!(error instanceof CalendarFailure)) throw error;
      expect(error.message).not.toContain(SECRET);
      return error.kind;
    },
  );

test.each<[what: string, body: string, objects: readonly string[]]>([
  ['that has no events', multistatus(), []],
  ['that has none and says so briefly', '<multistatus xmlns="DAV:"/>', []],
  ['that names itself beside its events', multistatus(response('/work', ''), FIRST), ['one']],
  [
    'that writes an event in parts',
    multistatus(response('/work/1.ics', dataOf('<![CDATA[on]]><![CDATA[e]]>'))),
    ['one'],
  ],
])('a calendar %s is read', async (_what, body, objects) => {
  const found = await read({ body });
  expect(found.state).toContain('two');
  expect(found.objects?.map(({ text }) => text)).toEqual(objects);
});

/** None of them says what there is. */
const NO_ANSWERS: readonly [what: string, answer: Answer, kind: string][] = [
  ['a page', { status: 200, type: 'text/html', body: `<html>${SECRET}</html>` }, 'UNAVAILABLE'],
  ['a page as XML', { status: 200, body: `<html><p>${SECRET}</p></html>` }, 'UNAVAILABLE'],
  ['nothing', { status: 200 }, 'UNAVAILABLE'],
  ['no content', { status: 204 }, 'UNAVAILABLE'],
  ['an empty multistatus', {}, 'UNAVAILABLE'],
  ['another document', { body: `<d:error xmlns:d="DAV:">${SECRET}</d:error>` }, 'UNAVAILABLE'],
  ['no XML', { type: 'text/plain', body: `${SECRET} </d:multistatus>` }, 'UNAVAILABLE'],
  ['a part', { body: multistatus(FIRST, FIRST).slice(0, -40) }, 'UNAVAILABLE'],
  ['a way elsewhere', { status: 302, body: SECRET }, 'UNAVAILABLE'],
  ['a complaint', { status: 400, body: SECRET }, 'UNAVAILABLE'],
  ['a mistake of its own', { status: 500, body: SECRET }, 'UNAVAILABLE'],
];

test.each<[what: string, report: Answer, kind: string]>([
  ...NO_ANSWERS,
  ['that it is not there', { status: 404, body: SECRET }, 'GONE'],
  ['that it is there no more', { status: 410, body: SECRET }, 'GONE'],
  ['a list that holds only that it is not there', { body: multistatus(gone('/work/', 404)) }, 'GONE'],
  ['such a list, of what is there no more', { body: multistatus(gone('/work', 410)) }, 'GONE'],
  ['such a list beside an event', { body: multistatus(FIRST, gone('/work/', 404)) }, 'GONE'],
  ['a list that holds only a mistake of its own', { body: multistatus(gone('/work/', 500)) }, 'UNAVAILABLE'],
  [
    'an event without its text',
    { body: multistatus(FIRST, response('/work/2.ics', dataOf(''), 'HTTP/1.1 500 Internal Server Error')) },
    'UNAVAILABLE',
  ],
  [
    'an event that went meanwhile',
    {
      body: multistatus(
        FIRST,
        '<d:response><d:href>/work/2.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>',
      ),
    },
    'UNAVAILABLE',
  ],
])('a calendar whose server answers with %s is not taken for empty', async (_what, report, kind) => {
  expect(await failureOf(read(report))).toBe(kind);
});

test.each(NO_ANSWERS)('nor is its state learned from %s', async (_what, state, kind) => {
  expect(await failureOf(read({ body: multistatus() }, state))).toBe(kind);
});

test('a calendar whose properties are those of nothing is gone', async () => {
  expect(await failureOf(read({ body: multistatus() }, { body: multistatus(gone('/work/', 404)) }))).toBe('GONE');
});

// As Google's accounts are opened.
test.each<[status: number, by: string, kind: string, seconds: number | undefined]>([
  [401, 'Bearer x', 'REFUSED', undefined],
  [403, 'Basic x', 'UNAVAILABLE', 99],
  [403, 'Bearer x', 'UNAVAILABLE', 99],
  [429, 'Bearer x', 'UNAVAILABLE', 99],
  [503, 'Bearer x', 'UNAVAILABLE', 99],
])('%i to %s is a failure of its kind', async (status, by, kind, seconds) => {
  answer = () => ({ status, body: SECRET });
  const asked = caldav().read(by, `${url}work/`, RANGE);
  await expect(asked).rejects.toMatchObject({ kind, ...(seconds !== undefined && { retryInSeconds: seconds }) });
});

test('an account is listed', async () => {
  const { calendars } = await list({ body: multistatus(response('/work/', CALENDAR)) });
  expect(calendars.map(({ externalId }) => externalId)).toEqual([`${url}work/`]);
});

test('a calendar at an address that no index can hold is left out, and the others are there', async () => {
  const long = `/${'a'.repeat(2_048 - url.length)}`;
  const [fits, longer] = [response(long, CALENDAR), response(`${long}b`, CALENDAR)];
  const { calendars } = await list({ body: multistatus(longer, fits) });
  expect(calendars.map(({ externalId, isPrimary }) => [externalId.length, isPrimary])).toEqual([[2_048, true]]);
});

test.each<[what: string, home: Answer, kind: string]>([
  ...NO_ANSWERS,
  ['that there is nothing', { status: 404, body: SECRET }, 'UNAVAILABLE'],
  ['a calendar at no address', { body: multistatus(response('http://[', CALENDAR)) }, 'UNAVAILABLE'],
])('an account whose server answers with %s is not taken for one without calendars', async (_what, home, kind) => {
  expect(await failureOf(list(home))).toBe(kind);
});

test('the addresses of an account are asked for where something was declined, and only there', async () => {
  const principal = '<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>';
  const addresses =
    '<c:calendar-user-address-set><d:href preferred="1">mailto:Ada@example.test</d:href><d:href>/me/</d:href></c:calendar-user-address-set>';
  const asked: string[] = [];
  const readOf = (text: string, addressSet: Answer) => {
    answer = ({ method, url: path = '' }) => {
      asked.push(path);
      if (method === 'REPORT') return { body: multistatus(response('/work/1.ics', dataOf(text))) };
      if (path === '/me/') return addressSet;
      return { body: path === '/' ? multistatus(response('/', principal)) : STATE };
    };
    return caldav().read('Basic x', `${url}work/`, RANGE);
  };
  const told = { body: multistatus(response('/me/', addresses)) };
  expect((await readOf('PARTSTAT=DECLINED', told)).addresses).toEqual(['Ada@example.test', '/me/']);
  expect((await readOf('PARTSTAT=DEC\r\n LINED', told)).addresses).toHaveLength(2);
  // An answer that cannot be read frees nothing, and stops nothing.
  expect((await readOf('PARTSTAT=DECLINED', { status: 500 })).addresses).toEqual([]);
  asked.length = 0;
  expect(await readOf('PARTSTAT=ACCEPTED', told)).not.toHaveProperty('addresses');
  expect(asked).not.toContain('/me/');
});
