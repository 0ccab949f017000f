import { expect, test } from 'vitest';
import { placeOf } from '../../../src/screens/kit/page-parts.ts';

const IN_ZOOM = { type: 'CONFERENCING', value: 'zoom' } as const;

test.each([
  ['of nothing but the app', IN_ZOOM, 'Video call (zoom)'],
  ['of a link that is to come', { ...IN_ZOOM, awaits: 'Zoom' }, 'Zoom (link to follow)'],
  [
    'of one that is there',
    { ...IN_ZOOM, url: 'https://zoom.example/j/1?a=<b>' },
    '<a href="https://zoom.example/j/1?a=&lt;b&gt;" rel="noreferrer"><bdi>https://zoom.example/j/1?a=&lt;b&gt;</bdi></a>',
  ],
])('a page tells %s', async (_what, location, shown) => {
  expect(String(await placeOf(location))).toBe(shown);
});
