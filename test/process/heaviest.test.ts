/** The heaviest documents that bench/heaviest.ts has found, once more: what they do to a process is under the ceilings. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { requestOf } from '../support/heaviest-search.ts';
import { type HeavyCaller, heavyCallers } from '../support/heavy-callers.ts';
import { fillHeavily } from '../support/heavy-data.ts';
import { temporaryFolder } from '../support/process.ts';
import { type Burden, CEILINGS, startWatchedService, type WatchedService } from '../support/watched-service.ts';

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
const day = (days: number): string =>
  Temporal.Now.instant()
    .add({ hours: 24 * days })
    .toString({ smallestUnit: 'second' });
const slots = (index: number, days: number, of = 'username: "heavy"'): string =>
  `a${index}: slots(${of}, slug: "every-minute", start: "${day(0)}", end: "${day(days)}") { start end date seatsLeft }`;
const entries = Object.fromEntries(
  Array.from({ length: 9_900 }, (_, index) => [`eventTipeId${index}`, 'x'.repeat(80)]),
);

// The embedded database runs inside the process, and its own work blocks it.
describe.runIf(isOnPostgres)('on PostgreSQL, nothing blocks, answers or holds more than it may:', () => {
  let database: TestDatabase;
  let folder: string;
  let service: WatchedService;
  let uid: string;
  let callers: Readonly<Record<'nobody' | 'app', HeavyCaller>>;
  beforeAll(async () => {
    [database, folder] = await Promise.all([openTestDatabase(), temporaryFolder()]);
    service = await startWatchedService({ DATABASE_URL: database.url ?? '', DATA_DIR: folder, SEED_DEMO: 'on' });
    const heavy = await fillHeavily(database.em.fork());
    uid = heavy.bookingUid;
    const [nobody, app] = await heavyCallers(service.url, heavy);
    callers = { nobody, app };
  }, 120_000);
  afterAll(async () => {
    await service.kill('SIGKILL');
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each<[string, keyof typeof callers, string, object]>([
    ['20 times the slots of 92 days, one a minute', 'nobody', `{ ${times(20, (index) => slots(index, 92))} }`, {}],
    ['as many slots as there may be', 'nobody', `{ ${slots(0, 8)} }`, {}],
    [
      'the slots of 500 hosts, three times',
      'nobody',
      `{ ${times(3, (index) => slots(index, 1 / 24, 'team: "heavy-team"'))} }`,
      {},
    ],
    [
      '20 pages of public event types',
      'nobody',
      `{ ${times(20, (index) => `a${index}: publicEventTypes(username: "heavy", first: 100) { nodes { id } }`)} }`,
      {},
    ],
    [
      '20 times a booking with a thousand seats',
      'nobody',
      `{ ${times(20, (index) => `a${index}: publicBooking(uid: "UID") { uid hosts { name } otherAttendeeNames }`)} }`,
      {},
    ],
    [
      'public event types with all that they ask',
      'nobody',
      '{ publicEventTypes(username: "heavy", first: 100) { nodes { title description bookingFields { slug label options } } } }',
      {},
    ],
    [
      'input fields that are not there',
      'nobody',
      'mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) { userErrors { message } } }',
      { input: entries },
    ],
    [
      'schedules with all hours and overrides',
      'app',
      '{ me { schedules(first: 40) { nodes { name availability { days start end } overrides { date start end } } } } }',
      {},
    ],
    ['attendees of seats', 'app', '{ me { bookings(first: 45) { nodes { attendees { name email } } } } }', {}],
  ])('%s', async (_what, caller, written, variables) => {
    const query = written.replaceAll('UID', uid);
    const request = { ...requestOf(callers[caller], query), body: JSON.stringify({ query, variables }) };
    let least: Burden | undefined;
    // What is compiled for the first time, and the collection of others' garbage, is not of the document.
    for (let round = 0; round < 4; round += 1) {
      const burden = await service.burdenOf(request);
      if (!least || burden.blockedInMs < least.blockedInMs) least = burden;
    }
    expect(least?.blockedInMs).toBeLessThan(CEILINGS.blockedInMs);
    expect(least?.bytes).toBeLessThan(CEILINGS.bytes);
    expect(least?.grownInBytes).toBeLessThan(CEILINGS.grownInBytes);
  });
});
