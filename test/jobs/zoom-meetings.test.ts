import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newId, newTeamId, type OwnedId } from '../../src/core/id.ts';
import { changed, type Em, row, rows, sql } from '../../src/database/sql.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { enqueueJobs } from '../../src/jobs/job-queue.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import type { BookingKey } from '../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../src/modules/bookings/change/cancel-booking.ts';
import { reassignBooking } from '../../src/modules/bookings/change/reassign-booking.ts';
import { rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import type { BookableEventType } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { disconnectApp } from '../../src/modules/conferencing/conferencing-app.commands.ts';
import { own } from '../../src/modules/levels/reach.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { paced } from '../support/pace.ts';
import { headings, kindsWith, namedHosts } from './support/booking-mails.ts';
import { letTimePass, storedJobs } from './support/jobs.ts';
import { reviveAll, stopAll } from './support/stopping.ts';
import { ZoomAccounts } from './support/zoom-accounts.ts';

const GRACE = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC', locale: 'en', phone: null };
const IN_ZOOM = { locations: [{ id: 'loc_1', label: null, type: 'CONFERENCING' as const, value: 'zoom' }] };
const LINK = /^https:\/\/zoom\.example\/j\/\d+\?pwd=x$/;

let database: TestDatabase;
let mailServer: MailServer;
let world: ZoomAccounts;
let kinds: readonly JobKind[];
let graceId: string;
beforeAll(async () => {
  [database, mailServer, world] = await Promise.all([openTestDatabase(), MailServer.open(), ZoomAccounts.open()]);
  [graceId = ''] = await newHosts(em(), 1);
  kinds = kindsWith(mailServer, undefined, { conferencingAccounts: world.accounts });
});
beforeEach(async () => {
  world.zoom.reset();
  world.provider.atToken = () => false;
  mailServer.mails.splice(0);
  await rows(em(), sql`delete from jobs.job`);
  // A test's knowledge of a provider that is away is not for the next one.
  kinds = kindsWith(mailServer, undefined, { conferencingAccounts: world.accounts });
});
afterAll(() => Promise.all([database.close(), mailServer.close(), world.close()]));

const em = (): Em => database.em.fork();
const logged: string[] = [];
const LOG = {
  warn: (_detail: object, message: string) => void logged.push(message),
  error: (_detail: object, message: string) => void logged.push(message),
};

async function settle(by = kinds): Promise<void> {
  const runner = new JobRunner(database.em, by, LOG);
  await runner.settled();
  await runner.stop();
}

/** Does what waits, as often as there is something. */
async function letDaysPass(): Promise<void> {
  while ((await storedJobs(database.em)).some(({ isGivenUp }) => !isGivenUp)) {
    await letTimePass(database.em);
    await settle();
  }
}

/** A new host with an account, and their event type in it. */
async function aHost(): Promise<{ hostId: string; eventType: BookableEventType }> {
  const [hostId = ''] = await namedHosts(database.em, 'Ada');
  await world.connect(em(), hostId);
  return { hostId, eventType: eventTypeOf([hostId], IN_ZOOM) };
}

/** A team that the first of them owns. */
async function aTeam(userIds: readonly string[]): Promise<string> {
  const teamId = newTeamId();
  await rows(
    em(),
    sql`insert into teams (id, slug, name, time_zone, week_start, hides_branding, is_private, metadata, created_at, updated_at)
        values (${teamId}, ${teamId}::text, 'Team', 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
  );
  for (const [index, userId] of userIds.entries())
    await rows(
      em(),
      sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at, updated_at)
          values (${newId()}, ${teamId}, ${userId}, ${index === 0 ? 'OWNER' : 'MEMBER'}, true, now(), now())`,
    );
  return teamId;
}

let day = 0;
const someTime = () => slotOn(day++ % 5, '09:00');
const bookWith = async (eventType: BookableEventType, start = someTime()) =>
  (await book(em(), eventType, start, { attendee: GRACE }, graceId)).key;
/** Books, and does what is due. */
async function settled(eventType: BookableEventType, start = someTime()): Promise<BookingKey> {
  const key = await bookWith(eventType, start);
  await settle();
  return key;
}
const move = (eventType: BookableEventType, key: BookingKey, start: Temporal.Instant) =>
  rescheduleBooking(em(), eventType, {
    key,
    start,
    durationInMinutes: null,
    reason: null,
    reservationId: null,
    callerId: null,
  });
const cancel = (key: BookingKey) => cancelBooking(em(), undefined, { key, reason: null, callerId: null });

interface Place {
  readonly status: string;
  readonly location: { readonly url?: string; readonly awaits?: string };
  readonly references: readonly string[];
}
async function placeOf({ ownerId, id }: OwnedId): Promise<Place> {
  const found = await row(
    em(),
    sql<Place>`select b.status, b.location, coalesce((select json_agg(r.app || ' ' || r.url) from booking_references r
        where r.owner_id = b.owner_id and r.booking_id = b.id), '[]') as "references"
      from bookings b where b.owner_id = ${ownerId} and b.id = ${id}`,
  );
  if (!found) throw new Error('There is no such booking.');
  return found;
}
async function followAgain({ ownerId, id }: OwnedId, times = 1): Promise<void> {
  const found = await row(em(), sql<{ icsId: string }>`select ics_id as "icsId" from bookings where id = ${id}`);
  const data = { ownerId, id, icsId: found?.icsId, by: { userId: null, network: null } };
  await enqueueJobs(
    em(),
    Array.from({ length: times }, () => ({ queue: 'late-meetings', data })),
  );
}
const meetings = () => [...world.zoom.meetings.values()];
const rowsOf = ({ ownerId }: OwnedId) =>
  rows(em(), sql`select 1 from conferencing_meetings where owner_id = ${ownerId}`);

describe('a booking in an account at Zoom', () => {
  test('has its meeting before anybody hears of it: one mail each has the link', async () => {
    const { eventType } = await aHost();
    const start = someTime();
    const key = await bookWith(eventType, start);
    await settle();
    const [meeting, ...others] = meetings();
    expect(others).toEqual([]);
    expect(meeting).toMatchObject({ topic: 'Talk', start_time: start.toString(), duration: 30, timezone: 'UTC' });
    const { location, references } = await placeOf(key);
    expect([location.url, references]).toEqual([meeting?.join_url, [`zoom ${meeting?.join_url}`]]);
    expect(headings(mailServer.mails)).toEqual(['ada: New booking', 'grace: Booked']);
    for (const { text, calendars } of mailServer.mails) {
      expect(text).toContain(meeting?.join_url);
      expect(calendars[0]?.events[0]?.location).toBe(meeting?.join_url);
    }
    expect(await storedJobs(database.em)).toEqual([]);
  });

  test.each<[string, (hostId: string) => Promise<unknown>, (hostId: string) => Promise<unknown>]>([
    [
      'of a host who is suspended by then',
      (hostId) => rows(em(), sql`update users set suspended_at = now() where id = ${hostId} returning id`),
      (hostId) => rows(em(), sql`update users set suspended_at = null where id = ${hostId} returning id`),
    ],
    ['that has stopped by then', (hostId) => stopAll(em(), hostId), (hostId) => reviveAll(em(), hostId)],
  ])('gets no meeting in an account %s', async (_whose, end, goOn) => {
    const { hostId, eventType } = await aHost();
    const held = await settled(eventType);
    const { url } = (await placeOf(held)).location;
    const waiting = await bookWith(eventType);
    await end(hostId);
    await letDaysPass();
    expect([world.zoom.count('POST'), (await placeOf(waiting)).location.url]).toEqual([1, undefined]);
    // A booker who has the link of the one that is there keeps it.
    expect((await placeOf(held)).location.url).toBe(url);
    await goOn(hostId);
    const later = await settled(eventType);
    expect((await placeOf(later)).location.url).toMatch(LINK);
  });

  test('takes the meeting along when it moves, and out when it is cancelled', async () => {
    const { eventType } = await aHost();
    const key = await bookWith(eventType);
    await settle();
    const { url = '' } = (await placeOf(key)).location;
    const later = slotOn(day++ % 5, '14:00');
    const moved = await move(eventType, key, later);
    await settle();
    expect(meetings()).toMatchObject([{ join_url: url, start_time: later.toString() }]);
    expect([await placeOf(moved), (await placeOf(key)).references]).toMatchObject([
      { location: { url }, references: [`zoom ${url}`] },
      [],
    ]);
    await cancel(moved);
    await settle();
    expect([meetings(), (await placeOf(moved)).references, await rowsOf(key)]).toEqual([[], [], []]);
    expect(world.zoom.count('POST')).toBe(1);
  });

  test('is none before it is agreed on', async () => {
    const { eventType } = await aHost();
    await bookWith({ ...eventType, rules: { ...eventType.rules, confirmation: { type: 'ALWAYS' } } });
    await settle();
    expect(world.zoom.requests).not.toContain('POST /v2/users/me/meetings');
  });

  test('of a series has a meeting each', async () => {
    const { eventType } = await aHost();
    const recurrence = { frequency: 'DAILY', interval: 1, occurrences: 3 } as const;
    const daily = { ...eventType, rules: { ...eventType.rules, recurrence } };
    await book(em(), daily, slotOn(0, '11:00'), { attendee: GRACE, occurrences: 3 }, graceId);
    await settle();
    expect(meetings().map(({ start_time: at }) => at)).toEqual(
      [0, 1, 2].map((index) => slotOn(index, '11:00').toString()),
    );
  });

  test('that is handed over has its meeting in the account of the new host', async () => {
    const hostIds = await namedHosts(database.em, 'Ada', 'Bob');
    const teamId = await aTeam(hostIds);
    for (const userId of hostIds) await world.connect(em(), userId);
    const eventType = {
      ...eventTypeOf(hostIds, { ...IN_ZOOM, rules: { schedulingType: 'ROUND_ROBIN' } }),
      ownerId: teamId,
    };
    const key = await bookWith(eventType);
    await settle();
    const [before] = meetings();
    const fromId = hostIds.find((id) => before?.host.startsWith(id)) ?? '';
    const toId = await reassignBooking(em(), eventType, { ...key, hostId: fromId, network: 'unknown' }, null);
    mailServer.mails.splice(0);
    await settle();
    const [after, ...others] = meetings();
    expect([after?.host, others]).toEqual([`${toId}@zoom.example`, []]);
    const { location, references } = await placeOf(key);
    expect([location.url, references]).toEqual([after?.join_url, [`zoom ${after?.join_url}`]]);
    const told = mailServer.mails.find(({ mailbox }) => mailbox === GRACE.email);
    expect([told?.email.subject, told?.text]).toEqual([
      expect.stringMatching(/^New host/),
      expect.stringContaining(after?.join_url ?? ''),
    ]);
  });
});

type Broken = (typeof world.zoom)['before'];
const html: Broken = (_asked, response) => (
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'), true
);
const answering =
  (status: number, body: unknown, headers = {}): Broken =>
  (_asked, response) => (
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)), true
  );

