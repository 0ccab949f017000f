import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file that pages refer to. Its address changes with its content, so that it can be kept for ever. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
  readonly version: string;
}

const SCRIPT = 'text/javascript; charset=utf-8';

export const PICO: Asset = asset(
  '/assets/pico.css',
  'text/css; charset=utf-8',
  import.meta.resolve('@picocss/pico/css/pico.classless.min.css'),
);
export const STYLE: Asset = asset(
  '/assets/gatehouse.css',
  'text/css; charset=utf-8',
  import.meta.resolve('./gatehouse.css'),
);
export const ICON: Asset = asset('/assets/gatehouse.svg', 'image/svg+xml', import.meta.resolve('./gatehouse.svg'));

export const CONSOLE_STYLE: Asset = asset(
  '/assets/console.css',
  'text/css; charset=utf-8',
  import.meta.resolve('./console.css'),
);
export const CONSOLE_SCRIPT: Asset = asset('/assets/console.js', SCRIPT, import.meta.resolve('./console.js'));
/** Imported by the script of the console, so by its bare address. */
const CONSOLE_OAUTH: Asset = asset('/assets/console-oauth.js', SCRIPT, import.meta.resolve('./console-oauth.js'));

export const ASSETS: readonly Asset[] = [PICO, STYLE, ICON, CONSOLE_STYLE, CONSOLE_SCRIPT, CONSOLE_OAUTH];

/** The address for a page to use. */
export function hrefOf({ path, version }: Asset): string {
  return `${path}?v=${version}`;
}

function asset(path: string, type: string, url: string): Asset {
  const content = readFileSync(fileURLToPath(url), 'utf8');
  return { path, type, content, version: createHash('sha256').update(content).digest('base64url').slice(0, 12) };
}
