import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OwnedId, publicId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { relayEvents } from '../../src/jobs/job-queue.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { confirmBooking } from '../../src/modules/bookings/change/confirm-booking.ts';
import { rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import { updateLocation } from '../../src/modules/bookings/change/update-location.ts';
import { connectCalendars } from '../../src/modules/calendars/connections/calendar-connection.commands.ts';
import type { LocationType } from '../../src/modules/event-types/settings/location.rules.ts';
import {
  book as bookAs,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  slotOn,
} from '../modules/bookings/support/booked-hosts.ts';
import { OPEN_TO_ALL, testCalendarAccounts } from '../support/calendar-accounts.ts';
import { storeApp } from '../support/conferencing-apps.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { kindsWith, namedHosts } from './support/booking-mails.ts';
import { storeWebhooks } from './support/webhooks.ts';

const LINK = /^https:\/\/meet\.example\/rooms\/[\w-]{22}$/;
const GRACE = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC', locale: 'en', phone: null };

/** The texts that were written into calendars. */
const written: string[] = [];
const calendarAccounts = testCalendarAccounts({
  ...OPEN_TO_ALL,
  write: async (authorization, calendarId, entry, kept) => {
    written.push(entry.ics);
    return OPEN_TO_ALL.write(authorization, calendarId, entry, kept);
  },
});
let database: TestDatabase;
let mailServer: MailServer;
let runner: JobRunner;
let kinds: readonly JobKind[];
let graceId: string;
let em: () => Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
  [graceId = ''] = await newHosts(em(), 1);
  mailServer = await MailServer.open();
  kinds = kindsWith(mailServer, undefined, { calendarAccounts });
  runner = new JobRunner(database.em, kinds, { warn: console.warn, error: console.error });
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
  const made = await justBooked(changes, hasApp);
  await runner.settled();
  return made;
}

async function justBooked(changes: EventTypeChanges, hasApp = true) {
  const hostIds = await namedHosts(database.em, 'Ada');
  const [hostId = ''] = hostIds;
  if (hasApp) await storeApp(database.em, publicId('user', hostId));
  const eventType = eventTypeOf(hostIds, changes);
  const start = slotOn(day++ % 5, '09:00');
  const { key } = await bookAs(em(), eventType, start, { attendee: GRACE }, graceId);
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
  const { key, hostId } = await booked({ ...at('CONFERENCING', 'video'), rules: { confirmation: { type: 'ALWAYS' } } });
  expect((await placeOf(key)).url).toBeNull();
  await confirmBooking(em(), { ...key, hostId, network: 'unknown' });
  await runner.settled();
  expect((await placeOf(key)).url).toMatch(LINK);
});

test('said again, its place keeps the link', async () => {
  const { key, hostId } = await booked();
  const { url } = await placeOf(key);
  await updateLocation(em(), { ...key, hostId, network: 'unknown' }, [], { type: 'CONFERENCING', app: 'video' });
  expect((await placeOf(key)).url).toBe(url);
});

test('one that has missed its link gets it when its place is said again', async () => {
  const { key, hostId } = await booked(at('CONFERENCING', 'video'), false);
  await storeApp(database.em, publicId('user', hostId));
  await updateLocation(em(), { ...key, hostId, network: 'unknown' }, [], { type: 'CONFERENCING', app: 'video' });
  await runner.settled();
  expect((await placeOf(key)).url).toMatch(LINK);
});

test('it keeps its room when it moves, and loses it when its place is another one', async () => {
  const { key, hostId, eventType, start } = await booked();
  const { url } = await placeOf(key);
  const asked = {
    start: start.add({ hours: 2 }),
    durationInMinutes: null,
    reason: null,
    reservationId: null,
    callerId: null,
  };
  const next = await rescheduleBooking(em(), eventType, { key, ...asked });
  await runner.settled();
  expect((await placeOf(next)).url).toBe(url);
  await updateLocation(em(), { ...next, hostId, network: 'unknown' }, [], {
    type: 'ADDRESS',
    address: 'Main Street 1',
  });
  await runner.settled();
  expect((await placeOf(next)).url).toBeNull();
});

async function waitingQueues(): Promise<string[]> {
  const waiting = await rows(em(), sql<{ queue: string }>`select queue from jobs.job`);
  return waiting.map(({ queue }) => queue).toSorted();
}

describe('others are told of a booking', () => {
  test.each([
    ['in an app once it has its link', at('CONFERENCING', 'video'), ['meetings']],
    [
      'elsewhere at once',
      at('ADDRESS', 'Main Street 1'),
      ['booking-mails', 'calendar-events', 'webhooks', 'workflows'],
    ],
  ])('%s', async (_where, changes, queues) => {
    await justBooked(changes);
    await relayEvents(em(), kinds, 10);
    expect(await waitingQueues()).toEqual(queues);
    await runner.settled();
    expect(await waitingQueues()).toEqual([]);
  });

  test('by mails and entries that have the link from the first', async () => {
    const { key, hostId } = await justBooked(at('CONFERENCING', 'video'));
    await storeWebhooks(em(), hostId, ['https://receiver.invalid/']);
    await connectCalendars(em(), {
      userId: hostId,
      provider: 'APPLE',
      account: 'ada@icloud.test',
      listed: [{ externalId: 'https://calendars.example/agenda/', name: 'Work', isPrimary: true, isReadOnly: false }],
      opened: async (id) => {
        const account = { username: 'ada@icloud.test', appPassword: 'x' };
        return { credentials: await calendarAccounts.seal(account, { userId: hostId, id }), accessId: null };
      },
    });
    await runner.settled();
    const { url } = await placeOf(key);
    expect(url).toMatch(LINK);
    const messages = await rows(em(), sql<{ payload: string }>`select payload from webhook_deliveries`);
    expect(messages.map(({ payload }) => JSON.parse(payload).data.booking.location)).toEqual([
      { type: 'CONFERENCING', text: url, url, app: 'video', address: null, phone: null },
    ]);
    expect(written.map((ics) => /^LOCATION:(.*?)\r?$/m.exec(ics.replaceAll('\r\n ', ''))?.[1])).toEqual([url]);
    await rows(em(), sql`delete from jobs.job`);
  });
});
