import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { replaceBusyPeriods } from '../../src/modules/calendars/busy-periods.ts';
import {
  connectCalendars,
  keepCalendars,
} from '../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { meanwhile } from '../support/meanwhile.ts';

const opened = async () => ({ credentials: 'sealed', accessId: null });

describe.runIf(isOnPostgres)('a calendar that is gone while it is being read', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  test('leaves none of its busy times', async () => {
    const em = () => database.em.fork();
    const [userId = ''] = await newHosts(em(), 1);
    const listed = ['work', 'home'].map((name) => ({
      externalId: `https://calendars.test/${name}/`,
      name,
      isPrimary: name === 'work',
      isReadOnly: false,
    }));
    const id = await connectCalendars(em(), { userId, provider: 'APPLE', account: newId(), listed, opened });
    const [work] = await rows(
      em(),
      sql<{ id: string }>`select id from connected_calendars where user_id = ${userId} and is_primary`,
    );
    const sourceId = work?.id ?? '';
    const gone = await meanwhile(
      database,
      async (reading) => {
        await rows(reading, sql`update connected_calendars set failures = 0 where id = ${sourceId} returning id`);
        await replaceBusyPeriods(reading, { userId, sourceId }, [{ start: 0, end: 3_600_000, icsUid: null }]);
      },
      () => em().transactional((inner) => keepCalendars(inner, { userId, id }, listed.slice(1), 0)),
    );
    expect(gone).toEqual([{ name: 'work', selected: true, isDestination: true }]);
    expect(await rows(em(), sql`select 1 from busy_periods where user_id = ${userId}`)).toEqual([]);
  });
});
