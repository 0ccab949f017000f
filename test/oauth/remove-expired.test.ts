import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, row, sql } from '../../src/database/sql.ts';
import { startJanitor } from '../../src/jobs/janitor.ts';
import { beginAuthorization } from '../../src/oauth/authorize/authorize.ts';
import {
  GrantSweep,
  removeExpiredCodes,
  removeExpiredInteractions,
  removeOldFailedRequests,
  removeOldRevocations,
} from '../../src/oauth/remove-expired.ts';
import { recordRevocations } from '../../src/oauth/revocations/revocations.ts';
import { uuidNumbered } from '../support/ids.ts';
import { ageGrants, authorize, authorizeQueryOf, tokensOf, visitOf } from './support/flow.ts';
import { addClient, addUser, openTestServer, type TestServer } from './support/test-server.ts';

let serving: TestServer;
let userId: string;
let clientId: string;
beforeAll(async () => {
  serving = await openTestServer();
});
afterAll(() => serving.close());
beforeEach(async () => {
  await changed(
    serving.em,
    sql`truncate oauth_grants, oauth_codes, oauth_interactions, oauth_revocations, oauth_failed_requests`,
  );
  userId = await addUser(serving.em);
  clientId = await addClient(serving.em, userId);
});

describe('the janitor', () => {
  test.each([
    ['oauth_interactions', 'expires_at', 25, 23, removeExpiredInteractions],
    ['oauth_codes', 'expires_at', 25, 23, removeExpiredCodes],
    ['oauth_revocations', 'changed_at', 3, 1, removeOldRevocations],
    ['oauth_failed_requests', 'occurred_at', 169, 167, removeOldFailedRequests],
  ])('removes rows of %s whose %s is %d hours ago, and keeps those of %d', async (table, column, old, fresh, task) => {
    await fill();
    const setAge = (hours: number) =>
      changed(
        serving.em,
        sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - make_interval(hours => ${hours})`,
      );
    await setAge(fresh);
    expect(await task(serving.em, 1_000)).toBe(0);
    await setAge(old);
    expect(await task(serving.em, 1_000)).toBe(1);
    expect(await count(table)).toBe(0);
  });

  test.each<[string, () => Promise<unknown>, number]>([
    ['expired', () => changed(serving.em, sql`update oauth_grants set expires_at = now() - interval '1 second'`), 31],
    ['idle for 90 days', () => ageGrants(serving, clientId, 91 * 86_400), 30],
    ['revoked', () => changed(serving.em, sql`update oauth_grants set revoked_at = now()`), 31],
  ])('removes a grant a month after it is %s', async (_, end, days) => {
    await tokensOf(serving, clientId, userId);
    await end();
    const sweep = new GrantSweep();
    expect(await sweep.step(serving.em)).toBe(0);
    await ageGrants(serving, clientId, days * 86_400);
    await changed(serving.em, sql`update oauth_grants set revoked_at = revoked_at - make_interval(days => ${days})`);
    expect(await sweep.step(serving.em)).toBe(1);
  });

  test('keeps a grant that is alive, and comes back to the beginning', async () => {
    await tokensOf(serving, clientId, userId);
    const sweep = new GrantSweep();
    expect([await sweep.step(serving.em), await sweep.step(serving.em)]).toEqual([0, 0]);
    expect(await count('oauth_grants')).toBe(1);
  });

  test('works in batches, whatever there is, and one task that fails stops no other', async () => {
    await changed(
      serving.em,
      sql`insert into oauth_codes (interaction_id, code_hash, client_id, user_id, redirect_uri, kind, scopes, failures, created_at, expires_at)
          select ${uuidNumbered('0')}, 'x', 'x', ${userId}::uuid, 'x', 'SCOPED', '{}', 0, now(), now() - interval '2 days' from generate_series(1, 2500) as n`,
    );
    const errors: unknown[] = [];
    const batches: number[] = [];
    const janitor = startJanitor({
      em: serving.database.em,
      tasks: [
        () => Promise.reject(new Error('This task is broken.')),
        async (em, limit) => {
          const removed = await removeExpiredCodes(em, limit);
          batches.push(removed);
          return removed;
        },
      ],
      onError: (error) => errors.push(error),
    });
    await janitor.sweep();
    await janitor.stop();
    expect(batches).toEqual([1_000, 1_000, 500]);
    expect(errors).toHaveLength(1);
    expect(await count('oauth_codes')).toBe(0);
  });
});

/** One row in each table. */
async function fill(): Promise<void> {
  const visit = await visitOf(serving, userId);
  await authorize(serving, clientId, visit);
  await recordRevocations(serving.em, 'TOKEN', ['token']);
  await beginAuthorization(
    serving.em,
    serving.server,
    authorizeQueryOf(clientId, { redirect_uri: 'https://evil.example' }),
    visit,
  );
  await serving.server.failedRequests.written();
}

async function count(table: string): Promise<number> {
  const found = await row(serving.em, sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`);
  return found?.count ?? 0;
}
