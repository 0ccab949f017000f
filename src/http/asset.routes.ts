import { Hono } from 'hono';
import { ACCENT_PATH, accentOf } from '../screens/kit/accent.ts';
import { ASSETS, type Asset } from '../screens/kit/assets.ts';
import { sendKept } from './kept-answer.ts';

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

/** 304 where the sender has it already. */
export function sendAsset({ content, type, version }: Asset, request: Request): Response {
  const isVersioned = new URL(request.url).searchParams.get('v') === version;
  return sendKept(request, { content, type, etag: `"${version}"` }, isVersioned ? FOREVER : CHECKED);
}
