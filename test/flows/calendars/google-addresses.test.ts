import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CalDav } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import { testDoor } from '../../jobs/support/webhooks.ts';

const WRITE = '<d:current-user-privilege-set><d:privilege><d:write/></d:privilege></d:current-user-privilege-set>';
const READ = '<d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>';
const CALENDAR = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';

/** The properties of each address, as Google's CalDAV interface has them: calendars stand beside the home of their user. */
const ADDRESSES: Readonly<Record<string, readonly (readonly [href: string, properties: string])[]>> = {
  '/caldav/v2/': [
    [
      '/caldav/v2/',
      '<d:current-user-principal><d:href>/caldav/v2/ada%40gmail.com/user</d:href></d:current-user-principal>',
    ],
  ],
  '/caldav/v2/ada%40gmail.com/user': [
    [
      '/caldav/v2/ada%40gmail.com/user',
      '<c:calendar-home-set><d:href>/caldav/v2/ada%40gmail.com/</d:href></c:calendar-home-set>',
    ],
  ],
  '/caldav/v2/ada%40gmail.com/': [
    ['/caldav/v2/ada%40gmail.com/', '<d:resourcetype><d:collection/></d:resourcetype>'],
    ['/caldav/v2/team%40group.calendar.google.com/events/', `${CALENDAR}<d:displayname>Team</d:displayname>${WRITE}`],
    ['/caldav/v2/ada@gmail.com/events/', `${CALENDAR}<d:displayname>Ada</d:displayname>${WRITE}`],
    ['/caldav/v2/holidays%40group.v.calendar.google.com/events/', `${CALENDAR}${READ}`],
  ],
};

const door = testDoor(2_000);
const server = createServer((request, response) => {
  const found = ADDRESSES[request.url ?? ''];
  if (!found) return response.writeHead(404).end();
  const responses = found.map(
    ([href, properties]) =>
      `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
  );
  const body = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses.join('')}</d:multistatus>`;
  return response.writeHead(207, { 'content-type': 'application/xml' }).end(body);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await door.close();
});

test('an account at Google is known by its address, and its own calendar is the primary one among all that it can see', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/caldav/v2/`;
  const { account, calendars } = await new CalDav(url, door.fetchOf('CALDAV')).list('Bearer token');
  expect(account).toBe('ada@gmail.com');
  expect(calendars.map(({ name, isPrimary, isReadOnly }) => [name, isPrimary, isReadOnly])).toEqual([
    ['Team', false, false],
    ['Ada', true, false],
    ['events', false, true],
  ]);
});
