/** Servers of calendars that repeat whatever they are sent: neither logs nor tables, mails or answers may hold any of it. */
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { see } from '../../support/booking-visitor.ts';
import { compact } from '../../support/calendar-services.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { APP, tokensFor } from '../../support/oauth-requests.ts';
import { paced } from '../../support/pace.ts';
import { type RunningService, startService, usedDataFolder } from '../../support/process.ts';
import { hasRadicale, PASSWORD, Radicale } from '../../support/radicale.ts';
import { SHARED } from '../../support/servers.ts';
import { TestBrowser } from '../../support/test-browser.ts';

const ACCOUNT = 'ada@calendars.test';
const WRONG = 'a-wrong-app-password';
const TITLES = { feed: 'Dentist-of-the-feed', account: 'Dentist-of-the-account' };
const PAGE = '/settings/calendars';
const base64 = (password: string) => Buffer.from(`${ACCOUNT}:${password}`).toString('base64');

/** Everything that opens a calendar or stands in it, by what it is. */
const SECRETS = {
  'app password': PASSWORD,
  'app password in a header': base64(PASSWORD),
  'wrong password': WRONG,
  'wrong password in a header': base64(WRONG),
  'address of a feed': 'a-token-that-opens-the-feed',
  'title in a feed': TITLES.feed,
  'title in an account': TITLES.account,
};

/** Ways in which a server goes wrong; each repeats the request's secrets wherever an answer has a place for them. */
const FAULTS: Readonly<Record<string, (said: string, response: ServerResponse) => void>> = {
  'an error': (said, response) => response.writeHead(500, said, { 'x-said': said }).end(said),
  'a refusal': (said, response) =>
    response.writeHead(401, said, { 'www-authenticate': `Basic realm="${said}", Digest ${said}` }).end(said),
  'no XML': (said, response) => response.writeHead(207, said, { 'content-type': said }).end(`<${said}`),
  'XML of its own': (said, response) =>
    response
      .writeHead(207, { 'content-type': 'application/xml' })
      .end(
        `<multistatus xmlns="DAV:"><response><href>/${said}</href><status>${said}</status></response></multistatus>`,
      ),
  'a redirect': (said, response) => response.writeHead(302, { location: `/?${encodeURIComponent(said)}` }).end(),
  'a redirect elsewhere': (said, response) =>
    response.writeHead(307, { location: `http://${said.replace(/\W/g, '').slice(0, 60)}.test/` }).end(),
  'too many requests': (said, response) => response.writeHead(429, { 'retry-after': said }).end(said),
  'half an answer': (said, response) => {
    response.writeHead(207, { 'content-length': '100000' });
    response.write(said, () => response.destroy());
  },
  'no answer': (_said, response) => void response.destroy(),
};

