/** Whoever takes somebody's time asks their calendars first: what is there just before is in the way. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Background } from '../../../src/core/background.ts';
import { newId } from '../../../src/core/id.ts';
import { apartFromCaller } from '../../../src/database/deadline.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import { NOBODY } from '../../../src/events/record-event.ts';
import { icsFeedsKind } from '../../../src/jobs/kinds/ics-feeds.job.ts';
import { ServerTurns } from '../../../src/limits/server-turns.ts';
import { createBooking } from '../../../src/modules/bookings/book/book.ts';
import { confirmBooking } from '../../../src/modules/bookings/change/confirm-booking.ts';
import { reassignBooking } from '../../../src/modules/bookings/change/reassign-booking.ts';
import { rescheduleBooking } from '../../../src/modules/bookings/change/reschedule-booking.ts';
import { listSlots } from '../../../src/modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { rereadFeed } from '../../../src/modules/calendars/feeds/reread-feed.ts';
import { FEED_TRIES, saveFeeds } from '../../../src/modules/calendars/feeds/save-feeds.ts';
import { FreshCalendars } from '../../../src/modules/calendars/fresh-calendars.ts';
import { icsUid } from '../../../src/modules/calendars/ics-uid.rules.ts';
import { unionOf } from '../../../src/modules/schedules/interval.rules.ts';
import { aRunner, letTimePass, storedJobs } from '../../jobs/support/jobs.ts';
import { testCalendarAccounts } from '../../support/calendar-accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { TEST_FEEDS } from '../../support/feeds.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { ownGuessLimit } from '../../support/own-guess-limit.ts';
import { paced } from '../../support/pace.ts';
import { statementsOf } from '../../support/plans.ts';
import {
  aRequest,
  book,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  outcomesOf,
  slotOn,
  times,
} from '../bookings/support/booked-hosts.ts';
import { CalendarServer } from './feeds/support/calendar-server.ts';
import { calendar, event } from './feeds/support/ics.ts';

let database: TestDatabase;
let server: CalendarServer;
beforeAll(async () => {
  database = await openTestDatabase();
  server = await CalendarServer.start();
  serve(database);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const em = () => database.em.fork();

const background = new Background((error) => onError(error), apartFromCaller);

/** As a process on the database. */
function serve(on: TestDatabase): FreshCalendars {
  const hosts = new ServerTurns().ofVisitors;
  const settings = {
    em: on.em,
    feeds: TEST_FEEDS,
    calendarAccounts: testCalendarAccounts(),
    hosts,
    background,
    onError,
  };
  return new FreshCalendars(settings).serve();
}
const errors: unknown[] = [];
const onError = (error: unknown): void => void errors.push(error);
afterEach(() => {
  const [first] = errors.splice(0);
  if (first !== undefined) throw new Error('A question has failed.', { cause: first });
});

const [NINE, HALF_PAST, TEN] = [slotOn(0, '09:00'), slotOn(0, '09:30'), slotOn(0, '10:00')];
const utc = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
let count = 0;
/** A calendar with half hours that are taken. The server makes its tag of the length, so each of them has another one. */
const busyAt = (...at: Temporal.Instant[]): string => {
  count += 1;
  const events = at.map((one) => event(`UID:${utc(one)}\nDTSTART:${utc(one)}\nDURATION:PT30M`));
  return calendar(`X-COUNT:${'x'.repeat(count)}`, ...events);
};

let hosts: string[];
let asked: number;
beforeEach(async () => {
  serve(database);
  hosts = await newHosts(em(), 3);
  asked = server.asked.length;
});
const path = (place = 0) => `/${hosts[place]}.ics`;
/** A host's calendar, which nothing is in yet and which was read a while ago. */
async function connect(place = 0): Promise<void> {
  const userId = hosts[place] ?? '';
  const urls = [server.publish(path(place), busyAt(TEN))];
  const tries = ownGuessLimit(FEED_TRIES, database);
  await saveFeeds(em(), userId, { urls, keepIds: [] }, { ...TEST_FEEDS, allowsPrivate: true, tries });
  asked = server.asked.length;
}
const askedFor = (place = 0) => server.asked.slice(asked).filter((one) => one.path === path(place)).length;
const silenced = async () =>
  rows(
    em(),
    sql<{
      type: string;
      ownerId: string;
    }>`select type, owner_id as "ownerId" from domain_events where type like '%SILENT' and owner_id = any(${hosts}::uuid[])`,
  );

