import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { makeLink } from '../../src/modules/accounts/links/account-links.ts';
import { noticeOf } from '../../src/screens/kit/cookies.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { paced } from '../support/pace.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, fillIn, smallTargets, type, unlabelledControls, widthOf } from './page-checks.ts';

const PHONE = { width: 360, height: 740 };
const PASSWORD = 'a password to keep';

describe.runIf(hasChromium)('somebody with an account of their own', () => {
  let app: TestApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
    // Without a mail server: a newcomer reads mails as files. The tests have a database of their own in any case.
    app = await startTestApp({ DATA_DIR: folder });
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('signs up, finds the mail where the page says, and confirms the address; all without JavaScript', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await signUp(page, 'grace');
    await page.getByRole('link', { name: 'Confirm it' }).click();
    const kept = page.locator('#email .aside code').last();
    expect(await kept.textContent()).toBe(join(folder, 'mail'));
    await page.goto(app.url + (await linkMailed('/auth/confirm-email', 'grace@acme.test')));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Is this your account?');
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('link', { name: 'Go to your account' }).click();
    expect(await page.getByText('Confirmed', { exact: true }).count()).toBe(1);
    expect(await page.getByText('is not confirmed yet').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('has the time zone of the browser where scripts run, and UTC where none do', async () => {
    for (const [username, javaScriptEnabled, zone] of [
      ['henry', true, 'America/New_York'],
      ['iris', false, 'UTC'],
    ] as const) {
      await using visitor = await visit({ javaScriptEnabled, timezoneId: 'America/New_York' });
      const { page, complaints } = visitor;
      await signUp(page, username);
      await page.goto(`${app.url}/settings/account`);
      expect([username, await page.getByLabel('Time zone').inputValue()]).toEqual([username, zone]);
      expect(complaints).toEqual([]);
    }
  });

  test('gets back in with a forgotten password by keyboard alone', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await signUp(page, 'jack');
    await page.context().clearCookies();
    await page.goto(`${app.url}/auth/login`);
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter');
    await page.waitForURL(`${app.url}/auth/forgotten-password`);
    await type(page, 'jack@acme.test');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/auth/forgotten-password?sent=yes`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Check your e-mail');
    await page.goto(app.url + (await linkMailed('/auth/new-password', 'jack@acme.test')));
    await type(page, 'short');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/auth/new-password`);
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
    await page.getByRole('link', { name: /shorter than 8/ }).press('Enter');
    await type(page, 'a whole new password');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/auth/login?done=password`);
    expect(await page.getByRole('status').textContent()).toContain('Your new password is set');
    await page.reload();
    expect(await page.getByRole('status').count()).toBe(0);
    await fillIn(page, { 'E-mail address': 'jack@acme.test', Password: 'a whole new password' });
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/`);
    expect(complaints).toEqual([]);
  });

  test('changes the address, and sees until the link is followed that it waits', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await signUp(page, 'kate');
    await page.goto(`${app.url}/settings/account`);
    await fillIn(page, { 'New e-mail address': 'kate@new.test', 'Your password': 'wrong' });
    await page.getByRole('button', { name: 'Change e-mail address' }).click();
    expect(await page.getByLabel('Your password').getAttribute('aria-invalid')).toBe('true');
    await fillIn(page, { 'Your password': PASSWORD });
    await page.getByRole('button', { name: 'Change e-mail address' }).click();
    expect(await page.getByText('It changes to kate@new.test').count()).toBe(1);
    await page.goto(app.url + (await linkMailed('/auth/confirm-email', 'kate@new.test')));
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.goto(`${app.url}/settings/account`);
    expect(await page.locator('#email strong').first().textContent()).toBe('kate@new.test');
    expect(complaints).toEqual([]);
  });

  test('goes on by keyboard alone with a form that the end of the session interrupted; the way back shows nothing', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await signUp(page, 'mona');
    await page.goto(`${app.url}/settings`);
    await page.getByLabel('Name', { exact: true }).fill('Mona the Second');
    await page.context().clearCookies({ name: 'gatehouse_session' });
    await page.keyboard.press('Enter');
    await page.getByText('we’ve kept what you typed').waitFor();
    await type(page, 'mona@acme.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send it now' }).press('Enter');
    await page.waitForURL(`${app.url}/settings/account?done=profile`);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mona the Second');
    await page.getByRole('link', { name: 'Sign out' }).press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'You’re signed out' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/\/auth\/login/);
    expect(await page.getByText('Mona the Second').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  describe('sees pages that', () => {
    let links: { confirm: string; reset: string };
    beforeAll(async () => {
      await using visitor = await visit();
      await signUp(visitor.page, 'linda');
      const em = app.database.em.fork();
      const [user] = await rows(em, sql<{ id: string }>`select id from users where username = 'linda'`);
      const made = { userId: user?.id ?? '', email: 'linda@acme.test' };
      const [verify, reset] = [
        await makeLink(em, { ...made, kind: 'CHANGE_EMAIL' }),
        await makeLink(em, { ...made, kind: 'RESET_PASSWORD' }),
      ];
      links = { confirm: `/auth/confirm-email?token=${verify}`, reset: `/auth/new-password?token=${reset}` };
    });

    const pages = () => [
      '/auth/forgotten-password',
      '/auth/forgotten-password?sent=yes',
      '/auth/confirm-email?done=yes',
      '/auth/confirm-email?token=none',
      '/auth/login?done=password',
      links.confirm,
      links.reset,
      '/settings/account',
      '/',
    ];

    test.each(['light', 'dark'] as const)(
      'fit a phone, have labels and a contrast that suffices: %s',
      async (colorScheme) => {
        await using visitor = await visit({ viewport: PHONE, colorScheme });
        const { page, complaints } = visitor;
        await signUp(page, `mia-${colorScheme}`);
        for (const path of pages()) {
          const done = new URL(path, app.url).searchParams.get('done') ?? '';
          const value = noticeOf(path, done);
          await page.context().addCookies([{ name: 'gatehouse_notice', value, url: app.url }]);
          await page.goto(app.url + path);
          expect(page.url()).toBe(app.url + path);
          const found = {
            headings: await page.getByRole('heading', { level: 1 }).count(),
            unlabelled: await unlabelledControls(page),
            isTooWide: (await widthOf(page)) > PHONE.width,
            faint: await faintTexts(page),
            small: path === '/' ? [] : await smallTargets(page),
          };
          expect({ path, ...found }).toEqual({
            path,
            headings: 1,
            unlabelled: [],
            isTooWide: false,
            faint: [],
            small: [],
          });
        }
        expect(complaints).toEqual([]);
      },
    );
  });

  async function signUp(page: Page, username: string): Promise<void> {
    await page.goto(`${app.url}/auth/signup`);
    await fillIn(page, {
      Name: 'Grace',
      Username: username,
      'E-mail address': `${username}@acme.test`,
      Password: PASSWORD,
    });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${app.url}/welcome`);
    expect(await page.getByText(`Your e-mail address ${username}@acme.test isn’t confirmed yet`).count()).toBe(1);
  }

  /** The path of the newest link in the folder of mails; a mail is written behind the answer that asks for it. */
  function linkMailed(path: string, to: string): Promise<string> {
    return vi.waitFor(
      async () => {
        const files = await readdir(join(folder, 'mail'));
        for (const file of files.toSorted((a, b) => (a < b ? 1 : -1))) {
          const mail = (await readFile(join(folder, 'mail', file), 'utf8'))
            .replaceAll('=\n', '')
            .replaceAll('=3D', '=');
          const [link] = new RegExp(`${path}\\?token=\\w{43}`).exec(mail) ?? [];
          if (link !== undefined && mail.includes(`To: ${to}\n`)) return link;
        }
        throw new Error(`No mail to ${to} has a link to ${path}.`);
      },
      { timeout: paced(30_000), interval: 20 },
    );
  }
});
