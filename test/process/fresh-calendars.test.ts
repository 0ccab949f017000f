/** Two processes of the service book hosts whose calendars have just changed. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../../src/cli/demo-browser.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { CalendarServer } from '../modules/calendars/feeds/support/calendar-server.ts';
import { calendar, event } from '../modules/calendars/feeds/support/ics.ts';
import { DEMO_PASSWORD } from '../support/app.ts';
import { compact } from '../support/calendar-services.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';
import { actingAs, slotsOf } from './support/acting.ts';

const FIFTY = Array.from({ length: 50 }, (_, place) => place);
const OFFERED = '{ publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { id } }';
const BOOK =
  'mutation($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid } userErrors { code } } }';

// Several processes need a database that all can open.
describe.runIf(isOnPostgres)('fifty who book at two processes at once', { timeout: paced(120_000) }, () => {
  let database: TestDatabase;
  let server: CalendarServer;
  let folder: string;
  let services: RunningService[];
  let ada: Browser;
  let eventTypeId: string;
  let slots: string[];
  beforeAll(async () => {
    [database, server, folder] = await Promise.all([openTestDatabase(), CalendarServer.start(), temporaryFolder()]);
    const env = { ...SHARED, DATA_DIR: folder, DATABASE_URL: database.url ?? '', ALLOW_PRIVATE_NETWORK: 'on' };
    services = await Promise.all([startService(env), startService(env)]);
    ada = await Browser.signIn(services[0]?.url ?? '', 'ada@acme.test', DEMO_PASSWORD);
    const { publicEventType } = await ada.graphql<{ publicEventType: { id: string } }>(OFFERED, {});
    eventTypeId = publicEventType.id;
    slots = await slotsOf(ada, eventTypeId);
    const urls = [server.publish('/ada.ics', busyAt())];
    await actingAs(ada)('icsFeedsSet', { urls }, 'icsFeeds { id }');
  }, paced(120_000));
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill('SIGKILL')));
    await Promise.all([server.close(), database.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** Each of another length, by which the server knows it. */
  let count = 0;
  const busyAt = (...starts: string[]): string => {
    count += 1;
    const busy = starts.map((start) => event(`UID:${start}\nDTSTART:${compact(start)}\nDURATION:PT10M`));
    return calendar(`X-COUNT:${'x'.repeat(count)}`, ...busy);
  };

  async function bookedBy(place: number, start: string): Promise<string> {
    const attendee = { name: 'Grace', email: `grace${place}@example.test`, timeZone: 'UTC' };
    const response = await fetch(`${services[place % 2]?.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: BOOK, variables: { input: { eventTypeId, start, attendee } } }),
    });
    const { bookingCreate } = (await response.json()).data;
    return bookingCreate.userErrors[0]?.code ?? 'BOOKED';
  }

  /** As if it had been read in the background a while ago. */
  const letAge = () =>
    rows(
      database.em.fork(),
      sql`update ics_feeds set asked_at = now() - interval '1 minute', answered_at = now() - interval '1 minute', asked_during = null,
            read_at = now() - interval '1 minute' returning id`,
    );

  /** @returns how often each outcome came, and how often the calendar was asked meanwhile, and may have been */
  async function fifty(start: string) {
    await letAge();
    const [before, beganAt] = [server.asked.length, performance.now()];
    const outcomes = await Promise.all(FIFTY.map((place) => bookedBy(place, start)));
    const seconds = (performance.now() - beganAt) / 1_000;
    const counts = Object.fromEntries(
      Map.groupBy(outcomes, (one) => one)
        .entries()
        .map(([code, { length }]) => [code, length]),
    );
    // One in two seconds, of both processes together; and, of what has changed, all of it once in the background.
    return { counts, asked: server.asked.length - before, most: 1 + Math.floor(seconds / 2) + 1 };
  }

  test('are all refused where a meeting has just been entered, by a question or two', async () => {
    const [start = ''] = slots;
    server.publish('/ada.ics', busyAt(start));
    const { counts, asked, most } = await fifty(start);
    expect(counts).toEqual({ SLOT_TAKEN: 50 });
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(most);
  });

  test('have one of them booked where the calendar is free', async () => {
    const [taken = '', , start = ''] = slots;
    server.publish('/ada.ics', busyAt(taken));
    const { counts, asked, most } = await fifty(start);
    expect(counts).toEqual({ BOOKED: 1, SLOT_TAKEN: 49 });
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(most);
  });

  test('have one of them booked, and wait two seconds at most, where the calendar does not answer', async () => {
    const start = slots[4] ?? '';
    server.publish('/ada.ics', () => undefined);
    const beganAt = performance.now();
    const { counts } = await fifty(start);
    expect(counts).toEqual({ BOOKED: 1, SLOT_TAKEN: 49 });
    expect(performance.now() - beganAt).toBeLessThan(paced(4_000));
  });
});
