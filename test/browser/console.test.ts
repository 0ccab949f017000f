import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, fillIn, unlabelledControls, widthOf } from './page-checks.ts';

const QUERY = 'query Mine { me { name } }';

const needs = (page: Page) => page.locator('#needs');
const token = (page: Page) => page.locator('#token');
const outcome = (page: Page) => page.locator('#outcome');
const editor = (page: Page) => page.locator('.graphiql-query-editor .view-lines');

/** Types as a person does, and waits until the panel has explained it. */
async function write(page: Page, document: string): Promise<void> {
  const explained = page.waitForResponse(
    (response) =>
      response.url().endsWith('/graphql/scopes') && response.request().postDataJSON().query.trim() === document,
  );
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(document);
  await explained;
}

/** The API's answer to what is in the editor, once GraphiQL shows it. */
async function run(page: Page): Promise<string> {
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await outcome(page).getByText('HTTP').waitFor();
  await page.locator('.graphiql-response .view-line').nth(2).waitFor();
  // The editor writes spaces that do not break.
  return (await page.locator('.graphiql-response .view-lines').innerText()).replaceAll('\u00a0', ' ');
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`There is no ${selector}.`);
  return box;
}

/** The elements above the answer where it should be seen: near its corners and in its middle. */
function coveredAt(page: Page, { x, y, width, height }: Box): Promise<string[]> {
  const points = [0.05, 0.5, 0.95].flatMap((across) =>
    [0.05, 0.5, 0.95].map((down) => [x + width * across, y + height * down]),
  );
  return page.evaluate(`${JSON.stringify(points)}
    .map(([left, top]) => document.elementFromPoint(left, top))
    .filter((element) => !element?.closest('.graphiql-response'))
    .map((element) => String(element?.className))`);
}

async function allow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Query console' }).waitFor();
}