const changed = (place: number, ...at: Temporal.Instant[]) => server.publish(path(place), busyAt(...at));
const talkOf = (hostIds: readonly string[], rules: EventTypeChanges['rules'] = {}) => eventTypeOf(hostIds, { rules });
const hostsOf = (): Promise<readonly string[]> =>
  rows(
    em(),
    sql<{
      id: string;
    }>`select user_id as id from booking_hosts where user_id = any(${hosts}::uuid[]) and status <> 'CANCELLED'`,
  ).then((found) => found.map(({ id }) => id).toSorted());

const booked = (talk: BookableEventType, start: Temporal.Instant) => book(em(), talk, start);
const moving = (talk: BookableEventType, key: Awaited<ReturnType<typeof book>>['key'], start: Temporal.Instant) =>
  rescheduleBooking(em(), talk, {
    key,
    start,
    durationInMinutes: null,
    reason: null,
    reservationId: null,
    callerId: null,
  });

describe('a meeting that has just been entered', () => {
  type Act = (talk: BookableEventType, start: Temporal.Instant) => Promise<unknown>;
  const seats = { perSlot: 2, showsAttendees: false };
  const acts: readonly [string, EventTypeChanges['rules'], Act][] = [
    ['booking', {}, booked],
    ['booking what is counted', { bookingLimits: { day: { maxBookings: 5 } } }, booked],
    ['booking the first seat', { seats }, booked],
    [
      'booking a series',
      { recurrence: { frequency: 'DAILY', interval: 1, occurrences: 2 } },
      (talk, start) => book(em(), talk, start.subtract({ hours: 24 })),
    ],
    ['requesting', { confirmation: { type: 'ALWAYS' } }, booked],
  ];
  test.each(acts)('is in the way of %s, and the list of slots shows it', async (_, rules, act) => {
    // A series begins on Monday: the meeting is on Tuesday.
    const [start, later] = rules?.recurrence ? [slotOn(1, '09:00'), slotOn(1, '10:00')] : [NINE, HALF_PAST];
    await connect();
    const talk = talkOf(hosts.slice(0, 1), rules);
    changed(0, start);
    const alone = { ...talk, rules: { ...talk.rules, recurrence: null } };
    expect(await outcomeOf(act(talk, start))).toBe('SLOT_TAKEN');
    expect(askedFor()).toBe(1);
    const range = { start, end: start.add({ hours: 1 }), timeZone: 'UTC', durationInMinutes: null, rescheduled: null };
    const [first] = await listSlots(em(), alone, range);
    expect(first?.start).toBe(start.add({ minutes: 30 }).epochMilliseconds);
    expect(await outcomeOf(act(talk, later))).toBe('done');
  });

  test('is in the way of moving a booking, which stays where it was', async () => {
    const talk = talkOf(hosts.slice(0, 1));
    const { key } = await book(em(), talk, slotOn(0, '12:00'));
    await connect();
    changed(0, NINE);
    expect(await outcomeOf(moving(talk, key, NINE))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(moving(talk, key, HALF_PAST))).toBe('done');
  });

  test('is in the way of handing a booking over', async () => {
    const talk = talkOf(hosts.slice(0, 2), { schedulingType: 'ROUND_ROBIN' });
    const { key } = await book(em(), talk, NINE);
    const [from = ''] = await hostsOf();
    const to = from === hosts[0] ? 1 : 0;
    await connect(to);
    changed(to, NINE);
    const handing = () => reassignBooking(em(), talk, { ...key, hostId: from, network: 'unknown' }, null);
    expect(await outcomeOf(handing())).toBe('HOST_NOT_AVAILABLE');
    expect(askedFor(to)).toBe(1);
  });

  test('is in the way of confirming a request', async () => {
    const talk = talkOf(hosts.slice(0, 1), { confirmation: { type: 'ALWAYS' } });
    const { key } = await book(em(), talk, NINE);
    await connect();
    changed(0, NINE);
    const confirming = () => confirmBooking(em(), { ...key, hostId: hosts[0] ?? '', network: 'unknown' });
    expect(await outcomeOf(confirming())).toBe('SLOT_TAKEN');
    changed(0, TEN);
    await letAgeBy(3);
    expect(await outcomeOf(confirming())).toBe('done');
  });

  test('gives the turn of a round robin to the next, who is asked as well', async () => {
    await Promise.all([connect(0), connect(1), connect(2)]);
    const talk = talkOf(hosts, { schedulingType: 'ROUND_ROBIN' });
    const [first = '', second = ''] = hosts.toSorted();
    for (const id of [first, second]) changed(hosts.indexOf(id), NINE);
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('done');
    expect(await hostsOf()).toEqual(hosts.toSorted().slice(2));
    expect([askedFor(0), askedFor(1), askedFor(2)]).toEqual([1, 1, 1]);
  });

  test('is in the way of all when its host attends together with others', async () => {
    await connect(1);
    changed(1, NINE);
    expect(await outcomeOf(book(em(), talkOf(hosts.slice(0, 2)), NINE))).toBe('SLOT_TAKEN');
  });

  test('is no meeting where it is the entry of the booking itself', async () => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    const { key } = await book(em(), talk, NINE);
    const found = await rows(em(), sql<{ icsId: string }>`select ics_id as "icsId" from bookings where id = ${key.id}`);
    const own = `UID:${icsUid(found[0]?.icsId ?? '')}\nDTSTART:${utc(NINE)}\nDURATION:PT30M`;
    server.publish(path(), calendar(event(own)));
    await letAgeBy(3);
    expect(await outcomeOf(moving(talk, key, NINE.add({ minutes: 30 })))).toBe('done');
  });
});

