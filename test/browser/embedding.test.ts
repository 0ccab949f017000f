import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Host, hostOf, type Offered } from '../support/booking-visitor.ts';
import { APP, authorizePath } from '../support/oauth-requests.ts';
import { hasChromium, visit } from './chromium.ts';

/** A website of somebody else, whose every page is `html`. The service is at 127.0.0.1, so `localhost` is another site. */
class Website {
  html = '';
  readonly #server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Shop</title>${this.html}`);
  });

  static async open(): Promise<Website> {
    const site = new Website();
    site.#server.listen(0);
    await once(site.#server, 'listening');
    return site;
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async show(page: Page, html: string): Promise<void> {
    this.html = html;
    await page.goto(this.origin);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Where Chromium stands in a frame that it has refused to fill. */
const REFUSED = 'chrome-error://chromewebdata/';

async function book(frame: FrameLocator): Promise<void> {
  await frame.getByRole('link', { name: /^Next month/ }).click();
  await frame.getByRole('table').getByRole('link').nth(2).click();
  await frame.locator('#times').getByRole('link').first().click();
  await frame.getByLabel('Your name', { exact: true }).fill('Grace Hopper');
  await frame.getByLabel('Your e-mail address', { exact: true }).fill('grace@example.test');
  await frame.getByRole('button', { name: 'Book', exact: true }).click();
  await frame.getByText('Confirmed', { exact: true }).waitFor();
}

describe.runIf(hasChromium)('another website', () => {
  let app: TestApp;
  let dan: Host;
  let talk: Offered;
  let shop: Website;
  let stranger: Website;

  beforeAll(async () => {
    [app, shop, stranger] = await Promise.all([startTestApp(), Website.open(), Website.open()]);
    dan = await hostOf(app, 'dan@solo.test', 'dan');
    talk = await dan.offer({ embedOrigins: [shop.origin], successRedirectUrl: 'https://thanks.example/' });
  });
  afterAll(() => Promise.all([app.close(), shop.close(), stranger.close()]));

  function iframe(path: string): string {
    return `<iframe title="Book" width="100%" height="700" src="${app.url}${path}"></iframe>`;
  }

  /** With the snippet of a link. */
  function linked(): string {
    return `<h1 style="padding-bottom: 400px">Shop</h1><p><a href="${app.url}${talk.path}" data-gatehouse-embed>Book a time</a></p>
      <script defer src="${app.url}/embed.js"></script><p style="padding-top: 2000px">© Shop</p>`;
  }

  test('on the list has people book in a frame, without scripts and cookies', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await shop.show(page, iframe(`${talk.path}?embed=1`));
    const frame = page.frameLocator('iframe');
    await book(frame);
    expect(page.url()).toBe(`${shop.origin}/`);
    expect(await page.context().cookies()).toEqual([]);
    const onward = frame.getByRole('link', { name: 'Continue to thanks.example' });
    expect(await onward.getAttribute('target')).toBe('_top');

    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      frame.getByRole('link', { name: 'Cancel booking' }).click(),
    ]);
    await tab.getByRole('button', { name: 'Cancel booking' }).click();
    await tab.getByText('The booking was cancelled.').waitFor();
    await tab.close();
    expect(complaints).toEqual([]);
  });

  test('on the list makes a frame of a link, which is always as high as its page', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page, complaints } = visitor;
    await shop.show(page, linked());
    const frame = page.frameLocator('iframe[title="Book a time"]');
    await frame.getByRole('table').waitFor();
    expect(await page.getByRole('link', { name: 'Book a time' }).isVisible()).toBe(false);
    const fits = async () => {
      const [, inside] = page.frames();
      const missing = async () =>
        Number(await page.evaluate(`document.querySelector('iframe').clientHeight`)) -
        Number(await inside?.evaluate('Math.ceil(document.body.getBoundingClientRect().height)'));
      await expect.poll(missing).toBe(0);
      expect(await inside?.evaluate('document.documentElement.scrollHeight > innerHeight')).toBe(false);
    };
    await fits();
    // A message of somebody else sets no height of the frame.
    await page.evaluate(`postMessage({ gatehouse: 'height', height: 5000 }, '*')`);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    await fits();
    await frame.getByRole('link', { name: /^Next month/ }).click();
    await frame.getByRole('table').getByRole('link').nth(3).click();
    await frame.locator('#times').waitFor();
    await page.setViewportSize({ width: 360, height: 700 });
    await fits();
    await book(frame);
    await fits();
    // The button was far below the beginning of the frame.
    const begins = () => page.evaluate(`Math.abs(document.querySelector('iframe').getBoundingClientRect().top)`);
    await expect.poll(begins).toBeLessThan(1);
    expect(complaints).toEqual([]);
  });

  test('on the list leads who has sent a form with a mistake to what is wrong', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page } = visitor;
    await shop.show(page, iframe(`${talk.path}?embed=1&start=${talk.starts[7]}`));
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Book', exact: true }).click();
    await expect.poll(() => frame.locator('.summary:focus').count()).toBe(1);
  });

  test('that is not on the list is refused by the browser, and keeps its link', async () => {
    await using visitor = await visit({ javaScriptEnabled: true });
    const { page, complaints } = visitor;
    await stranger.show(page, iframe(`${talk.path}?embed=1`));
    expect(page.frames()[1]?.url()).toBe(REFUSED);
    expect(complaints.join()).toContain('frame-ancestors');
    await page.clock.install();
    await stranger.show(page, linked());
    expect(await page.getByRole('link', { name: 'Book a time' }).isVisible()).toBe(false);
    await page.clock.runFor(5_000);
    expect(await page.getByRole('link', { name: 'Book a time' }).isVisible()).toBe(true);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  test('on the list shows no other page in a frame', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    const paths = [
      talk.path,
      '/book/dan?embed=1',
      '/auth/login',
      '/auth/signup?embed=1',
      '/settings/event-types?embed=1',
      `${authorizePath(APP)}&embed=1`,
    ];
    await shop.show(page, paths.map(iframe).join(''));
    const [, ...frames] = page.frames();
    expect(frames.map((frame) => frame.url())).toEqual(paths.map(() => REFUSED));
  });
});
