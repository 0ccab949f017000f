import { accentColors, type Scheme } from '../../core/accent-colors.ts';
import { type Asset, assetOf, STYLE_SHEET } from './assets.ts';

const ACCENTS = '/assets/accents';
export const ACCENT_PATH = `${ACCENTS}/:name{[0-9a-f]{6}\\.css}`;

/**
 * The style sheet that makes `#rrggbb` the accent of a page, in light and in dark. A file of its own, because the policy of
 * our pages takes no styles from elsewhere: it is made of the colour alone, so any colour has one.
 */
export function accentOf(color: string): Asset {
  const content = `:root:not([data-theme]) {\n${variables(color, 'light')}}\n
@media (prefers-color-scheme: dark) {\n:root:not([data-theme]) {\n${variables(color, 'dark')}}\n}\n`;
  return assetOf(`${ACCENTS}/${color.slice(1)}.css`, STYLE_SHEET, content);
}

function variables(color: string, scheme: Scheme): string {
  return Object.entries(accentColors(color, scheme))
    .map(([name, value]) => `  --${name}: ${value};\n`)
    .join('');
}