/** As if so many seconds had passed since calendars were asked. */
function letAgeBy(seconds: number): Promise<unknown> {
  return rows(
    em(),
    sql`update ics_feeds set asked_at = asked_at - make_interval(secs => ${seconds}),
          answered_at = answered_at - make_interval(secs => ${seconds}), read_at = read_at - make_interval(secs => ${seconds})
        where user_id = any(${hosts}::uuid[])`,
  );
}

describe('the time that is asked about', () => {
  test('is nothing about a time that cannot be had anyway', async () => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    expect(await outcomeOf(book(em(), talk, TEN))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(book(em(), talk, slotOn(0, '06:00')))).toBe('SLOT_NOT_OFFERED');
    expect(askedFor()).toBe(0);
  });

  test('is a question of conditions, once for fifty who come at once, and again two seconds later', async () => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    const fifty = await outcomesOf(times(50, () => book(em(), talk, NINE)));
    expect(fifty).toEqual({ done: 1, SLOT_TAKEN: 49 });
    expect(askedFor()).toBe(1);
    expect(server.asked.at(-1)).toMatchObject({ status: 304 });
    expect(await outcomeOf(book(em(), talk, HALF_PAST))).toBe('done');
    expect(askedFor()).toBe(1);
    await letAgeBy(2);
    expect(await outcomeOf(book(em(), talk, slotOn(0, '11:00')))).toBe('done');
    expect(askedFor()).toBe(2);
  });

  test('is no more than eight calendars', async () => {
    for (let place = 0; place < 3; place += 1) await connect(place);
    for (const userId of hosts) for (let more = 0; more < 3; more += 1) await copyFeed(userId);
    expect(await outcomeOf(book(em(), talkOf(hosts), NINE))).toBe('done');
    expect(server.asked.length - asked).toBe(8);
  });

  test('costs a booking without calendars no statement', async () => {
    const [free, connected] = [talkOf(hosts.slice(0, 1)), talkOf(hosts.slice(1, 2))];
    await connect(1);
    await book(em(), connected, HALF_PAST);
    const ofFree = await statementsOf(em(), (one) => createBooking(one, free, aRequest(NINE), NOBODY));
    const ofFresh = await statementsOf(em(), (one) => createBooking(one, connected, aRequest(NINE), NOBODY));
    expect(ofFree).toHaveLength(2);
    expect(ofFresh).toHaveLength(2);
  });
});

async function theFeed(): Promise<string> {
  const [feed] = await rows(em(), sql<{ id: string }>`select id from ics_feeds where user_id = ${hosts[0]}`);
  return feed?.id ?? '';
}

/** Answers so late that a booking hardly waits for it. */
const late = (text: string) => (_: unknown, response: ServerResponse) => {
  const answer = () => response.writeHead(200, { 'content-type': 'text/calendar' }).end(text);
  setTimeout(answer, 1_500);
};

