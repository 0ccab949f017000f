import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Outbound, type OutboundLimits } from '../../src/outbound/outbound.ts';
import { TAKEN, WebhookReceiver } from '../support/webhook-receiver.ts';

let receiver: WebhookReceiver;
let other: WebhookReceiver;
const door = new Outbound({ allowsPrivate: true, userAgent: 'Gatehouse' });
beforeAll(async () => {
  receiver = await WebhookReceiver.open();
  other = await WebhookReceiver.open();
});
afterEach(() => {
  for (const one of [receiver, other]) {
    one.answer = TAKEN;
    one.all.length = 0;
  }
});
afterAll(async () => {
  await door.close();
  await receiver.close();
  await other.close();
});

const ask = (limits: OutboundLimits = {}, call: object = {}) =>
  door.ask({ kind: 'CALDAV', method: 'GET', url: receiver.url('/a'), headers: {}, ...call }, limits);

/** Writes until somebody hangs up. */
const ENDLESS: WebhookReceiver['answer'] = (response) => {
  response.writeHead(200);
  const write = (): void => {
    if (!response.destroyed) response.write(Buffer.alloc(16_384), () => setImmediate(write));
  };
  write();
};

/** Sends `/a` elsewhere, and answers all else. */
const to =
  (location: string, status = 302): WebhookReceiver['answer'] =>
  (response, { path }) =>
    void (path === '/a' ? response.writeHead(status, { location }).end() : response.end(path));

const fetching = (limits?: OutboundLimits) => door.fetchOf('OAUTH', limits);

test.each([600, 999])('an answer of status %i, which HTTP does not have, is none', async (status) => {
  receiver.answer = (response) => void response.writeHead(status).end('x');
  await expect(fetching()(receiver.url('/a'))).rejects.toMatchObject({ name: 'OutboundFailure', reason: 'FAILED' });
});

test('an address with a user and a password, as a server may choose it, is not called', async () => {
  const url = receiver.url('/a').replace('://', '://ada:secret@');
  const called = fetching()(url);
  await expect(called).rejects.toMatchObject({ name: 'OutboundFailure', reason: 'FAILED' });
  await expect(called).rejects.not.toThrow('secret');
  expect(receiver.all).toEqual([]);
});

describe('an answer', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE', 'PROPFIND', 'REPORT', 'MKCALENDAR'])(
    'to %s is given whole: status, headers, body',
    async (method) => {
      receiver.answer = (response) =>
        void response.writeHead(207, { etag: '"1"', 'x-two': ['a', 'b'] }).end('<multistatus/>');
      const answer = await ask({}, { method, ...(method === 'GET' ? {} : { body: '<propfind/>' }) });
      if (answer.error !== undefined) throw new Error(answer.error);
      expect([answer.status, answer.headers.get('etag'), answer.headers.get('x-two')]).toEqual([207, '"1"', 'a, b']);
      expect([answer.body.toString(), answer.url]).toEqual(['<multistatus/>', receiver.url('/a')]);
      expect(receiver.all[0]?.body).toBe(method === 'GET' ? '' : '<propfind/>');
    },
  );

  test('of just the largest size is taken, one byte more is not, and one without an end is broken off', async () => {
    const maxAnswerBytes = 100_000;
    receiver.answer = (response) => void response.end(Buffer.alloc(maxAnswerBytes));
    expect(await ask({ maxAnswerBytes })).toMatchObject({ status: 200 });
    receiver.answer = (response) => void response.end(Buffer.alloc(maxAnswerBytes + 1));
    const tooLarge = { reason: 'TOO_LARGE', error: 'The answer is longer than 100000 bytes.' };
    expect(await ask({ maxAnswerBytes })).toMatchObject(tooLarge);
    receiver.answer = ENDLESS;
    expect(await ask({ maxAnswerBytes })).toMatchObject(tooLarge);
  });

  const text = Buffer.from('BEGIN:VCALENDAR');
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(text)],
    ['X-GZip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', text],
    ['br, gzip', gzipSync(brotliCompressSync(text))],
  ])('that is compressed unasked (%s) is unpacked', async (coding, body) => {
    receiver.answer = (response, { headers }) => {
      expect(headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': coding }).end(body);
    };
    const answer = await ask();
    expect(answer.error ?? answer.body.toString()).toBe('BEGIN:VCALENDAR');
  });

  const zeros = Buffer.alloc(50_000_000);
  const bomb = gzipSync(zeros);
  test.each<[string, string, Buffer]>([
    ['TOO_LARGE', 'gzip', bomb],
    ['TOO_LARGE', 'br', brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['TOO_LARGE', 'deflate', deflateSync(zeros)],
    ['TOO_LARGE', 'gzip, gzip', gzipSync(bomb)],
    ['ENCODED', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(text)))],
    ['ENCODED', 'gzip', gzipSync(text).subarray(0, 20)],
    ['ENCODED', 'gzip', text],
    ['ENCODED', 'toString', text],
  ])('is none (%s) where it unpacks to too much, or not at all (%s)', async (reason, coding, body) => {
    receiver.answer = (response) => void response.writeHead(200, { 'content-encoding': coding }).end(body);
    const before = process.memoryUsage().rss;
    expect(await ask({ maxAnswerBytes: 1_000_000 })).toMatchObject({ reason });
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  });

  test('that trickles in ends with the time of the whole call', async () => {
    receiver.answer = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    };
    expect(await ask({ timeoutInMs: 200 })).toMatchObject({
      reason: 'TIMEOUT',
      error: 'There was no whole answer within 0.2 s.',
    });
  });
});

