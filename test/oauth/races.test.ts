import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { row, rows, sql } from '../../src/database/sql.ts';
import { beginAuthorization, type Visit } from '../../src/oauth/authorize/authorize.ts';
import { createSecret, deleteSecret } from '../../src/oauth/clients/client-secret.commands.ts';
import type { OpenAuthorizationServer } from '../../src/oauth/open-authorization-server.ts';
import {
  authorize,
  authorizeQueryOf,
  CHALLENGE,
  exchange,
  expectTokens,
  press,
  refresh,
  tokensOf,
  VERIFIER,
  visitOf,
} from './support/flow.ts';
import {
  ADDRESS,
  addClient,
  addSecret,
  addUser,
  openOn,
  openTestServer,
  type TestServer,
} from './support/test-server.ts';

const TIMES = 50;

let serving: TestServer;
let second: OpenAuthorizationServer;
let userId: string;
let clientId: string;
let visit: Visit;
beforeAll(async () => {
  serving = await openTestServer();
  second = await openOn(serving.database);
});
afterAll(async () => {
  await second.close();
  await serving.close();
});
beforeEach(async () => {
  userId = await addUser(serving.em);
  clientId = await addClient(serving.em, userId);
  visit = await visitOf(serving, userId);
});

describe(`${TIMES} requests at once, over two servers on one database:`, () => {
  test('one exchange of a code succeeds, and with PKCE its tokens live', async () => {
    const code = await authorize(serving, clientId, visit, { code_challenge: CHALLENGE });
    const answers = await manyTimes((server) => exchange(server, clientId, code, { code_verifier: VERIFIER }));
    const won = answers.filter((answer) => 'access_token' in answer);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => 'error' in answer && answer.error === 'invalid_grant')).toHaveLength(TIMES - 1);
    const [tokens] = won.map(expectTokens);
    expect(await serving.server.bearerTokens.authenticate(serving.em, tokens?.access_token ?? '')).toMatchObject({
      userId,
    });
    expect(await grants()).toBe(1);
  });

  test('one exchange of a code succeeds without PKCE too', async () => {
    const code = await authorize(serving, clientId, visit);
    const answers = await manyTimes((server) => exchange(server, clientId, code));
    expect(answers.filter((answer) => 'access_token' in answer)).toHaveLength(1);
    expect(await grants()).toBe(1);
  });

  test('all refreshes succeed, with one and the same pair', async () => {
    const { refresh_token: token } = await tokensOf(serving, clientId, userId);
    const answers = (await manyTimes((server) => refresh(server, clientId, token))).map(expectTokens);
    expect(new Set(answers.map(({ access_token, refresh_token }) => `${access_token} ${refresh_token}`)).size).toBe(1);
    expectTokens(await refresh(serving, clientId, answers[0]?.refresh_token ?? ''));
  });

  test('all Allows give one code', async () => {
    const page = await beginAuthorization(serving.em, serving.server, authorizeQueryOf(clientId), visit);
    const answers = await manyTimes((server) => press(server, page, visit));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ kind: 'REDIRECT', location: expect.stringContaining('code=gh_code_') });
    expect(await rows(serving.em, sql`select from oauth_codes where client_id = ${clientId}`)).toHaveLength(1);
  });

  test('Allow and Cancel give one answer', async () => {
    const page = await beginAuthorization(serving.em, serving.server, authorizeQueryOf(clientId), visit);
    let count = 0;
    const answers = await manyTimes((server) => press(server, page, visit, (count += 1) % 2 ? 'allow' : 'deny'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('a client gets one more secret', async () => {
    const results = await Promise.allSettled(
      times((server) =>
        createSecret(server.em, server.server, { clientId, name: 'next', actorId: userId, address: ADDRESS }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await secrets()).toHaveLength(2);
  });

  test('one of two deletions of two secrets succeeds', async () => {
    await addSecret(serving.em, clientId, 'gh_secret_another', 2);
    const ids = (await secrets()).map(({ id }) => id);
    let count = 0;
    const results = await Promise.allSettled(
      times((server) => {
        const secretId = ids[(count += 1) % 2] ?? '';
        return deleteSecret(server.em, server.server, { clientId, secretId, actorId: userId, address: ADDRESS });
      }),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await secrets()).toHaveLength(1);
  });

  test('reuse ends a grant once', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const next = expectTokens(await refresh(serving, clientId, first.refresh_token));
    expectTokens(await refresh(serving, clientId, next.refresh_token));
    await manyTimes((server) => refresh(server, clientId, first.refresh_token));
    const logged = await rows(
      serving.em,
      sql`select from audit_events where client_id = ${clientId} and type = 'REFRESH_TOKEN_REUSED'`,
    );
    expect(logged).toHaveLength(1);
  });
});

type Serving = Pick<TestServer, 'em' | 'server'>;

/** Starts `run` many times, half of them on each server. */
function times<Result>(run: (serving: Serving) => Promise<Result>): Promise<Result>[] {
  const servers = [serving.server, second];
  return Array.from({ length: TIMES }, (_, index) => {
    const server = servers[index % 2] ?? second;
    return run({ em: serving.database.em.fork(), server });
  });
}

function manyTimes<Result>(run: (serving: Serving) => Promise<Result>): Promise<Result[]> {
  return Promise.all(times(run));
}

async function grants(): Promise<number> {
  const found = await row(
    serving.em,
    sql<{ count: number }>`select count(*)::int as count from oauth_grants where client_id = ${clientId}`,
  );
  return found?.count ?? 0;
}

function secrets(): Promise<{ id: string }[]> {
  return rows(serving.em, sql<{ id: string }>`select id from oauth_client_secrets where client_id = ${clientId}`);
}
