/** Bookings of somebody who leaves, all at once: as if each were settled by itself, and by as many statements for many as for few. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Background } from '../../../../src/core/background.ts';
import { apartFromCaller } from '../../../../src/database/deadline.ts';
import { type Em, row, rows, sql } from '../../../../src/database/sql.ts';
import { ServerTurns } from '../../../../src/limits/server-turns.ts';
import { type Departing, settleBookings } from '../../../../src/modules/bookings/departures/settle-bookings.ts';
import { FEED_TRIES, saveFeeds } from '../../../../src/modules/calendars/feeds/save-feeds.ts';
import { askingCalendars, FreshCalendars } from '../../../../src/modules/calendars/fresh-calendars.ts';
import { openTestApi, type TestApi, type TestCaller } from '../../../support/api.ts';
import { testCalendarAccounts } from '../../../support/calendar-accounts.ts';
import { counted } from '../../../support/counted-work.ts';
import { TEST_FEEDS } from '../../../support/feeds.ts';
import { ownGuessLimit } from '../../../support/own-guess-limit.ts';
import { paced } from '../../../support/pace.ts';
import { CalendarServer } from '../../calendars/feeds/support/calendar-server.ts';
import { calendar, event } from '../../calendars/feeds/support/ics.ts';
import { settleOneByOne } from './one-by-one.ts';
import { madeOf, teams } from './teams.ts';

let api: TestApi;
let owner: TestCaller;
beforeAll(async () => {
  api = await openTestApi();
  owner = await api.newUser('settling');
});
afterAll(() => api.close());

const em = () => api.database.em.fork();
/** All that is left of it, but for when. */
async function stateOf(inner: Em, teamId: string): Promise<unknown> {
  return row(
    inner,
    sql`select
      (select json_agg(json_build_array(id, status, host_ids, cancellation_reason, reassignment_reason, ics_sequence,
        updated_at > created_at) order by id) from bookings where owner_id = ${teamId}) as bookings,
      (select json_agg(json_build_array(user_id, booking_id, event_type_id, status, starts_at, ends_at, absent)
        order by booking_id, user_id) from booking_hosts where team_id = ${teamId}) as hosts,
      (select json_agg(json_build_array(host_id, holder_id, during, expires_at) order by holder_id, host_id)
        from occupied_times where team_id = ${teamId}) as times,
      (select json_agg(json_build_array(type, data) order by data -> 'booking' ->> 'id')
        from domain_events where owner_id = ${teamId} and type like 'BOOKING%') as events`,
  );
}

class Undone extends Error {}

/** The state that a way of settling leaves; it is undone. */
async function left(departing: Departing, settle: (inner: Em, departing: Departing) => Promise<unknown>) {
  let state: unknown;
  await em()
    .transactional(async (inner) => {
      await settle(inner, departing);
      state = await stateOf(inner, departing.groupId);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return state;
}

test('many bookings are settled as each would be by itself', { timeout: paced(120_000) }, async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(teams, async (drawn) => {
      const departing = await madeOf({ api, owner }, drawn);
      const before = JSON.stringify(await stateOf(em(), departing.groupId));
      const [batch, each] = [await left(departing, settleBookings), await left(departing, settleOneByOne)];
      expect(batch).toEqual(each);
      if (JSON.stringify(batch) !== before)
        kinds.add(JSON.stringify(batch).includes('CANCELLED') ? 'cancelled' : 'given');
    }),
    { numRuns: 25 },
  );
  expect([...kinds].toSorted()).toEqual(['cancelled', 'given']);
});

const onError = (error: unknown) => {
  throw error;
};

test('those who get them are asked for their calendars first', async () => {
  const server = await CalendarServer.start();
  onTestFinished(() => server.close());
  const background = new Background(onError, apartFromCaller);
  const door = { feeds: TEST_FEEDS, calendarAccounts: testCalendarAccounts(), hosts: new ServerTurns().ofVisitors };
  new FreshCalendars({ em: api.database.em, ...door, background, onError }).serve();
  const host = { priority: 0, weight: 1, isSuspended: false, away: null, busy: [], occupied: [], reserved: null };
  const hosts = [true, true, false, false, false];
  const types = [
    { schedulingType: 'ROUND_ROBIN' as const, before: 0 as const, after: 0 as const, hosts, isMandatory: false },
  ];
  const bookings = [0, 4].map((half) => {
    return { time: { day: 0, half }, type: 0, isLong: true, isPending: false, other: null };
  });
  const choice = { upcomingBookings: 'REASSIGN', toUserId: null, ifNobodyIsFree: 'CANCEL' } as const;
  const drawn = { hosts: [{ ...host, priority: 4 }, host], types, bookings, choice };
  const departing = await madeOf({ api, owner }, drawn);
  // The host whose turn it would be.
  const [first] = await rows(
    em(),
    sql<{
      id: string;
    }>`select user_id as id from team_memberships where team_id = ${departing.groupId} and role = 'MEMBER' order by 1`,
  );
  const busy = first?.id ?? '';
  const urls = [server.publish('/busy.ics', calendar())];
  const tries = ownGuessLimit(FEED_TRIES, api.database);
  await saveFeeds(em(), busy, { urls, keepIds: [] }, { ...TEST_FEEDS, allowsPrivate: true, tries });
  server.publish('/busy.ics', calendar(event('UID:trip\nDTSTART:20260101T000000Z\nDTEND:20280101T000000Z')));
  const asked = server.asked.length;
  const settled = await askingCalendars(em(), (asking) =>
    em().transactional((inner) => settleBookings(inner, { ...departing, asking })),
  );
  const found = await rows(
    em(),
    sql<{
      hostIds: readonly string[];
    }>`select host_ids as "hostIds" from bookings where owner_id = ${departing.groupId}`,
  );
  expect(settled.reassigned).toBe(2);
  expect(found.flatMap(({ hostIds }) => hostIds)).not.toContain(busy);
  expect(server.asked.length - asked).toBe(1);
});

test('eighty bookings take no more statements than five', async () => {
  const host = { priority: 0, weight: 1, isSuspended: false, away: null, busy: [], occupied: [], reserved: null };
  const type = {
    schedulingType: 'ROUND_ROBIN' as const,
    before: 0 as const,
    after: 0 as const,
    hosts: [true, true, true, true, true],
    isMandatory: false,
  };
  const statements: number[] = [];
  for (const perDay of [1, 16]) {
    const times = [0, 1, 2, 3, 4].flatMap((day) => Array.from({ length: perDay }, (_, half) => ({ day, half })));
    // The many bookings differ in the others who host them, and so in those who could take them over.
    const bookings = times.map((at, n) => {
      return { time: at, type: 0, isLong: true, isPending: false, other: perDay === 1 ? 0 : n % 5 };
    });
    const choice = { upcomingBookings: 'REASSIGN', toUserId: null, ifNobodyIsFree: 'CANCEL' } as const;
    const departing = await madeOf(
      { api, owner },
      { hosts: [1, 2, 3, 4, 5].map((weight) => ({ ...host, weight })), types: [type], bookings, choice },
    );
    const work = { statements: 0, sent: [] };
    await counted(em(), work).transactional((inner) => settleBookings(inner, departing));
    statements.push(work.statements);
  }
  expect(statements[1]).toBe(statements[0]);
});