describe.runIf(hasRadicale)('servers that repeat what they are sent (skipped where Radicale is not installed)', () => {
  let radicale: Radicale;
  let folder: string;
  let database: TestDatabase | undefined;
  let service: RunningService;
  let ada: TestBrowser;
  let fault: string | undefined;
  let asked = 0;
  let booked = 0;
  let eventTypeId: string;
  const answers: string[] = [];
  const connected: string[] = [];

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const at = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    const isFeed = url.startsWith('/feeds/');
    const goesWrong = fault === undefined ? undefined : FAULTS[fault];
    asked += 1;
    if (goesWrong)
      return goesWrong(`${url} ${headers.authorization} ${isFeed ? TITLES.feed : TITLES.account}`, response);
    if (isFeed) return void response.writeHead(200, { 'content-type': 'text/calendar' }).end(FEED);
    const passed = await fetch(new URL(url, radicale.url), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        ['authorization', 'content-type', 'depth', 'if-match', 'if-none-match'].includes(name)
          ? [[name, String(value)]]
          : [],
      ),
      ...(body.length > 0 && { body }),
    });
    response.writeHead(
      passed.status,
      Object.fromEntries([...passed.headers].filter(([name]) => /^(?:content-type|www-auth|etag)/.test(name))),
    );
    response.end(Buffer.from(await passed.arrayBuffer()));
  }

  /** By GraphQL, of the signed-in browser. */
  async function mutate(name: string, input: object): Promise<string> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code message path } } }`;
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: ada.cookie, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ query, variables: { input } }),
    });
    const text = await response.text();
    answers.push(text);
    return text;
  }

  async function byRest(token: string, path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    answers.push(`${response.status} ${await response.text()}`);
  }

  /** By GraphQL, of nobody in particular. */
  async function ask(query: string, variables: object = {}): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return response.text();
  }

  /** Slots are looked at, and one is booked: both ask calendars. */
  async function book(day: number): Promise<void> {
    const start = Temporal.Now.instant().add({ hours: 24 * day });
    const range = `start: "${start.toString()}", end: "${start.add({ hours: 72 }).toString()}"`;
    const slots = await ask(`{ slots(eventType: { id: "${eventTypeId}" }, ${range}) { start } }`);
    const [first] = (JSON.parse(slots).data.slots as { start: string }[]).map((one) => one.start);
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const booking = await ask(
      'mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid } userErrors { code message } } }',
      { input: { eventTypeId, start: first, attendee } },
    );
    booked += booking.includes('"uid":') ? 1 : 0;
    answers.push(slots, booking);
  }

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    radicale = await Radicale.start([ACCOUNT]);
    const work = await radicale.makeCalendar(ACCOUNT, 'Work');
    const start = compact(Temporal.Now.instant().add({ hours: 25 }).toString());
    const lines = [`DTSTART:${start}`, 'DURATION:PT1H', `SUMMARY:${TITLES.account}`];
    await radicale.putEvent(ACCOUNT, new URL(work).pathname.slice(1), 'one', lines);
    folder = await usedDataFolder();
    database = isOnPostgres ? await openTestDatabase() : undefined;
    service = await startService({
      ...SHARED,
      DATA_DIR: folder,
      DATABASE_URL: database?.url ?? '',
      LOG_LEVEL: 'trace',
      ALLOW_PRIVATE_NETWORK: 'on',
      RATE_LIMITS: 'off',
    });
    ada = await TestBrowser.signedIn(service.url, 'ada@acme.test');
    const { me } = await ada.ask<{ me: { eventTypes: { nodes: { id: string }[] } } }>(
      '{ me { eventTypes { nodes { id } } } }',
    );
    eventTypeId = me.eventTypes.nodes[0]?.id ?? '';
    const { access_token: token } = await tokensFor(ada, APP, { scope: 'APPS_WRITE' });
    const account = { server: at(), username: ACCOUNT };
    const feeds = { urls: [`${at()}/feeds/${SECRETS['address of a feed']}.ics`] };
    await mutate('caldavCalendarAccountConnect', { ...account, appPassword: WRONG });
    connected.push(
      await mutate('caldavCalendarAccountConnect', { ...account, appPassword: PASSWORD }),
      await mutate('icsFeedsSet', feeds),
    );
    await book(3);
    for (const [n, name] of Object.keys(FAULTS).entries()) {
      fault = name;
      answers.push((await see(ada, PAGE)).html);
      await mutate('caldavCalendarAccountConnect', {
        ...account,
        username: `other-${n}@calendars.test`,
        appPassword: PASSWORD,
      });
      await byRest(token, '/v2/calendar-connections/caldav', {
        ...account,
        username: `rest-${n}@calendars.test`,
        appPassword: PASSWORD,
      });
      await mutate('icsFeedsSet', { urls: [...feeds.urls, `${at()}/feeds/${SECRETS['address of a feed']}-${n}.ics`] });
      await book(4 + n);
      await pause(1_000);
    }
    answers.push((await see(ada, PAGE)).html);
    await service.kill('SIGTERM');
  }, paced(120_000));
  afterAll(async () => {
    await service?.kill('SIGKILL');
    await database?.close();
    await radicale?.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('were asked, as they were connected', () => {
    expect(connected.map((text) => text.includes('"userErrors":[]'))).toEqual([true, true]);
    expect(asked).toBeGreaterThan(5 * Object.keys(FAULTS).length);
    expect(booked).toBeGreaterThan(5);
  });

  test('leave nothing in the tables', async () => {
    const content = database ? await dump(database) : await filesIn(join(folder, 'database'));
    // The control: what may lie there is found.
    expect(content).toContain(ACCOUNT);
    expect(found(content)).toEqual([]);
  });

  test('leave nothing in the log', () => {
    const log = service.output();
    expect(log).toContain('A mail was sent.');
    expect(found(log)).toEqual([]);
  });

  test('leave nothing in mails', async () => {
    const mails = (await filesIn(join(folder, 'mail'))).replaceAll('=\n', '').replaceAll('=3D', '=');
    expect(mails).toContain('grace@example.test');
    expect(found(mails)).toEqual([]);
  });

  test('leave nothing in answers', () => {
    expect(answers.length).toBeGreaterThan(5 * Object.keys(FAULTS).length);
    expect(answers.filter((text) => found(text).length > 0)).toEqual([]);
  });
});

const FEED = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Test//EN',
  'BEGIN:VEVENT',
  'UID:one',
  `DTSTART:${compact(Temporal.Now.instant().add({ hours: 24 }).toString())}`,
  'DURATION:PT1H',
  `SUMMARY:${TITLES.feed}`,
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

function found(content: string): string[] {
  return Object.entries(SECRETS).flatMap(([name, value]) => (content.includes(value) ? [name] : []));
}

async function dump({ em }: TestDatabase): Promise<string> {
  const tables = await rows(
    em,
    sql<{
      schema: string;
      name: string;
    }>`select table_schema as schema, table_name as name from information_schema.tables
      where table_schema in ('public', 'jobs')`,
  );
  const contents = tables.map(({ schema, name }) => rows(em, sql`select * from ${sql.table(`${schema}.${name}`)}`));
  return JSON.stringify(await Promise.all(contents));
}

async function filesIn(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return contents.join('\n');
}
