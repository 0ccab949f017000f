import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_CLIENTS, DEMO_USERS } from '../../../src/persistence/demo-data.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { isOnPostgres } from '../../support/database.ts';
import { textOf } from '../../support/html-form.ts';
import { departed, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const EVIL = `<script>document.title = 'taken'</script><p onclick="x">Rich</p>`;
const WRITTEN = [
  'From: Gatehouse <no-reply@gatehouse.example>',
  'To: Grace <grace@acme.test>',
  'Subject: A & <b>',
  'Date: Mon, 02 Aug 2027 10:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=part',
  '',
  '--part',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Open https://gatehouse.example/x?a=1&b=2. Not javascript:alert(1)',
  '--part',
  'Content-Type: text/html; charset=utf-8',
  '',
  EVIL,
  '--part--',
  '',
].join('\r\n');

let folder: string;
let app: TestApp;
let browser: TestBrowser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-dev-'));
  await mkdir(join(folder, 'mail'));
  await writeFile(join(folder, 'secret.eml'), 'Subject: not a mail\r\n\r\n');
  app = await startTestApp({ DATA_DIR: folder });
  browser = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const open = async (path: string): Promise<ShownPage> => shownPage(await browser.open(path));

test('/dev says what runs, and how everybody of the demo signs in', async () => {
  const { text } = await open('/dev');
  for (const said of [
    'gatehouse-demo',
    isOnPostgres ? 'PostgreSQL' : 'embedded',
    `POST ${app.url}/graphql`,
    ...DEMO_USERS.map(({ email }) => email),
  ])
    expect(text).toContain(said);
  for (const { clientId, secret } of DEMO_CLIENTS) expect(text).toContain(secret ?? clientId);
});

test('the mails of the folder are listed, newest first, and read as text and as HTML that can do nothing', async () => {
  expect((await open('/dev/mails')).text).toContain('No e-mails yet');
  await writeFile(join(folder, 'mail', '2027-08-02T10-00-00.000Z-a.eml'), WRITTEN);
  await writeFile(
    join(folder, 'mail', '2027-08-03T10-00-00.000Z-b.eml'),
    'To: a@b.test\r\nSubject: Newest\r\n\r\nText',
  );
  await writeFile(join(folder, 'mail', 'notes.txt'), 'no mail');
  const { html } = await open('/dev/mails');
  const paths = [...html.matchAll(/href="(\/dev\/mails\/[^"]+)"><bdi>([^<]*)/g)].map(([, path = '', title = '']) => [
    path,
    title,
  ]);
  expect(paths.map(([, title]) => title)).toEqual(['Newest', 'A &amp; &lt;b&gt;']);

  const path = paths[1]?.[0] ?? '';
  const mail = await open(path);
  expect(mail.text).toContain('Grace <grace@acme.test>');
  const links = [...mail.html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toContain('https://gatehouse.example/x?a=1&amp;b=2');
  expect(links.filter((href) => href?.startsWith('javascript'))).toEqual([]);
  expect(mail.html).toContain(`<iframe class="mail-html" title="The e-mail as HTML" sandbox src="${path}/html">`);
  expect(mail.html).not.toContain('document.title');

  const rich = await browser.request(`${path}/html`);
  expect(rich.text.trim()).toBe(EVIL);
  expect(rich.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
  expect(rich.headers.get('cache-control')).toBe('no-store');
  // The other one has no HTML.
  expect((await browser.request(`${paths[0]?.[0]}/html`)).status).toBe(404);
});

test.each(['../secret.eml', '..%2Fsecret.eml', 'notes.txt', '2027-08-02T10-00-00.000Z-a.eml', ''])(
  'no file is opened by its name: %j',
  async (name) => {
    await writeFile(join(folder, 'mail', 'notes.txt'), 'no mail');
    const { status, text } = await browser.request(`/dev/mails/${name}/html`);
    expect([status, textOf(text)]).toEqual([404, expect.stringContaining('Page not found')]);
  },
);

const pathOf = (url: string): string => url.slice(app.url.length);
const pressed = async (page: ShownPage, step: string): Promise<ShownPage> =>
  shownPage(await browser.submit(page, { step }));

async function authorized(page: ShownPage, decision: 'allow' | 'deny') {
  const [, path = ''] = /class="button" href="(\/auth\/oauth2\/authorize[^"]+)"/.exec(page.html) ?? [];
  const stop = await browser.open(path.replaceAll('&amp;', '&'));
  return stop.kind === 'AWAY' ? stop : browser.submit(stop, { decision });
}

describe('the walk of the demo app', () => {
  test('gets a code, tokens, data, new tokens, and gives them back', async () => {
    const back = departed(await authorized(await open('/dev/oauth'), 'allow'));
    const answered = await open(pathOf(back.location));
    expect(answered.text).toContain('checks that state is its own');

    const tokens = await pressed(answered, 'token');
    expect(tokens.text).toMatch(/code_verifier=[\w-]{43}/);
    expect(tokens.text).toContain('"token_type": "bearer"');
    const data = await pressed(tokens, 'query');
    expect(data.text).toContain('"email": "ada@acme.test"');
    const more = await pressed(data, 'more');
    expect(more.text).toMatch(/HTTP 403[\s\S]*BOOKING_READ/);
    const fresh = await pressed(more, 'refresh');
    expect(fresh.text).toContain('grant_type=refresh_token');
    const end = await pressed(fresh, 'revoke');
    expect(end.text).toMatch(/HTTP 200[\s\S]*HTTP 401/);

    // The code has been used.
    expect((await pressed(answered, 'token')).text).toMatch(/HTTP 400[\s\S]*invalid_grant/);
  });

  test('ends where the user says no, and takes nothing that another browser began', async () => {
    const { location } = departed(await authorized(await open('/dev/oauth'), 'deny'));
    expect((await open(pathOf(location))).text).toContain('didn’t get access');
    const bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const { text, html } = shownPage(await bob.open(pathOf(location).replace('error=access_denied', 'code=x')));
    expect(text).toContain('didn’t start that walk');
    expect(html).not.toContain('value="token"');
    const own = pathOf(location).replace('error=access_denied', 'code=x');
    expect((await open(own)).html).toContain('value="token"');
    expect((await open(own.replace(/iss=[^&]+/, 'iss=https://evil.example'))).text).toContain(
      'A different server answered',
    );
  });

  test('begins anew for a form that is not ours', async () => {
    const { location } = departed(await authorized(await open('/dev/oauth'), 'deny'));
    const page = await open(pathOf(location).replace('error=access_denied', 'code=x'));
    expect(shownPage(await browser.submit(page, { step: 'token', csrf: 'forged' })).address).toBe('/dev/oauth');
  });
});

test('nothing of it is there without the demo data, which production refuses', async () => {
  const production = await startTestApp({
    SEED_DEMO: 'off',
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://gatehouse.example',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64url'),
    RATE_LIMITS: '',
    MAIL: 'files',
  });
  try {
    const visitor = new TestBrowser(production.url);
    for (const path of ['/dev', '/dev/mails', '/dev/mails/x', '/dev/oauth', '/demo/callback'])
      expect([path, (await visitor.request(path)).status]).toEqual([path, 404]);
    expect((await visitor.request('/')).text).not.toContain('"/dev"');
  } finally {
    await production.close();
  }
});
