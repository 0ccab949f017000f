import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, type Em, row, rows, sql } from '../../src/database/sql.ts';
import { liveAccesses } from '../../src/oauth/authorize/interactions.ts';
import { endAccess, revokeWhere } from '../../src/oauth/grants/revoke-grant.ts';
import { isSurplus } from '../../src/oauth/tokens/surplus-grants.ts';
import { findCodes, redeemCodes } from '../../src/oauth/tokens/token-statements.ts';
import { authorize, visitOf } from '../oauth/support/flow.ts';
import { addClient, addUser, openTestServer, type TestServer } from '../oauth/support/test-server.ts';
import { type Cost, costOf, PLAN_MODES } from '../support/plans.ts';

const GRANTS = 10_000;
const LIVE = 100;

/** The cost of an exchange must not hang on how often the user has let the app in. */
let serving: TestServer;
let clientId: string;
/** Somebody with many grants, nearly all of them ended, and somebody new. */
let often: string;
let never: string;
beforeAll(async () => {
  serving = await openTestServer();
  often = await addUser(serving.em);
  never = await addUser(serving.em);
  clientId = await addClient(serving.em, often);
  const { em } = serving;
  // One that was revoked among each hundred lives, and others have as many.
  for (const userId of [often, await addUser(em)]) {
    await changed(
      em,
      sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
            last_used_at, expires_at, revoked_at)
          select md5(${userId} || n)::uuid, ${clientId}, ${userId}::uuid,
            case when n % 2 = 0 then 'UNRESTRICTED' else 'SCOPED' end,
            case when n % 2 = 0 then '{}'::text[] else '{PROFILE_READ}' end, 'x', 1, now(), now(), now(),
            now() + interval '1 year', case when n % ${GRANTS / LIVE}::int = 1 then null else now() end
          from generate_series(1, ${GRANTS}::int) n`,
    );
  }
  await rows(em, sql`analyze oauth_grants`);
});
afterAll(() => serving.close());

describe.each(PLAN_MODES)('with %s', (mode) => {
  const cost = (ask: (em: Em) => Promise<unknown>): Promise<Cost> => costOf(serving.database.em, mode, ask);

  async function exchanging(userId: string): Promise<Cost> {
    const code = await authorize(serving, clientId, await visitOf(serving, userId), { prompt: 'consent' });
    const [{ code: found } = {}] = await findCodes(serving.em, [{ code }]);
    if (!found) throw new Error('The code is not there.');
    return cost(async (em) => {
      const [grant] = await redeemCodes(em, [found]);
      // As it was before, so that it is explained what an exchange costs that succeeds.
      await changed(serving.em, sql`delete from oauth_grants where id = ${grant?.id}`);
      await changed(serving.em, sql`update oauth_codes set redeemed_at = null`);
      expect(grant?.isOneOfMany).toBe(userId === often);
    });
  }

  test('exchanging a code costs the same after 10,000 grants as after none', async () => {
    const [many, none] = [await exchanging(often), await exchanging(never)];
    expect([many.whole, none.whole]).toEqual([[], []]);
    expect(many.removed).toBeLessThan(10);
    // Half a hundred of those that live are counted.
    expect(many.buffers - none.buffers).toBeLessThan(120);
  });

  test('authorizing and looking for what is too much read what lives', async () => {
    for (const ask of [
      (em: Em) => liveAccesses(em, often, clientId),
      (em: Em) => revokeWhere(em, isSurplus([{ userId: often, clientId }]), { reason: 'TOO_MANY' }),
    ]) {
      const { whole, removed, buffers } = await cost(ask);
      expect(buffers).toBeGreaterThan(0);
      expect([whole, removed < 10, buffers < 4 * LIVE]).toEqual([[], true, true]);
    }
  });

  test('ending access reads what is to end', async () => {
    const { whole } = await cost((em) => endAccess(em, { userId: never, clientId }, { reason: 'REVOKED_BY_USER' }));
    expect(whole).toEqual([]);
    expect(
      await row(serving.em, sql`select 1 from oauth_grants where user_id = ${never} and revoked_at is null`),
    ).toBeUndefined();
  });
});
