import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  APP,
  authorizePath,
  basic,
  CLI,
  codeFor,
  exchange,
  type Fields,
  type KnownClient,
  PKCE,
  post,
  refresh,
  statusOf,
  tokensFor,
  tokensIn,
  VERIFIER,
} from '../support/oauth-requests.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, startService, usedDataFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';
import { TestBrowser } from '../support/test-browser.ts';

const PASSWORD = 'the password of the test';
const WRONG_PASSWORD = 'a password of somebody else';

/** Everything that opens something, by what it is. */
const credentials = new Map<string, string>();
let folder: string;
let database: TestDatabase | undefined;
let service: RunningService;
let ada: TestBrowser;
let exitCode: number | string;
beforeAll(async () => {
  folder = await usedDataFolder();
  database = isOnPostgres ? await openTestDatabase() : undefined;
  const DATABASE_URL = database?.url ?? '';
  service = await startService({ ...SHARED, DATA_DIR: folder, DATABASE_URL, LOG_LEVEL: 'trace' });
  ada = await TestBrowser.signedIn(service.url, 'ada@acme.test');
  await signUp();
  await goTheWholeWay(await registerClient());
  await makeMistakes();
  // The embedded database is looked at as it lies on the disk; what it still had to write is written then.
  exitCode = await service.kill('SIGTERM');
});
afterAll(async () => {
  await service.kill('SIGKILL');
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

test('the secrets that are searched for were really given out', () => {
  expect(exitCode).toBe(0);
  expect([...credentials.keys()]).toHaveLength(24);
  for (const [name, value] of credentials) expect([name, value.length > 15]).toEqual([name, true]);
});

test('nothing that opens anything lies in the database', async () => {
  const content = database ? await dump(database) : await filesIn(join(folder, 'database'));
  // The control: what may lie there is found.
  expect(content).toContain('ada@acme.test');
  expect(content).toContain('Whole way');
  expect(found(content)).toEqual([]);
});

test('nor in the log', () => {
  const log = service.output();
  expect(log).toContain('A mail was sent.');
  expect(log.includes('A request failed on our side.')).toBe(isOnPostgres);
  expect(found(log)).toEqual([]);
});

test('and nobody’s address, and no subject, stands in the log', async () => {
  // The lines that greet the operator name the demo accounts.
  const lines = service.output().split('\n');
  const log = lines.slice(lines.findIndex((line) => /^[\d:]{8} info /.test(line))).join('\n');
  expect(log).toContain('A mail was sent.');
  const mails = (await filesIn(join(folder, 'mail'))).replaceAll(/\r?\n[ \t]/g, ' ');
  const subjects = [...mails.matchAll(/^Subject: (.+)$/gm)].map(([, subject = '']) => subject);
  expect(subjects.length).toBeGreaterThan(3);
  expect(subjects.filter((subject) => log.includes(subject))).toEqual([]);
  expect(log).not.toMatch(/@(?:[\w-]+\.)+test\b/);
});

test('nor in a mail, but for the links that are mailed', async () => {
  const mails = (await filesIn(join(folder, 'mail'))).replaceAll('=\n', '').replaceAll('=3D', '=');
  expect(mails).toContain('was disconnected from your account');
  expect(found(mails)).toEqual(['link that confirms an address', 'link for a new password']);
});

describe('the parts of a request that an answer repeats', () => {
  test('is never a credential that stands in the wrong place', () => {
    expect(answers.length).toBeGreaterThan(50);
    expect(answers.filter((text) => found(text).length > 0)).toEqual([]);
  });
});

const answers: string[] = [];

function keep(name: string, value: string): string {
  credentials.set(name, value);
  return value;
}

function found(content: string): string[] {
  return [...credentials].filter(([, value]) => content.includes(value)).map(([name]) => name);
}

async function signUp(): Promise<void> {
  const browser = new TestBrowser(service.url);
  const page = await browser.open('/auth/signup');
  const person = { name: 'Eve', username: 'eve', email: 'eve@new.test' };
  await browser.submit(page, { ...person, password: keep('password', PASSWORD) });
  const form = await browser.open('/auth/login');
  await browser.signIn(form, 'eve@new.test', keep('wrong password', WRONG_PASSWORD));
  await browser.signIn(form, WRONG_PASSWORD, WRONG_PASSWORD);
  await browser.signIn(form, 'eve@new.test', PASSWORD);
  keepCookies('Eve', browser);
  keep('link that confirms an address', await tokenMailedTo('eve@new.test', '/auth/confirm-email'));
  await browser.submit(await browser.open('/auth/forgotten-password'), { email: 'eve@new.test' });
  keep('link for a new password', await tokenMailedTo('eve@new.test', '/auth/new-password'));
}

/** A mail is written behind the answer that asks for it. */
function tokenMailedTo(email: string, path: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const mails = (await filesIn(join(folder, 'mail'))).replaceAll('=\n', '').replaceAll('=3D', '=');
      const [, token] = new RegExp(`To: ${email}[^]*?${path}\\?token=([0-9A-Za-z]{43})`).exec(mails) ?? [];
      if (token === undefined) throw new Error(`No mail to ${email} has a link to ${path}.`);
      return token;
    },
    { timeout: paced(30_000), interval: 20 },
  );
}

