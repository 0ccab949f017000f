import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { hostOf } from '../support/booking-visitor.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { answerAsApp } from './app-server.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, fillIn, smallTargets, unlabelledControls, widthOf } from './page-checks.ts';

const PHONE = { width: 390, height: 800 };
const GRACE = { 'Your name': 'Grace Hopper', 'Your e-mail address': 'grace@example.test' };

/** Chooses a day of the next month, which is whole at whatever hour the tests run, and a time, by their place in the lists. */
async function choose(page: Page, day: number, time: number): Promise<void> {
  await page.getByRole('link', { name: /^Next month/ }).click();
  await page.getByRole('table').getByRole('link').nth(day).click();
  await page.locator('#times').getByRole('link').nth(time).click();
}

function heading(page: Page): Promise<string | null> {
  return page.getByRole('heading', { level: 1 }).textContent();
}

describe.runIf(hasChromium)('in a browser', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test('without JavaScript one books, moves and cancels', async () => {
    await using visitor = await visit({ viewport: PHONE });
    const { page, complaints } = visitor;
    await page.goto(`${app.url}/book/ada`);
    await page.getByRole('link', { name: /Intro/ }).click();
    expect(await heading(page)).toBe('Intro');
    await choose(page, 3, 2);
    expect(await page.locator(':focus').getAttribute('id')).toBe('name');
    await fillIn(page, GRACE);
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.waitForURL(/\/bookings\/uid_/);
    expect(await page.getByRole('main').textContent()).toContain('Confirmed');
    const first = page.url();

    await page.getByRole('link', { name: 'Choose another time' }).click();
    await choose(page, 0, 0);
    await page.getByLabel('Why? (optional)').fill('Sooner is better');
    await page.getByRole('button', { name: 'Reschedule booking' }).click();
    expect(await page.getByRole('status').textContent()).toBe('The booking was rescheduled.');
    const second = page.url();
    await page.goto(first);
    await page.getByRole('link', { name: 'See the new booking' }).click();
    expect(page.url()).toBe(second.replace('?done=moved', ''));

    await page.getByRole('link', { name: 'Cancel booking' }).click();
    await page.getByRole('button', { name: 'Cancel booking' }).click();
    expect(await page.getByRole('status').textContent()).toBe('The booking was cancelled.');
    expect(complaints).toEqual([]);
  });

  test('one books by keyboard alone', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await page.goto(`${app.url}/book/ada/deep-dive`);
    await page.getByRole('table').getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/date=/);
    // The times come next after the calendar.
    await page.locator('#times').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#name:focus').waitFor();
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await page.keyboard.type('grace@example.test');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/bookings\/uid_/);
    expect(complaints).toEqual([]);
  });

  test('a team’s event type is booked from its page', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(`${app.url}/book/organization/acme/sales`);
    await page.getByRole('link', { name: /Product demo/ }).click();
    await choose(page, 1, 1);
    await fillIn(page, GRACE);
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    expect(await page.getByRole('main').textContent()).toContain('Confirmed');
  });

  test('a private link is booked, and is then over', async () => {
    const host = await hostOf(app, 'dan@solo.test', 'dan');
    const { eventTypeId } = await host.offer({ isHidden: true, title: 'Secret' });
    const { privateLink } = await host.browser.mutate<{ privateLink: { url: string } }>(
      'privateLinkCreate',
      { eventTypeId },
      'privateLink { url }',
    );
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(privateLink.url);
    await choose(page, 0, 1);
    await fillIn(page, GRACE);
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    expect(await heading(page)).toBe('Secret');
    await page.goto(privateLink.url);
    expect(await heading(page)).toBe('This link no longer works');
  });

  test('the zone is looked for by a city', async () => {
    await using visitor = await visit();
    const { page, complaints } = visitor;
    await page.goto(`${app.url}/book/ada/intro?name=Eve`);
    await page.getByRole('link', { name: 'Change time zone' }).click();
    const field = page.getByRole('combobox', { name: 'Show times in another time zone' });
    await field.fill('atlantis');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('atlantis');
    expect(await page.getByRole('alert').textContent()).toContain('We don’t know that time zone');
    await field.fill('tokyo');
    await page.getByRole('button', { name: 'Change time zone' }).click();
    expect(new URL(page.url()).searchParams.get('name')).toBe('Eve');
    expect(await page.locator('.what').textContent()).toContain('Asia/Tokyo');
    expect(complaints).toEqual([]);
  });

  test('with JavaScript, the browser’s own zone is put in, unless somebody has chosen one', async () => {
    await using visitor = await visit({ javaScriptEnabled: true, timezoneId: 'Pacific/Auckland' });
    const { page, complaints } = visitor;
    await page.goto(`${app.url}/book/ada/intro?date=2026-01-05`);
    await page.waitForURL(/timeZone=Pacific%2FAuckland/);
    expect(new URL(page.url()).searchParams.get('date')).toBe('2026-01-05');
    await page.goto(`${app.url}/book/ada/intro?timeZone=UTC`);
    expect(await page.locator('.what').textContent()).toContain('UTC');
    expect(complaints).toEqual([]);
  });

  test('the booker arrives where the host wants them', async () => {
    const host = await hostOf(app, 'dan@solo.test', 'dan');
    const { path } = await host.offer({ successRedirectUrl: 'https://app.example.test/thanks' });
    await using visitor = await visit();
    const { page, complaints } = visitor;
    const { arrival } = await answerAsApp(page);
    await page.goto(app.url + path);
    await choose(page, 0, 0);
    await fillIn(page, GRACE);
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    expect((await arrival).pathname).toBe('/thanks');
    expect(complaints).toEqual([]);
  });

  test('on paper, a booking is one sheet that names the event, the time, the place and the people, and has no links', async () => {
    const host = await hostOf(app, 'dan@solo.test', 'dan');
    const { eventTypeId, starts } = await host.offer({ locations: [{ type: 'ADDRESS', address: 'Room 5' }] });
    const attendee = { name: 'Grace Hopper', email: 'grace@example.test', timeZone: 'Australia/Sydney' };
    const input = { eventTypeId, start: starts[0], attendee };
    const { booking } = await host.browser.mutate<{ booking: { uid: string } }>(
      'bookingCreate',
      input,
      'booking { uid }',
    );
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(`${app.url}/bookings/${booking.uid}`);
    await page.emulateMedia({ media: 'print' });
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type ?\/Page\b/g);
    expect(sheets).toHaveLength(1);
    const read = await page.locator('body').innerText();
    for (const text of ['Talk', '9:00', 'Dan', 'Room 5', 'Grace Hopper']) expect(read).toContain(text);
    expect(await page.locator('nav, form, .actions, header').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    expect(await page.locator('nav, form, .actions, header').filter({ visible: true }).count()).toBeGreaterThan(3);
  });

  describe('every page', () => {
    let paths: Readonly<Record<string, string>>;
    beforeAll(async () => {
      const host = await hostOf(app, 'dan@solo.test', 'dan');
      const options = { options: ['One', 'An answer that is rather long, as answers of some hosts are'] };
      const offered = await host.offer({
        title: `A title that is ${'rather '.repeat(12)}long, with Donaudampfschifffahrtsgesellschaftskapitän in it`,
        description: 'What it is about.\n\nAnd more.',
        durationInMinutesOptions: [15, 30, 60],
        locations: [{ type: 'LINK', url: 'https://meet.example/1', label: 'Zoom' }, { type: 'ATTENDEE_PHONE' }],
        bookingFields: [
          { slug: 'text', type: 'TEXT', label: 'Text', isRequired: true },
          { slug: 'area', type: 'TEXTAREA', label: 'Area' },
          { slug: 'select', type: 'SELECT', label: 'Select', isRequired: true, ...options },
          { slug: 'boxes', type: 'CHECKBOX', label: 'Boxes', isRequired: true, ...options },
          { slug: 'radio', type: 'RADIO', label: 'Radio', isRequired: true, ...options },
          { slug: 'yes', type: 'BOOLEAN', label: 'Yes', isRequired: true },
        ],
      });
      const talk = await host.offer();
      await using visitor = await visit();
      const { page } = visitor;
      await page.goto(`${app.url}${talk.path}?start=${talk.starts[0]}`);
      await fillIn(page, GRACE);
      await page.getByRole('button', { name: 'Book', exact: true }).click();
      const booking = new URL(page.url()).pathname;
      const date = (offered.starts[0] ?? '').slice(0, 10);
      paths = {
        place: '/book/dan',
        month: offered.path,
        day: `${offered.path}?date=${date}`,
        form: `${offered.path}?start=${offered.starts[8]}`,
        booking,
        cancel: `${booking}/cancel`,
        move: `${booking}/reschedule`,
        question: `${booking}/reschedule?start=${talk.starts[2]}`,
        over: '/private-links/x',
        nothing: '/book/nobody',
      };
    });

    const NAMES = ['place', 'month', 'day', 'form', 'booking', 'cancel', 'move', 'question', 'over', 'nothing'];

    test.each(NAMES)(
      'has a heading, a main part, a label for each control, targets for a thumb, and fits a phone: %s',
      async (name) => {
        await using visitor = await visit({ viewport: PHONE });
        const { page, complaints } = visitor;
        await page.goto(app.url + paths[name]);
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect(await page.getByRole('main').count()).toBe(1);
        expect(await unlabelledControls(page)).toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
        expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.width);
        expect(complaints).toEqual([]);
      },
    );

    test.each(['#ffee00', '#000000'])('can be read in the colour of any team: %s', async (brandColor) => {
      const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
      const { me } = await ada.ask<{ me: { teams: { nodes: { id: string }[] } } }>('{ me { teams { nodes { id } } } }');
      await ada.mutate('teamUpdate', { teamId: me.teams.nodes[0]?.id, brandColor }, 'teamId');
      const place = '/book/organization/acme/sales';
      for (const colorScheme of ['light', 'dark'] as const) {
        await using visitor = await visit({ colorScheme });
        const { page, complaints } = visitor;
        await page.goto(app.url + place);
        expect(await faintTexts(page)).toEqual([]);
        await page.getByRole('link', { name: /Product demo/ }).click();
        await page.getByRole('link', { name: /^Next month/ }).click();
        await page.getByRole('table').getByRole('link').nth(1).click();
        expect(await faintTexts(page)).toEqual([]);
        await page.locator('#times').getByRole('link').nth(1).click();
        const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(brandColor.slice(at, at + 2), 16));
        const background = await page.evaluate(
          `getComputedStyle(document.querySelector('button[value=book]')).backgroundColor`,
        );
        expect(background).toBe(`rgb(${red}, ${green}, ${blue})`);
        expect(await faintTexts(page)).toEqual([]);
        expect(complaints).toEqual([]);
      }
    });

    test.each([360, 576, 768, 959])('has a margin at both sides in a window of %i', async (width) => {
      await using visitor = await visit({ viewport: { width, height: 800 } });
      const { page } = visitor;
      for (const path of [paths['month'], paths['place'], '/openapi', '/']) {
        await page.goto(app.url + path);
        const box = `(() => { const inner = document.querySelector('main > *:not(script)').getBoundingClientRect();
          return [inner.left, innerWidth - inner.right, document.documentElement.scrollWidth]; })()`;
        const [left = 0, right = 0, scrolled] = await page.evaluate<number[]>(box);
        expect([path, left >= 16, right >= 16, scrolled]).toEqual([path, true, true, width]);
      }
    });

    test.each(['light', 'dark'] as const)(
      'has text that stands out from what is behind it: %s',
      async (colorScheme) => {
        await using visitor = await visit({ colorScheme });
        const { page } = visitor;
        for (const name of NAMES) {
          await page.goto(app.url + paths[name]);
          expect([name, await faintTexts(page)]).toEqual([name, []]);
        }
        await page.goto(app.url + paths['form']);
        await page.getByRole('button', { name: 'Book', exact: true }).click();
        expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
        expect(await faintTexts(page)).toEqual([]);
      },
    );
  });
});