const weeksLater = (weeks: number) => NINE.add({ hours: 24 * 7 * weeks });
const busy = async () => {
  const found = await rows(
    em(),
    sql<{ start: number; end: number }>`
      select date_part('epoch', lower(during)) * 1000 as start, date_part('epoch', upper(during)) * 1000 as end
      from busy_periods where user_id = ${hosts[0]}`,
  );
  return unionOf(found);
};
const halfHours = (...at: Temporal.Instant[]) =>
  at.map(({ epochMilliseconds: start }) => ({ start, end: start + 1_800_000 }));

describe('the time around a booking', () => {
  let settled: () => Promise<void>;
  beforeEach(() => {
    const { runner } = aRunner(database.em, icsFeedsKind(TEST_FEEDS));
    settled = async () => {
      await background.settled();
      await runner.settled();
    };
  });

  test('is read at once where something has changed, and all else soon after', async () => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    changed(0, TEN, weeksLater(8));
    await letAgeBy(31);
    expect(await outcomeOf(book(em(), talk, HALF_PAST))).toBe('done');
    await settled();
    expect(await busy()).toEqual(halfHours(TEN, weeksLater(8)));
    // Another one at the time, and that in two months at another one.
    changed(0, NINE, weeksLater(9));
    await letAgeBy(31);
    serve(database);
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('SLOT_TAKEN');
    expect(await busy()).toEqual(halfHours(NINE, weeksLater(8)));
    await settled();
    expect(await busy()).toEqual(halfHours(NINE, weeksLater(9)));
  });

  test('leaves the rest of what reaches into it', async () => {
    await connect();
    const long = `UID:long\nDTSTART:${utc(weeksLater(-4))}\nDTEND:${utc(slotOn(0, '07:00'))}`;
    const longer = `UID:longer\nDTSTART:${utc(slotOn(1, '07:00'))}\nDTEND:${utc(weeksLater(9))}`;
    server.publish(path(), calendar(event(long), event(longer)));
    await letAgeBy(31);
    expect(await outcomeOf(book(em(), talkOf(hosts.slice(0, 1)), NINE))).toBe('done');
    await settled();
    const whole = await busy();
    server.publish(path(), calendar('X-COUNT:another text', event(long), event(longer)));
    await letAgeBy(3);
    expect(await outcomeOf(book(em(), talkOf(hosts.slice(0, 1)), TEN))).toBe('done');
    expect(await busy()).toEqual(whole);
  });

  test('is not taken for what was known of another text, which may come again', async () => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    const before = busyAt(TEN);
    server.publish(path(), before);
    await letAgeBy(31);
    expect(await outcomeOf(book(em(), talk, slotOn(0, '12:00')))).toBe('done');
    await settled();
    changed(0, NINE);
    await letAgeBy(3);
    expect(await outcomeOf(book(em(), talk, HALF_PAST))).toBe('done');
    server.publish(path(), before);
    await letAgeBy(3);
    expect(await outcomeOf(book(em(), talk, slotOn(0, '11:00')))).toBe('done');
    expect(await busy()).toEqual(halfHours(TEN));
  });

  test('and of another one within two seconds is asked about with everything there is: twice in all', async () => {
    await connect();
    // Never the same text, as of a server that stamps each answer.
    server.publish(path(), (_, response) => {
      response.writeHead(200, { 'content-type': 'text/calendar' });
      response.end(busyAt(NINE, weeksLater(4), weeksLater(6)));
    });
    const talk = talkOf(hosts.slice(0, 1));
    const outcomes = [0, 4, 6].flatMap((weeks) => times(10, () => outcomeOf(book(em(), talk, weeksLater(weeks)))));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['SLOT_TAKEN']));
    expect(askedFor()).toBe(2);
  });

  test('is asked about while the background asks for all, whose answer counts', async () => {
    await connect();
    const held: ServerResponse[] = [];
    server.publish(path(), (_, response) => void held.push(response));
    const booking = outcomeOf(book(em(), talkOf(hosts.slice(0, 1)), HALF_PAST));
    await expect.poll(() => held.length, { timeout: paced(5_000), interval: 10 }).toBe(1);
    const id = await theFeed();
    await rows(em(), sql`update ics_feeds set next_read_at = now() where id = ${id} returning id`);
    changed(0, NINE);
    await rereadFeed(em(), { ownerId: hosts[0] ?? '', id }, TEST_FEEDS, new ServerTurns().ofJobs);
    held[0]?.writeHead(200, { 'content-type': 'text/calendar' }).end(busyAt(HALF_PAST));
    expect(await booking).toBe('done');
    expect(await busy()).toEqual(halfHours(NINE));
  });

  test('is decided by what was read last where reading takes too long; its user is told, and it is read in the background', async () => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    const many = times(4_000, (n) => event(`UID:${n}\nDTSTART:${utc(NINE.subtract({ hours: n }))}\nDURATION:PT30M`));
    server.publish(path(), calendar(...many));
    await letAgeBy(31);
    const beganAt = performance.now();
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('done');
    expect(performance.now() - beganAt).toBeLessThan(paced(2_000));
    expect(await silenced()).toEqual([{ type: 'ICS_FEED_SILENT', ownerId: hosts[0] }]);
    await settled();
    const all = await busy();
    expect(all.at(-1)).toEqual(halfHours(NINE)[0]);
  });
});

