import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewEntry } from '../../../src/modules/calendars/connections/calendar-connection.rules.ts';
import { CalendarFailure, UntrustedHost } from '../../../src/modules/calendars/connections/calendar-provider.ts';
import { CalDav } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import { testDoor } from '../../jobs/support/webhooks.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly location?: string;
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
const STATE = multistatus(response('/agenda/', '<d:sync-token>two</d:sync-token>'));
const FIRST = response('/agenda/1.ics', dataOf('one'));

const door = testDoor(2_000);
let answer: (request: IncomingMessage) => Answer = () => ({});
const server = createServer((request, response_) => {
  request.resume();
  const { status = 207, type = 'application/xml', body = '', location = '/elsewhere' } = answer(request);
  response_
    .writeHead(status, { 'content-type': type, location, 'retry-after': '99' })
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
  return caldav().read('Basic x', `${url}agenda/`, RANGE);
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
  ['that names itself beside its events', multistatus(response('/agenda', ''), FIRST), ['one']],
  [
    'that writes an event in parts',
    multistatus(response('/agenda/1.ics', dataOf('<![CDATA[on]]><![CDATA[e]]>'))),
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
  ['a list that holds only that it is not there', { body: multistatus(gone('/agenda/', 404)) }, 'GONE'],
  ['such a list, of what is there no more', { body: multistatus(gone('/agenda', 410)) }, 'GONE'],
  ['such a list beside an event', { body: multistatus(FIRST, gone('/agenda/', 404)) }, 'GONE'],
  ['a list that holds only a mistake of its own', { body: multistatus(gone('/agenda/', 500)) }, 'UNAVAILABLE'],
  [
    'an event without its text',
    { body: multistatus(FIRST, response('/agenda/2.ics', dataOf(''), 'HTTP/1.1 500 Internal Server Error')) },
    'UNAVAILABLE',
  ],
  [
    'an event that went meanwhile',
    {
      body: multistatus(
        FIRST,
        '<d:response><d:href>/agenda/2.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>',
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
  expect(await failureOf(read({ body: multistatus() }, { body: multistatus(gone('/agenda/', 404)) }))).toBe('GONE');
});

// As Google's accounts are opened.
test.each<[status: number, by: string, kind: string, seconds: number | undefined, isOfServer: boolean]>([
  [401, 'Bearer x', 'REFUSED', undefined, false],
  [403, 'Basic x', 'UNAVAILABLE', 99, false],
  [403, 'Bearer x', 'UNAVAILABLE', 99, false],
  [429, 'Bearer x', 'UNAVAILABLE', 99, false],
  [503, 'Bearer x', 'UNAVAILABLE', 99, true],
])(
  '%i to %s is a failure of its kind, of the server or of the account',
  async (status, by, kind, seconds, isOfServer) => {
    answer = () => ({ status, body: SECRET });
    const asked = caldav().read(by, `${url}agenda/`, RANGE);
    await expect(asked).rejects.toMatchObject({
      kind,
      isOfServer,
      ...(seconds !== undefined && { retryInSeconds: seconds }),
    });
  },
);

test('an account is listed', async () => {
  const { calendars } = await list({ body: multistatus(response('/agenda/', CALENDAR)) });
  expect(calendars.map(({ externalId }) => externalId)).toEqual([`${url}agenda/`]);
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
      if (method === 'REPORT') return { body: multistatus(response('/agenda/1.ics', dataOf(text))) };
      if (path === '/me/') return addressSet;
      return { body: path === '/' ? multistatus(response('/', principal)) : STATE };
    };
    return caldav().read('Basic x', `${url}agenda/`, RANGE);
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

describe('a redirect (RFC 9110 §15.4)', () => {
  const ENTRY: NewEntry = {
    icsId: 'x',
    version: 'one',
    ics: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
    event: { title: 'x', description: '', place: null, start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z' },
  };
  /** The uses of an account, by the method that is led elsewhere. */
  const ACTS: readonly (readonly [method: string, act: () => Promise<unknown>])[] = [
    ['PROPFIND', async () => (await caldav().list('Basic x')).calendars.map(({ externalId }) => externalId)],
    ['REPORT', async () => (await caldav().read('Basic x', `${url}agenda`, RANGE)).objects?.map(({ text }) => text)],
    ['PUT', async () => (await caldav().write('Basic x', `${url}agenda`, ENTRY, undefined)).externalId],
    ['DELETE', () => caldav().remove('Basic x', { externalId: `${url}agenda/x.ics` })],
  ];
  const DONE: Readonly<Record<string, (at: string) => unknown>> = {
    PROPFIND: (at) => [`${at}home/agenda`],
    REPORT: () => ['one'],
    PUT: (at) => `${at}agenda/x.ics`,
    DELETE: () => undefined,
  };
  let met: IncomingMessage[];
  /** The home is at `/home`, and leads to `/home/`; so does all else, once, whose method this is. */
  const leading = (method: string, status: number, to: (path: string) => string) => {
    met = [];
    answer = (request) => {
      const { pathname } = new URL(request.url ?? '', url);
      met.push(request);
      if (request.method === method && !pathname.endsWith('/') && !pathname.startsWith('/moved'))
        return { status, location: to(pathname) };
      if (request.method === 'PUT' || request.method === 'DELETE') return { status: 204 };
      if (request.method === 'REPORT') return { body: multistatus(response('/agenda/1.ics', dataOf('one'))) };
      if (request.headers['depth'] === '1') return { body: multistatus(response('/home/agenda', CALENDAR)) };
      return { body: HOME.replace('home-set><d:href>/', 'home-set><d:href>/home') };
    };
  };

  describe.each([301, 302, 307, 308])('by %i', (status) => {
    test.each(ACTS)(
      'of %s to where a slash is added, or another path, is followed at the same host',
      async (method, act) => {
        for (const to of [(path: string) => `/moved${path}`, (path: string) => `${url}moved${path}`]) {
          leading(method, status, (path) => (path.endsWith('.ics') ? to(path) : `${path}/`));
          expect(await act()).toEqual(DONE[method]?.(url));
          const last = met.findLast((one) => one.method === method);
          expect([last?.url?.replace('/moved', ''), last?.headers.authorization]).toEqual([
            expect.stringMatching(/^\/(?:home\/|agenda\/|agenda\/x\.ics)$/),
            'Basic x',
          ]);
        }
      },
    );

    test.each(ACTS)('of %s to another host is not, and nothing is sent there', async (method, act) => {
      leading(method, status, (path) => `${url.replace('127.0.0.1', 'localhost')}moved${path}`);
      await expect(act()).rejects.toBeInstanceOf(UntrustedHost);
      expect(met.filter(({ headers }) => headers.host?.startsWith('localhost'))).toEqual([]);
    });
  });

  test('of PUT by 303 leads to something else, which is not overwritten', async () => {
    leading('PUT', 303, (path) => `/moved${path}`);
    await expect(caldav().write('Basic x', `${url}agenda`, ENTRY, undefined)).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
    });
    expect(met.filter(({ url: path = '' }) => path.startsWith('/moved'))).toEqual([]);
  });

  test('that goes round ends', async () => {
    leading('PROPFIND', 301, (path) => path);
    await expect(caldav().list('Basic x')).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    leading('REPORT', 301, (path) => `${path}x`);
    await expect(caldav().read('Basic x', `${url}agenda`, RANGE)).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    expect(met.filter(({ method }) => method === 'REPORT')).toHaveLength(6);
  });
});
