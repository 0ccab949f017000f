import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId } from '../../src/core/id.ts';
import { row, rows, sql } from '../../src/database/sql.ts';
import type { Uids } from '../../src/modules/bookings/booking-key.rules.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { uidsOf } from '../support/minted-tokens.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { atOnce, SHARED } from '../support/servers.ts';

const PAGES = 20;

describe.runIf(isOnPostgres)('while an operator has locked the bookings', () => {
  let database: TestDatabase;
  let service: RunningService;
  let folder: string;
  let uids: Uids;
  beforeAll(async () => {
    [database, folder] = await Promise.all([openTestDatabase(), temporaryFolder()]);
    service = await startService({ ...SHARED, DATA_DIR: folder, DATABASE_URL: database.url ?? '' });
    const config = { dataDir: folder, secretKey: SHARED.SECRET_KEY, secretKeyPrevious: undefined };
    uids = await uidsOf({ config, database });
  });
  afterAll(async () => {
    await service.kill('SIGKILL');
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('pages that need them are 503 in time and leave no statement behind, and all others are served', async () => {
    await database.em.fork().transactional(async (em) => {
      await rows(em, sql`lock table bookings`);
      const pages = atOnce(PAGES, () => ask(pathOfBooking()));
      await expect.poll(statementsThatWait).toBeGreaterThan(0);
      // The first one waits until it is seen that the others are stuck.
      for (const timeoutInMs of [5_000, 1_000, 1_000, 1_000]) {
        const { status, milliseconds } = await ask('/book/ada/intro-not-there');
        expect(status).toBe(404);
        expect(milliseconds).toBeLessThan(timeoutInMs);
      }
      for (const { status, milliseconds } of await pages) {
        expect(status).toBe(503);
        expect(milliseconds).toBeLessThan(paced(12_000));
      }
      await expect.poll(statementsThatWait).toBe(0);
    });
    expect((await ask(pathOfBooking())).status).toBe(404);
  });

  async function ask(path: string): Promise<{ status: number; milliseconds: number }> {
    const from = performance.now();
    const { status } = await fetch(`${service.url}${path}`);
    return { status, milliseconds: performance.now() - from };
  }

  async function statementsThatWait(): Promise<number> {
    const found = await row(
      database.em.fork(),
      sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
                             where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return found?.count ?? -1;
  }

  /** The page of a booking that was never made, by a uid that the service could have written: it is looked for all the same. */
  function pathOfBooking(): string {
    return `/bookings/${uids.of({ ownerId: newUserId(), id: newId(), version: 0 })}`;
  }
});
