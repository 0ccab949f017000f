/** Attackers try to break the paths: by addresses, methods, headers and bodies. Each is told what is wrong. */
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../support/raw-http.ts';
import { RestWorld, ROUTES } from './rest-world.ts';

let world: RestWorld;
let token: string;
beforeAll(async () => {
  world = await RestWorld.open();
  token = await world.token('ada', ['EVENT_TYPE_READ', 'EVENT_TYPE_WRITE', 'PROFILE_READ', 'BOOKING_READ']);
});
afterAll(() => world.close());

const PATHS = Map.groupBy(ROUTES, ({ path }) => path);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const IN_ORDER = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

test('every path says which methods it takes: to others, to OPTIONS, and by HEAD where it reads', async () => {
  const said = await Promise.all(
    [...PATHS].map(async ([path, routes]) => {
      const address = path.replaceAll(/:\w+/g, 'x');
      const offered: readonly string[] = routes.map(({ method }) => method);
      const other = METHODS.find((method) => !offered.includes(method)) ?? 'PUT';
      const answers = await Promise.all(
        ([other, 'OPTIONS', 'HEAD'] as const).map((method) => world.send(method, address, { token })),
      );
      const [wrong, options, head] = answers;
      return {
        path,
        wrong: [wrong?.status, wrong?.body.error.code, wrong?.headers.get('allow')],
        options: [options?.status, options?.headers.get('allow')],
        // Whatever it says of what is named here, it says it as by GET.
        isRead: head?.status !== 405,
      };
    }),
  );
  expect(said).toEqual(
    [...PATHS].map(([path, routes]) => {
      const offered: readonly string[] = routes.map(({ method }) => method);
      const methods = IN_ORDER.filter((one) => offered.includes(one === 'HEAD' ? 'GET' : one));
      const allow = [...methods, 'OPTIONS'].join(', ');
      const isRead = methods.includes('HEAD');
      return { path, wrong: [405, 'METHOD_NOT_ALLOWED', allow], options: [204, allow], isRead };
    }),
  );
});

describe('an address', () => {
  test.each([
    '/v2',
    '/v2/',
    '/v2/nothing',
    '/v2/event-types/',
    '/v2//event-types',
    '//v2/event-types',
    '/v2/Event-Types',
    '/v2/event-types/a/b/c',
    '/v2/event-types;a=b',
    '/v2/event-types%2Fa',
    '/v2/../v2x/event-types',
    '/V2/event-types',
  ])('that is none is 404 by every method, in the words of the paths: %s', async (path) => {
    const answers = await Promise.all(
      METHODS.map((method) => send(world.app.url, { method, path, headers: { accept: 'application/json' } })),
    );
    const told = answers.map(({ status, text }) => [status, JSON.parse(text).error.code]);
    expect(told).toEqual(METHODS.map(() => [404, 'NOT_FOUND']));
  });

  test('may have its characters percent-encoded, and leads where it did', async () => {
    const { body } = await world.get('/v2/event-types?limit=1', token);
    const [{ id }] = body.data;
    const encoded = [...id].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
    const answers = await Promise.all([id, encoded].map((one) => world.get(`/v2/event-types/${one}`, token)));
    expect(answers.map((one) => [one.status, one.body.data.id])).toEqual([
      [200, id],
      [200, id],
    ]);
  });

  test.each([
    ['NUL', '%00', 404],
    ['a path', '..%2F..%2Fetc%2Fpasswd', 404],
    ['what is no UTF-8', '%FF%FE', 404],
    ['half a character', '%ED%A0%80', 404],
    ['half an escape', '%E0%A4%A', 404],
    ['what is an object in JavaScript', '__proto__', 404],
    ['ten thousand characters', 'x'.repeat(10_000), 404],
    ['more than a head may have', 'x'.repeat(20_000), 431],
  ])('with %s in it is answered', async (_what, id, expected) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await send(world.app.url, { path: `/v2/event-types/${id}`, headers });
    expect(status).toBe(expected);
  });

  test.each([
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['start.__proto__=x', 'start.__proto__'],
    ['start=x', 'start'],
    ['start[from]=2026-01-01T00:00:00Z', 'start[from]'],
    ['filter.statuses=ACCEPTED', 'filter.statuses'],
    ['first=3', 'first'],
    ['last=3', 'last'],
    ['limit=%00', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=9007199254740993', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=', 'limit'],
    ['statuses=ACCEPTED,', 'statuses'],
    ['%FF=1', '\uFFFD'],
  ])('with the parameter %s is 400 and names it', async (search, name) => {
    const { status, body } = await world.get(`/v2/bookings?${search}`, token);
    expect([status, body.error.path?.[0]]).toEqual([400, name]);
  });
});

