import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { beginAuthorization } from '../../src/oauth/authorize/authorize.ts';
import type { TokenResponse } from '../../src/oauth/protocol/access-token.ts';
import {
  ageGrants,
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
import { addClient, addUser, openTestServer, type TestServer } from './support/test-server.ts';

const DAY = 86_400;

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

describe('refreshing', () => {
  test('gives a new pair with the scopes of the authorization', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    expect(second).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^gh_refresh_/),
      token_type: 'bearer',
      expires_in: 1800,
      scope: first.scope,
    });
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
  });

  test('goes on and on', async () => {
    let tokens = await tokensOf(serving, clientId, userId);
    for (let i = 0; i < 5; i += 1) tokens = expectTokens(await refresh(serving, clientId, tokens.refresh_token));
    expect(await isAlive(tokens)).toBe(true);
  });

  test('keeps a grant unrestricted, also after its client has got scopes', async () => {
    const legacyId = await addClient(serving.em, userId, { legacy: true, scopes: [] });
    const first = await tokensOf(serving, legacyId, userId, { scope: undefined });
    await changed(
      serving.em,
      sql`update oauth_clients set legacy = false, scopes = '{PROFILE_READ}' where client_id = ${legacyId}`,
    );
    const second = expectTokens(await refresh(serving, legacyId, first.refresh_token));
    expect(second.scope).toBe('');
    expect(decodeJwt(second.access_token)).toMatchObject({ unrestricted: true });
  });

  test('gives what the client still has enabled, and rotates nothing when that is nothing', async () => {
    const first = await tokensOf(serving, clientId, userId);
    await changed(serving.em, sql`update oauth_clients set scopes = '{BOOKING_WRITE}' where client_id = ${clientId}`);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_scope' });
    await changed(serving.em, sql`update oauth_clients set scopes = '{PROFILE_READ}' where client_id = ${clientId}`);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({ scope: 'PROFILE_READ' });
  });
});

describe('a narrower scope', () => {
  test('narrows the access token only; the next refresh has everything again', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const narrow = expectTokens(await refresh(serving, clientId, first.refresh_token, { scope: 'PROFILE_READ' }));
    expect(narrow.scope).toBe('PROFILE_READ');
    expect(await refresh(serving, clientId, narrow.refresh_token)).toMatchObject({ scope: first.scope });
  });

  test('is refused when it is wider, and rotates nothing', async () => {
    const first = await tokensOf(serving, clientId, userId, { scope: 'PROFILE_READ' });
    expect(await refresh(serving, clientId, first.refresh_token, { scope: 'PROFILE_READ BOOKING_READ' })).toMatchObject(
      {
        error: 'invalid_scope',
      },
    );
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({ scope: 'PROFILE_READ' });
  });
});