describe('when Zoom', () => {
  test.each<[string, Broken]>([
    ['answers 500', answering(500, { code: 5_000 })],
    ['answers HTML', html],
    ['says Retry-After', answering(429, { code: 429 }, { 'retry-after': '7200' })],
    ['breaks the connection off', (_asked, response) => (response.destroy(), true)],
    ['does not answer', (_asked, response) => pause(1_500).then(() => (response.destroy(), true))],
    ['refuses it', answering(400, { code: 300 })],
    ['links to a script', answering(201, { id: 1, join_url: 'javascript:alert(1)' })],
    ['links to nowhere', answering(201, { id: 1 })],
  ])('%s, the booking stands, the link follows, and a mail tells when it is there', async (_how, before) => {
    const { eventType } = await aHost();
    world.zoom.before = async (asked, response) => asked.method === 'POST' && before(asked, response);
    const key = await bookWith(eventType);
    await settle();
    expect(await placeOf(key)).toMatchObject({ status: 'ACCEPTED', location: { awaits: 'Zoom' }, references: [] });
    expect(headings(mailServer.mails)).toEqual(['ada: New booking', 'grace: Booked']);
    for (const { text, calendars } of mailServer.mails) {
      expect(text).toContain('Zoom (link to follow)');
      expect(calendars[0]?.events[0]?.location).toBe('Zoom (link to follow)');
    }
    mailServer.mails.splice(0);
    world.zoom.before = () => false;
    await letDaysPass();
    const { location } = await placeOf(key);
    expect([location.url, location.awaits]).toEqual([expect.stringMatching(LINK), undefined]);
    expect(meetings().map(({ join_url: url }) => url)).toEqual([location.url]);
    expect(headings(mailServer.mails)).toEqual(['ada: New location', 'grace: New location']);
    for (const { text } of mailServer.mails) expect(text).toContain(location.url);
    expect(mailServer.mails.map(({ calendars }) => calendars[0]?.events[0]?.sequence)).toEqual([1, 1]);
  });

  test('takes longer for a series than others wait, the rest of its links follow, and no other owner notices', async () => {
    // Less than a call may take: it is our timeout that ends them.
    kinds = kindsWith(mailServer, undefined, { conferencingAccounts: world.accounts, meetingTimeoutMs: 900 });
    const [series, single] = [await aHost(), await aHost()];
    const recurrence = { frequency: 'DAILY', interval: 1, occurrences: 4 } as const;
    const daily = { ...series.eventType, rules: { ...series.eventType.rules, recurrence } };
    await book(em(), daily, slotOn(0, '11:00'), { attendee: GRACE, occurrences: 4 }, graceId);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    world.zoom.before = ({ method }, response) =>
      method === 'POST' && world.zoom.count('POST') > 1 && released.then(() => (response.destroy(), true));
    await settle();
    const names = await rows(
      em(),
      sql<{ name: string }>`select coalesce(location->>'awaits', 'linked') as name from bookings
        where owner_id = ${series.hostId} order by starts_at`,
    );
    expect(names.map(({ name }) => name)).toEqual(['linked', 'Zoom', 'Zoom', 'Zoom']);
    world.zoom.before = () => false;
    release();
    expect((await placeOf(await settled(single.eventType))).location.url).toMatch(LINK);
  });

  test('takes long for many bookings of one owner, a few of them wait for it, and another owner has a link meanwhile', async () => {
    kinds = kindsWith(mailServer, undefined, { conferencingAccounts: world.accounts, meetingTimeoutMs: paced(3_000) });
    const [busy, other] = [await aHost(), await aHost()];
    const times = ['09:00', '10:00', '11:00', '12:00'].flatMap((time) =>
      [0, 1, 2, 3, 4].map((one) => slotOn(one, time)),
    );
    // The host whose token it is: later, either of them may ask first.
    let token = '';
    world.zoom.before = ({ accessToken }) => {
      token = accessToken;
      return false;
    };
    await bookWith(busy.eventType, slotOn(0, '13:00'));
    await settle();
    for (const start of times) await bookWith(busy.eventType, start);
    const key = await bookWith(other.eventType);
    let ended = 0;
    world.zoom.before = ({ method, accessToken }, response) => {
      if (method !== 'POST' || accessToken !== token) return false;
      return once(response, 'close').then(() => {
        ended += 1;
        return true;
      });
    };
    const all = settle();
    await vi.waitFor(async () => expect((await placeOf(key)).location.url).toMatch(LINK), { timeout: paced(10_000) });
    expect(ended).toBe(0);
    await all;
  });

  test('answers one owner nothing, the next booking of theirs waits for no answer, and that of another has one', async () => {
    const [broken, healthy] = [await aHost(), await aHost()];
    world.zoom.before = ({ method }, response) => method === 'POST' && (response.writeHead(500).end(), true);
    await settled(broken.eventType);
    expect((await placeOf(await settled(broken.eventType))).location.awaits).toBe('Zoom');
    expect(world.zoom.count('POST')).toBe(1);
    world.zoom.before = () => false;
    expect((await placeOf(await settled(healthy.eventType))).location.url).toMatch(LINK);
  });

  test('asks to be left alone for two hours, it is not asked sooner', async () => {
    const { eventType } = await aHost();
    world.zoom.before = ({ method }, response) =>
      method === 'POST' && (response.writeHead(429, { 'retry-after': '7200' }).end('{}'), true);
    await bookWith(eventType);
    await settle();
    await letTimePass(database.em);
    await settle();
    const waits = await rows(
      em(),
      sql<{
        seconds: number;
      }>`select extract(epoch from start_after - now())::int as seconds from jobs.job where queue = 'late-meetings'`,
    );
    expect(waits).toHaveLength(1);
    expect(waits[0]?.seconds).toBeGreaterThan(7_000);
  });

  test('has made the meeting and its answer was lost, that one is found and taken', async () => {
    const { eventType } = await aHost();
    world.zoom.pageSize = 2;
    for (const time of ['10:00', '12:00', '13:00']) await bookWith(eventType, slotOn(0, time));
    await settle();
    world.zoom.after = ({ method }, response) => method === 'POST' && (response.destroy(), true);
    const key = await bookWith(eventType, slotOn(0, '14:00'));
    await settle();
    expect([meetings().length, (await placeOf(key)).location.awaits]).toEqual([4, 'Zoom']);
    world.zoom.after = () => false;
    await letDaysPass();
    expect([meetings().length, world.zoom.count('POST')]).toEqual([4, 4]);
    expect((await placeOf(key)).location.url).toBe(meetings().at(-1)?.join_url);
  });

  test('has lost the meeting, which its host has deleted there, another one takes its place', async () => {
    const { eventType } = await aHost();
    const key = await bookWith(eventType);
    await settle();
    const { url } = (await placeOf(key)).location;
    world.zoom.meetings.clear();
    const moved = await move(eventType, key, slotOn(day++ % 5, '15:00'));
    await settle();
    const after = (await placeOf(moved)).location;
    expect([after.url === url, meetings().map(({ join_url: link }) => link)]).toEqual([false, [after.url]]);
    expect((await placeOf(moved)).references).toEqual([`zoom ${after.url}`]);
  });

  test.each([
    ['moves', (eventType: BookableEventType, key: BookingKey) => move(eventType, key, slotOn(day++ % 5, '14:00')), 1],
    ['is cancelled', (_eventType: BookableEventType, key: BookingKey) => cancel(key).then(() => key), 0],
  ])(
    'has lost the meeting and the answer to another one, that one is found when the booking %s',
    async (_how, change, left) => {
      const { eventType } = await aHost();
      const key = await bookWith(eventType);
      await settle();
      world.zoom.meetings.clear();
      world.zoom.after = ({ method }, response) => method === 'POST' && (response.destroy(), true);
      const moved = await move(eventType, key, slotOn(day++ % 5, '15:00'));
      await settle();
      expect(meetings()).toHaveLength(1);
      world.zoom.after = () => false;
      const last = await change(eventType, moved);
      await settle();
      await letDaysPass();
      expect([meetings().length, world.zoom.count('POST')]).toEqual([left, 2]);
      expect((await placeOf(last)).references).toEqual(meetings().map(({ join_url: url }) => `zoom ${url}`));
    },
  );

  test('is connected again with another account, meetings of the old one are made anew there, or given up', async () => {
    const { hostId, eventType } = await aHost();
    const keys = [
      await bookWith(eventType, slotOn(4, '10:00')),
      await bookWith(eventType, slotOn(4, '11:00')),
    ] as const;
    await settle();
    const old = meetings();
    const account = await world.connect(em(), hostId, hostId, `${newId()}@zoom.example`);
    const moved = await move(eventType, keys[0], slotOn(4, '15:00'));
    await cancel(keys[1]);
    await settle();
    const [anew, ...others] = meetings().filter(({ id }) => !old.some((one) => one.id === id));
    expect([anew?.host, others]).toEqual([account, []]);
    const { location, references } = await placeOf(moved);
    expect([location.url, references]).toEqual([anew?.join_url, [`zoom ${anew?.join_url}`]]);
    expect([(await placeOf(keys[1])).references, await storedJobs(database.em)]).toEqual([[], []]);
  });

  test.each<[number, number, boolean]>([
    [404, 1_001, true],
    [400, 1_010, true],
    [400, 3_000, true],
    [400, 3_003, true],
    [403, 3_161, true],
    [400, 300, false],
    [404, 300, false],
    [500, 3_001, false],
  ])('answers %i with code %i to a change, another meeting is made: %s', async (status, code, isMade) => {
    const { eventType } = await aHost();
    const key = await bookWith(eventType);
    await settle();
    world.zoom.before = async (asked, response) =>
      asked.method === 'PATCH' && answering(status, { code })(asked, response);
    await move(eventType, key, slotOn(day++ % 5, '14:00'));
    await settle();
    const isRetried = world.zoom.count('PATCH') > 1;
    expect([world.zoom.count('POST'), isRetried]).toEqual(isMade ? [2, false] : [1, true]);
  });

  test.each([
    ['ours, and its process was killed before it had set the new link, the new meeting stays and is linked', true],
    ['from elsewhere, the meeting goes and the link stays', false],
  ])('has another meeting than the link leads to, which is %s', async (_which, isOurs) => {
    const { eventType } = await aHost();
    const key = await bookWith(eventType);
    await settle();
    const { url = '' } = (await placeOf(key)).location;
    const old = isOurs ? 'https://zoom.example/j/deleted?pwd=x' : 'https://meet.example/adas-own';
    await rows(
      em(),
      sql`update bookings set location = location || jsonb_build_object('url', ${old}::text) where id = ${key.id}`,
    );
    if (isOurs)
      await rows(
        em(),
        sql`update booking_references set id = 'deleted', url = ${old} where booking_id = ${key.id} and app = 'zoom'`,
      );
    await followAgain(key);
    await settle();
    const place = await placeOf(key);
    const after = [place.location.url, place.references, meetings().map(({ join_url: link }) => link)];
    expect(after).toEqual(isOurs ? [url, [`zoom ${url}`], [url]] : [old, [], []]);
    await cancel(key);
    await settle();
    expect([meetings(), (await placeOf(key)).references]).toEqual([[], []]);
  });

  test('gives none for a day, the hosts are told, and nobody else', async () => {
    const { eventType } = await aHost();
    world.zoom.before = ({ method }, response) => method === 'POST' && (response.writeHead(500).end(), true);
    const key = await bookWith(eventType);
    await settle();
    mailServer.mails.splice(0);
    await letDaysPass();
    expect(headings(mailServer.mails)).toEqual(['ada: No video link']);
    expect(await placeOf(key)).toMatchObject({ status: 'ACCEPTED', location: { type: 'CONFERENCING', value: 'zoom' } });
    expect((await placeOf(key)).location.awaits).toBeUndefined();
  });

  test('is disconnected while a link is to come, the hosts are told; those that there are stay', async () => {
    const { hostId, eventType } = await aHost();
    const linked = await bookWith(eventType);
    await settle();
    world.zoom.before = ({ method }, response) => method === 'POST' && (response.writeHead(500).end(), true);
    const waiting = await bookWith(eventType);
    await settle();
    mailServer.mails.splice(0);
    const app = await row(em(), sql<{ id: string }>`select id from conferencing_apps where owner_id = ${hostId}`);
    await disconnectApp(em(), own(hostId), app?.id ?? '');
    await letDaysPass();
    expect(headings(mailServer.mails)).toEqual(['ada: No video link']);
    expect([(await placeOf(linked)).location.url, (await placeOf(waiting)).location.url]).toEqual([
      expect.stringMatching(LINK),
      undefined,
    ]);
  });
});

