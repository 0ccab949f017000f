import { publicOwnedId } from '../../src/core/id.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { storeFeed } from '../support/feeds.ts';
import { ownedUuidOf } from '../support/ids.ts';
import { by, did, type Fixture, type Maker } from './fixture.ts';

const APPLE_ACCOUNT = { username: 'ada@icloud.test', appPassword: 'app-password' };

const ownConnection = async (maker: Maker) => ({
  calendarAccountId: await maker.made('appleCalendarAccountConnect', APPLE_ACCOUNT, 'calendarAccountId'),
});

/** An account whose password its server has refused. */
const refusedConnection = async (maker: Maker) => {
  const { calendarAccountId } = await ownConnection(maker);
  const { ownerId, id } = ownedUuidOf(calendarAccountId);
  await maker.rows(
    sql`update calendar_connections set refused_at = now(), failing_since = now() where user_id = ${ownerId} and id = ${id}`,
  );
  return { calendarAccountId };
};

/** The primary one of its account, which can be written to. */
const ownCalendar = async (maker: Maker) => {
  const { ownerId, id } = ownedUuidOf((await ownConnection(maker)).calendarAccountId);
  const [calendar] = await maker.rows(
    sql`select id from connected_calendars where connection_id = ${id} and is_primary`,
  );
  return { calendarId: publicOwnedId('calendar', { ownerId, id: calendar?.id ?? '' }) };
};

export const fixture: Fixture = {
  things: { calendarAccount: { many: { provider: sql`'APPLE'`, credentials: sql`''` } }, icsFeed: {} },
  inputs: {
    appleCalendarAccountConnect: by('own', () => APPLE_ACCOUNT),
    caldavCalendarAccountConnect: by('own', () => ({ ...APPLE_ACCOUNT, server: 'cloud.example' })),
    calendarAccountConnect: by('own', () => ({ provider: 'GOOGLE' })),
    calendarAccountReconnect: by('own', refusedConnection),
    calendarAccountDisconnect: by('own', ownConnection),
    selectedCalendarAdd: by('own', ownCalendar),
    selectedCalendarRemove: by('own', ownCalendar),
    destinationCalendarSet: by('own', ownCalendar),
    // A feed that is there goes.
    icsFeedsSet: by('own', async (maker) => {
      await maker.feed();
      return { urls: [] };
    }),
  },
  fields: {
    Viewer: { AS_ABOVE: 'busyTimes destinationCalendar' },
    IcsFeed: { AS_ABOVE: 'status' },
    CalendarAccount: { AS_ABOVE: 'calendars' },
  },
  fillPerson: async ({ world }, who) => {
    await storeFeed(world.api.database.em, who.userId, 'https://calendar.example/one.ics');
    await did(who, 'caldavCalendarAccountConnect', { ...APPLE_ACCOUNT, server: 'cloud.example' });
    await changed(
      world.api.database.em.fork(),
      sql`update connected_calendars set read_at = now(), error = 'The calendar has too many events.'`,
    );
  },
};
