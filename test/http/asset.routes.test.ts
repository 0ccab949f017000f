import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ASSETS, hrefOf, STYLE } from '../../src/screens/kit/assets.ts';
import { assetRoutes } from '../../src/screens/kit/page-response.ts';

const routes = assetRoutes();

test.each(ASSETS)('$path is served, kept for ever under its versioned address', async (asset) => {
  const response = await routes.request(hrefOf(asset));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(asset.type);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await response.text()).toBe(asset.content);
});

test.each(['/assets/gatehouse.css', '/assets/gatehouse.css?v=old'])('%s is looked at again each time', async (path) => {
  const response = await routes.request(path);
  expect(response.headers.get('cache-control')).toBe('public, no-cache');
  const etag = response.headers.get('etag') ?? '';
  const again = await routes.request(path, { headers: { 'if-none-match': `"x", W/${etag}` } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test.each([
  ['gzip, deflate, br', 'gzip'],
  ['br, GZIP;q=0.5', 'gzip'],
  ['gzip;q=0', null],
  ['br', null],
  ['', null],
])('a style sheet is sent to a client that takes “%s” as %s', async (taken, encoding) => {
  const headers = { 'accept-encoding': taken };
  const response = await routes.request(hrefOf(STYLE), { headers });
  expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
    encoding,
    'Accept-Encoding',
  ]);
  const body = Buffer.from(await response.arrayBuffer());
  expect((encoding === 'gzip' ? gunzipSync(body) : body).toString()).toBe(STYLE.content);
  const etag = response.headers.get('etag') ?? '';
  const again = await routes.request(hrefOf(STYLE), { headers: { ...headers, 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

test('a changed file has another address', () => {
  expect(hrefOf({ ...STYLE, version: 'other' })).not.toBe(hrefOf(STYLE));
});

test.each(['/assets/', '/assets/layout.ts', '/assets/../package.json', '/assets/%2e%2e/package.json'])(
  '%s is not served',
  async (path) => {
    expect((await routes.request(path)).status).toBe(404);
  },
);