function keepCookies(owner: string, { cookie }: TestBrowser): void {
  for (const [, name = '', value = ''] of cookie.matchAll(/(\w+)=([^;]+)/g)) keep(`${owner}'s cookie ${name}`, value);
}

async function registerClient(): Promise<KnownClient> {
  const admin = await TestBrowser.signedIn(service.url, 'admin@gatehouse.test');
  const { client, secret } = await ada.mutate<{ client: { clientId: string }; secret: string }>(
    'oauthClientCreate',
    {
      name: 'Whole way',
      purpose: 'Test',
      type: 'CONFIDENTIAL',
      redirectUris: [APP.redirect_uri],
      scopes: ['PROFILE_READ'],
    },
    'client { clientId } secret',
  );
  const { clientId } = client;
  await admin.mutate('oauthClientApprove', { clientId }, 'client { status }');
  const second = await ada.mutate<{ secret: string }>('oauthClientSecretCreate', { clientId, name: 'next' }, 'secret');
  keep('second secret', second.secret);
  keepCookies('Ada', ada);
  keepCookies('the administrator', admin);
  return { client_id: clientId, client_secret: keep('client secret', secret), redirect_uri: APP.redirect_uri };
}

async function goTheWholeWay(client: KnownClient): Promise<void> {
  const { url } = service;
  const code = keep('code', await codeFor(ada, client, PKCE));
  const first = tokensIn(await exchange(url, client, code, { code_verifier: keep('code verifier', VERIFIER) }));
  keep('access token', first.access_token);
  keep('unused code', await codeFor(ada, client));
  const second = tokensIn(await refresh(url, client, keep('refresh token', first.refresh_token)));
  await statusOf(url, keep('refreshed access token', second.access_token));
  const third = tokensIn(await refresh(url, client, keep('next refresh token', second.refresh_token)));
  keep('last refresh token', third.refresh_token);
  await post(url, { ...client, token: third.access_token }, { path: '/v2/auth/oauth2/introspect' });
  await post(url, { ...client, token: third.access_token }, { path: '/v2/auth/oauth2/revoke' });
  // A reuse, of which the user is told by mail.
  await refresh(url, client, first.refresh_token);

  const spent = keep('replayed code', await codeFor(ada, client));
  keep('access token of the replayed code', tokensIn(await exchange(url, client, spent)).access_token);
  await exchange(url, client, spent);
  keep('refresh token of a public client', (await tokensFor(ada, CLI)).refresh_token);
  keep('master key', SHARED.SECRET_KEY);
}

/** Credentials in each wrong place: of requests, of the address, of a browser. */
async function makeMistakes(): Promise<void> {
  const { url } = service;
  const places = [
    'client_id',
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
    'resource',
  ];
  const values = ['code', 'client secret', 'last refresh token', 'access token'].map(
    (name) => credentials.get(name) ?? '',
  );
  for (const value of values) {
    for (const place of places) {
      const fields: Fields = { ...APP, grant_type: 'refresh_token', refresh_token: 'x', [place]: value };
      answers.push((await post(url, fields)).text);
      answers.push((await post(url, { ...fields, [value]: '1' })).text);
    }
    for (const place of ['scope', 'prompt', 'response_type', 'response_mode', 'resource', 'code_challenge_method']) {
      const { headers } = await ada.request(authorizePath(APP, { ...PKCE, [place]: value }));
      answers.push(decodeURIComponent(headers.get('location') ?? ''));
    }
    answers.push((await ada.request(authorizePath(APP, { client_id: value }))).text);
    answers.push((await ada.request(`/auth/oauth2/interactions/${encodeURIComponent(value)}`)).text);
    answers.push((await ada.request('/v2/me', { authorization: `Bearer ${value}x` })).text);
    answers.push((await post(url, { ...APP, token: value }, { path: '/v2/auth/oauth2/revoke' })).text);
    answers.push(
      (await post(url, { grant_type: 'x' }, { headers: { authorization: basic(APP.client_id, value) } })).text,
    );
  }
  await failOnOurSide();
}

/** A fault of ours is logged with all that is known about it. Only another process can cause one. */
async function failOnOurSide(): Promise<void> {
  if (!database) return;
  const em = database.em.fork();
  await changed(em, sql`alter table oauth_grants rename column seed to elsewhere`);
  const answer = await refresh(service.url, APP, credentials.get('last refresh token') ?? '');
  expect(answer.status).toBe(500);
  answers.push(answer.text);
  await changed(em, sql`alter table oauth_grants rename column elsewhere to seed`);
}

async function dump({ em }: TestDatabase): Promise<string> {
  const tables = await rows(
    em,
    sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const contents = tables.map(({ name }) => rows(em, sql`select * from ${sql.table(name)}`));
  return JSON.stringify(await Promise.all(contents));
}

async function filesIn(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return contents.join('\n');
}
