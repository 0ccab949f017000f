/** Hours of a week that are painted, with a mouse or a finger, into the fields that the form sends. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { hasChromium, type Visit, visit } from './chromium.ts';
import { fillIn, unlabelledControls, widthOf } from './page-checks.ts';

type Spot = readonly [day: number, hour: number];

describe.runIf(hasChromium)('the week on the page of a schedule', () => {
  let app: TestApp;
  let dan: TestBrowser;
  let scheduleId: string;
  beforeAll(async () => {
    app = await startTestApp();
    dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    ({ id: scheduleId } = (await stored()) as { id: string });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const availability = [{ days: ['MONDAY', 'TUESDAY'], start: '09:00', end: '17:00' }];
    await dan.mutate('scheduleUpdate', { scheduleId, availability }, 'schedule { id }');
  });

  async function stored(): Promise<{ id: string; availability: unknown }> {
    const { me } = await dan.ask<{ me: { defaultSchedule: { id: string; availability: unknown } } }>(
      '{ me { defaultSchedule { id availability { days start end } } } }',
    );
    return me.defaultSchedule;
  }

  async function visitWeek(options: BrowserContextOptions = {}): Promise<Visit> {
    const visitor = await visit({ javaScriptEnabled: true, viewport: { width: 360, height: 1000 }, ...options });
    await visitor.page.goto(`${app.url}/auth/login?return_to=/settings/hours`);
    await fillIn(visitor.page, { 'E-mail address': 'dan@solo.test', Password: DEMO_PASSWORD });
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.waitForURL(/\/settings\/hours$/);
    await visitor.page.locator('svg[data-week] rect').first().waitFor();
    return visitor;
  }

  test('is stored as a mouse has painted it: added over several days, taken out of the middle of one', async () => {
    await using visitor = await visitWeek();
    const { page, complaints } = visitor;
    expect(await shown(page)).toEqual(['0 9-17', '1 9-17']);
    // Where it begins decides: hours are taken away from there.
    await drag(page, [1, 16], [3, 18.5]);
    expect(await shown(page)).toEqual(['0 9-17', '1 9-16']);
    await drag(page, [3, 18], [1, 16]);
    await drag(page, [0, 12], [0, 12.5]);
    expect(await shown(page)).toEqual(['0 9-12', '0 13-17', '1 9-18.5', '2 16-18.5', '3 16-18.5']);
    expect(await widthOf(page)).toBe(360);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect((await stored()).availability).toEqual([
      { days: ['MONDAY'], start: '09:00', end: '12:00' },
      { days: ['MONDAY'], start: '13:00', end: '17:00' },
      { days: ['TUESDAY'], start: '09:00', end: '18:30' },
      { days: ['WEDNESDAY', 'THURSDAY'], start: '16:00', end: '18:30' },
    ]);
    expect(complaints).toEqual([]);
  });

  test('makes a line for hours that have none, with labels of its own', async () => {
    await using visitor = await visitWeek();
    const { page } = visitor;
    for (const hour of [10, 12, 14]) await drag(page, [0, hour], [0, hour]);
    expect(await shown(page)).toEqual(['0 9-10', '0 10.5-12', '0 12.5-14', '0 14.5-17', '1 9-17']);
    expect(await page.getByLabel('Monday, 4. to').inputValue()).toBe('17:00');
    expect(await unlabelledControls(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(await shown(page)).toEqual(['0 9-10', '0 10.5-12', '0 12.5-14', '0 14.5-17', '1 9-17']);
  });

  test('follows the fields, and leaves a line alone that is not finished', async () => {
    await using visitor = await visitWeek();
    const { page } = visitor;
    await page.getByLabel('Monday, 1. from').fill('8:15');
    await page.getByLabel('Monday, 2. from').fill('1');
    expect(await shown(page)).toEqual(['0 8.25-17', '1 9-17']);
    await drag(page, [0, 20], [0, 23.5]);
    expect(await shown(page)).toEqual(['0 8.25-17', '0 20-24', '1 9-17']);
    expect(await page.getByLabel('Monday, 2. from').inputValue()).toBe('1');
    expect(await page.getByLabel('Monday, 3. to').inputValue()).toBe('24:00');
  });

  test('says what is being painted, and forgets it on Escape', async () => {
    await using visitor = await visitWeek();
    const { page } = visitor;
    await page.mouse.move(...(await spot(page, [2, 9])));
    await page.mouse.down();
    await page.mouse.move(...(await spot(page, [4, 10.5])));
    expect(await page.locator('.week .told').textContent()).toBe('Wed – Fri, 09:00 – 11:00');
    expect(await shown(page)).toHaveLength(5);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await shown(page)).toEqual(['0 9-17', '1 9-17']);
    expect(await page.getByLabel('Wednesday, 1. from').inputValue()).toBe('');
  });

  test('is painted along a day with a finger, which scrolls the page otherwise and does nothing by a tap', async () => {
    await using visitor = await visitWeek({ hasTouch: true });
    const { page } = visitor;
    await touch(page, [5, 10], [5, 10]);
    expect(await shown(page)).toEqual(['0 9-17', '1 9-17']);
    await touch(page, [5, 10], [5, 11], [5, 13.5]);
    expect(await shown(page)).toEqual(['0 9-17', '1 9-17', '5 10-14']);
    await touch(page, [6, 10], [4, 10], [2, 10]);
    expect(await shown(page)).toEqual(['0 9-17', '1 9-17', '5 10-14']);
  });

  test('is not there without scripts, where the fields do the same', async () => {
    await using visitor = await visit();
    await visitor.page.goto(`${app.url}/auth/login?return_to=/settings/hours`);
    await fillIn(visitor.page, { 'E-mail address': 'dan@solo.test', Password: DEMO_PASSWORD });
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    expect(await visitor.page.getByLabel('Monday, 1. from').inputValue()).toBe('09:00');
    expect(await visitor.page.locator('svg[data-week]').isVisible()).toBe(false);
  });
});

/** @returns day and hours of each bar, Monday being 0 */
function shown(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('svg[data-week] rect')]
    .map((bar) => ['y', 'x', 'width'].map((name) => Number(bar.getAttribute(name))))
    .map(([y, x, width]) => Math.floor(y) + ' ' + x / 60 + '-' + (x + width) / 60)`);
}

/** The middle of the half-hour that begins then. */
async function spot(page: Page, [day, hour]: Spot): Promise<[x: number, y: number]> {
  const box = await page.locator('svg[data-week]').boundingBox();
  if (!box) throw new Error('There is no week.');
  return [box.x + ((hour + 0.25) / 24) * box.width, box.y + ((day + 0.5) / 7) * box.height];
}

async function drag(page: Page, from: Spot, to: Spot): Promise<void> {
  await page.mouse.move(...(await spot(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await spot(page, to)), { steps: 4 });
  await page.mouse.up();
}

async function touch(page: Page, ...spots: readonly Spot[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const at = async (one: Spot) => {
    const [x, y] = await spot(page, one);
    return [{ x, y }];
  };
  const places = [];
  for (const one of spots) places.push(await at(one));
  const [first = [], ...others] = places;
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: first });
  for (const touchPoints of others) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
