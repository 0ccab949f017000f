import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { mailHtml } from '../../src/mail/mail-html.ts';
import { everyMail, ORIGIN } from '../mail/every-mail.ts';
import { hasChromium, visit } from './chromium.ts';
import { faintTexts, violationsOn, widthOf } from './page-checks.ts';

/** Each in another language, as the one with the longer words is the other one's twin in all else. */
const LOOKS = [
  { colorScheme: 'light', locale: 'de', color: undefined },
  { colorScheme: 'dark', locale: 'en', color: '#ffee00' },
] as const;

/** Enough to have every part, as axe takes a tenth of a second for each. */
const LOOKED_INTO = [
  'BOOKED to HOST',
  'a series with guests',
  'verifyEmail',
  'a code to book',
  'an app was given access',
  'a workflow',
];

describe.runIf(hasChromium)('on a phone, each mail', () => {
  test.each(LOOKS)(
    'fits, can be read and loads nothing: $colorScheme, in $locale',
    async ({ colorScheme, locale, color }) => {
      const viewport = { width: 360, height: 740 };
      await using visitor = await visit({ colorScheme, viewport, javaScriptEnabled: true });
      const { page } = visitor;
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(request.url()));
      const found: Record<string, readonly string[]> = {};
      for (const { name, content } of everyMail(locale)) {
        await page.setContent(await mailHtml(content, { brand: 'Gatehouse', color, origin: ORIGIN }));
        const wrong = await wrongOn(page, viewport.width, LOOKED_INTO.includes(name));
        if (wrong.length > 0) found[name] = wrong;
      }
      expect(found).toEqual({});
      expect(asked).toEqual([]);
    },
  );
});

async function wrongOn(page: Page, most: number, isLookedInto: boolean): Promise<readonly string[]> {
  const width = await widthOf(page);
  return [
    ...(width > most ? [`is ${width} pixels wide`] : []),
    ...(await faintTexts(page)),
    ...(isLookedInto ? await violationsOn(page) : []),
  ];
}
