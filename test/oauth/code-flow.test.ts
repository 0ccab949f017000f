import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { changed, row, rows, sql } from '../../src/database/sql.ts';
import {
  ageCode,
  authorize,
  CHALLENGE,
  exchange,
  expectTokens,
  tokenRequest,
  tokensOf,
  VERIFIER,
  visitOf,
} from './support/flow.ts';
import {
  addClient,
  addUser,
  ISSUER,
  openTestServer,
  REDIRECT_URI,
  SECRET,
  type TestServer,
} from './support/test-server.ts';

let serving: TestServer;
let userId: string;
let clientId: string;
beforeAll(async () => {
  serving = await openTestServer();
});
afterAll(() => serving.close());
beforeEach(async () => {
  userId = await addUser(serving.em);
  clientId = await addClient(serving.em, userId);
});

describe('exchanging a code', () => {
  test('gives exactly the five fields of the specification', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    expect(await exchange(serving, clientId, code)).toEqual({
      access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^gh_refresh_/),
      token_type: 'bearer',
      expires_in: 1800,
      scope: 'BOOKING_READ PROFILE_READ',
    });
  });

  test('gives an access token for this user, this client and these scopes, for 1800 seconds', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId, { scope: 'PROFILE_READ' });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: ISSUER,
      aud: ISSUER,
      sub: publicId('user', userId),
      client_id: clientId,
      scope: 'PROFILE_READ',
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(1800);
  });

  test('works once: the second time the code is unusable', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId), { code_challenge: CHALLENGE });
    expectTokens(await exchange(serving, clientId, code, { code_verifier: VERIFIER }));
    expect(await exchange(serving, clientId, code, { code_verifier: VERIFIER })).toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('with a verifier needs no secret from a public client', async () => {
    const publicId = await addClient(serving.em, userId, { type: 'PUBLIC' });
    const code = await authorize(serving, publicId, await visitOf(serving, userId), { code_challenge: CHALLENGE });
    const fields = { client_secret: undefined, code_verifier: VERIFIER };
    expect(await exchange(serving, publicId, code, fields)).toMatchObject({ token_type: 'bearer' });
  });

  test('gives only what the client still has enabled', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    await changed(serving.em, sql`update oauth_clients set scopes = '{PROFILE_READ}' where client_id = ${clientId}`);
    expect(await exchange(serving, clientId, code)).toMatchObject({ scope: 'PROFILE_READ' });
  });
});

describe('a code stays usable when', () => {
  test.each([
    ['the secret is wrong', { client_secret: 'gh_secret_wrong' }, 'invalid_client'],
    ['the verifier is wrong', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['the verifier is missing', { code_verifier: undefined }, 'invalid_grant'],
    ['the verifier is malformed', { code_verifier: 'short' }, 'invalid_request'],
    ['the redirect URI is missing', { redirect_uri: undefined }, 'invalid_request'],
    ['the redirect URI is another one', { redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
    [
      'a parameter comes twice',
      { 'grant_type=authorization_code&grant_type': 'authorization_code' },
      'invalid_request',
    ],
    ['the resource is not ours', { resource: 'https://other.example' }, 'invalid_target'],
  ])('%s', async (_, changes, error) => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId), { code_challenge: CHALLENGE });
    expect(await exchange(serving, clientId, code, { code_verifier: VERIFIER, ...changes })).toMatchObject({ error });
    expectTokens(await exchange(serving, clientId, code, { code_verifier: VERIFIER }));
  });

  test('another client tries it', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    const otherId = await addClient(serving.em, userId);
    expect(await exchange(serving, otherId, code)).toMatchObject({ error: 'invalid_grant' });
    expectTokens(await exchange(serving, clientId, code));
  });
});

describe('a code is unusable when', () => {
  test('it is older than its ten minutes', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    await ageCode(serving, code, 601);
    expect(await exchange(serving, clientId, code)).toMatchObject({ error: 'invalid_grant' });
  });

  test('it was tried wrongly five times', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId), { code_challenge: CHALLENGE });
    for (let i = 0; i < 5; i += 1) await exchange(serving, clientId, code, { code_verifier: 'x'.repeat(43) });
    expect(await exchange(serving, clientId, code, { code_verifier: VERIFIER })).toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('somebody changes a character of it', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    const forged = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0');
    expect(await exchange(serving, clientId, forged)).toMatchObject({ error: 'invalid_grant' });
    expectTokens(await exchange(serving, clientId, code));
  });

  test('its user was suspended meanwhile', async () => {
    // Not the developer of the app, which would stop with them.
    clientId = await addClient(serving.em, await addUser(serving.em));
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    await changed(serving.em, sql`update users set suspended_at = now() where id = ${userId}`);
    expect(await exchange(serving, clientId, code)).toMatchObject({ error: 'invalid_grant' });
    await changed(serving.em, sql`update users set suspended_at = null where id = ${userId}`);
    expectTokens(await exchange(serving, clientId, code));
  });
});

