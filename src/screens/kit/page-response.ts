import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { sha256Base64url } from '../../core/secret.ts';
import { prefersGzip } from '../../graphql/request.ts';
import { ACCENT_PATH, ASSETS, type Asset, accentOf } from './assets.ts';
import type { Html, Viewer } from './layout.ts';

const gzipped = promisify(gzip);

interface PagePolicy {
  /** Where a script of ours may help: nothing hangs on it. */
  readonly runsScripts?: boolean;
  /** Where such a script asks us something. */
  readonly asksUs?: boolean;
  /** One more origin, for a picture that the page shows: that of a team's logo. */
  readonly picturesFrom?: string | undefined;
  /** Whether it shows another page of ours in a frame: that has to allow it. */
  readonly framesOwn?: boolean;
}

const NO_FRAMES = "frame-ancestors 'none'";
const OWN_SCRIPTS = "; script-src 'self'";

/**
 * A page may load this: nothing from elsewhere, unless it is said here. There is no `form-action`: Chromium applies it
 * along redirects and would block the way back to an app after consent.
 */
export function policyHeaders({ runsScripts = false, asksUs = false, picturesFrom, framesOwn = false }: PagePolicy) {
  const pictures = ["'self'", 'data:', ...(picturesFrom === undefined ? [] : [picturesFrom])].join(' ');
  const scripts = runsScripts ? OWN_SCRIPTS : '';
  const requests = asksUs ? "; connect-src 'self'" : '';
  const frames = framesOwn ? "; frame-src 'self'" : '';
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src ${pictures}; base-uri 'none'; ${NO_FRAMES}${scripts}${requests}${frames}`,
  };
}

/**
 * Lets pages of these origins show an answer in a frame, and the answer run the script of ours that tells them its height.
 * Without an origin nobody may frame it, like any other page.
 */
export function allowFrames(headers: Headers, origins: readonly string[]): void {
  const policy = headers.get('Content-Security-Policy');
  if (!policy?.includes(NO_FRAMES) || origins.length === 0) return;
  const scripts = policy.includes('script-src') ? '' : OWN_SCRIPTS;
  const framed = policy.replace(NO_FRAMES, `frame-ancestors ${origins.join(' ')}`);
  headers.set('Content-Security-Policy', `${framed}${scripts}`);
  headers.delete('X-Frame-Options');
}

/** On every page, errors included: never framed, but where `allowFrames` says so, never cached, no address passed on, nothing from elsewhere. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  ...policyHeaders({}),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

export const SCRIPTED_HEADERS = policyHeaders({ runsScripts: true });
export const ASKING_HEADERS = policyHeaders({ runsScripts: true, asksUs: true });

/** A page, with the headers that every page has, and those that were set on `c` before (cookies). */
export function sendPage(
  c: Context,
  page: Html,
  status: ContentfulStatusCode = 200,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  return c.html(page, status, { ...PAGE_HEADERS, ...headers });
}

/**
 * Sends a page that holds nothing secret but its own address and tokens of forms, each of which is new: compressed if
 * the reader takes it so. The length of any other page would tell, request by request, what stands in it beside what
 * its address puts there (BREACH). So `viewer`, if the page names the signed-in user, or a form that comes back with
 * what was typed, make it one.
 */
export async function sendOpenPage(
  c: Context,
  viewer: Viewer | undefined,
  page: Html,
  status: ContentfulStatusCode = 200,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  if (viewer || c.req.method === 'POST') return sendPage(c, page, status, headers);
  const varying = { ...headers, Vary: 'Accept-Encoding' };
  if (!takesGzip(c.req.raw)) return sendPage(c, page, status, varying);
  const type = { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Encoding': 'gzip' };
  return c.body(await gzipped(String(await page)), status, { ...PAGE_HEADERS, ...varying, ...type });
}

/** Whether the answer is wanted compressed (RFC 9110 §12.5.3). */
export function takesGzip({ headers }: Request): boolean {
  return prefersGzip(headers.get('accept-encoding'));
}

/** After a form, always by GET: 307 would send a password on to the next address. */
export function seeOther(c: Context, location: string): Response {
  return sendElsewhere(c, location, 303);
}

/** To the address that a page has now, 302, or that it is written by, 308. Kept by nobody: it may hold what a link fills in. */
export function sendElsewhere(c: Context, location: string, status: 302 | 303 | 308): Response {
  return c.body(null, status, { ...PAGE_HEADERS, Location: location });
}

/** Content that its readers keep, and ask again whether it is still the same. */
export interface KeptAnswer {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** A strong one, with its quotes. */
  readonly etag: string;
}

export function keptAnswer(content: string | Uint8Array<ArrayBuffer>, type: string): KeptAnswer {
  return { content, type, etag: `"${sha256Base64url(content)}"` };
}

/** The content, or 304 for a reader who has it already (RFC 9110 §13.1.2). */
export function sendKept({ headers }: Request, { content, type, etag }: KeptAnswer, cacheControl: string): Response {
  const shared = { 'Cache-Control': cacheControl, ETag: etag, 'X-Content-Type-Options': 'nosniff' };
  if (isAmong(headers.get('if-none-match') ?? '', etag)) return new Response(null, { status: 304, headers: shared });
  return new Response(content, { headers: { ...shared, 'Content-Type': type } });
}

/** Weak comparison: `W/` says nothing here. A tag may hold commas, so the list is not split at them. */
export function isAmong(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || ifNoneMatch.matchAll(/"[^"]*"/g).some(([tag]) => tag === etag);
}

/** Kept for a year by its versioned address; by its bare one only until a look shows that it changed. */
const FOREVER = 'public, max-age=31536000, immutable';
const CHECKED = 'public, no-cache';

/** The style sheets and the icon that pages refer to. */
export function assetRoutes(): Hono {
  const routes = new Hono();
  for (const asset of ASSETS) routes.get(asset.path, ({ req }) => sendAsset(asset, req.raw));
  routes.get(ACCENT_PATH, ({ req }) => sendAsset(accentOf(`#${req.param('name').slice(0, 6)}`), req.raw));
  return routes;
}

/** Answers 304 where the sender has it already; the content is compressed if the sender takes it so. */
export function sendAsset(asset: Asset, request: Request): Response {
  const { content, type, version } = asset;
  const keeping = new URL(request.url).searchParams.get('v') === version ? FOREVER : CHECKED;
  if (content.length < WORTH_COMPRESSING) return sendKept(request, { content, type, etag: `"${version}"` }, keeping);
  const isCompressed = takesGzip(request);
  const kept = isCompressed
    ? { content: compressed(asset), type, etag: `"${version}-gzip"` }
    : { content, type, etag: `"${version}"` };
  const response = sendKept(request, kept, keeping);
  response.headers.set('Vary', 'Accept-Encoding');
  if (isCompressed) response.headers.set('Content-Encoding', 'gzip');
  return response;
}

/** In characters: what is shorter travels in one packet either way. */
const WORTH_COMPRESSING = 1_000;

const COMPRESSED = new WeakMap<Asset, Uint8Array<ArrayBuffer>>();

/** Once for each asset, with its first request. */
function compressed(asset: Asset): Uint8Array<ArrayBuffer> {
  return COMPRESSED.getOrInsertComputed(asset, ({ content }) => gzipSync(content, { level: 9 }));
}
