import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnedId, publicId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { confirmBooking } from '../../src/modules/bookings/change/answer-booking.ts';
import { updateLocation } from '../../src/modules/bookings/change/change-booking.ts';
import { rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import type { LocationType } from '../../src/modules/event-types/settings/location.rules.ts';
import {
  book as bookAs,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  slotOn,
} from '../modules/bookings/support/booked-hosts.ts';
import { storeApp } from '../support/conferencing-apps.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { kindsWith, namedHosts } from './support/booking-mails.ts';

const LINK = /^https:\/\/meet\.example\/rooms\/[\w-]{22}$/;
const GRACE = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC', locale: 'en', phone: null };

let database: TestDatabase;
let mailServer: MailServer;
let runner: JobRunner;
let graceId: string;
let em: () => Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
  [graceId = ''] = await newHosts(em(), 1);
  mailServer = await MailServer.open();
  runner = new JobRunner(database.em, kindsWith(mailServer), { warn: console.warn, error: console.error });
});
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await database.close();
});

const at = (type: LocationType, value: string) => ({ locations: [{ id: 'loc_1', label: null, type, value }] });
let day = 0;

/** A booking of a new host, who has the app or has not; everything about it is done. */
async function booked(changes: EventTypeChanges = at('CONFERENCING', 'video'), hasApp = true) {
  const hostIds = await namedHosts(database.em, 'Ada');
  const [hostId = ''] = hostIds;
  if (hasApp) await storeApp(database.em, publicId('user', hostId));
  const eventType = eventTypeOf(hostIds, changes);
  const start = slotOn(day++ % 5, '09:00');
  const { key } = await bookAs(em(), eventType, start, { attendee: GRACE }, graceId);
  await runner.settled();
  return { key, hostId, eventType, start };
}

async function placeOf({ ownerId, id }: OwnedId): Promise<{ url: string | null; references: string[] }> {
  const [found] = await rows(
    em(),
    sql<{ url: string | null; references: string[] }>`
      select location->>'url' as url, array(select r.url from booking_references r
        where r.owner_id = b.owner_id and r.booking_id = b.id) as references
      from bookings b where b.owner_id = ${ownerId} and b.id = ${id}`,
  );
  return found ?? { url: 'no such booking', references: [] };
}

test('an accepted booking has a link of its own, in its mails too', async () => {
  const [one, other] = [await booked(), await booked()];
  const [place, elsewhere] = [await placeOf(one.key), await placeOf(other.key)];
  expect(place.url).toMatch(LINK);
  expect(place.references).toEqual([place.url]);
  expect(elsewhere.url).not.toBe(place.url);
  const mails = mailServer.mails.filter(({ text }) => text.includes(place.url ?? ''));
  expect(mails.length).toBe(2);
  expect(mails[0]?.calendars[0]?.events[0]).toMatchObject({ location: place.url });
});

test.each([
  ['whose owner has connected no app', () => booked(at('CONFERENCING', 'video'), false)],
  ['at another kind of place', () => booked(at('ADDRESS', 'Main Street 1'))],
])('one %s has none', async (_which, make) => {
  const { key } = await make();
  expect(await placeOf(key)).toEqual({ url: null, references: [] });
});

test('a location that names an app which is not connected means the default', async () => {
  const { key } = await booked(at('CONFERENCING', 'zoom'));
  expect((await placeOf(key)).url).toMatch(LINK);
});

test('one that is to be confirmed gets its link with that', async () => {
  const { key, hostId } = await booked({ ...at('CONFERENCING', 'video'), rules: { confirmation: { kind: 'ALWAYS' } } });
  expect((await placeOf(key)).url).toBeNull();
  await confirmBooking(em(), { ...key, hostId, network: 'unknown' });
  await runner.settled();
  expect((await placeOf(key)).url).toMatch(LINK);
});

test('it keeps its room when it moves, and loses it when its place is another one', async () => {
  const { key, hostId, eventType, start } = await booked();
  const { url } = await placeOf(key);
  const asked = {
    start: start.add({ hours: 2 }),
    lengthInMinutes: null,
    reason: null,
    reservationId: null,
    callerId: null,
  };
  const next = await rescheduleBooking(em(), eventType, { key, ...asked });
  await runner.settled();
  expect((await placeOf(next)).url).toBe(url);
  await updateLocation(em(), { ...next, hostId, network: 'unknown' }, [], { type: 'ADDRESS', value: 'Main Street 1' });
  await runner.settled();
  expect((await placeOf(next)).url).toBeNull();
});