describe.runIf(hasChromium)('the query console', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  /** The console, open in a browser in which ada is signed in. */
  async function openConsole(page: Page): Promise<void> {
    await page.goto(`${app.url}/auth/login?return_to=%2Fgraphql`);
    await fillIn(page, { 'E-mail address': 'ada@acme.test', Password: DEMO_PASSWORD });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await editor(page).getByText('eventTypes').waitFor();
  }

  test('tells what the operation in GraphiQL needs, gets a token for exactly that, and runs it', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page, complaints } = visitor;
    await openConsole(page);
    await write(page, QUERY);
    await needs(page).getByText('for me.name (line 1, column 19)').waitFor();
    expect(await needs(page).textContent()).toMatch(/^PROFILE_READ.*not held$/);

    await page.getByRole('button', { name: 'Get a token for this operation' }).click();
    await allow(page);
    await token(page).getByText('PROFILE_READ').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await token(page).locator('code').allTextContents()).toEqual(['PROFILE_READ']);
    await needs(page).getByText('for me.name').waitFor();
    expect(await needs(page).textContent()).not.toContain('not held');
    expect(await run(page)).toContain('"name": "Ada');
    expect(await outcome(page).textContent()).toMatch(/^HTTP 200, \d+ ms, cost 1 of 50000$/);
    expect(complaints).toEqual([]);
  });

  test('is refused what its token lacks, and told what, though its user is signed in', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page } = visitor;
    await openConsole(page);
    await write(page, QUERY);
    expect(await run(page)).toContain('"UNAUTHENTICATED"');
    expect(await outcome(page).textContent()).toMatch(/^HTTP 401/);

    await page.getByText('Choose the scopes yourself').click();
    await page
      .getByLabel(/BOOKING_READ/)
      .first()
      .check();
    await page.getByRole('button', { name: 'Get a token with these' }).click();
    await allow(page);
    await token(page).getByText('BOOKING_READ').waitFor();
    await editor(page).getByText('Mine').waitFor();
    const answer = await run(page);
    expect(answer).toContain('"INSUFFICIENT_SCOPE"');
    expect(answer).toContain('PROFILE_READ');
    expect(await outcome(page).textContent()).toMatch(/^HTTP 403/);

    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await token(page).getByText('You have none').waitFor();
  });

  test('sends its token and no cookie, and reads the schema with neither', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page } = visitor;
    const introspection = page.waitForRequest((request) => (request.postData() ?? '').includes('__schema'));
    await openConsole(page);
    const asked = await (await introspection).allHeaders();
    expect(asked).not.toHaveProperty('cookie');
    expect(asked).not.toHaveProperty('authorization');
    expect((await (await introspection).response())?.status()).toBe(200);

    await page.getByRole('button', { name: 'Get a token for this operation' }).click();
    await allow(page);
    await token(page).getByText('PROFILE_READ').waitFor();
    const running = page.waitForRequest((request) => (request.postDataJSON()?.operationName ?? '') === 'Mine');
    await run(page);
    const sent = await (await running).allHeaders();
    expect(sent).not.toHaveProperty('cookie');
    expect(sent['authorization']).toMatch(/^Bearer /);
  });

  test('says so when the user refuses, and takes up no answer that it did not ask for', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page } = visitor;
    await openConsole(page);
    await page.getByRole('button', { name: 'Get a token for this operation' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('#outcome:not(:empty)').waitFor();
    expect(await token(page).textContent()).toContain('You have none');

    await page.goto(`${app.url}/graphql?code=gh_code_foreign&state=foreign&iss=${encodeURIComponent(app.url)}`);
    await page.locator('#outcome', { hasText: 'does not belong' }).waitFor();
  });

  test('shows mistakes with their places, and needs no token for what is public', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page } = visitor;
    await openConsole(page);
    await write(page, /* invalid */ '{ me { frobnicate } }');
    await needs(page).getByText('Cannot query field "frobnicate" on type "Viewer". (line 1, column 8)').waitFor();
    await write(page, '{ publicEventTypes(username: "ada") { nodes { title } } }');
    await needs(page).getByText('No token: this is public.').waitFor();
    expect(await run(page)).toContain('"publicEventTypes"');
    expect(await outcome(page).textContent()).toMatch(/^HTTP 200/);
  });

  test.each(['light', 'dark'] as const)('is usable by everybody, in %s and on a phone', async (colorScheme) => {
    await using visitor = await visit({
      javaScriptEnabled: true,
      colorScheme,
      viewport: { width: 360, height: 740 },
    });
    const { page, complaints } = visitor;
    await openConsole(page);
    await needs(page).getByText('EVENT_TYPE_READ').waitFor();
    await page.getByText('Choose the scopes yourself').click();
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
    expect(complaints).toEqual([]);
    // The panel is ours to answer for.
    await page.evaluate(`document.getElementById('graphiql').remove()`);
    expect(await unlabelledControls(page)).toEqual([]);
    expect(await faintTexts(page)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('shows query and answer at once on a phone, in %s', async (colorScheme) => {
    const viewport = { width: 360, height: 640 };
    await using visitor = await visit({ javaScriptEnabled: true, colorScheme, viewport });
    const { page } = visitor;
    await openConsole(page);
    await write(page, '{ publicEventTypes(username: "ada") { nodes { title } } }');
    expect(await run(page)).toContain('"publicEventTypes"');
    const query = await boxOf(page, '.graphiql-query-editor .graphiql-editor');
    const answer = await boxOf(page, '.graphiql-response');
    const text = await boxOf(page, '.graphiql-response .view-lines');
    for (const box of [query, answer]) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width);
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
      expect(box.width).toBeGreaterThan(300);
    }
    expect(query.height).toBeGreaterThan(80);
    expect(answer.height).toBeGreaterThan(200);
    // Nothing lies above the answer.
    expect(answer.y).toBeGreaterThanOrEqual(query.y + query.height);
    expect(text.y).toBeGreaterThanOrEqual(answer.y);
    expect(await coveredAt(page, answer)).toEqual([]);
    // The panel with the scopes begins below, where a thumb can scroll.
    expect((await page.locator('#access').boundingBox())?.y).toBeLessThan(viewport.height);
  });

  test('is a page for requests that accept one, and nothing for the others', async () => {
    const page = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html,*/*' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(await page.text()).not.toMatch(/<script(?![^>]+src="\/assets\/)/);
    expect((await fetch(`${app.url}/graphql`)).status).toBe(400);
  });

  test.each([
    'graphiql.js',
    'graphiql.css',
    'graphiql-editor-worker.js',
    'graphiql-json-worker.js',
    'graphiql-graphql-worker.js',
  ])('%s is kept until it changes', async (name) => {
    const first = await fetch(`${app.url}/assets/${name}`);
    expect(first.status).toBe(200);
    await first.text();
    const etag = first.headers.get('etag') ?? '';
    expect((await fetch(first.url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(`${app.url}/assets/graphiql-other.js`)).status).toBe(404);
  });
});

test('there is no console where there is no demo data', async () => {
  const app = await startTestApp({ SEED_DEMO: 'off' });
  const response = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html,*/*' } });
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toMatch(/json/);
  await app.close();
});