describe('a header', () => {
  test.each(['text/html', 'application/xml', 'application/json;q=0', '*/*;q=0.1', 'nonsense', ''])(
    'Accept: %s gets JSON, as there is nothing else, on errors too',
    async (accept) => {
      const answers = await Promise.all(
        [token, undefined].map((one) => world.send('GET', '/v2/me', { token: one, headers: { accept } })),
      );
      expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
        [200, 'application/json'],
        [401, 'application/json'],
      ]);
    },
  );

  test('If-None-Match is any of a list, weak or strong, or the star', async () => {
    const { headers } = await world.get('/v2/me', token);
    const tag = headers.get('etag') ?? '';
    const sent = [tag, `W/${tag}`, `"a", ${tag}`, `"a",W/${tag},"b"`, '*', '"a"', tag.replaceAll('"', '')];
    const answers = await Promise.all(
      sent.map((one) => world.send('GET', '/v2/me', { token, headers: { 'if-none-match': one } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([304, 304, 304, 304, 304, 200, 200]);
  });

  test.each(['Idempotency-Key', 'If-Match'])('%s is refused where a path cannot honour it', async (name) => {
    const headers = { [name]: '"0123456789abcdef"' };
    for (const path of ['/v2/me', '/v2/event-types']) {
      const { status, body } = await world.send('GET', path, { token, headers });
      expect([status, body.error.path]).toEqual([400, [name]]);
    }
  });

  test.each(['short', ' ', 'x'.repeat(10_000)])('Idempotency-Key of a length that is none is refused', async (key) => {
    const body = { title: 'Talk', slug: 'key', durationInMinutes: 30 };
    const { status } = await world.send('POST', '/v2/event-types', {
      token,
      body,
      headers: { 'idempotency-key': key },
    });
    expect([400, 422]).toContain(status);
  });

  test('Idempotency-Key: of many requests at once, one is done, and all are told the same or to come again', async () => {
    const body = { title: 'Talk', slug: 'at-once', durationInMinutes: 30 };
    const headers = { 'idempotency-key': 'sent-many-times-at-once' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.send('POST', '/v2/event-types', { token, body, headers })),
    );
    const ids = answers.filter(({ status }) => status === 201).map((one) => one.body.data.eventTypeId);
    expect([ids.length > 0, new Set(ids).size]).toEqual([true, 1]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
  });
});

const create = (body: string, type = 'application/json') =>
  world.send('POST', '/v2/event-types', { token, body, headers: { 'content-type': type } });

describe('a body', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/merge-patch+json',
    'application/jsonx',
    '',
  ])('of the type %s is 415', async (type) => {
    expect((await create('{"title":"A"}', type)).status).toBe(415);
  });

  test.each([
    ['a list', '[{}]', 400],
    ['null', 'null', 400],
    ['a text', '"{}"', 400],
    ['a number', '1e999', 400],
    ['two objects', '{}{}', 400],
    ['a comment', '{"title":"A"/* */}', 400],
    ['what is no UTF-8', '\uD800{', 400],
    ['lists in lists', `{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 400],
    ['objects in objects', `{"metadata":${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}}`, 400],
    ['null for what must be there', '{"title":null,"slug":"a","durationInMinutes":30}', 400],
    ['a number for a text', '{"title":1,"slug":"a","durationInMinutes":30}', 400],
    ['a text for a number', '{"title":"A","slug":"a","durationInMinutes":"30"}', 400],
    ['a number that is not whole', '{"title":"A","slug":"a","durationInMinutes":30.5}', 400],
    ['a number beyond all', '{"title":"A","slug":"a","durationInMinutes":1e400}', 400],
    ['an object for a number', '{"title":"A","slug":"a","durationInMinutes":{}}', 400],
    ['a list for an object', '{"title":"A","slug":"a","durationInMinutes":30,"seats":[]}', 400],
    ['NUL in a text', '{"title":"A\\u0000","slug":"a","durationInMinutes":30}', 422],
    ['half a character in a text', '{"title":"\\ud800","slug":"a","durationInMinutes":30}', 422],
    ['many members that are none', `{${Array.from({ length: 20_000 }, (_, n) => `"m${n}":1`).join()}}`, 400],
  ])('that holds %s is refused with a reason', async (_what, body, expected) => {
    const answer = await create(body);
    expect([answer.status, typeof answer.body.error.message]).toEqual([expected, 'string']);
    expect(JSON.stringify(answer.body).length).toBeLessThan(3_000);
  });

  test('with a member twice is refused, as readers differ in which of them counts', async () => {
    const { status, body } = await create('{"title":"A","slug":"twice","slug":"twice","durationInMinutes":30}');
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('slug')]);
  });

  test.each([
    ['is announced', { 'content-length': String(50_000_000) }],
    ['comes in pieces', { 'transfer-encoding': 'chunked' }],
  ])('of 50 MB that %s is 413 before it is there', async (_how, headers) => {
    const { port } = new URL(world.app.url);
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v2/event-types',
      headers: {
        host: `localhost:${port}`,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...headers,
      },
    });
    outgoing.on('error', () => undefined);
    outgoing.write('{"title":"');
    for (let piece = 0; piece < 20; piece += 1) outgoing.write('x'.repeat(64 * 1024));
    const [answer] = await once(outgoing, 'response');
    expect(answer.statusCode).toBe(413);
    outgoing.destroy();
  });
});
