import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { hasChromium, openChromium, visit } from './chromium.ts';
import { faintTexts, fillIn, unlabelledControls, widthOf } from './page-checks.ts';

const QUERY = 'query Mine { me { name } }';

const needs = (page: Page) => page.locator('#needs');
const token = (page: Page) => page.locator('#token');

async function run(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Run' }).click();
  await page.locator('#outcome', { hasText: 'HTTP' }).waitFor();
  return (await page.locator('#answer').textContent()) ?? '';
}

describe.runIf(hasChromium)('the query console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), openChromium()]);
  });
  afterAll(() => Promise.all([browser.close(), app.close()]));

  /** The console, open in a browser in which ada is signed in. */
  async function openConsole(page: Page): Promise<void> {
    await page.goto(`${app.url}/auth/login?return_to=%2Fgraphql`);
    await fillIn(page, { 'E-mail address': 'ada@acme.test', Password: DEMO_PASSWORD });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Query console' }).waitFor();
  }

  test('tells what an operation needs, gets a token for exactly that, and runs it', async () => {
    await using visitor = await visit(browser, { javaScriptEnabled: true });
    const { page, complaints } = visitor;
    await openConsole(page);
    await page.getByLabel('Operation', { exact: true }).fill(QUERY);
    await needs(page).getByText('for me.name (line 1, column 19)').waitFor();
    expect(await needs(page).textContent()).toMatch(/^PROFILE_READ.*not held$/);

    await page.getByRole('button', { name: 'Get a token for this operation' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await token(page).getByText('PROFILE_READ').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await token(page).locator('code').allTextContents()).toEqual(['PROFILE_READ']);
    await needs(page).getByText('for me.name').waitFor();
    expect(await needs(page).textContent()).not.toContain('not held');
    expect(JSON.parse(await run(page))).toMatchObject({ data: { me: { name: expect.stringContaining('Ada') } } });
    expect(await page.locator('#outcome').textContent()).toMatch(/^HTTP 200, \d+ ms, cost 1 of 10000$/);
    expect(complaints).toEqual([]);
  });

  test('is refused what its token lacks, though its user is signed in', async () => {
    await using visitor = await visit(browser, { javaScriptEnabled: true });
    const { page } = visitor;
    await openConsole(page);
    await page.getByLabel('Operation', { exact: true }).fill(QUERY);
    expect(JSON.parse(await run(page))).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });

    await page.getByText('Choose the scopes yourself').click();
    await page
      .getByLabel(/BOOKING_READ/)
      .first()
      .check();
    await page.getByRole('button', { name: 'Get a token with these' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await token(page).getByText('BOOKING_READ').waitFor();
    expect(await page.getByLabel('Operation', { exact: true }).inputValue()).toBe(QUERY);
    expect(JSON.parse(await run(page))).toMatchObject({ errors: [{ extensions: { code: 'INSUFFICIENT_SCOPE' } }] });

    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await token(page).getByText('You have none').waitFor();
  });

  test('says so when the user refuses, and takes up no answer that it did not ask for', async () => {
    await using visitor = await visit(browser, { javaScriptEnabled: true });
    const { page } = visitor;
    await openConsole(page);
    await page.getByRole('button', { name: 'Get a token for this operation' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('#outcome:not(:empty)').waitFor();
    expect(await token(page).textContent()).toContain('You have none');

    await page.goto(`${app.url}/graphql?code=gh_code_foreign&state=foreign&iss=${encodeURIComponent(app.url)}`);
    await page.locator('#outcome', { hasText: 'does not belong' }).waitFor();
  });

  test('shows mistakes with their places, and asks which of several operations', async () => {
    await using visitor = await visit(browser, { javaScriptEnabled: true });
    const { page } = visitor;
    await openConsole(page);
    await page.getByLabel('Operation', { exact: true }).fill('{ me { frobnicate } }');
    await needs(page).getByText('Cannot query field "frobnicate" on type "Viewer". (line 1, column 8)').waitFor();
    await page
      .getByLabel('Operation', { exact: true })
      .fill('query A { me { name } }\nquery B { publicEventTypes(username: "ada") { nodes { title } } }');
    await page.getByLabel('Which operation').selectOption('B');
    await needs(page).getByText('No token: this is public.').waitFor();
    expect(JSON.parse(await run(page))).toHaveProperty('data.publicEventTypes');
    await page.getByLabel('Variables, as JSON').fill('{');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('#outcome', { hasText: 'The variables are not JSON' }).waitFor();
  });

  test.each(['light', 'dark'] as const)('is usable by everybody, in %s and on a phone', async (colorScheme) => {
    await using visitor = await visit(browser, {
      javaScriptEnabled: true,
      colorScheme,
      viewport: { width: 360, height: 740 },
    });
    const { page, complaints } = visitor;
    await openConsole(page);
    await needs(page).getByText('EVENT_TYPE_READ').waitFor();
    await page.getByText('Choose the scopes yourself').click();
    expect(await unlabelledControls(page)).toEqual([]);
    expect(await faintTexts(page)).toEqual([]);
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
    expect(complaints).toEqual([]);
  });

  test('is a page for whoever asks for one, and nothing for the others', async () => {
    const page = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html,*/*' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*script-src 'self'; connect-src 'self'$/,
    );
    expect(await page.text()).not.toMatch(/<script(?![^>]+src="\/assets\/)/);
    expect((await fetch(`${app.url}/graphql`)).status).toBe(405);
  });
});

test('there is no console where there is no demo data', async () => {
  const app = await startTestApp({ SEED_DEMO: 'off' });
  const response = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html,*/*' } });
  expect(response.status).toBe(405);
  await app.close();
});
