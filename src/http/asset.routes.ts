import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { ACCENT_PATH, accentOf } from '../screens/kit/accent.ts';
import { ASSETS, type Asset } from '../screens/kit/assets.ts';
import { sendKept } from './kept-answer.ts';
import { takesGzip } from './page-response.ts';

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