describe('a retry with the token before', () => {
  test('gets the identical pair while nothing shows that the answer arrived', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    await ageGrants(serving, clientId, 600);
    const again = expectTokens(await refresh(serving, clientId, first.refresh_token));
    expect(again.refresh_token).toBe(second.refresh_token);
    // Ten minutes were taken from the row; the pair is that of its time, and says what is left of it.
    expect(again.expires_in).toBeLessThanOrEqual(1200);
    expect(again.expires_in).toBeGreaterThan(1100);
  });

  test('is byte for byte the same, access token included', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    const again = expectTokens(await refresh(serving, clientId, first.refresh_token));
    expect([again.access_token, again.refresh_token]).toEqual([second.access_token, second.refresh_token]);
  });

  test('works for half a minute after the new access token was seen, then it is reuse', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    expect(await isAlive(second)).toBe(true);
    await ageGrants(serving, clientId, 20);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({
      refresh_token: second.refresh_token,
    });
    await ageGrants(serving, clientId, 11);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect(await isAlive(second)).toBe(false);
  });

  test('works for a day for a confidential client', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    await ageGrants(serving, clientId, DAY - 60);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({
      refresh_token: second.refresh_token,
    });
    await ageGrants(serving, clientId, 61);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  });

  test('works for a minute for a public client, whose token is all that it takes', async () => {
    const publicId = await addClient(serving.em, userId, { type: 'PUBLIC' });
    const code = await authorize(serving, publicId, await visitOf(serving, userId), { code_challenge: CHALLENGE });
    const first = expectTokens(
      await exchange(serving, publicId, code, { client_secret: undefined, code_verifier: VERIFIER }),
    );
    const again = () => refresh(serving, publicId, first.refresh_token, { client_secret: undefined });
    const second = expectTokens(await again());
    await ageGrants(serving, publicId, 30);
    expect(await again()).toMatchObject({ refresh_token: second.refresh_token });
    await ageGrants(serving, publicId, 31);
    expect(await again()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('reuse of a refresh token', () => {
  test('two rotations back ends the grant at once, tells the user and is logged', async () => {
    const mailed = serving.mails.length;
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    const third = expectTokens(await refresh(serving, clientId, second.refresh_token));
    expect(await isAlive(third)).toBe(true);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect(await isAlive(third)).toBe(false);
    expect(await refresh(serving, clientId, third.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    await serving.server.background.settled();
    expect(serving.mails.slice(mailed).map(({ text }) => text)).toContainEqual(expect.stringMatching(/used twice/));
    const logged = await rows(
      serving.em,
      sql<{ type: string }>`select type from audit_events where client_id = ${clientId}`,
    );
    expect(logged).toContainEqual({ type: 'REFRESH_TOKEN_REUSED' });
  });

  test('ends this grant only: the other devices of the user stay signed in', async () => {
    const laptop = await tokensOf(serving, clientId, userId);
    const phone = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, laptop.refresh_token));
    await refresh(serving, clientId, second.refresh_token);
    await refresh(serving, clientId, laptop.refresh_token);
    expect(await isAlive(second)).toBe(false);
    expect(await isAlive(phone)).toBe(true);
    expectTokens(await refresh(serving, clientId, phone.refresh_token));
  });

  test('ends what is on the way to another grant of the same app: a code, and an open page', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    await refresh(serving, clientId, second.refresh_token);
    const visit = await visitOf(serving, userId);
    const code = await authorize(serving, clientId, visit);
    const page = await beginAuthorization(
      serving.em,
      serving.server,
      authorizeQueryOf(clientId, { prompt: 'consent' }),
      visit,
    );
    await refresh(serving, clientId, first.refresh_token);
    expect(await exchange(serving, clientId, code)).toMatchObject({ error: 'invalid_grant' });
    expect(await press(serving, page, visit)).toMatchObject({ kind: 'REFUSED' });
    await tokensOf(serving, clientId, userId);
  });

  test('cannot be feigned: a token of another client, or one that we never wrote, ends nothing', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    expectTokens(await refresh(serving, clientId, second.refresh_token));
    const otherId = await addClient(serving.em, userId);
    expect(await refresh(serving, otherId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    const forged = first.refresh_token.replace(/_1_(.)/, (_, letter: string) => `_1_${letter === 'A' ? 'B' : 'A'}`);
    expect(await refresh(serving, clientId, forged)).toMatchObject({ error: 'invalid_grant' });
    expect(await isAlive(first)).toBe(true);
  });
});

describe('a refresh token is unusable when', () => {
  test('nobody used it for 90 days', async () => {
    const first = await tokensOf(serving, clientId, userId);
    await ageGrants(serving, clientId, 89 * DAY);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    await ageGrants(serving, clientId, 91 * DAY);
    expect(await refresh(serving, clientId, second.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  });

  test('its grant is a year old, however busy', async () => {
    let tokens = await tokensOf(serving, clientId, userId);
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await ageGrants(serving, clientId, 80 * DAY);
      tokens = expectTokens(await refresh(serving, clientId, tokens.refresh_token));
    }
    await ageGrants(serving, clientId, 46 * DAY);
    expect(await refresh(serving, clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  });

  test('it is missing, or not one of ours', async () => {
    expect(await refresh(serving, clientId, '')).toMatchObject({ error: 'invalid_request' });
    expect(await refresh(serving, clientId, 'x'.repeat(60_000))).toMatchObject({ error: 'invalid_grant' });
  });

  test('its client is suspended; reinstated, it works again', async () => {
    const { refresh_token: token } = await tokensOf(serving, clientId, userId);
    await changed(serving.em, sql`update oauth_clients set status = 'SUSPENDED' where client_id = ${clientId}`);
    expect(await refresh(serving, clientId, token)).toMatchObject({ error: 'unauthorized_client' });
    await changed(serving.em, sql`update oauth_clients set status = 'APPROVED' where client_id = ${clientId}`);
    expectTokens(await refresh(serving, clientId, token));
  });
});

async function isAlive(tokens: TokenResponse): Promise<boolean> {
  const principal = await serving.server.bearerTokens.authenticate(serving.em, tokens.access_token);
  return !('error' in principal);
}
