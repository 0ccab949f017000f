import { expect, test } from 'vitest';
import { isNeighbour } from '../../../../src/modules/calendars/connections/servers/guarded-fetch.ts';

test.each([
  ['https://caldav.icloud.com', 'https://caldav.icloud.com/principal', true],
  ['https://caldav.icloud.com', 'https://p42-caldav.icloud.com/', true],
  ['https://caldav.icloud.com', 'https://p42.caldav.icloud.com/', true],
  ['https://cloud.example', 'https://dav.cloud.example/', true],
  ['https://cloud.example', 'https://evil-cloud.example/', false],
  ['https://cloud.example', 'https://evilcloud.example/', false],
  ['https://cloud.example', 'https://cloud.example.evil.example/', false],
  ['https://cloud.example', 'http://cloud.example/', false],
  ['https://cloud.example', 'http://dav.cloud.example/', false],
  ['http://localhost:5232', 'http://localhost:5232/ada/', true],
  ['http://localhost:5232', 'http://localhost:5233/ada/', false],
])('the credentials of an account at %s go to %s: %s', (server, address, goes) => {
  expect(isNeighbour(new URL(server), new URL(address))).toBe(goes);
});
