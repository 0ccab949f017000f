/** What axe-core finds wrong for those who use a screen reader, a keyboard or a larger print: nothing, on any page. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeDelivery } from '../jobs/support/webhooks.ts';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { ownedUuidOf } from '../support/ids.ts';
import { APP, authorizePath } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { hasChromium, visit } from './chromium.ts';

/** By who sees them. */
const PAGES = {
  nobody: [
    '/',
    '/auth/login',
    '/auth/signup',
    '/auth/forgotten-password',
    '/book/ada',
    '/book/ada/intro',
    '/deprecations',
    '/dev',
    '/dev/mails',
    '/dev/oauth',
    '/demo/callback?error=access_denied',
  ],
  'ada@acme.test': [
    '/',
    '/welcome',
    '/bookings',
    '/bookings?show=past',
    '/settings/hours',
    '/settings/event-types',
    '/settings/absences',
    '/settings/teams',
    '/settings/calendars',
    '/settings/webhooks',
    '/settings/account',
    '/settings/apps',
    '/settings/developer/oauth',
    '/settings/developer/oauth/new',
    '/settings/developer/oauth/demo-narrow',
    '/settings/developer/oauth/demo-narrow/secrets',
    '/settings/developer/oauth/demo-narrow/delete',
    authorizePath(APP, { prompt: 'consent', scope: 'PROFILE_READ BOOKING_WRITE TEAM_BOOKING_READ' }),
    authorizePath(APP, { client_id: 'nobody' }),
    '/auth/logout',
    '/not-there',
  ],
  'admin@gatehouse.test': ['/admin/oauth', '/admin/oauth/demo-narrow', '/admin/oauth/demo-pending'],
} as const;

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
] as const;

describe.runIf(hasChromium)('axe-core finds nothing', () => {
  let app: TestApp;
  /** The path of its page. */
  let webhook: string;
  beforeAll(async () => {
    app = await startTestApp();
    webhook = await aWebhook(app);
  });
  afterAll(() => app.close());

  test.each(Object.entries(PAGES).flatMap(([who, paths]) => LOOKS.map((look) => ({ who, paths, look }))))(
    'on the pages that $who sees, $look.colorScheme, $look.viewport.width pixels wide',
    async ({ who, paths, look }) => {
      await using visitor = await visit({ ...look, javaScriptEnabled: true });
      const { page } = visitor;
      if (who !== 'nobody') await signIn(page, who);
      const found: Record<string, string[]> = {};
      for (const path of [...paths, ...(await ownPaths(page, who)), ...webhookPaths(who)]) {
        await page.goto(app.url + path);
        await unfold(page);
        const wrong = await violationsOn(page);
        if (wrong.length > 0) found[path] = wrong;
      }
      expect(found).toEqual({});
    },
  );

  function webhookPaths(who: string): string[] {
    return who === 'admin@gatehouse.test' ? [webhook, `${webhook}/secret`, `${webhook}/delete`] : [];
  }

  /** The pages of teams, organizations, members and an event type, whose addresses the lists have. */
  async function ownPaths(page: Page, who: string): Promise<string[]> {
    if (who !== 'ada@acme.test') return [];
    const groups = await linksIn(page, '/settings/teams');
    const team = groups.find((path) => path.includes('/tea_')) ?? '';
    const members = (await linksIn(page, team)).filter((path) => path.includes('/members/'));
    const last = members.at(-1) ?? '';
    expect([groups.length, members.length]).toEqual([2, 3]);
    const types = await linksIn(page, '/settings/event-types');
    const type = types.find((path) => path.includes('/evt_')) ?? '';
    expect(type).not.toBe('');
    return [...groups, type, last, `${last}/remove`, `${last}/owner`, `${team}/delete`];
  }

  async function linksIn(page: Page, path: string): Promise<string[]> {
    await page.goto(app.url + path);
    const links = page.locator('main .rows a');
    return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  }

  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto(`${app.url}/auth/login`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
});

/** An administrator's, with a message that was given up. */
async function aWebhook({ url, database }: TestApp): Promise<string> {
  const admin = await TestBrowser.signedIn(url, 'admin@gatehouse.test');
  const input = { url: 'https://hooks.example/axe', triggers: ['BOOKING_CREATED'] };
  const { webhookId } = await admin.mutate<{ webhookId: string }>('webhookCreate', input, 'webhookId');
  await storeDelivery(database.em.fork(), ownedUuidOf(webhookId), 'GIVEN_UP');
  return `/settings/webhooks/${webhookId}`;
}

/** Opens all that is folded: axe does not look into it otherwise. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('details:not([open])');
  await folded.evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));
}

/** Each with the elements that it is found in. */
async function violationsOn(page: Page): Promise<string[]> {
  // By the debugger: our policy lets no script in by the page.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
}
