import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, fillIn, unlabelledControls, widthOf } from './page-checks.ts';
import { signIn } from './pages.ts';

let app: TestApp;

async function follow(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('link', { name }).first().press('Enter');
}

/** From here by the key alone, until the focus is there. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  const isThere = () => control.evaluate((element) => element.ownerDocument.activeElement === element);
  for (let presses = 0; !(await isThere()); presses += 1) {
    if (presses === 60) throw new Error('The focus never comes there.');
    await page.keyboard.press('Tab');
  }
}

describe.runIf(hasChromium)('an administrator of a team', () => {
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test('adds what is booked in turn, chooses its hosts, all by keyboard and without JavaScript, and somebody books it', async () => {
    await using visitor = await visit({ viewport: { width: 360, height: 740 } });
    const { page, complaints } = visitor;
    const isFine = async (): Promise<void> => {
      const wrong = [...(await unlabelledControls(page)), ...(await faintTexts(page))];
      expect([await widthOf(page), wrong]).toEqual([360, []]);
    };
    await signIn(page, app.url, 'bob@acme.test');
    await page.goto(`${app.url}/settings/teams`);
    await follow(page, 'Sales');
    await follow(page, 'Event types of this team');
    await tabTo(page, page.getByLabel('Title', { exact: true }));
    await page.keyboard.type('Advice by turns');
    await tabTo(page, page.getByLabel('Who hosts it'));
    expect(await page.getByLabel('Who hosts it').inputValue()).toBe('ROUND_ROBIN');
    await tabTo(page, page.getByLabel(/^All members of the team/));
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await page.getByText('Choose its hosts').waitFor();
    await isFine();
    for (const [name, choice] of [
      ['Bob Lindqvist', 'In turn'],
      ['Cyd Raman', 'In every booking'],
    ] as const) {
      const member = page.getByRole('group', { name });
      await tabTo(page, member.getByLabel('Host'));
      await page.keyboard.type(choice);
      await tabTo(page, member.getByLabel('Share'));
      await page.keyboard.type('250');
    }
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    await isFine();
    expect(await chosenHosts()).toEqual(['bob false 250', 'cyd true 250']);
    await follow(page, 'Advice by turns');
    const address = await page.locator('.booking-link a').getAttribute('href');
    expect(complaints).toEqual([]);

    await using booker = await visit();
    await booker.page.goto(address ?? '');
    await booker.page.getByRole('link', { name: /^Next month/ }).click();
    await booker.page.getByRole('table').getByRole('link').nth(3).click();
    await booker.page.locator('#times').getByRole('link').nth(1).click();
    await fillIn(booker.page, { 'Your name': 'Grace Hopper', 'Your e-mail address': 'grace@example.test' });
    await booker.page.getByRole('button', { name: 'Book', exact: true }).click();
    await booker.page.waitForURL(/\/bookings\/uid_/);
    const said = await booker.page.getByRole('main').textContent();
    expect(['Confirmed', 'Bob Lindqvist', 'Cyd Raman'].filter((text) => !said?.includes(text))).toEqual([]);
  });
});

/** As what each host takes part. */
async function chosenHosts(): Promise<readonly string[] | undefined> {
  const found = await row(
    app.database.em.fork(),
    sql<{ hosts: string[] }>`
      select array_agg(u.username || ' ' || h.is_mandatory || ' ' || h.weight order by u.username) as hosts
      from event_types e join event_type_hosts h on h.event_type_id = e.id join users u on u.id = h.user_id
      where e.title = 'Advice by turns'`,
  );
  return found?.hosts;
}
