import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { row, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { FORM } from '../support/routing-forms.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, smallTargets, unlabelledControls, widthOf } from './page-checks.ts';

let app: TestApp;
let address: string;

describe.runIf(hasChromium)('the page of a routing form', () => {
  beforeAll(async () => {
    app = await startTestApp();
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const team = await row(app.database.em.fork(), sql<{ id: string }>`select id from teams where slug = 'sales'`);
    const input = { teamId: publicId('team', team?.id ?? ''), ...FORM };
    const made = await ada.mutate<{ routingFormId: string }>('routingFormCreate', input, 'routingFormId');
    address = `${app.url}/forms/${made.routingFormId}`;
  });
  afterAll(() => app.close());

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    '%i pixels wide and %s, can be read, filled in and mended without scripts',
    async (width, colorScheme) => {
      await using visitor = await visit({ viewport: { width, height: 800 }, colorScheme });
      const { page, complaints } = visitor;
      const isFine = async (): Promise<void> => {
        expect(await widthOf(page)).toBe(width);
        expect([await unlabelledControls(page), await smallTargets(page), await faintTexts(page)]).toEqual([
          [],
          [],
          [],
        ]);
      };
      await page.goto(address);
      await isFine();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').waitFor();
      await isFine();
      await page.getByLabel('Company', { exact: true }).fill('ACME');
      await page.getByLabel('Support', { exact: true }).check();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Thank you.').waitFor();
      await isFine();
      // The form that came back was refused, which a browser notes.
      expect(complaints.filter((one) => !one.includes('422'))).toEqual([]);
    },
  );
});