describe('a client that is not approved', () => {
  test.each(['PENDING', 'REJECTED', 'SUSPENDED'])('gets no tokens while it is %s, and learns why', async (status) => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    await changed(serving.em, sql`update oauth_clients set status = ${status} where client_id = ${clientId}`);
    expect(await exchange(serving, clientId, code)).toMatchObject({ error: 'unauthorized_client', status: 400 });
    await changed(serving.em, sql`update oauth_clients set status = 'APPROVED' where client_id = ${clientId}`);
    expectTokens(await exchange(serving, clientId, code));
  });
});

describe('a replayed code', () => {
  test('ends the grant when everything that proves the client came again', async () => {
    const mailed = serving.mails.length;
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    const { access_token: token } = expectTokens(await exchange(serving, clientId, code));
    expect(await serving.server.bearerTokens.authenticate(serving.em, token)).toMatchObject({ userId });
    expect(await exchange(serving, clientId, code)).toMatchObject({ error: 'invalid_grant' });
    expect(await serving.server.bearerTokens.authenticate(serving.em, token)).toMatchObject({ error: 'invalid_token' });
    expect(await auditTypes()).toContain('CODE_REPLAYED');
    await serving.server.background.settled();
    const subjects = serving.mails.slice(mailed).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/was disconnected from your account/));
  });

  test('also ends it after the code has expired', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    const { access_token: token } = expectTokens(await exchange(serving, clientId, code));
    await ageCode(serving, code, 3_600);
    await exchange(serving, clientId, code);
    expect(await serving.server.bearerTokens.authenticate(serving.em, token)).toMatchObject({ error: 'invalid_token' });
  });

  test.each([
    ['with a wrong verifier', { code_verifier: 'x'.repeat(43) }],
    ['without the verifier', { code_verifier: undefined }],
    ['by a client that cannot authenticate', { code_verifier: VERIFIER, client_secret: 'gh_secret_wrong' }],
  ])('%s ends nothing, or it would be a way to shut out a user', async (_, changes) => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId), { code_challenge: CHALLENGE });
    const { access_token: token } = expectTokens(await exchange(serving, clientId, code, { code_verifier: VERIFIER }));
    await ageCode(serving, code, 60);
    expect(await exchange(serving, clientId, code, changes)).toHaveProperty('error');
    expect(await serving.server.bearerTokens.authenticate(serving.em, token)).toMatchObject({ userId });
  });

  test('within ten seconds and with the verifier is a duplicate: refused, and the tokens live on', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId), { code_challenge: CHALLENGE });
    const { access_token: token } = expectTokens(await exchange(serving, clientId, code, { code_verifier: VERIFIER }));
    expect(await exchange(serving, clientId, code, { code_verifier: VERIFIER })).toMatchObject({
      error: 'invalid_grant',
    });
    expect(await serving.server.bearerTokens.authenticate(serving.em, token)).toMatchObject({ userId });
    await ageCode(serving, code, 11);
    await exchange(serving, clientId, code, { code_verifier: VERIFIER });
    expect(await serving.server.bearerTokens.authenticate(serving.em, token)).toMatchObject({ error: 'invalid_token' });
  });
});

