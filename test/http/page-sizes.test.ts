/**
 * Measures what a visitor's browser is sent with each public page: the bounds are those that docs/booking-pages.md
 * tells.
 */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Host, hostOf, type Offered } from '../support/booking-visitor.ts';
import { textOf } from '../support/html-form.ts';

let app: TestApp;
let dan: Host;
let talk: Offered;
beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  talk = await dan.offer();
});
afterAll(() => app.close());

/** All parts of a page together have at most this, in kilobytes of 1000 bytes. */
const MOST = 60;

const DOCS = await readFile('docs/booking-pages.md', 'utf8');
/** The rows of the table in the docs: a page, and its bound in kilobytes. */
const BOUNDS = [...DOCS.matchAll(/^\| ([^|]+?) \| (\d+) kB \|$/gm)].map(
  ([, page, size]) => [page ?? '', Number(size)] as const,
);

const PATHS: Readonly<Record<string, () => string>> = {
  'what somebody offers': () => '/book/ada',
  'a month, and the times of a day': () => `${talk.path}?date=${talk.starts[0]?.slice(0, 10)}`,
  'the form': () => `${talk.path}?start=${talk.starts[0]}`,
  'signing up': () => '/auth/signup',
  'all REST paths': () => '/openapi',
};

test('the table in the docs has every public page of these, within the limit', () => {
  expect(BOUNDS.map(([page]) => page)).toEqual(Object.keys(PATHS));
  expect(BOUNDS.filter(([, bound]) => bound > MOST)).toEqual([]);
});

describe('with all its parts, compressed as they are sent,', () => {
  test.each(BOUNDS)('%s is at most %i kB', async (page, bound) => {
    const sent = await sizeOf(PATHS[page]?.() ?? '');
    expect(sent / 1000).toBeLessThanOrEqual(bound);
    // The bound says something.
    expect(sent / 1000).toBeGreaterThan(bound / 2);
  });
});

test('pages that name somebody are sent uncompressed, however long: their length would tell', async () => {
  const calendar = `${talk.path}?name=Grace`;
  const paths = [calendar, `${calendar}&start=${talk.starts[0]}`, '/', '/book/dan', '/auth/login?login_hint=a@b.test'];
  const encodings = async (headers: OutgoingHttpHeaders) => {
    const answers = await Promise.all(paths.map((path) => answerOf(path, headers)));
    for (const answer of answers) expect(answer.headers['content-type']).toBe('text/html; charset=UTF-8');
    return answers.map((answer) => answer.headers['content-encoding']);
  };
  expect(await encodings({})).toEqual(paths.map(() => 'gzip'));
  expect(await encodings({ cookie: dan.browser.cookie })).toEqual(paths.map(() => undefined));
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const comesBack = await answerOf(talk.path, form, `name=Grace&start=${talk.starts[0]}&step=book`);
  expect([comesBack.statusCode, comesBack.headers['content-encoding']]).toEqual([403, undefined]);
  expect((await buffer(comesBack)).toString()).toContain('Grace');
  const plain = await answerOf(calendar, { 'accept-encoding': 'gzip;q=0' });
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
});

/** The bytes of a page and of what it loads from us, as they go over the wire. */
async function sizeOf(path: string): Promise<number> {
  const { html, bytes } = await sent(path);
  expect(textOf(html)).not.toBe('');
  const parts = [...html.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="(\/[^"]+)"/g)].map(([, part]) => part ?? '');
  expect(parts.length).toBeGreaterThan(2);
  const sizes = await Promise.all([...new Set(parts)].map(async (part) => (await sent(part)).bytes));
  return sizes.reduce((sum, size) => sum + size, bytes);
}

async function sent(path: string): Promise<{ html: string; bytes: number }> {
  const response = await answerOf(path);
  expect(response.statusCode).toBe(200);
  const body = await buffer(response);
  const isCompressed = response.headers['content-encoding'] === 'gzip';
  return { html: (isCompressed ? gunzipSync(body) : body).toString(), bytes: body.length };
}

/** Past `fetch`, which hides what was compressed. */
async function answerOf(path: string, headers: OutgoingHttpHeaders = {}, form?: string): Promise<IncomingMessage> {
  const url = new URL(path.replaceAll('&amp;', '&'), app.url);
  const method = form === undefined ? 'GET' : 'POST';
  const sent = request(url, { method, headers: { 'accept-encoding': 'gzip, br', ...headers } }).end(form);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}