const refuse = () => {
  world.zoom.before = answering(401, { code: 124, message: 'Invalid access token.' });
  const error = JSON.stringify({ error: 'invalid_grant' });
  world.provider.atToken = (_request, response) => (
    response.writeHead(400, { 'content-type': 'application/json' }).end(error), true
  );
};
const resume = () => {
  world.zoom.before = () => false;
  world.provider.atToken = () => false;
};
const AGAIN = 'Please reconnect your Zoom account';
const told = () =>
  mailServer.mails.flatMap(({ mailbox, email }) =>
    email.subject?.includes('reconnect') ? [[mailbox, email.subject]] : [],
  );

describe('an account that lets us in no more', () => {
  test('is told to its user once, until they connect it again: then what waits gets its link', async () => {
    const { hostId, eventType } = await aHost();
    const mailbox = `ada.${hostId}@acme.example`;
    refuse();
    const keys = [await bookWith(eventType, slotOn(3, '10:00')), await bookWith(eventType, slotOn(3, '11:00'))];
    await settle();
    await letTimePass(database.em);
    await settle();
    expect(told()).toEqual([[mailbox, AGAIN]]);
    resume();
    await world.connect(em(), hostId);
    await letDaysPass();
    for (const key of keys) expect((await placeOf(key)).location.url).toMatch(LINK);
    expect(told()).toHaveLength(1);
    refuse();
    await bookWith(eventType, slotOn(3, '12:00'));
    await settle();
    expect(told()).toEqual([
      [mailbox, AGAIN],
      [mailbox, AGAIN],
    ]);
  });

  test('is reported to those who lead its team', async () => {
    const hostIds = await namedHosts(database.em, 'Ada', 'Bob');
    const teamId = await aTeam(hostIds);
    await world.connect(em(), teamId, hostIds[0]);
    world.zoom.before = answering(400, { code: 4711, message: 'Invalid access token, does not contain scopes.' });
    await bookWith({ ...eventTypeOf(hostIds, IN_ZOOM), ownerId: teamId });
    await settle();
    expect(told()).toEqual([[`ada.${hostIds[0]}@acme.example`, 'Please reconnect your team’s Zoom account']]);
  });

  test('because an access token was refused before its time is none: it is renewed, and nobody is told', async () => {
    const { eventType } = await aHost();
    let refused = 0;
    world.zoom.before = (_asked, response) => refused++ === 0 && (response.writeHead(401).end('{"code":124}'), true);
    const key = await bookWith(eventType);
    await settle();
    expect([refused > 1, told(), meetings().length]).toEqual([true, [], 1]);
    expect((await placeOf(key)).location.url).toMatch(LINK);
  });
});