describe('a client that leaves its legacy state', () => {
  test('keeps unrestricted grants until their user authorizes again', async () => {
    const legacyId = await addClient(serving.em, userId, { legacy: true, scopes: [] });
    const otherUserId = await addUser(serving.em);
    const mine = await tokensOf(serving, legacyId, userId, { scope: undefined });
    const others = await tokensOf(serving, legacyId, otherUserId, { scope: undefined });
    expect(mine.scope).toBe('');
    expect(decodeJwt(mine.access_token)).toMatchObject({ unrestricted: true });

    await changed(
      serving.em,
      sql`update oauth_clients set legacy = false, scopes = '{PROFILE_READ}' where client_id = ${legacyId}`,
    );
    expect(await serving.server.bearerTokens.authenticate(serving.em, mine.access_token)).toMatchObject({ userId });

    await tokensOf(serving, legacyId, userId, { scope: 'PROFILE_READ' });
    const { bearerTokens } = serving.server;
    expect(await bearerTokens.authenticate(serving.em, mine.access_token)).toMatchObject({ error: 'invalid_token' });
    expect(await bearerTokens.authenticate(serving.em, others.access_token)).toMatchObject({ userId: otherUserId });
  });

  test('keeps them while it is legacy, also beside scoped ones', async () => {
    const legacyId = await addClient(serving.em, userId, { legacy: true, scopes: [] });
    const unrestricted = await tokensOf(serving, legacyId, userId, { scope: undefined });
    await tokensOf(serving, legacyId, userId, { scope: 'PROFILE_READ' });
    const { bearerTokens } = serving.server;
    expect(await bearerTokens.authenticate(serving.em, unrestricted.access_token)).toMatchObject({ userId });
  });
});

describe('the database', () => {
  test('holds no usable code, token or secret', async () => {
    const code = await authorize(serving, clientId, await visitOf(serving, userId));
    const unused = await authorize(serving, clientId, await visitOf(serving, userId));
    const tokens = expectTokens(await exchange(serving, clientId, code));
    await serving.server.background.settled();
    await serving.server.failedRequests.written();
    const tables = await rows(
      serving.em,
      sql<{ table: string }>`select table_name as "table" from information_schema.tables where table_schema = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { table } of tables) {
      const content = JSON.stringify(await rows(serving.em, sql`select * from ${sql.table(table)}`));
      for (const secret of [unused, tokens.access_token, tokens.refresh_token, SECRET])
        expect(content).not.toContain(secret);
    }
  });
});

describe('authenticating a client', () => {
  test('looks the same for an unknown client and a wrong secret', async () => {
    const fields = { grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT_URI, client_secret: 'wrong' };
    const wrong = await tokenRequest(serving, { ...fields, client_id: clientId });
    expect(wrong).toMatchObject({ error: 'invalid_client', status: 401 });
    expect(await tokenRequest(serving, { ...fields, client_id: 'nobody' })).toEqual(wrong);
  });

  test('is refused for a network that guessed 20 times in a minute, and for nobody else', async () => {
    for (let i = 0; i < 20; i += 1) expect(await guess('198.51.100.1', `wrong ${i}`)).toMatchObject({ status: 401 });
    expect(await guess('198.51.100.2', 'wrong')).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
    expect(await guess('198.51.100.3', SECRET)).toMatchObject({ status: 429 });
    expect(await guess('203.0.113.1', SECRET)).toMatchObject({ error: 'invalid_grant' });
  });

  test('notes when the secret was used last, so that its developer knows which one can go', async () => {
    const lastUsed = () =>
      row(
        serving.em,
        sql<{ at: string | null }>`select last_used_at as at from oauth_client_secrets where client_id = ${clientId}`,
      );
    expect(await lastUsed()).toEqual({ at: null });
    await tokensOf(serving, clientId, userId);
    await serving.server.background.settled();
    expect(await lastUsed()).toEqual({ at: expect.any(String) });
  });

  test('notes a failure for the developer of the client, without what was sent', async () => {
    await exchange(serving, clientId, 'gh_code_of_somebody');
    await exchange(serving, clientId, 'x', { client_secret: 'gh_secret_guess' });
    await serving.server.failedRequests.written();
    const noted = await rows(
      serving.em,
      sql`select endpoint, error, description from oauth_failed_requests where client_id = ${clientId} order by error`,
    );
    expect(noted).toMatchObject([
      { endpoint: 'TOKEN', error: 'invalid_client' },
      { endpoint: 'TOKEN', error: 'invalid_grant' },
    ]);
    expect(JSON.stringify(noted)).not.toMatch(/gh_code_of_somebody|gh_secret_guess/);
  });
});

async function auditTypes(): Promise<string[]> {
  const found = await rows(
    serving.em,
    sql<{ type: string }>`select type from audit_events where client_id = ${clientId}`,
  );
  return found.map(({ type }) => type);
}

function guess(address: string, secret: string) {
  const fields = { client_id: clientId, client_secret: secret, grant_type: 'refresh_token', refresh_token: 'x' };
  return tokenRequest(serving, fields, address);
}
