import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { enqueueJobs } from '../../src/jobs/job-queue.ts';
import { calendarEntryKinds, onceMore } from '../../src/jobs/kinds/calendar-entries.job.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { reinstateUser, suspendUser } from '../../src/modules/accounts/suspend-user.ts';
import { findBooking } from '../../src/modules/bookings/booking.queries.ts';
import type { BookingKey } from '../../src/modules/bookings/booking-key.rules.ts';
import { followBooking } from '../../src/modules/bookings/calendar-entries/follow-booking.ts';
import { missedEntries } from '../../src/modules/bookings/calendar-entries/missed-entries.ts';
import { cancelBooking } from '../../src/modules/bookings/change/cancel-booking.ts';
import { rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import type { BookableEventType } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import {
  connectCalendars,
  disconnectCalendars,
  setDestinationCalendar,
} from '../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { type CalendarNews, calendarMail } from '../../src/modules/calendars/connections/calendar-mail.ts';
import { CalDav } from '../../src/modules/calendars/connections/servers/caldav.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { testCalendarAccounts } from '../support/calendar-accounts.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { meanwhile } from '../support/meanwhile.ts';
import { hasRadicale, PASSWORD, Radicale } from '../support/radicale.ts';
import { aRunner, letTimePass, storedJobs } from './support/jobs.ts';
import { reviveAll, stopAll } from './support/stopping.ts';
import { testDoor } from './support/webhooks.ts';

const ACCOUNT = 'ada@icloud.test';
/** A process that dies before it has noted what it has written. */
const DYING = [
  sql`create or replace function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  sql`create trigger dies before update on calendar_entries for each row execute function die()`,
];
const MOVED = { durationInMinutes: null, reservationId: null, reason: null, callerId: null };
const MAILED = ['Bookings are missing from your calendar'];
const startOf = (start: Temporal.Instant) => start.toString().replace(/[-:]/g, '');

describe.runIf(hasRadicale)('bookings in calendars of hosts (skipped where Radicale is not installed)', () => {
  const door = testDoor(2_000);
  let radicale: Radicale;
  let database: TestDatabase;
  let accounts: ReturnType<typeof testCalendarAccounts>;
  let em: () => Em;
  beforeAll(async () => {
    [database, radicale] = await Promise.all([openTestDatabase(), Radicale.start([ACCOUNT])]);
    em = () => database.em.fork();
    accounts = testCalendarAccounts(new CalDav(radicale.url, door.fetchOf('CALDAV')));
  });
  afterAll(() => Promise.all([database.close(), radicale.close(), door.close()]));

  let calendar: string;
  let hostId: string;
  let otherId: string;
  let connectionId: string;
  let eventType: BookableEventType;
  beforeEach(async () => {
    // Each test has a calendar and hosts of its own.
    calendar = await radicale.makeCalendar(ACCOUNT, `Work-${newId()}`);
    [hostId = '', otherId = ''] = await newHosts(em(), 2);
    connectionId = await connect(hostId);
    eventType = eventTypeOf([hostId]);
  });
  afterEach(async () => {
    await rows(em(), sql`delete from jobs.job`);
  });

  const connect = (userId: string, calendars: readonly string[] = [calendar]) => {
    const account = { username: ACCOUNT, appPassword: PASSWORD };
    const listed = calendars.map((externalId) => ({
      externalId,
      name: 'Work',
      isPrimary: externalId === calendar,
      isReadOnly: false,
    }));
    const opened = async (id: string) => ({
      credentials: await accounts.seal(account, { userId, id }),
      accessId: null,
    });
    return connectCalendars(em(), { userId, provider: 'APPLE', account: ACCOUNT, listed, opened });
  };
  const told: (string | undefined)[] = [];
  const settle = async () => {
    const mailing = { publicUrl: 'https://gatehouse.test', mailLimit: new MailLimit(undefined, console) };
    const mails: JobKind = {
      queue: 'calendar-mails',
      hears: ['CALENDAR_UNWRITTEN'],
      atOnce: 1,
      pausesInSeconds: [],
      run: async (inner, data) => {
        const [written] = await calendarMail(inner, data as CalendarNews, mailing);
        told.push(written?.mail.subject);
        return [];
      },
    };
    const { runner, logged } = aRunner(database.em, mails, ...calendarEntryKinds({ calendarAccounts: accounts }));
    await runner.settled();
    expect(logged).toEqual([]);
  };
  const entries = async () => (await radicale.contentOf(ACCOUNT, calendar)).match(/BEGIN:VEVENT[^]*?END:VEVENT/g) ?? [];
  const starts = async () => (await entries()).map((entry) => /DTSTART:(\w+)/.exec(entry)?.[1]);
  const references = () =>
    rows(em(), sql<{ bookingId: string; app: string }>`select booking_id as "bookingId", app from booking_references`);
  const move = (key: BookingKey, start: Temporal.Instant) =>
    rescheduleBooking(em(), eventType, { ...MOVED, key, start });

  test('are created, moved and deleted as they change, under one UID', async () => {
    const { key } = await book(em(), eventType, slotOn(0, '09:00'));
    await settle();
    const [entry = ''] = await entries();
    const { icsId = '' } = (await findBooking(em(), key)) ?? {};
    expect(entry).toContain(`UID:${icsId}@gatehouse`);
    expect(entry).toContain('SUMMARY:Talk with Grace');
    expect(entry).not.toMatch(/ORGANIZER|ATTENDEE/);
    expect(await starts()).toEqual([startOf(slotOn(0, '09:00'))]);
    expect(await references()).toEqual([{ bookingId: key.id, app: 'apple-calendar' }]);

    const moved = await move(key, slotOn(1, '10:00'));
    await settle();
    expect(await starts()).toEqual([startOf(slotOn(1, '10:00'))]);
    expect((await entries())[0]).toContain(`UID:${icsId}@gatehouse`);
    expect(await references()).toEqual([{ bookingId: moved.id, app: 'apple-calendar' }]);

    await cancelBooking(em(), undefined, { key: moved, reason: null, callerId: null });
    await settle();
    expect([await entries(), await references()]).toEqual([[], []]);
  });

  test('follow later where the calendar was down: the last state alone, and what was cancelled meanwhile never', async () => {
    const kept = await book(em(), eventType, slotOn(0, '11:00'));
    const gone = await book(em(), eventType, slotOn(0, '13:00'));
    await radicale.stop();
    await settle();
    await move(kept.key, slotOn(2, '11:00'));
    await cancelBooking(em(), undefined, { key: gone.key, reason: null, callerId: null });
    await settle();
    const waiting = (await storedJobs(database.em)).map(({ queue, isGivenUp }) => [queue, isGivenUp]);
    expect(waiting).toContainEqual(['calendar-entries', false]);
    await radicale.resume();
    await letTimePass(database.em);
    await settle();
    expect(await starts()).toEqual([startOf(slotOn(2, '11:00'))]);
    expect(await storedJobs(database.em)).toEqual([]);
  });

  test('stand where their host has touched them, or a first answer was lost: written again, they are the same one', async () => {
    const { key } = await book(em(), eventType, slotOn(0, '14:00'));
    await settle();
    const [stored] = await rows(
      em(),
      sql<{ url: string }>`select external_id as url from calendar_entries where user_id = ${hostId}`,
    );
    // Our notes are of an older state than the calendar's, then of none.
    await rows(em(), sql`update calendar_entries set etag = '"older"' where user_id = ${hostId} returning user_id`);
    const moved = await move(key, slotOn(3, '14:00'));
    await settle();
    expect(await starts()).toEqual([startOf(slotOn(3, '14:00'))]);
    await rows(em(), sql`delete from calendar_entries where user_id = ${hostId} returning user_id`);
    const again = await move(moved, slotOn(4, '14:00'));
    await settle();
    expect(await starts()).toEqual([startOf(slotOn(4, '14:00'))]);
    // Deleted by hand, and cancelled then.
    await radicale.request('DELETE', ACCOUNT, stored?.url ?? '');
    await cancelBooking(em(), undefined, { key: again, reason: null, callerId: null });
    await settle();
    expect(await entries()).toEqual([]);
  });

  test.each([
    ['the destination is another calendar by then', (to: string) => setDestinationCalendar(em(), hostId, to), 1],
    ['there is no destination by then', () => setDestinationCalendar(em(), hostId, null), 0],
    ['the calendar is the same', async () => undefined, 1],
    [
      'the booking is cancelled by then',
      async (_to: string, key: BookingKey) =>
        void (await cancelBooking(em(), undefined, { key, reason: null, callerId: null })),
      0,
    ],
  ] as const)('leave nothing behind where a process dies that has written one, and %s', async (_when, happen, left) => {
    const other = await radicale.makeCalendar(ACCOUNT, `Other-${newId()}`);
    await connect(hostId, [calendar, other]);
    const destinations = await rows(
      em(),
      sql<{ id: string }>`select id from connected_calendars where user_id = ${hostId} and external_id = ${other}`,
    );
    // Nobody hears of what the calendar has answered.
    for (const statement of DYING) await rows(em(), statement);
    const { key } = await book(em(), eventType, slotOn(0, '16:00'));
    await aRunner(database.em, ...calendarEntryKinds({ calendarAccounts: accounts })).runner.settled();
    await rows(em(), sql`drop trigger dies on calendar_entries`);
    expect((await entries()).length).toBe(1);
    await happen(destinations[0]?.id ?? '', key);
    await letTimePass(database.em);
    await settle();
    const inOther = (await radicale.contentOf(ACCOUNT, other)).match(/BEGIN:VEVENT/g) ?? [];
    expect((await entries()).length + inOther.length).toBe(left);
    const noted = await rows(
      em(),
      sql<{ url: string }>`select external_id as url from calendar_entries where user_id = ${hostId}`,
    );
    expect(noted.map(({ url }) => url.startsWith(inOther.length > 0 ? other : calendar))).toEqual(
      left > 0 ? [true] : [],
    );
    expect(await storedJobs(database.em)).toEqual([]);
  });

  test('are asked for by nobody who has no calendar, wait for an agreement, and many at once all get there', async () => {
    await book(em(), eventTypeOf([otherId]), slotOn(0, '09:00'));
    const asking = eventTypeOf([hostId], {
      rules: { confirmation: { type: 'ALWAYS', noticeInMinutes: null } } as never,
    });
    await book(em(), asking, slotOn(4, '09:00'));
    const times = ['09:00', '10:00', '11:00', '12:00', '13:00'];
    for (const time of times) await book(em(), eventType, slotOn(2, time));
    await settle();
    expect((await starts()).map(String).toSorted()).toEqual(times.map((time) => startOf(slotOn(2, time))));
  });

  test.each([
    ['stays for the other one where they share the calendar', true],
    ['goes where the other one has a calendar of their own', false],
  ])('of a host who no longer hosts it: the entry %s', async (_what, isShared) => {
    const others = isShared ? calendar : await radicale.makeCalendar(ACCOUNT, `Other-${newId()}`);
    await connect(otherId, [others]);
    const { key } = await book(em(), eventTypeOf([hostId, otherId]), slotOn(0, '16:00'));
    await settle();
    expect(await entries()).toHaveLength(1);
    const [booking] = await rows(
      em(),
      sql<{
        icsId: string;
      }>`update bookings set host_ids = array[${otherId}::uuid] where id = ${key.id} returning ics_id as "icsId"`,
    );
    // The other one's calendar is as the booking is, so that nothing would write it again.
    const follows = { ...key, icsId: booking?.icsId ?? '', hostId };
    expect(await followBooking(em(), follows, accounts)).toBeUndefined();
    expect(await entries()).toHaveLength(isShared ? 1 : 0);
    const noted = await rows(
      em(),
      sql`select user_id as "userId" from calendar_entries where ics_id = ${follows.icsId}`,
    );
    expect(noted).toEqual([{ userId: otherId }]);
    await cancelBooking(em(), undefined, { key, reason: null, callerId: null });
    await settle();
    const left = await radicale.contentOf(ACCOUNT, others);
    expect([await entries(), /BEGIN:VEVENT/.test(left)]).toEqual([[], false]);
  });

  test('that could not be written for long are told of once, and written once the account works again', async () => {
    const isUnwritten = async () => {
      const found = sql<{
        is: boolean;
      }>`select write_failed_at is not null as "is" from connected_calendars where user_id = ${hostId}`;
      return (await rows(em(), found)).map(({ is }) => is);
    };
    const lastAttempts = async () => {
      await settle();
      await rows(em(), sql`update jobs.job set data = data || '{"failures": 10}' where queue = 'calendar-entries'`);
      await letTimePass(database.em);
      await settle();
    };
    const account = { ownerId: hostId, calendarAccountId: connectionId };
    const missed = async () => (await missedEntries(em(), account)).map(onceMore);
    const kept = await book(em(), eventType, slotOn(0, '09:30'));
    const gone = await book(em(), eventType, slotOn(0, '12:00'));
    expect(await missed()).toEqual([]);
    await radicale.stop();
    await lastAttempts();
    expect([await storedJobs(database.em), await isUnwritten(), told]).toEqual([[], [true], MAILED]);
    // The account does not work yet.
    expect(await missed()).toEqual([]);
    await radicale.resume();
    await cancelBooking(em(), undefined, { key: gone.key, reason: null, callerId: null });
    await settle();
    expect([await entries(), await isUnwritten()]).toEqual([[], [true]]);
    const again = await missed();
    expect(again).toMatchObject([{ data: { ownerId: kept.key.ownerId, id: kept.key.id, hostId } }]);
    await enqueueJobs(em(), again);
    await settle();
    expect([await starts(), await isUnwritten(), await missed()]).toEqual([[startOf(slotOn(0, '09:30'))], [false], []]);
    expect(told).toEqual(MAILED);
  });

  const suspend = () => suspendUser(em(), { userId: hostId, actorId: otherId, address: '192.0.2.1' });
  const reinstate = () => reinstateUser(em(), { userId: hostId, actorId: otherId, address: '192.0.2.1' });
  const cancel = (key: BookingKey) => cancelBooking(em(), undefined, { key, reason: null, callerId: null });
  const sorted = async () => (await starts()).map(String).toSorted();
  /** Those of one host wait for turns. */
  const settleAll = async () => {
    do {
      await letTimePass(database.em);
      await settle();
    } while ((await storedJobs(database.em)).length > 0);
  };
  /** When the bookings begin that they host, as calendars write it. */
  const hosted = async () => {
    const found = sql<{
      start: string;
    }>`select to_char(starts_at at time zone 'UTC', 'YYYYMMDD"T"HH24MISS"Z"') as start
      from bookings where status = 'ACCEPTED' and ${hostId}::uuid = any(coalesce(host_ids, array[owner_id])) order by starts_at`;
    return (await rows(em(), found)).map(({ start }) => start);
  };

  describe('of a host without a calendar for entries', () => {
    test.each([
      ['as they are suspended, until they are reinstated', suspend, reinstate],
      [
        'as their address is not verified, until it is',
        () => rows(em(), sql`update users set email_verified_at = null where id = ${hostId} returning id`),
        async () => {
          await rows(em(), sql`update users set email_verified_at = now() where id = ${hostId} returning id`);
          await recordEvent(em(), hostId, { type: 'USER_VERIFIED' });
        },
      ],
    ])('stay as they are %s: then their calendar is as the bookings are', async (_why, begin, end) => {
      const shared = eventTypeOf([hostId, otherId]);
      const stays = await book(em(), eventType, slotOn(0, '09:00'));
      const moves = await book(em(), eventType, slotOn(0, '10:00'));
      const goes = await book(em(), eventType, slotOn(0, '11:00'));
      const isHandedOver = await book(em(), shared, slotOn(0, '12:00'));
      const isShared = await book(em(), shared, slotOn(0, '13:00'));
      await settle();
      const before = await radicale.contentOf(ACCOUNT, calendar);
      expect(await sorted()).toEqual(await hosted());
      expect(await hosted()).toHaveLength(5);

      // This one is asked for before, and comes to the calendar after it.
      const made = await book(em(), eventType, slotOn(1, '09:00'));
      const moved = await move(moves.key, slotOn(2, '10:00'));
      const goesAtOnce = await book(em(), eventType, slotOn(1, '10:00'));
      await begin();
      await settle();
      for (const { key } of [goesAtOnce, goes]) await cancel(key);
      const movedLater = await rescheduleBooking(em(), shared, {
        ...MOVED,
        key: isShared.key,
        start: slotOn(3, '13:00'),
      });
      const byOther = { id: isHandedOver.key.id, hosts: [otherId] };
      const [{ icsId } = { icsId: '' }] = await rows(
        em(),
        sql<{
          icsId: string;
        }>`update bookings set host_ids = ${byOther.hosts}::uuid[] where id = ${byOther.id} returning ics_id as "icsId"`,
      );
      await enqueueJobs(em(), [onceMore({ ...isHandedOver.key, icsId, hostId })]);
      await settle();
      expect([await radicale.contentOf(ACCOUNT, calendar), await storedJobs(database.em)]).toEqual([before, []]);

      await end();
      await settle();
      const truth = await hosted();
      expect([await sorted(), await storedJobs(database.em)]).toEqual([truth, []]);
      expect(truth).toEqual(
        expect.arrayContaining([slotOn(0, '09:00'), slotOn(1, '09:00'), slotOn(2, '10:00')].map(startOf)),
      );
      const referred = (await references()).map(({ bookingId }) => bookingId);
      for (const { id } of [stays.key, made.key, moved]) expect(referred).toContain(id);
      for (const { id } of [moves.key, goes.key, goesAtOnce.key, isShared.key]) expect(referred).not.toContain(id);
      expect(movedLater.id).not.toBe(isShared.key.id);
      // Again, nothing changes.
      await end();
      await settle();
      expect(await sorted()).toEqual(truth);
    });

    test('are caught up with page by page, and end where there is nothing any more', async () => {
      const { key } = await book(em(), eventType, slotOn(0, '09:00'));
      await suspend();
      await settle();
      await rows(
        em(),
        sql`insert into calendar_entries (user_id, ics_id, calendar_id, missed_at, booking_owner, booking_id)
            select e.user_id, gen_random_uuid(), e.calendar_id, now(), e.booking_owner, gen_random_uuid()
            from calendar_entries e, generate_series(1, 450) where e.user_id = ${hostId} returning user_id`,
      );
      await reinstate();
      await settleAll();
      const left = await rows(
        em(),
        sql`select booking_id as id, missed_at as "missedAt" from calendar_entries where user_id = ${hostId}`,
      );
      expect([await starts(), left]).toEqual([[startOf(slotOn(0, '09:00'))], [{ id: key.id, missedAt: null }]]);
    });

    test('wait where the calendar was down before, and are not given up meanwhile', async () => {
      await book(em(), eventType, slotOn(0, '09:00'));
      await radicale.stop();
      await settle();
      await rows(em(), sql`update jobs.job set data = data || '{"failures": 10}' where queue = 'calendar-entries'`);
      await suspend();
      await letTimePass(database.em);
      await settle();
      await radicale.resume();
      await rows(
        em(),
        sql`update calendar_entries set missed_at = now() - interval '60 days' where user_id = ${hostId} returning user_id`,
      );
      await rows(
        em(),
        sql`update connected_calendars set write_failed_at = now() where user_id = ${hostId} returning id`,
      );
      // As the account is looked at every hour.
      expect(await missedEntries(em(), { ownerId: hostId, calendarAccountId: connectionId })).toEqual([]);
      expect([await entries(), await storedJobs(database.em)]).toEqual([[], []]);
      await reinstate();
      await settle();
      expect(await starts()).toEqual([startOf(slotOn(0, '09:00'))]);
    });

    test.runIf(isOnPostgres)('are not forgotten where they are let in at the very moment', async () => {
      const { key } = await book(em(), eventType, slotOn(0, '09:00'));
      await suspend();
      const { icsId = '' } = (await findBooking(em(), key)) ?? {};
      const followed = await meanwhile(
        database,
        (inner) => reinstateUser(inner, { userId: hostId, actorId: otherId, address: '192.0.2.1' }),
        () => followBooking(em(), { ...key, icsId, hostId }, accounts),
      );
      expect(followed).toEqual({ inSeconds: 1 });
      await settle();
      expect(await starts()).toEqual([startOf(slotOn(0, '09:00'))]);
    });

    test.runIf(isOnPostgres)(
      'are there once each, of fifty that are followed while they are let in and put out',
      async () => {
        for (const day of [0, 1, 2, 3, 4])
          for (let n = 0; n < 10; n += 1)
            await book(
              em(),
              eventType,
              slotOn(day, `${String(9 + Math.floor(n / 2)).padStart(2, '0')}:${n % 2 ? '30' : '00'}`),
            );
        await suspend();
        await Promise.all([settle(), reinstate()]);
        await Promise.all([settle(), suspend().then(reinstate)]);
        await settleAll();
        expect(await hosted()).toHaveLength(50);
        expect(await sorted()).toEqual(await hosted());
      },
    );
  });

  test('are not written for a user who is proven not to have connected it, until they revive the account', async () => {
    const kept = await book(em(), eventType, slotOn(0, '09:00'));
    await settle();
    await book(em(), eventType, slotOn(0, '10:00'));
    await stopAll(em(), hostId);
    const before = await radicale.contentOf(ACCOUNT, calendar);
    await book(em(), eventType, slotOn(0, '11:00'));
    await cancelBooking(em(), undefined, { key: kept.key, reason: null, callerId: null });
    await settle();
    expect([await radicale.contentOf(ACCOUNT, calendar), await storedJobs(database.em)]).toEqual([before, []]);
    expect(await reviveAll(em(), hostId)).toBe(1);
    const later = await book(em(), eventType, slotOn(0, '12:00'));
    await settle();
    expect(await starts()).toContain(startOf(slotOn(0, '12:00')));
    await cancelBooking(em(), undefined, { key: later.key, reason: null, callerId: null });
    await settle();
    expect(await radicale.contentOf(ACCOUNT, calendar)).toBe(before);
  });

  test('stay where they were once the account is disconnected, and nothing is tried any more', async () => {
    const { key } = await book(em(), eventType, slotOn(0, '15:00'));
    await settle();
    await disconnectCalendars(em(), hostId, connectionId);
    await cancelBooking(em(), undefined, { key, reason: null, callerId: null });
    await settle();
    expect([(await entries()).length, await storedJobs(database.em)]).toEqual([1, []]);
  });
});
