/** The colours that an accent of somebody's choice leads to, in light and in dark. */

/** Red, green and blue, each 0 to 255. */
type Colour = readonly [number, number, number];

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];

/** The colours behind links: those of the page and of a card in gatehouse.css. */
export const BACKGROUNDS = { light: ['#f7f7f5', '#ffffff'], dark: ['#14181a', '#1c2123'] } as const;

export type Scheme = keyof typeof BACKGROUNDS;

/** The least contrast between a text and its background (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

/** The colours of one scheme, under the names that Pico and gatehouse.css have for them. */
export function accentColors(color: string, scheme: Scheme): Readonly<Record<string, string>> {
  const accent = parsed(color);
  const [page, card] = BACKGROUNDS[scheme].map(parsed) as [Colour, Colour];
  const [away, inverse] = [scheme === 'light' ? BLACK : WHITE, textOn(accent)];
  const link = readable(accent, [page, card], away);
  // The tint is made of the link, as the colour itself may be that of the card.
  const tint = mixed(link, card, scheme === 'light' ? 0.86 : 0.7);
  // A button that is as bright as the page still shows by its border.
  const hover = mixed(accent, inverse === WHITE ? BLACK : WHITE, 0.15);
  return {
    'pico-primary': hex(link),
    'pico-primary-hover': hex(mixed(link, away, 0.25)),
    'pico-primary-background': hex(accent),
    'pico-primary-border': hex(link),
    'pico-primary-hover-background': hex(hover),
    'pico-primary-hover-border': hex(mixed(link, away, 0.25)),
    'pico-primary-underline': `${hex(link)}66`,
    'pico-primary-hover-underline': hex(mixed(link, away, 0.25)),
    'pico-primary-focus': `${hex(link)}73`,
    'pico-primary-inverse': hex(inverse),
    'new-background': hex(tint),
    new: hex(readable(link, [tint], away)),
  };
}

/** Black or white, whichever is easier to read on it. */
function textOn(background: Colour): Colour {
  return contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK;
}

/** The colour itself, or the nearest one on its way to `away` that is readable on all of these. */
function readable(color: Colour, backgrounds: readonly Colour[], away: Colour): Colour {
  for (let share = 0; share < 1; share += 0.02) {
    const tried = mixed(color, away, share);
    if (backgrounds.every((background) => contrast(tried, background) >= READABLE)) return tried;
  }
  return away;
}

/** WCAG 2.2, “contrast ratio”: 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, “relative luminance”. */
function luminance(color: Colour): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colours: `share` of the second, and the rest of the first. */
function mixed([r, g, b]: Colour, [r2, g2, b2]: Colour, share: number): Colour {
  const between = (from: number, to: number): number => Math.round(from + (to - from) * share);
  return [between(r, r2), between(g, g2), between(b, b2)];
}

function parsed(color: string): Colour {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hex(color: Colour): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