describe('one meeting is made', () => {
  test('by fifty attempts at once in two processes', async () => {
    const { eventType } = await aHost();
    const key = await bookWith(eventType);
    await rows(em(), sql`delete from domain_events`);
    await followAgain(key, 50);
    world.zoom.before = ({ method }) => (method === 'POST' ? pause(200, false) : false);
    await Promise.all([
      settle(kinds),
      settle(kindsWith(mailServer, undefined, { conferencingAccounts: world.accounts })),
    ]);
    await letDaysPass();
    expect([meetings().length, world.zoom.count('POST')]).toEqual([1, 1]);
    expect((await placeOf(key)).location.url).toBe(meetings()[0]?.join_url);
  });

  test('though the process that was about to make it was killed, before or after Zoom was asked', async () => {
    const { hostId, eventType } = await aHost();
    for (const isMade of [false, true]) {
      const key = await bookWith(eventType);
      if (isMade) {
        world.zoom.after = ({ method }, response) => method === 'POST' && (response.destroy(), true);
        await settle();
        world.zoom.after = () => false;
      }
      await rows(
        em(),
        sql`insert into conferencing_meetings (owner_id, ics_id, holder_id, app_id, claim, claimed_until, asked_at, created_at)
            select b.owner_id, b.ics_id, a.owner_id, a.id, ${newId()}, now() + interval '1 minute', now(), now()
            from bookings b join conferencing_apps a on a.owner_id = ${hostId} where b.id = ${key.id}
            on conflict (owner_id, ics_id, app_id) do update set claim = excluded.claim, claimed_until = excluded.claimed_until`,
      );
      await letTimePass(database.em);
      await settle();
      expect((await placeOf(key)).location.url).toBeUndefined();
      await changed(em(), sql`update conferencing_meetings set claimed_until = now() - interval '1 second'`);
      await letDaysPass();
      expect((await placeOf(key)).location.url).toMatch(LINK);
    }
    expect([meetings().length, world.zoom.count('POST')]).toEqual([2, 2]);
  });

  test('or none, of a booking that is moved and cancelled at once while it is made', async () => {
    const { eventType } = await aHost();
    for (const time of ['09:00', '10:00', '11:00', '12:00']) {
      const key = await bookWith(eventType, slotOn(0, time));
      world.zoom.before = ({ method }) => (method === 'POST' ? pause(100, false) : false);
      const working = settle();
      await Promise.allSettled([move(eventType, key, slotOn(1, time)), cancel(key), working]);
      await settle();
      await letDaysPass();
      const standing = await rows(
        em(),
        sql<{
          url: string;
          start: string;
        }>`select location->>'url' as url, starts_at as start from bookings where owner_id = ${key.ownerId} and status = 'ACCEPTED' order by starts_at`,
      );
      const expected = standing.map(({ url, start }) => [
        url,
        Temporal.Instant.from(start.replace(' ', 'T')).toString(),
      ]);
      const made = meetings().map(({ join_url: url, start_time: at }) => [url, at] as const);
      expect(made.toSorted(([, one], [, other]) => one.localeCompare(other))).toEqual(expected);
      for (const { url } of standing) expect(url).toMatch(LINK);
    }
  });
});

test('and whatever Zoom has done wrong, no job has failed', () => expect(logged).toEqual([]));
