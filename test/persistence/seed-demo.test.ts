import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OwnedId } from '../../src/core/id.ts';
import { row, rows, sql } from '../../src/database/sql.ts';
import { isPasswordOf } from '../../src/modules/accounts/password-hash.ts';
import { findEventTypeRules } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { findMonthOfSlots } from '../../src/modules/bookings/slots/month-of-slots.queries.ts';
import { DEMO_PASSWORD } from '../../src/persistence/demo-data.ts';
import { seedDemo } from '../../src/persistence/seed-demo.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await Promise.all([seedDemo(database.em.fork()), seedDemo(database.em.fork())]);
});
afterAll(() => database.close());

describe('the demo', () => {
  test('is made once, however many processes start at the same moment', async () => {
    await seedDemo(database.em.fork());
    const counts = await rows(
      database.em.fork(),
      sql`select (select count(*)::int from users) as users, (select count(*)::int from teams) as teams,
            (select count(*)::int from event_types) as "eventTypes",
            (select count(*)::int from schedules where is_default) as schedules, (select count(*)::int from oauth_clients) as clients,
            (select count(*)::int from oauth_client_secrets) as secrets, (select count(*)::int from bookings) as bookings,
            (select count(*)::int from occupied_times) as occupied`,
    );
    const made = { users: 5, teams: 2, eventTypes: 17, schedules: 5, clients: 6, secrets: 4 };
    expect(counts).toEqual([{ ...made, bookings: 12, occupied: 12 }]);
  });

  test('has for each user two bookings to come and one that is over', async () => {
    const found = await rows(
      database.em.fork(),
      sql`select u.username, count(*) filter (where h.starts_at > now())::int as "toCome",
            count(*) filter (where h.ends_at < now())::int as over
          from users u join booking_hosts h on h.user_id = u.id group by u.username order by u.username`,
    );
    expect(found).toEqual(['ada', 'bob', 'cyd', 'dan'].map((username) => ({ username, toCome: 2, over: 1 })));
  });

  test('offers a time at which all hosts of the panel are free, in summer and in winter', async () => {
    const em = database.em.fork();
    const panel = await findEventTypeRules(em, await idOfPanel());
    if (!panel) throw new Error('The demo has no panel.');
    const { year } = Temporal.Now.plainDateISO();
    for (const month of [`${year + 1}-01`, `${year + 1}-07`]) {
      const inMonth = { month: Temporal.PlainYearMonth.from(month), timeZone: 'UTC', rescheduled: null };
      const { byDate } = await findMonthOfSlots(em, panel, { ...inMonth, durationInMinutes: 60 });
      expect(byDate.size).toBeGreaterThan(15);
    }
  });

  test('lets everybody sign in with the one password', async () => {
    const found = await rows<{ hash: string }>(
      database.em.fork(),
      sql`select distinct password_hash as hash from users`,
    );
    expect(await isPasswordOf(found[0]?.hash, DEMO_PASSWORD)).toBe(true);
    expect(await isPasswordOf(found[0]?.hash, 'something-else')).toBe(false);
  });

  test('keeps secrets as hashes only', async () => {
    const found = await rows<{ hash: string; hint: string }>(
      database.em.fork(),
      sql`select secret_hash as hash, hint from oauth_client_secrets where client_id = 'demo-app'`,
    );
    expect(found).toEqual([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/), hint: '_app' }]);
  });
});

async function idOfPanel(): Promise<OwnedId> {
  const panel = sql<OwnedId>`select owner_id as "ownerId", id from event_types where slug = 'panel'`;
  const found = await row(database.em.fork(), panel);
  if (!found) throw new Error('The demo has no panel.');
  return found;
}
