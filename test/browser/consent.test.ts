import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { APP, authorizePath, CLI, exchange, PKCE, tokensIn, VERIFIER } from '../support/oauth-requests.ts';
import { temporaryFolder } from '../support/process.ts';
import { addToPolicy, answerAsApp } from './app-server.ts';
import { hasChromium, visit } from './chromium.ts';
import { smallTargets, widthOf } from './page-checks.ts';

const PHONE = { width: 360, height: 740 };

describe.runIf(hasChromium)('in Chromium', () => {
  let app: TestApp;
  let native: NativeApp;
  beforeAll(async () => {
    [app, native] = await Promise.all([startTestApp(), startNativeApp()]);
  });
  afterAll(() => Promise.all([app.close(), native.close()]));

  describe('after Allow, the app is reached', () => {
    test('at an https address, with code, state and iss', async () => {
      await using visitor = await visit();
      const { page, complaints } = visitor;
      const { arrival } = await answerAsApp(page);
      await openConsent(page, authorizePath(APP, PKCE));
      await page.getByRole('button', { name: 'Allow' }).click();
      const { searchParams: parameters } = await arrival;
      expect([...parameters.keys()]).toEqual(['code', 'state', 'iss']);
      expect([parameters.get('state'), parameters.get('iss')]).toEqual(['xyz', app.url]);
      await page.getByText('Arrived').waitFor();
      expect(await page.evaluate('document.referrer')).toBe('');
      expect(complaints).toEqual([]);
      const code = parameters.get('code') ?? '';
      expect(tokensIn(await exchange(app.url, APP, code, { code_verifier: VERIFIER })).scope).toBe('PROFILE_READ');
    });

    test('on this machine, without a Referer', async () => {
      await using visitor = await visit();
      const { page, complaints } = visitor;
      await openConsent(page, authorizePath({ ...CLI, redirect_uri: native.callback }, PKCE));
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('Arrived').waitFor();
      const { url = '', headers } = native.requests.at(-1) ?? {};
      expect(url).toMatch(/^\/callback\?code=gh_code_/);
      expect(headers?.referer).toBeUndefined();
      expect(complaints).toEqual([]);
    });

    test.each([302, 303, 307])('and sends the user onward to another host (%i), which arrives too', async (status) => {
      await using visitor = await visit();
      const { page, complaints } = visitor;
      const { arrival } = await answerAsApp(page, { status, location: native.onward });
      await openConsent(page, authorizePath(APP, { prompt: 'consent' }));
      await page.getByRole('button', { name: 'Allow' }).click();
      await arrival;
      await page.getByText('Arrived').waitFor();
      expect(page.url()).toBe(native.onward);
      expect(native.requests.at(-1)?.headers.referer).toBeUndefined();
      expect(complaints).toEqual([]);
    });

    test('once, though the button was clicked twice', async () => {
      await using visitor = await visit();
      const { page } = visitor;
      const { arrivals } = await answerAsApp(page);
      await openConsent(page, authorizePath(APP, { prompt: 'consent' }));
      await page.getByRole('button', { name: 'Allow' }).dblclick({ noWaitAfter: true });
      await page.getByText('Arrived').waitFor();
      expect(new Set(arrivals).size).toBe(1);
    });

    test('and with Cancel it is told so', async () => {
      await using visitor = await visit();
      const { page, complaints } = visitor;
      const { arrival } = await answerAsApp(page);
      await openConsent(page, authorizePath(APP, { prompt: 'consent' }));
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect((await arrival).searchParams.get('error')).toBe('access_denied');
      expect(complaints).toEqual([]);
    });
  });

  test('the way back after an answer shows the answer, and never asks again', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    const { arrivals } = await answerAsApp(page);
    await openConsent(page, authorizePath(APP, { prompt: 'consent' }));
    const question = page.url();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Arrived').waitFor();
    const before = await codes();
    await page.goBack();
    await page.getByText('Arrived').waitFor();
    expect([new Set(arrivals).size, await codes()]).toEqual([1, before]);
    // A code that was spent is not given again without PKCE: the page says that all is done.
    await exchange(app.url, APP, new URL(arrivals[0] ?? '').searchParams.get('code') ?? '');
    await page.goto(question);
    await page.getByRole('heading', { name: 'This request has expired' }).waitFor();
  });

  test.each([
    { look: 'a phone', viewport: PHONE, isSticky: true },
    { look: 'a phone at 200 %', viewport: { width: 180, height: 370 }, isSticky: false },
    { look: 'a desktop at 200 %', viewport: { width: 640, height: 400 }, isSticky: false },
  ])('the answers are in reach without covering the text: $look', async ({ viewport, isSticky }) => {
    await using visitor = await visit({ viewport });
    const { page } = visitor;
    const scope = 'PROFILE_READ BOOKING_READ EVENT_TYPE_READ SCHEDULE_READ TEAM_BOOKING_READ ORG_WEBHOOK_WRITE';
    await openConsent(page, authorizePath(APP, { prompt: 'consent', scope }));
    const [allow, cancel] = [page.getByRole('button', { name: 'Allow' }), page.getByRole('button', { name: 'Cancel' })];
    const isInView = async (one: typeof allow) => {
      const box = await one.boundingBox();
      return box !== null && box.y + box.height <= viewport.height;
    };
    expect([await isInView(allow), await isInView(cancel)]).toEqual([isSticky, isSticky]);
    expect(await widthOf(page)).toBe(viewport.width);
    expect(await smallTargets(page)).toEqual([]);
    // Whatever the Tab key comes to can be seen whole.
    for (const summary of await page.locator('.scopes summary').all()) {
      await page.evaluate('scrollTo(0, 0)');
      await summary.focus();
      const [line, form] = [await summary.boundingBox(), await page.locator('.consent form').boundingBox()];
      expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(Math.max(form?.y ?? 0, 0) + 1);
    }
  });

  test('the control: the one directive that our policy leaves out would have kept the user from the app', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await addToPolicy(page, '*/auth/oauth2/interactions/*', "form-action 'self'");
    await openConsent(page, authorizePath(APP, { prompt: 'consent' }));
    const complaint = page.waitForEvent('console');
    await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
    expect((await complaint).text()).toContain('violates the following Content Security Policy directive');
    expect(complaints.join()).toContain('Content Security Policy');
    expect(page.url()).toContain('/auth/oauth2/interactions/');
  });

  test('one signs in and allows by keyboard alone', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    const { arrival } = await answerAsApp(page);
    await page.goto(app.url + authorizePath(APP, { prompt: 'consent', login_hint: 'cyd@acme.test' }));
    await pressUntilFocused(page, 'Password');
    await page.keyboard.type(DEMO_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/auth/oauth2/interactions/*');
    await pressUntilFocused(page, 'Allow');
    await page.keyboard.press('Enter');
    expect((await arrival).searchParams.get('code')).toMatch(/^gh_code_/);
    expect(complaints).toEqual([]);
  });

  describe('another site cannot have a code made', () => {
    test.each([
      ['in a frame', (address: string) => `<iframe src="${address}"></iframe>`],
      ['in an object', (address: string) => `<object data="${address}"></object>`],
      ['in an embed', (address: string) => `<embed src="${address}">`],
      ['as an image', (address: string) => `<img src="${address}">`],
      ['as a style sheet', (address: string) => `<link rel="stylesheet" href="${address}">`],
      ['ahead of time', (address: string) => `<link rel="prefetch" href="${address}">`],
    ])('%s', async (_, markup) => {
      await using visitor = await visit();
      const { page } = visitor;
      await remember(page);
      const before = await codes();
      const address = app.url + authorizePath(APP);
      const asked = endOf(page, `${app.url}/auth/oauth2/authorize`);
      native.page = `<!doctype html><title>Evil</title>${markup(address.replaceAll('&', '&amp;'))}`;
      await page.goto(`${native.base}/evil`);
      await asked;
      expect(page.frames().some((frame) => frame.url().includes('code='))).toBe(false);
      expect(await codes()).toBe(before);
      // The twin: the same person follows a link of that site.
      native.page = `<!doctype html><title>Good</title><a href="${address.replaceAll('&', '&amp;')}">Go</a>`;
      const { arrival } = await answerAsApp(page);
      await page.goto(`${native.base}/good`);
      await page.getByText('Go').click();
      expect((await arrival).searchParams.get('code')).toMatch(/^gh_code_/);
      expect(await codes()).toBe(before + 1);
    });
  });

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['a phone', { viewport: PHONE }],
  ] as const)('the consent page with all scopes can be read: %s', async (name, options) => {
    await using visitor = await visit(options);
    const { page, complaints } = visitor;
    const scope = 'PROFILE_READ BOOKING_READ BOOKING_WRITE TEAM_BOOKING_READ TEAM_MEMBERSHIP_WRITE ORG_WEBHOOK_WRITE';
    await openConsent(page, authorizePath(APP, { prompt: 'consent', scope }));
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Your account',
      'Your teams',
      'Your organizations',
    ]);
    expect(await page.locator('.scopes summary').count()).toBe(5);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    const folder = process.env['SCREENSHOTS'] ?? (await temporaryFolder());
    const image = await page.screenshot({ path: join(folder, `consent ${name}.png`) });
    expect(image.length).toBeGreaterThan(5_000);
    if (!process.env['SCREENSHOTS']) await rm(folder, { recursive: true });
    expect(complaints).toEqual([]);
  });

  async function codes(): Promise<number> {
    const found = await rows(app.database.em, sql`select 1 from oauth_codes`);
    return found.length;
  }

  /** Opens an authorization in a new profile: signs in, and stands in front of the consent page. */
  async function openConsent(page: Page, path: string): Promise<void> {
    await page.goto(app.url + path);
    await page.getByLabel('E-mail address').fill('ada@acme.test');
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/auth/oauth2/interactions/*');
  }

  /** From here on, opening the address is enough. */
  async function remember(page: Page): Promise<void> {
    const { arrival } = await answerAsApp(page);
    await openConsent(page, authorizePath(APP, { prompt: 'consent' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    const code = (await arrival).searchParams.get('code') ?? '';
    tokensIn(await exchange(app.url, APP, code));
  }
});

/** Resolves when a request has ended, by whatever the browser thinks of the answer. */
function endOf(page: Page, start: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (request: Request): void => void (request.url().startsWith(start) && resolve());
  page.on('requestfinished', hear);
  page.on('requestfailed', hear);
  return promise;
}

async function pressUntilFocused(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    const label = await page.evaluate(
      `(() => { const at = document.activeElement; return at.labels?.[0]?.textContent ?? at.textContent; })()`,
    );
    if (label === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached by the Tab key.`);
}

/** Something that listens on this machine: a native app, or another site. */
interface NativeApp {
  readonly base: string;
  readonly callback: string;
  readonly onward: string;
  readonly requests: IncomingMessage[];
  page: string;
  close(): Promise<void>;
}

async function startNativeApp(): Promise<NativeApp> {
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') requests.push(request);
    const isOwnPage = request.url === '/evil' || request.url === '/good';
    response.setHeader('content-type', 'text/html; charset=utf-8').end(isOwnPage ? native.page : 'Arrived');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const native: NativeApp = {
    base,
    callback: `${base}/callback`,
    onward: `${base}/onward`,
    requests,
    page: '',
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return native;
}
