/**
 * axe-core finds nothing wrong for people who use a screen reader, a keyboard or a larger print, on any page. And
 * nothing on it moves while it loads, comes from elsewhere, or is wider than the window.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { storeDelivery } from '../jobs/support/webhooks.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { ownedUuidOf } from '../support/ids.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { hasChromium, visit } from './chromium.ts';
import { networkInParts } from './in-parts.ts';
import { violationsOn, widthOf } from './page-checks.ts';
import { type Pages, pagesOf, READERS, signIn } from './pages.ts';

/** Each in another language: what axe finds hangs on colours and markup, which they share. The one with the longer words is narrow. */
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 }, locale: 'en' },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 }, locale: 'de' },
] as const;

describe.runIf(hasChromium)('axe-core finds nothing', () => {
  let app: TestApp;
  let pages: Pages;
  /** The path of its page. */
  let webhook: string;
  beforeAll(async () => {
    app = await startTestApp();
    [pages, webhook] = [await pagesOf(app), await aWebhook(app)];
  });
  afterAll(() => app.close());

  test.each(READERS.flatMap((who) => LOOKS.map((look) => ({ who, look }))))(
    'on the pages that $who sees, $look.colorScheme, $look.viewport.width pixels wide, in $look.locale',
    async ({ who, look }) => {
      await changed(app.database.em.fork(), sql`update users set locale = ${look.locale}`);
      await using visitor = await visit({ ...look, javaScriptEnabled: true });
      const { page } = visitor;
      if (who !== 'nobody') await signIn(page, app.url, who);
      const asked = await holdScriptsBack(page);
      const found: Record<string, string[]> = {};
      for (const path of [...pages[who], ...webhookPaths(who)]) {
        await page.goto(app.url + path);
        const shift = await page.evaluate<number>(SHIFT);
        await unfold(page);
        const width = await widthOf(page);
        const isWide = width > look.viewport.width;
        const wrong = [
          ...(shift > 0 ? [`moves by ${shift}`] : []),
          ...(isWide ? [`is ${width} pixels wide`] : []),
          ...(await violationsOn(page)),
        ];
        if (wrong.length > 0) found[path] = wrong;
      }
      expect(found).toEqual({});
      expect(asked.filter((address) => new URL(address).origin !== app.url)).toEqual([]);
    },
  );

  test('nothing is seen to move while a page comes in parts', async () => {
    const [look] = LOOKS;
    await using network = await networkInParts(app.url);
    await using visitor = await visit({ ...look, javaScriptEnabled: true });
    const { page } = visitor;
    await signIn(page, app.url, 'ada@acme.test');
    const moved: Record<string, number> = {};
    for (const path of [...pages.nobody.filter((one) => one.startsWith('/book/')), '/welcome', '/']) {
      await page.goto(network.url + path);
      const shift = await page.evaluate<number>(SHIFT_ON_THE_WAY);
      if (shift > UNSEEN) moved[path] = shift;
    }
    expect(moved).toEqual({});
  });

  function webhookPaths(who: string): string[] {
    return who === 'admin@gatehouse.test' ? [webhook, `${webhook}/secret`, `${webhook}/delete`] : [];
  }
});

/** Lets scripts come after the first paint, as on a slow network. @returns the addresses that are asked for from now on */
async function holdScriptsBack(page: Page): Promise<readonly string[]> {
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.route(/\.js(?:\?|$)/, async (route) => {
    await page.evaluate(PAINTED);
    await route.continue();
  });
  return asked;
}

const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({ type: 'paint', buffered: true });
})`;

/** How much has moved by itself since the page was there (cumulative layout shift), two frames from now. */
const SHIFT = shiftSince("performance.getEntriesByType('navigation')[0].domInteractive");
/** The same since its first part has come: lines move a little as tables grow. */
const SHIFT_ON_THE_WAY = shiftSince('0');
/** A tenth of the shift that nobody is said to mind (Web Vitals). */
const UNSEEN = 0.01;

/** @param since a moment in the browser's milliseconds, as a script */
function shiftSince(since: string): string {
  return `(async () => {
  let shift = 0;
  const add = (entries) => { for (const { value, startTime } of entries) if (startTime >= ${since}) shift += value; };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  add(observer.takeRecords());
  return shift;
})()`;
}

/** An administrator's, with a message that was given up. */
async function aWebhook({ url, database }: TestApp): Promise<string> {
  const admin = await TestBrowser.signedIn(url, 'admin@gatehouse.test');
  const input = { url: 'https://hooks.example/axe', triggers: ['BOOKING_CREATED'] };
  const { webhookId } = await admin.mutate<{ webhookId: string }>('webhookCreate', input, 'webhookId');
  await storeDelivery(database.em.fork(), ownedUuidOf(webhookId), 'FAILED');
  return `/settings/webhooks/${webhookId}`;
}

/** Opens all that is folded: axe does not look into it otherwise. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('details:not([open])');
  await folded.evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));
}