/** Another feed of the same address. */
function copyFeed(userId: string): Promise<unknown> {
  const id = newId();
  return TEST_FEEDS.credentials
    .seal(server.publish(path(hosts.indexOf(userId)), busyAt(TEN)), ['ics_feeds', userId, id])
    .then((sealed) =>
      rows(
        em(),
        sql`insert into ics_feeds (user_id, id, sealed_url, host, ending, expanded_at, read_at, next_read_at, event_count,
              unreadable_event_count, created_at, updated_at)
            values (${userId}, ${id}, ${sealed}, 'calendar.example', '.ics', now(), now(), now() + interval '1 hour', 0, 0, now(), now())`,
      ),
    );
}

describe('a calendar that does not answer', () => {
  test('holds a booking up for two seconds at most; its user is told once, and nobody else', async () => {
    await connect();
    server.publish(path(), () => undefined);
    const talk = talkOf(hosts.slice(0, 1));
    const beganAt = performance.now();
    expect(await outcomesOf([book(em(), talk, TEN), book(em(), talk, NINE), book(em(), talk, HALF_PAST)])).toEqual({
      SLOT_TAKEN: 1,
      done: 2,
    });
    const took = performance.now() - beganAt;
    expect(took).toBeGreaterThan(1_900);
    expect(took).toBeLessThan(paced(3_000));
    expect(await silenced()).toEqual([{ type: 'ICS_FEED_SILENT', ownerId: hosts[0] }]);
  });

  test('nor does one that is slow, keep the others of a host from being heard', async () => {
    await connect(0);
    await connect(1);
    await connect(2);
    server.publish(path(0), () => undefined);
    server.publish(path(1), late(busyAt(HALF_PAST)));
    changed(2, NINE);
    const rounds = [HALF_PAST, NINE, slotOn(0, '11:00')];
    const outcomes: string[] = [];
    for (const start of rounds) {
      await letAgeBy(3);
      const beganAt = performance.now();
      outcomes.push(await outcomeOf(book(em(), talkOf(hosts), start)));
      expect(performance.now() - beganAt).toBeLessThan(paced(2_600));
    }
    // A calendar is not asked about a time that is known to be taken by then.
    expect(outcomes).toEqual(['SLOT_TAKEN', 'SLOT_TAKEN', 'done']);
    expect(await silenced()).toEqual([{ type: 'ICS_FEED_SILENT', ownerId: hosts[0] }]);
  });

  test('holds up no booking of somebody else, nor does it hold the lock of its event type', async () => {
    await connect();
    server.publish(path(), () => undefined);
    const talk = talkOf(hosts.slice(0, 2), {
      schedulingType: 'ROUND_ROBIN',
      bookingLimits: { day: { maxBookings: 9 } },
    });
    const held = { ...talk, hosts: talk.hosts.filter(({ userId }) => userId === hosts[0]) };
    const other = { ...talk, hosts: talk.hosts.filter(({ userId }) => userId === hosts[1]) };
    const waiting = times(4, () => outcomeOf(book(em(), held, NINE)));
    const beganAt = performance.now();
    expect(await outcomeOf(book(em(), other, NINE))).toBe('done');
    expect(performance.now() - beganAt).toBeLessThan(1_500);
    expect((await Promise.all(waiting)).toSorted()).toEqual(['SLOT_TAKEN', 'SLOT_TAKEN', 'SLOT_TAKEN', 'done']);
  });

  test('as it refuses does not keep anybody waiting, counts as no failure of the feed, and is asked again', async () => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    server.publish(path(), (_, response) => void response.writeHead(500).end());
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('done');
    const [feed] = await rows(
      em(),
      sql<{ failures: number }>`select failures from ics_feeds where user_id = ${hosts[0]}`,
    );
    expect(feed).toEqual({ failures: 0 });
    changed(0, HALF_PAST);
    await letAgeBy(3);
    expect(await outcomeOf(book(em(), talk, HALF_PAST))).toBe('SLOT_TAKEN');
  });

  test.each([429, 503])('as it answers %i is left alone for as long as it says', async (status) => {
    await connect();
    const talk = talkOf(hosts.slice(0, 1));
    server.publish(path(), (_, response) => void response.writeHead(status, { 'retry-after': '120' }).end());
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('done');
    await letAgeBy(60);
    expect(await outcomeOf(book(em(), talk, HALF_PAST))).toBe('done');
    expect(askedFor()).toBe(1);
    expect(await silenced()).toHaveLength(1);
    // So is the whole server, whoever publishes there.
    await connect(1);
    asked = server.asked.length;
    expect(await outcomeOf(book(em(), talkOf(hosts.slice(1, 2)), NINE))).toBe('done');
    expect(server.asked.length).toBe(asked);
    // Another process knows of the feed alone.
    serve(database);
    await letAgeBy(60);
    expect(await outcomeOf(book(em(), talk, slotOn(0, '10:30')))).toBe('done');
    expect(askedFor()).toBe(0);
    await rows(em(), sql`update ics_feeds set resting_until = now() where user_id = ${hosts[0]}`);
    expect(await outcomeOf(book(em(), talk, slotOn(0, '11:00')))).toBe('done');
    expect(askedFor()).toBe(1);
  });
});

