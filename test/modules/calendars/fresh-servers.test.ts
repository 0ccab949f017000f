/** A real CalDAV server is asked before a booking: what is entered there a moment before is in the way. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Background } from '../../../src/core/background.ts';
import { newId } from '../../../src/core/id.ts';
import { apartFromCaller } from '../../../src/database/deadline.ts';
import { type Em, row, sql } from '../../../src/database/sql.ts';
import { ServerTurns } from '../../../src/limits/server-turns.ts';
import type { CalendarAccounts } from '../../../src/modules/calendars/connections/calendar-accounts.ts';
import { connectCalendars } from '../../../src/modules/calendars/connections/connect-calendars.ts';
import { CALDAV_LIMITS, CalDav } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import { FreshCalendars } from '../../../src/modules/calendars/fresh-calendars.ts';
import { icsUid } from '../../../src/modules/calendars/ics-uid.rules.ts';
import { testDoor } from '../../jobs/support/webhooks.ts';
import { testCalendarAccounts } from '../../support/calendar-accounts.ts';
import { compact } from '../../support/calendar-services.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { TEST_FEEDS } from '../../support/feeds.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { paced } from '../../support/pace.ts';
import { hasRadicale, PASSWORD, Radicale } from '../../support/radicale.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../bookings/support/booked-hosts.ts';

const ACCOUNT = 'ada@icloud.test';
const [NINE, HALF_PAST, TEN] = [slotOn(0, '09:00'), slotOn(0, '09:30'), slotOn(0, '10:00')];

function onError(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}

describe.runIf(hasRadicale)('Radicale (skipped where it is not installed)', () => {
  const door = testDoor(8_000);
  let radicale: Radicale;
  let database: TestDatabase;
  let accounts: CalendarAccounts;
  let em: () => Em;
  let calendar: string;
  let hostId: string;
  beforeAll(async () => {
    [database, radicale] = await Promise.all([openTestDatabase(), Radicale.start([ACCOUNT])]);
    em = () => database.em.fork();
    accounts = testCalendarAccounts(new CalDav(radicale.url, door.fetchOf('CALDAV', CALDAV_LIMITS)));
    new FreshCalendars({
      em: database.em,
      feeds: TEST_FEEDS,
      calendarAccounts: accounts,
      hosts: new ServerTurns().ofVisitors,
      background: new Background(onError, apartFromCaller),
      onError,
    }).serve();
  });
  afterAll(() => Promise.all([database.close(), radicale.close(), door.close()]));
  beforeEach(async () => {
    calendar = await radicale.makeCalendar(ACCOUNT, `Work-${newId()}`);
    [hostId = ''] = await newHosts(em(), 1);
    const opened = async (id: string) => ({
      credentials: await accounts.seal({ username: ACCOUNT, appPassword: PASSWORD }, { userId: hostId, id }),
      accessId: null,
    });
    const listed = [{ externalId: calendar, name: 'Work', isPrimary: true, isReadOnly: false }];
    await connectCalendars(em(), { userId: hostId, provider: 'APPLE', account: ACCOUNT, listed, opened });
  });

  const enters = (uid: string, start: Temporal.Instant) =>
    radicale.putEvent(ACCOUNT, calendar, uid, [`DTSTART:${compact(start.toString())}`, 'DURATION:PT30M']);
  const removes = (uid: string) => radicale.request('DELETE', ACCOUNT, `${calendar}${uid}.ics`);
  const letAge = () =>
    row(
      em(),
      sql`update connected_calendars set asked_at = asked_at - interval '3 seconds', answered_at = answered_at - interval '3 seconds'
          where user_id = ${hostId} returning id`,
    );
  const booking = (start: Temporal.Instant) => outcomeOf(book(em(), eventTypeOf([hostId]), start));

  test('has a meeting that was entered, moved and removed just before', async () => {
    await enters('x', NINE);
    expect(await booking(NINE)).toBe('SLOT_TAKEN');
    await enters('x', TEN);
    await letAge();
    // What is known to be taken is not asked about; the booking beside it finds out.
    expect(await booking(HALF_PAST)).toBe('done');
    expect(await booking(TEN)).toBe('SLOT_TAKEN');
    expect(await booking(NINE)).toBe('done');
    await removes('x');
    await letAge();
    expect(await booking(slotOn(0, '11:00'))).toBe('done');
    expect(await booking(TEN)).toBe('done');
  });

  test('has the entry of a booking, which is not in its own way', async () => {
    const { key } = await book(em(), eventTypeOf([hostId]), NINE);
    const found = await row(em(), sql<{ icsId: string }>`select ics_id as "icsId" from bookings where id = ${key.id}`);
    await enters(icsUid(found?.icsId ?? ''), NINE);
    await letAge();
    expect(await booking(HALF_PAST)).toBe('done');
    expect(await row(em(), sql`select 1 from busy_periods where user_id = ${hostId}`)).toBeDefined();
  });

  test('is gone, which holds a booking up for two seconds at most, and its user is told', async () => {
    await radicale.stop();
    const beganAt = performance.now();
    expect(await booking(NINE)).toBe('done');
    expect(performance.now() - beganAt).toBeLessThan(paced(3_000));
    const told = sql<{
      type: string;
    }>`select type from domain_events where owner_id = ${hostId} and type like '%SILENT'`;
    expect(await row(em(), told)).toEqual({ type: 'CALENDAR_SILENT' });
  });
});
