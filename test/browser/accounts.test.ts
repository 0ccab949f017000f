import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, fillIn, type, unlabelledControls, widthOf } from './page-checks.ts';

const PHONE = { width: 360, height: 740 };

describe.runIf(hasChromium)('in a browser without JavaScript', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test('one signs in by keyboard alone, and goes back to where one came from', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await page.goto(`${app.url}/auth/login?return_to=%2Fauth%2Flogout`);
    await type(page, 'ada@acme.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type(DEMO_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/auth/logout`);
    expect(await page.getByText('You’re signed in as').textContent()).toContain('ada@acme.test');
    expect(complaints).toEqual([]);
  });

  test('a wrong password moves the focus to what is wrong, and keeps the address', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(`${app.url}/auth/login`);
    await fillIn(page, { 'E-mail address': 'ada@acme.test', Password: 'wrong' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.title()).toBe('Error: Sign in – Gatehouse');
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@acme.test');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
  });

  test('a mistake in a form is tied to its field', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await page.goto(`${app.url}/auth/signup`);
    await fillIn(page, {
      Name: 'Eve',
      Username: 'Not A Slug',
      'E-mail address': 'eve@acme.test',
      Password: 'eve password',
    });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: /^The username "not a slug"/ }).click();
    const username = page.getByLabel('Username');
    expect(await page.locator(':focus').getAttribute('id')).toBe('username');
    expect(await username.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBeNull();
    expect(await page.locator('#username-mistake').textContent()).toContain('lower-case letters');
    expect(complaints).toEqual([]);
  });

  test('one signs up, and out again', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await fillIn(page, {
      Name: 'Grace',
      Username: 'grace',
      'E-mail address': 'grace@acme.test',
      Password: 'a new password',
    });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${app.url}/welcome`);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You’re signed out');
    expect(complaints).toEqual([]);
  });

  const PATHS = ['/', '/auth/login', '/auth/signup', '/auth/logout', '/nowhere'];

  test.each(PATHS)(
    '%s has a language, a heading, a main part, a label for each control, and fits a phone',
    async (path) => {
      await using visitor = await visit({ viewport: PHONE });
      const { page, complaints } = visitor;
      await page.goto(app.url + path);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.getByRole('main').count()).toBe(1);
      expect(await unlabelledControls(page)).toEqual([]);
      expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.width);
      expect(complaints).toEqual([]);
    },
  );

  test.each(['light', 'dark'] as const)('text stands out from what is behind it: %s', async (colorScheme) => {
    await using visitor = await visit({ colorScheme });
    const { page } = visitor;
    for (const path of PATHS) {
      await page.goto(app.url + path);
      expect(await faintTexts(page)).toEqual([]);
    }
    await page.goto(`${app.url}/auth/signup`);
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await faintTexts(page)).toEqual([]);
  });
});