const look = async (talk: BookableEventType) => {
  const range = { start: NINE, end: slotOn(0, '11:00'), timeZone: 'UTC', durationInMinutes: null, rescheduled: null };
  const slots = await listSlots(em(), talk, range);
  await background.settled();
  return slots.map(({ start }) => new Date(start).toISOString().slice(11, 16));
};
/** Forgets who has looked, as another process does not know. */
const anotherProcess = () => serve(database);

describe('a look at the slots', () => {
  let settled: () => Promise<void>;
  beforeEach(async () => {
    anotherProcess();
    await rows(em(), sql`delete from domain_events`);
    await rows(em(), sql`delete from jobs.job`);
    const { runner } = aRunner(database.em, icsFeedsKind(TEST_FEEDS));
    settled = () => runner.settled();
  });

  test('has what is older than half a minute read again: a change shows at the next look', async () => {
    await connect();
    await settled();
    await rows(em(), sql`delete from jobs.job`);
    const talk = talkOf(hosts.slice(0, 1));
    changed(0, NINE);
    expect(await look(talk)).toContain('09:00');
    await settled();
    expect(askedFor()).toBe(1);
    expect(await look(talk)).not.toContain('09:00');
    // It stays at that for half a minute, whoever looks, in whatever process.
    for (let n = 0; n < 3; n += 1) {
      anotherProcess();
      await letAgeBy(9);
      await look(talk);
      await settled();
    }
    expect(askedFor()).toBe(1);
  });

  test('has it read twice more while the visitor goes on looking, and then no more', async () => {
    await connect();
    await settled();
    await rows(em(), sql`delete from jobs.job`);
    await look(talkOf(hosts.slice(0, 1)));
    await settled();
    const read = [askedFor()];
    for (let n = 0; n < 4; n += 1) {
      await letAgeBy(31);
      await letTimePass(em());
      await settled();
      read.push(askedFor());
    }
    expect(read).toEqual([1, 2, 3, 3, 3]);
    expect(await storedJobs(em())).toEqual([]);
  });

  test('of two processes at the same moment has it read once', async () => {
    await connect();
    await settled();
    await rows(em(), sql`delete from jobs.job`);
    const talk = talkOf(hosts.slice(0, 1));
    await look(talk);
    anotherProcess();
    await look(talk);
    const other = aRunner(database.em, icsFeedsKind(TEST_FEEDS)).runner;
    await Promise.all([settled(), other.settled()]);
    expect(askedFor()).toBe(1);
  });

  test('asks for nothing where there is no calendar', async () => {
    expect(await look(talkOf(hosts.slice(0, 1)))).toHaveLength(4);
    expect(await rows(em(), sql`select type from domain_events`)).toEqual([]);
  });
});
