import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentColors, BACKGROUNDS } from '../../../src/core/accent-colors.ts';
import { accentOf, hrefOf, STYLE } from '../../../src/screens/kit/assets.ts';
import { assetRoutes } from '../../../src/screens/kit/page-response.ts';

/** WCAG 2.2, “contrast ratio”, written anew here. */
function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map((color) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  }) as [number, number];
  return Math.max(a, b) / Math.min(a, b);
}

const aColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const EXTREMES = ['#000000', '#ffffff', '#808080', '#777777', '#ffff00', '#0000ff', '#ff0000', '#00ff00', '#14705f'];

describe.each(['light', 'dark'] as const)('any colour is an accent that can be read: %s', (scheme) => {
  test('as a link, on a button, on one under the pointer, and on a tint', () => {
    fc.assert(
      fc.property(aColor, (color) => {
        const colors = accentColors(color, scheme);
        const of = (name: string): string => colors[name] ?? '';
        const pairs = [
          ...BACKGROUNDS[scheme].flatMap((background) => [
            [of('pico-primary'), background],
            [of('pico-primary-hover'), background],
          ]),
          [of('pico-primary-inverse'), of('pico-primary-background')],
          [of('pico-primary-inverse'), of('pico-primary-hover-background')],
          [of('new'), of('new-background')],
        ] as const;
        for (const [text, behind] of pairs)
          expect([text, behind, contrast(text ?? '', behind ?? '') >= 4.5]).toContain(true);
      }),
      { examples: EXTREMES.map((color) => [color] as [string]), numRuns: 300 },
    );
  });

  test('a button shows on the page even in the page’s own colour', () => {
    for (const background of BACKGROUNDS[scheme]) {
      expect(contrast(accentColors(background, scheme)['pico-primary-border'] ?? '', background)).toBeGreaterThan(3);
    }
  });
});

test('the button has the colour itself, and a link too where it can be read', () => {
  expect(accentColors('#14705f', 'light')).toMatchObject({
    'pico-primary-background': '#14705f',
    'pico-primary': '#14705f',
  });
  expect(accentColors('#ffee00', 'light')['pico-primary-background']).toBe('#ffee00');
});

test('the backgrounds are those of the style sheet', () => {
  const [light = '', dark = ''] = STYLE.content.split('@media (prefers-color-scheme: dark)');
  for (const [scheme, sheet] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const [page, card] = BACKGROUNDS[scheme];
    expect(sheet).toContain(`--pico-background-color: ${page};`);
    expect(sheet).toContain(`--pico-card-background-color: ${card === '#ffffff' ? '#fff' : card};`);
  }
});

describe('the style sheet of a colour', () => {
  const routes = assetRoutes();

  test('is served for any, and kept as the others are', async () => {
    const response = await routes.request(hrefOf(accentOf('#0a7cff')));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toContain('--pico-primary-background: #0a7cff;');
  });

  test.each(['0A7CFF.css', '0a7cf.css', '0a7cff', '0a7cff0.css', 'red.css', '0a7cf%3B.css', '..%2Fpico.css'])(
    'is not there for %s',
    async (name) => {
      expect((await routes.request(`/assets/accents/${name}`)).status).toBe(404);
    },
  );
});
