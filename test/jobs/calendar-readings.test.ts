import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { calendarReadingsKind } from '../../src/jobs/kinds/calendar-readings.job.ts';
import {
  connectCalendars,
  disconnectCalendars,
  selectCalendar,
} from '../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { CALDAV_LIMITS, CalDav } from '../../src/modules/calendars/connections/servers/caldav.ts';
import { newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { testCalendarAccounts } from '../support/calendar-accounts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { hasRadicale, PASSWORD, Radicale } from '../support/radicale.ts';
import { aRunner, letTimePass, storedJobs } from './support/jobs.ts';
import { reviveAll, stopAll } from './support/stopping.ts';
import { testDoor } from './support/webhooks.ts';

const ACCOUNT = 'ada@icloud.test';

const at = (day: number, time: string) => slotOn(day, time).toString();
const stamp = (instant: string) => instant.replace(/[-:]/g, '');

const invited = (address: string, answer: string): string[] => [
  'ORGANIZER:mailto:boss@example.test',
  `ATTENDEE;PARTSTAT=${answer}:mailto:${address}`,
  'ATTENDEE;PARTSTAT=ACCEPTED:mailto:boss@example.test',
];

describe.runIf(hasRadicale)('busy times of selected calendars (skipped where Radicale is not installed)', () => {
  const door = testDoor(2_000);
  let radicale: Radicale;
  let database: TestDatabase;
  let accounts: ReturnType<typeof testCalendarAccounts>;
  let em: () => Em;
  beforeAll(async () => {
    [database, radicale] = await Promise.all([openTestDatabase(), Radicale.start([ACCOUNT])]);
    em = () => database.em.fork();
    accounts = testCalendarAccounts(new CalDav(radicale.url, door.fetchOf('CALDAV', CALDAV_LIMITS)));
  });
  afterAll(() => Promise.all([database.close(), radicale.close(), door.close()]));

  let calendar: string;
  let userId: string;
  let connectionId: string;
  let calendarId: string;
  beforeEach(async () => {
    calendar = await radicale.makeCalendar(ACCOUNT, `Work-${newId()}`);
    [userId = ''] = await newHosts(em(), 1);
    connectionId = await connect();
    const [found] = await rows(em(), sql<{ id: string }>`select id from connected_calendars where user_id = ${userId}`);
    calendarId = found?.id ?? '';
  });
  afterEach(async () => {
    await rows(em(), sql`delete from jobs.job`);
  });

  const connect = (appPassword = PASSWORD) => {
    const account = { username: ACCOUNT, appPassword };
    const listed = [{ externalId: calendar, name: 'Work', isPrimary: true, isReadOnly: false }];
    const opened = async (id: string) => ({
      credentials: await accounts.seal(account, { userId, id }),
      accessId: null,
    });
    return connectCalendars(em(), { userId, provider: 'APPLE', account: ACCOUNT, listed, opened });
  };
  const settle = async () => {
    const { runner, logged } = aRunner(database.em, calendarReadingsKind({ calendarAccounts: accounts }));
    await runner.settled();
    expect(logged).toEqual([]);
  };
  /** As after the quarter of an hour in which a calendar is read again. */
  const later = async () => {
    await rows(
      em(),
      sql`update connected_calendars set next_read_at = now() - interval '1 second' where user_id = ${userId} returning id`,
    );
    await letTimePass(database.em);
    await settle();
  };
  const busy = async () => {
    const found = await rows(
      em(),
      sql<{ start: string }>`select lower(during) as start from busy_periods where user_id = ${userId} order by during`,
    );
    return found.map(({ start }) => Temporal.Instant.from(start).toString());
  };
  const state = () =>
    rows(
      em(),
      sql<{ failures: number; isRead: boolean }>`
        select failures, read_at is not null as "isRead" from connected_calendars where user_id = ${userId}`,
    );
  const put = (uid: string, start: string, end: string, more: readonly string[] = []) =>
    radicale.putEvent(ACCOUNT, calendar, uid, [`DTSTART:${stamp(start)}`, `DTEND:${stamp(end)}`, ...more]);

  test('are read when it is selected, and again when it has changed: recurrences are expanded', async () => {
    await put('one', at(0, '09:00'), at(0, '10:00'));
    await put('daily', at(0, '12:00'), at(0, '12:30'), ['RRULE:FREQ=DAILY;COUNT=2']);
    await settle();
    expect(await busy()).toEqual([at(0, '09:00'), at(0, '12:00'), at(1, '12:00')]);
    expect(await state()).toEqual([{ failures: 0, isRead: true }]);
    await put('one', at(2, '09:00'), at(2, '10:00'));
    await later();
    expect(await busy()).toEqual([at(0, '12:00'), at(1, '12:00'), at(2, '09:00')]);
    // Nothing has changed since.
    await later();
    expect(await busy()).toHaveLength(3);
    for (const uid of ['one', 'daily']) await radicale.request('DELETE', ACCOUNT, `${calendar}${uid}.ics`);
    await later();
    expect(await busy()).toEqual([]);
  });

  test('leave out what the account has declined, and no invitation that somebody else has', async () => {
    await put('declined', at(0, '09:00'), at(0, '10:00'), invited(ACCOUNT.toUpperCase(), 'DECLINED'));
    await put('accepted', at(0, '11:00'), at(0, '12:00'), invited(ACCOUNT, 'ACCEPTED'));
    await put('unanswered', at(0, '13:00'), at(0, '14:00'), invited(ACCOUNT, 'NEEDS-ACTION'));
    await put('other', at(0, '15:00'), at(0, '16:00'), invited('bo@example.test', 'DECLINED'));
    await settle();
    expect(await busy()).toEqual([at(0, '11:00'), at(0, '13:00'), at(0, '15:00')]);
  });

  test('are forgotten when it is not selected any more, and read anew by one job however often it is chosen', async () => {
    await put('one', at(0, '09:00'), at(0, '10:00'));
    await settle();
    await selectCalendar(em(), userId, calendarId, false);
    expect(await busy()).toEqual([]);
    await later();
    expect([await busy(), await storedJobs(database.em)]).toEqual([[], []]);
    for (const selected of [true, false, true, true]) await selectCalendar(em(), userId, calendarId, selected);
    await settle();
    expect([await busy(), (await storedJobs(database.em)).length]).toEqual([[at(0, '09:00')], 1]);
    await disconnectCalendars(em(), userId, connectionId);
    await letTimePass(database.em);
    await settle();
    expect([await busy(), await storedJobs(database.em)]).toEqual([[], []]);
  });

  test('are not read of an account that has stopped, and are again once it is revived, by one job', async () => {
    await put('one', at(0, '09:00'), at(0, '10:00'));
    await settle();
    await stopAll(em(), userId);
    await put('two', at(1, '09:00'), at(1, '10:00'));
    await letTimePass(database.em);
    await settle();
    expect([await busy(), await storedJobs(database.em)]).toEqual([[], []]);
    expect(await reviveAll(em(), userId)).toBe(1);
    await settle();
    expect([await busy(), (await storedJobs(database.em)).length]).toEqual([[at(0, '09:00'), at(1, '09:00')], 1]);
    await put('three', at(2, '09:00'), at(2, '10:00'));
    await later();
    expect(await busy()).toEqual([at(0, '09:00'), at(1, '09:00'), at(2, '09:00')]);
  });

  test('stay as they were while the server is gone or refuses the password, and it is tried less and less often', async () => {
    await put('one', at(0, '09:00'), at(0, '10:00'));
    await settle();
    await radicale.stop();
    await later();
    await later();
    expect([await busy(), await state()]).toEqual([[at(0, '09:00')], [{ failures: 2, isRead: true }]]);
    await radicale.resume();
    await connect('revoked');
    await settle();
    expect([await busy(), await state()]).toEqual([[at(0, '09:00')], [{ failures: 1, isRead: false }]]);
    await connect();
    await put('two', at(3, '09:00'), at(3, '10:00'));
    await settle();
    expect([await busy(), await state()]).toEqual([[at(0, '09:00'), at(3, '09:00')], [{ failures: 0, isRead: true }]]);
  });
});