describe('a redirect', () => {
  test('is an answer with its location, unless it is to be followed', async () => {
    receiver.answer = to('/b');
    const answer = await ask();
    expect(answer).toMatchObject({ status: 302, url: receiver.url('/a') });
    expect(await ask({ follow: 1 })).toMatchObject({ status: 200, url: receiver.url('/b') });
    expect(receiver.all.map(({ path }) => path)).toEqual(['/a', '/a', '/b']);
  });

  test('that goes round is followed as often as is said, and is then the answer', async () => {
    receiver.answer = to('/a');
    expect(await ask({ follow: 3 })).toMatchObject({ status: 302 });
    expect(receiver.all).toHaveLength(4);
  });

  test('takes credentials along to the same host, and to no other', async () => {
    const headers = { Authorization: 'Basic c2VjcmV0', cookie: 'a=b', 'x-own': '1' };
    receiver.answer = to('/b', 308);
    await ask({ follow: 1 }, { headers });
    expect(receiver.all[1]?.headers).toMatchObject({ authorization: 'Basic c2VjcmV0', cookie: 'a=b' });
    receiver.answer = to(other.url('/c'), 308);
    await ask({ follow: 1 }, { headers });
    expect(other.all[0]?.headers).toMatchObject({ 'x-own': '1' });
    expect(other.all[0]?.headers).not.toHaveProperty('authorization');
    expect(other.all[0]?.headers).not.toHaveProperty('cookie');
  });

  test.each([
    [301, 'PROPFIND', 'PROPFIND', '<propfind/>'],
    [307, 'POST', 'POST', '<propfind/>'],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
  ])('%i makes of %s a %s', async (status, method, then, body) => {
    receiver.answer = to(other.url('/c'), status);
    let seen = '';
    other.answer = (response) => void response.end((seen = response.req.method ?? ''));
    await ask({ follow: 1 }, { method, body: '<propfind/>' });
    expect([seen, other.all[0]?.body]).toEqual([then, body]);
  });

  test('is looked at like a first call: into our own network it is not followed', async () => {
    const settings = { allowsPrivate: true, userAgent: 'Gatehouse' };
    const guarded = new Outbound(settings);
    const following = () =>
      guarded.ask({ kind: 'CALDAV', method: 'GET', url: receiver.url('/a'), headers: {} }, { follow: 3 });
    receiver.answer = to(other.url('/c'));
    expect(await following()).toMatchObject({ status: 204, url: other.url('/c') });
    const third = await WebhookReceiver.open();
    receiver.answer = (response) => {
      settings.allowsPrivate = false;
      response.writeHead(302, { location: third.url('/d') }).end();
    };
    expect(await following()).toMatchObject({ reason: 'PRIVATE_ADDRESS' });
    expect(third.all).toEqual([]);
    await guarded.close();
    await third.close();
  });
});

describe('fetch', () => {
  test('gives a Response, and sends what a library gives it', async () => {
    receiver.answer = (response, { body }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ body }));
    const response = await fetching()(new URL(receiver.url('/t')), {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token' }),
      headers: { authorization: 'Basic x' },
    });
    expect(response).toBeInstanceOf(Response);
    expect([response.ok, response.url, await response.json()]).toEqual([
      true,
      receiver.url('/t'),
      { body: 'grant_type=refresh_token' },
    ]);
    expect(receiver.all[0]?.headers).toMatchObject({
      authorization: 'Basic x',
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      'user-agent': 'Gatehouse',
    });
  });

  test('gives an answer without a body, and follows redirects only where both sides want it', async () => {
    expect((await fetching()(receiver.url())).status).toBe(204);
    receiver.answer = (response, { path }) =>
      void (path === '/r' ? response.writeHead(302, { location: '/s' }).end() : response.end());
    const status = async (follow: number, redirect: RequestRedirect) =>
      (await fetching({ follow })(receiver.url('/r'), { redirect })).status;
    expect([await status(0, 'follow'), await status(1, 'manual'), await status(1, 'follow')]).toEqual([302, 302, 200]);
  });

  test('rejects where there is no whole answer: too long, too late, given up', async () => {
    receiver.answer = ENDLESS;
    await expect(fetching({ maxAnswerBytes: 1_000 })(receiver.url())).rejects.toMatchObject({ reason: 'TOO_LARGE' });
    receiver.answer = () => undefined;
    await expect(fetching({ timeoutInMs: 100 })(receiver.url())).rejects.toMatchObject({ reason: 'TIMEOUT' });
    const signal = AbortSignal.abort();
    await expect(fetching()(receiver.url(), { signal })).rejects.toThrow(/abort/i);
  });
});

test('a host has only so many connections at once, and other requests wait', async () => {
  let open = 0;
  let most = 0;
  const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
  receiver.answer = async (response) => {
    open += 1;
    most = Math.max(most, open);
    if (open === 16) isEnough();
    await enough;
    response.end(() => (open -= 1));
  };
  const all = await Promise.all(Array.from({ length: 40 }, () => ask()));
  expect([most, all.every(({ error }) => error === undefined)]).toEqual([16, true]);
});
