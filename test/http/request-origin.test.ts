import { expect, test } from 'vitest';
import { requestOrigin } from '../../src/screens/kit/visitors.ts';

test.each<[Record<string, string>, string]>([
  [{}, 'unstated'],
  [{ origin: 'https://gatehouse.test' }, 'own'],
  [{ origin: 'https://evil.test' }, 'foreign'],
  [{ origin: 'http://gatehouse.test' }, 'foreign'],
  [{ origin: 'https://gatehouse.test:8443' }, 'foreign'],
  [{ origin: 'https://gatehouse.test.evil.test' }, 'foreign'],
  [{ origin: 'null' }, 'opaque'],
  [{ origin: '' }, 'foreign'],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 'own'],
  [{ 'sec-fetch-site': 'none' }, 'own'],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://other.gatehouse.test' }, 'foreign'],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://gatehouse.test' }, 'foreign'],
  [{ 'sec-fetch-site': 'anything else' }, 'foreign'],
])('a request with %j has the origin: %s', (headers, origin) => {
  expect(requestOrigin(new Headers(headers), 'https://gatehouse.test')).toBe(origin);
});
