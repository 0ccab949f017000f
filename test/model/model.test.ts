import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOnPostgres } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { checkHistories } from './check-histories.ts';
import { FAILED_SEEDS } from './failed-seeds.ts';
import { Service } from './service.ts';

/** Other ones each day, so that what a day's changes break is found the same day, and found again when it is looked at. */
const DAY = Math.floor(Date.now() / 86_400_000);
const FRESH = isOnPostgres ? 60 : 12;

let service: Service;

beforeAll(async () => {
  const { DATABASE_URL } = process.env;
  service = await (DATABASE_URL === undefined ? Service.embedded() : Service.onPostgres(DATABASE_URL));
});

afterAll(() => service.close());

// They were found by two processes, or by what one of them would have shown too; on the embedded database they take three times as long.
test.runIf(isOnPostgres)('histories that have failed once keep the rules', { timeout: paced(600_000) }, async () => {
  expect(await checkHistories(service, Object.keys(FAILED_SEEDS).map(Number))).toBeUndefined();
});

test('random histories keep the rules', { timeout: paced(600_000) }, async () => {
  const seeds = Array.from({ length: FRESH }, (_, n) => 1_000 * DAY + n);
  expect(await checkHistories(service, seeds)).toBeUndefined();
});
