import { Hono } from 'hono';
import { ASSETS, type Asset } from '../screens/kit/assets.ts';

/** Kept for a year by its versioned address; by its bare one only until a look shows that it changed. */
const FOREVER = 'public, max-age=31536000, immutable';
const CHECKED = 'public, no-cache';

/** The style sheets and the icon that pages refer to. */
export function assetRoutes(): Hono {
  const routes = new Hono();
  for (const asset of ASSETS) routes.get(asset.path, ({ req }) => sendAsset(asset, req.raw));
  return routes;
}

/** 304 where the sender has it already. */
export function sendAsset(asset: Asset, request: Request): Response {
  const etag = `"${asset.version}"`;
  const isVersioned = new URL(request.url).searchParams.get('v') === asset.version;
  const headers = {
    'Cache-Control': isVersioned ? FOREVER : CHECKED,
    'Content-Type': asset.type,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  };
  const isKnown = request.headers
    .get('if-none-match')
    ?.split(',')
    .some((known) => known.trim().replace(/^W\//, '') === etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(asset.content, { headers });
}
