/** The cost of the pages of a client must not hang on how many people use it, and what they did. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { recordAudit } from '../../src/events/record-audit.ts';
import { countUsersOf, findClientHistory, MOST_COUNTED } from '../../src/oauth/clients/oauth-client.queries.ts';
import { addClient, addUser, openTestServer, type TestServer } from '../oauth/support/test-server.ts';
import { costOf, PLAN_MODES } from '../support/plans.ts';

let serving: TestServer;
let clientId: string;
let userId: string;
beforeAll(async () => {
  serving = await openTestServer();
  const { em } = serving;
  userId = await addUser(em);
  clientId = await addClient(em, userId);
});
afterAll(() => serving.close());

/** Grants of the same user, of which each second one is unrestricted. */
async function addGrants(from: number, to: number, ended: string | null = null): Promise<void> {
  await changed(
    serving.em,
    sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at, last_used_at,
          expires_at, revoked_at)
        select md5(${userId} || n)::uuid, ${clientId}, ${userId}::uuid, case when n % 2 = 0 then 'UNRESTRICTED' else 'SCOPED' end,
          case when n % 2 = 0 then '{}'::text[] else '{PROFILE_READ}' end, 'x', 1, now(), now(), now(),
          now() + interval '1 year', ${ended}::timestamptz
        from generate_series(${from}::int, ${to}::int) n`,
  );
}

const [NOBODY, ONE, MANY] = [
  { users: 0, isMore: false },
  { users: 1, isMore: false },
  { users: 1, isMore: true },
];

test('no more grants of a client’s users are counted than say that there are many', async () => {
  const { em } = serving;
  const both = async () => [await countUsersOf(em, clientId), await countUsersOf(em, clientId, 'UNRESTRICTED')];
  await addGrants(-10, -1, '2026-01-01T00:00:00Z');
  expect(await both()).toEqual([NOBODY, NOBODY]);
  await addGrants(1, MOST_COUNTED);
  expect(await both()).toEqual([ONE, ONE]);
  await addGrants(MOST_COUNTED + 1, MOST_COUNTED + 1);
  expect(await both()).toEqual([MANY, ONE]);
  await addGrants(MOST_COUNTED + 2, 2 * MOST_COUNTED + 2);
  expect(await both()).toEqual([MANY, MANY]);
});

describe.each(PLAN_MODES)('with %s', (mode) => {
  test('the history of a client is read without what its users and its owner did', async () => {
    const { em } = serving;
    await recordAudit(em, { type: 'CLIENT_CREATED', userId, clientId });
    await changed(
      em,
      sql`insert into audit_events (occurred_at, id, type, user_id, client_id, detail)
          select now() - n * interval '1 second', gen_random_uuid(), case when n % 2 = 0 then 'CONSENT_GIVEN' else 'CLIENT_SECRET_CREATED' end,
            ${userId}::uuid, ${clientId}, '{}' from generate_series(1, 5000) n`,
    );
    await rows(em, sql`analyze audit_events`);
    const history = await findClientHistory(em, { clientId });
    expect(new Set(history.map(({ type }) => type))).toEqual(new Set(['CLIENT_CREATED']));
    const { indexes, removed, whole } = await costOf(serving.database.em, mode, (inner) =>
      findClientHistory(inner, { clientId }),
    );
    expect([indexes.includes('audit_events_client_history_idx'), removed, whole]).toEqual([true, 0, []]);
  });
});
