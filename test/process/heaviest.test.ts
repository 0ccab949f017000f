/** The heaviest documents that bench/heaviest.ts has found, once more: what they do to a process is under the ceilings. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { requestOf } from '../support/heaviest-search.ts';
import { type HeavyCaller, heavyCallers } from '../support/heavy-callers.ts';
import { fillHeavily, type HeavyData } from '../support/heavy-data.ts';
import { HEAVY_FOR_AN_APP, HEAVY_FOR_NOBODY } from '../support/heavy-documents.ts';
import { keyIn, uidsOf } from '../support/minted-tokens.ts';
import { paced } from '../support/pace.ts';
import { temporaryFolder } from '../support/process.ts';
import { type Burden, CEILINGS, startWatchedService, type WatchedService } from '../support/watched-service.ts';

const entries = Object.fromEntries(
  Array.from({ length: 9_900 }, (_, index) => [`eventTipeId${index}`, 'x'.repeat(80)]),
);

// The embedded database runs inside the process, and its own work blocks it.
describe.runIf(isOnPostgres)('on PostgreSQL, nothing blocks, answers or holds more than it may:', () => {
  let database: TestDatabase;
  let folder: string;
  let service: WatchedService;
  let heavy: HeavyData;
  let callers: Readonly<Record<'nobody' | 'app', HeavyCaller>>;
  beforeAll(async () => {
    [database, folder] = await Promise.all([openTestDatabase(), temporaryFolder()]);
    service = await startWatchedService({ DATABASE_URL: database.url ?? '', DATA_DIR: folder, SEED_DEMO: 'on' });
    heavy = await fillHeavily(database.em.fork(), await uidsOf({ config: keyIn(folder), database }));
    const [nobody, app] = await heavyCallers(service.url, heavy);
    callers = { nobody, app };
  }, paced(120_000));
  afterAll(async () => {
    await service.kill('SIGKILL');
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const queries = Object.entries({ nobody: HEAVY_FOR_NOBODY, app: HEAVY_FOR_AN_APP }).flatMap(([caller, documents]) =>
    Object.entries(documents).map(([what, write]) => [what, caller as keyof typeof callers, write, {}] as const),
  );
  test.each<readonly [string, keyof typeof callers, (data: HeavyData) => string, object]>([
    ...queries,
    [
      'input fields that are not there',
      'nobody',
      () => 'mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) { userErrors { message } } }',
      { input: entries },
    ],
  ])('%s', async (_what, caller, write, variables) => {
    const query = write(heavy);
    const request = { ...requestOf(callers[caller], query), body: JSON.stringify({ query, variables }) };
    const burdens: Burden[] = [];
    // Compiling for the first time, and collecting others' garbage, is not the document's.
    for (let round = 0; round < 4; round += 1) burdens.push(await service.burdenOf(request));
    for (const [measure, ceiling] of Object.entries(CEILINGS)) {
      const least = Math.min(...burdens.map((burden) => burden[measure as keyof typeof CEILINGS]));
      expect({ measure, least }).toEqual({ measure, least: expect.toSatisfy((value: number) => value < ceiling) });
    }
  });
});
