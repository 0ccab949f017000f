import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accentColors, type Scheme } from '../../core/accent-colors.ts';

/** A file that pages refer to. Its address changes with its content, so that it can be kept for ever. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
  readonly version: string;
}

export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE_SHEET = 'text/css; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = { '.js': SCRIPT, '.css': STYLE_SHEET, '.svg': 'image/svg+xml' };

export const PICO: Asset = fileAsset(
  '/assets/pico.css',
  STYLE_SHEET,
  import.meta.resolve('@picocss/pico/css/pico.classless.min.css'),
);
export const STYLE: Asset = ownAsset(import.meta.resolve('./gatehouse.css'));
export const ICON: Asset = ownAsset(import.meta.resolve('./gatehouse.svg'));
/** Beside what a list says that has nothing in it. */
export const NOTHING_YET: Asset = ownAsset(import.meta.resolve('./nothing-yet.svg'));

export const CONSOLE_STYLE: Asset = ownAsset(import.meta.resolve('../console/console.css'));
export const CONSOLE_SCRIPT: Asset = ownAsset(import.meta.resolve('../console/console.js'));
/** Imported by the script of the console, so by its bare address. */
const CONSOLE_OAUTH: Asset = ownAsset(import.meta.resolve('../console/console-oauth.js'));

export const DEV_STYLE: Asset = ownAsset(import.meta.resolve('../dev/dev.css'));

export const BOOKING_STYLE: Asset = ownAsset(import.meta.resolve('../booking/booking.css'));
export const OWN_ZONE_SCRIPT: Asset = ownAsset(import.meta.resolve('../booking/own-zone.js'));
/** For other websites, which name it by this address. */
export const EMBED_SCRIPT: Asset = fileAsset('/embed.js', SCRIPT, import.meta.resolve('../booking/embed.js'));
/** The script of a page of ours that another website shows in a frame. */
export const EMBEDDED_SCRIPT: Asset = ownAsset(import.meta.resolve('../booking/embedded.js'));

export const DEVELOPER_STYLE: Asset = ownAsset(import.meta.resolve('../developer/developer.css'));
export const CHECK_URIS_SCRIPT: Asset = ownAsset(import.meta.resolve('../developer/check-uris.js'));

export const PAINT_WEEK_SCRIPT: Asset = ownAsset(import.meta.resolve('../hosting/paint-week.js'));

/** Puts the browser's own time zone into the form of a new account. */
export const BROWSER_ZONE_SCRIPT: Asset = ownAsset(import.meta.resolve('./scripts/browser-zone.js'));

/** A button that copies, beside each text of `copyable`. */
export const COPY_SCRIPT: Asset = ownAsset(import.meta.resolve('./scripts/copy.js'));
/** A form with `data-once` is sent once, however often its button is pressed. */
export const SEND_ONCE_SCRIPT: Asset = ownAsset(import.meta.resolve('./scripts/send-once.js'));

export const ASSETS: readonly Asset[] = [
  PICO,
  STYLE,
  ICON,
  NOTHING_YET,
  CONSOLE_STYLE,
  CONSOLE_SCRIPT,
  CONSOLE_OAUTH,
  DEV_STYLE,
  BOOKING_STYLE,
  OWN_ZONE_SCRIPT,
  EMBED_SCRIPT,
  EMBEDDED_SCRIPT,
  BROWSER_ZONE_SCRIPT,
  DEVELOPER_STYLE,
  CHECK_URIS_SCRIPT,
  PAINT_WEEK_SCRIPT,
  COPY_SCRIPT,
  SEND_ONCE_SCRIPT,
];

/** The address for a page to use. */
export function hrefOf({ path, version }: Asset): string {
  return `${path}?v=${version}`;
}

export function assetOf(path: string, type: string, content: string): Asset {
  return { path, type, content, version: createHash('sha256').update(content).digest('base64url').slice(0, 12) };
}

/** A file of ours, which is known by its name whatever folder it is in. */
function ownAsset(url: string): Asset {
  return fileAsset(`/assets/${basename(url)}`, TYPES[extname(url)] ?? '', url);
}

function fileAsset(path: string, type: string, url: string): Asset {
  return assetOf(path, type, readFileSync(fileURLToPath(url), 'utf8'));
}

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
