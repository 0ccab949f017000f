import { afterAll, beforeAll, expect, test } from 'vitest';
import { row, sql } from '../../../src/database/sql.ts';
import { isExpired } from '../../../src/modules/event-types/private-link.rules.ts';
import { SERVES } from '../../../src/modules/event-types/private-links.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const HOURS = [null, -1, 0, 1];
const COUNTS = [null, 1, 2];
const CASES = HOURS.flatMap((hours) =>
  COUNTS.flatMap((maxUsageCount) => [0, 1, 2, 3].map((usageCount) => ({ hours, maxUsageCount, usageCount }))),
);

test.each(CASES)('the database and the rules agree on a link with %j', async ({ hours, maxUsageCount, usageCount }) => {
  const found = await row(
    database.em.fork(),
    sql<{ serves: boolean; now: string; expiresAt: string | null }>`
      select ${SERVES} as serves, now(), item.expires_at as "expiresAt"
      from (select now() + ${hours}::int * interval '1 hour' as expires_at, ${maxUsageCount}::int as max_usage_count,
              ${usageCount}::int as usage_count) item`,
  );
  if (!found) throw new Error('A statement without a condition answered nothing.');
  const expiresAt = found.expiresAt === null ? null : Temporal.Instant.from(found.expiresAt);
  const link = { expiresAt, maxUsageCount, usageCount };
  expect(found.serves).toBe(!isExpired(link, Temporal.Instant.from(found.now)));
});
