import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, fillIn, unlabelledControls, widthOf } from './page-checks.ts';

const PHONE = { width: 360, height: 740 };
const CLIENTS = '/settings/developer/oauth';

const PAGES = [
  CLIENTS,
  `${CLIENTS}/new`,
  `${CLIENTS}/demo-narrow`,
  `${CLIENTS}/demo-legacy`,
  `${CLIENTS}/demo-narrow/delete`,
  `${CLIENTS}/demo-narrow/secrets`,
  '/settings/apps',
  '/settings/account',
  '/admin/oauth',
  '/admin/oauth/demo-narrow',
];

describe.runIf(hasChromium)('in a browser, without JavaScript unless it is said', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    const developer = await app.signIn('ada@acme.test');
    // A change that waits, and a secret more: most parts of the pages have something to show.
    await developer.graphql(
      `mutation { oauthClientUpdate(input: { clientId: "demo-narrow", name: "Narrow helper",
         redirectUris: ["https://narrow.example.test/${'a/long/path/'.repeat(20)}"] }) { userErrors { code } } }`,
      {},
    );
    await developer.graphql(
      `mutation { oauthClientSecretCreate(input: { clientId: "demo-narrow", name: "${'next'.repeat(16)}" }) { secretId } }`,
      {},
    );
  });
  afterAll(() => app.close());

  test('a developer registers a client, an administrator approves it, and the developer sees it', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await enter(page, 'ada@acme.test', '/');
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Developer' }).click();
    await page.getByRole('link', { name: 'Register a client' }).click();
    await page.getByRole('radio', { name: /^Confidential/ }).check();
    await fillIn(page, {
      Name: 'Mail helper',
      Purpose: 'Puts free times into mails.',
      'Redirect URIs': 'https://mail.example.test/cb',
    });
    await page
      .getByRole('row', { name: /^Profile/ })
      .getByRole('checkbox')
      .first()
      .focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(
      await page
        .getByRole('row')
        .filter({ has: page.locator(':checked') })
        .count(),
    ).toBe(1);
    expect(await page.getByLabel(/^View the authorized user's profile PROFILE_READ/).isChecked()).toBe(true);
    expect(await page.getByLabel(/^Update the authorized user's profile PROFILE_WRITE/).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Register client' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The client is registered');
    await page.getByRole('link', { name: 'I have copied it' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Mail helper Pending');

    await using reviewer = await visit();
    await enter(reviewer.page, 'admin@gatehouse.test', '/');
    await reviewer.page.getByRole('link', { name: 'Reviews' }).click();
    await reviewer.page.getByRole('link', { name: 'Mail helper' }).click();
    await reviewer.page.getByRole('button', { name: 'Approve' }).click();
    expect(await reviewer.page.getByRole('status').textContent()).toContain('Approved.');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Mail helper Approved');
    expect([...complaints, ...reviewer.complaints]).toEqual([]);
  });

  test('an administrator gets from the queue to a rejection by keyboard alone', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await enter(page, 'admin@gatehouse.test', '/admin/oauth');
    await page.getByRole('link', { name: 'Demo awaiting review' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Decide' }).waitFor();
    await tabTo(page, 'Reject …');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Reject');
    await page.keyboard.press('Enter');
    // Without a reason the form comes back open, and the summary leads to the field.
    await page.getByRole('alert').waitFor();
    await tabTo(page, 'The reason is missing; tell the developer what to change.');
    await page.keyboard.press('Enter');
    await page.locator('#rejection:focus').waitFor();
    await page.keyboard.type('Say which data you keep.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Rejected. We’re e-mailing').waitFor();
    await page.goto(`${app.url}/admin/oauth/demo-pending`);
    expect(await page.getByRole('listitem').filter({ hasText: 'Rejected by Avery Admin' }).textContent()).toContain(
      'Say which data you keep.',
    );
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
  });

  test('each mistake of a client leads to its field, boxes included', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await enter(page, 'ada@acme.test', `${CLIENTS}/new`);
    await page.getByRole('button', { name: 'Register client' }).click();
    expect(await page.title()).toBe('Error: Register a client – Gatehouse');
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
    await page.getByRole('link', { name: 'No scope is selected' }).click();
    expect(await page.locator(':focus').getAttribute('id')).toBe('scopes');
    expect(await page.getByLabel('Purpose').getAttribute('aria-describedby')).toBe('purpose-hint purpose-mistake');
  });

  test('pasted queries have scopes ticked; Enter in a field sends the form itself', async () => {
    await using visitor = await visit({ viewport: PHONE });
    const { page, complaints } = visitor;
    await enter(page, 'ada@acme.test', `${CLIENTS}/new`);
    await page.getByText('Not sure? Find the scopes').click();
    await page.getByLabel(/^Your app’s GraphQL/).fill('{ me { name } }');
    await page.getByRole('button', { name: 'Tick the scopes they need' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Ticked for these queries: PROFILE_READ.');
    expect(
      await page
        .getByLabel(/ PROFILE_READ$/)
        .and(page.locator(':checked'))
        .count(),
    ).toBe(1);
    expect(await page.locator('#scopes').evaluate((scopes) => scopes.matches(':target'))).toBe(true);
    expect([await faintTexts(page), await widthOf(page)]).toEqual([[], PHONE.width]);
    await page.getByLabel('Name', { exact: true }).press('Enter');
    expect(await page.title()).toBe('Error: Register a client – Gatehouse');
    expect(complaints).toEqual([]);
  });

  test('with JavaScript, a double click registers one client and its secret is seen; buttons copy', async () => {
    await using visitor = await visit({ javaScriptEnabled: true, permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, complaints } = visitor;
    await enter(page, 'ada@acme.test', `${CLIENTS}/new`);
    expect(await heldBack(page)).toEqual([false, true]);
    await page.reload();
    await page.getByLabel('Redirect URIs').fill('com.example.app:/cb');
    await page.getByText('which only public clients may use').waitFor();
    await page.getByRole('radio', { name: /^Public/ }).check();
    await page.getByText('which only public clients may use').waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: /^Confidential/ }).check();
    await fillIn(page, { Name: 'Clicked twice', Purpose: 'Tests.', 'Redirect URIs': 'https://mail.example.test/cb' });
    await page.getByLabel(/ PROFILE_READ$/).check();
    await page.getByRole('button', { name: 'Register client' }).dblclick();
    await page.getByRole('heading', { name: 'The client is registered' }).waitFor();
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const secret = await page.locator('[data-copy="the secret"]').textContent();
    expect(secret).toMatch(/^gh_secret_/);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.goto(app.url + CLIENTS);
    expect(await page.getByRole('link', { name: 'Clicked twice' }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('only an administrator is led to the reviews', async () => {
    await using visitor = await visit();
    await enter(visitor.page, 'ada@acme.test', '/');
    expect(await visitor.page.getByRole('link', { name: 'Bookings', exact: true }).count()).toBe(1);
    expect(await visitor.page.getByRole('link', { name: 'Reviews' }).count()).toBe(0);
  });

  test.each(['light', 'dark'] as const)(
    'every page is readable, labelled and fits a phone: %s',
    async (colorScheme) => {
      await using visitor = await visit({ colorScheme, viewport: PHONE });
      const { page, complaints } = visitor;
      await enter(page, 'admin@gatehouse.test', '/');
      for (const path of PAGES) {
        await page.goto(app.url + path);
        expect([path, await page.getByRole('heading', { level: 1 }).count()]).toEqual([path, 1]);
        expect([path, await faintTexts(page)]).toEqual([path, []]);
        expect([path, await unlabelledControls(page)]).toEqual([path, []]);
        expect([path, await widthOf(page)]).toEqual([path, PHONE.width]);
      }
      expect(complaints).toEqual([]);
    },
  );

  async function enter(page: Page, email: string, path: string): Promise<void> {
    await page.goto(`${app.url}/auth/login?return_to=${encodeURIComponent(path)}`);
    await fillIn(page, { 'E-mail address': email, Password: DEMO_PASSWORD });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(app.url + path);
  }
});

/** Sends a form twice, as far as the page lets it: of each time, whether it was held back. */
function heldBack(page: Page): Promise<boolean[]> {
  return page.evaluate(`(() => {
    const held = [];
    const form = document.querySelector('main form');
    form.addEventListener('submit', (event) => {
      held.push(event.defaultPrevented);
      event.preventDefault();
    });
    form.requestSubmit();
    form.requestSubmit();
    return held;
  })()`);
}

/** Presses the Tab key until what is called so has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const text = (await page.locator(':focus').allTextContents()).join('').trim();
    if (text === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached by the Tab key.`);
}
