import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUserId } from '../../src/core/id.ts';
import { DatabaseClock } from '../../src/database/database-clock.ts';
import { row, sql } from '../../src/database/sql.ts';
import { reviewClient } from '../../src/oauth/clients/review-client.ts';
import { revokeApp } from '../../src/oauth/grants/authorized-apps.ts';
import { accessTokenClaims } from '../../src/oauth/protocol/access-token.ts';
import { RevocationFeed } from '../../src/oauth/revocations/revocations.ts';
import { BearerTokens } from '../../src/oauth/tokens/bearer.ts';
import { answerRevocationRequest } from '../../src/oauth/tokens/revoke.ts';
import { reinstateUserWithGrants, suspendUserWithGrants } from '../../src/oauth/users/suspend-user.ts';
import { heldScopes, unrestrictedScopes } from '../../src/scopes/held-scopes.ts';
import { ageGrants, asForm, expectTokens, refresh, tokensOf } from './support/flow.ts';
import { ADDRESS, addClient, addUser, ISSUER, openTestServer, SECRET, type TestServer } from './support/test-server.ts';

let serving: TestServer;
let userId: string;
let clientId: string;
let administratorId: string;
beforeAll(async () => {
  serving = await openTestServer();
  administratorId = await addUser(serving.em, { isAdministrator: true });
});
afterAll(() => serving.close());
beforeEach(async () => {
  userId = await addUser(serving.em);
  clientId = await addClient(serving.em, userId);
});

describe('an access token', () => {
  test('is who it says, and opens what its scopes open', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId, { scope: 'PROFILE_READ' });
    expect(await authenticate(token)).toMatchObject({ userId, clientId, held: heldScopes(['PROFILE_READ']) });
  });

  test('of a legacy grant opens all scopes', async () => {
    const legacyId = await addClient(serving.em, userId, { legacy: true, scopes: [] });
    const { access_token: token } = await tokensOf(serving, legacyId, userId, { scope: undefined });
    expect(await authenticate(token)).toMatchObject({ held: unrestrictedScopes() });
  });

  test('costs no query when it was seen before', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId);
    const { bearerTokens } = serving.server;
    expect(bearerTokens.recall(token)).toBeUndefined();
    await authenticate(token);
    expect(bearerTokens.recall(token)).toMatchObject({ userId });
    // Without an EntityManager no statement could be sent.
    expect(await bearerTokens.authenticate(undefined as never, token)).toMatchObject({ userId });
  });

  test('is noted as the use of its grant', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId);
    await ageGrants(serving, clientId, 3_600);
    await authenticate(token);
    const used = await row(
      serving.em,
      sql<{
        isNow: boolean;
      }>`select last_used_at > now() - interval '1 minute' as "isNow" from oauth_grants where client_id = ${clientId}`,
    );
    expect(used).toEqual({ isNow: true });
  });

  test('of an earlier generation confirms nothing', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    await authenticate(first.access_token);
    await ageGrants(serving, clientId, 600);
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({
      refresh_token: second.refresh_token,
    });
  });
});

describe('an access token is refused when', () => {
  test.each([
    ['it is empty', ''],
    ['it is no JWT', 'abc.def.ghi'],
    ['it is unsigned', `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url({ sub: 'usr_1' })}.`],
    ['its header is no JSON', `${Buffer.from('{').toString('base64url')}.e30.e30`],
    ['its key id is no text', `${base64url({ alg: 'EdDSA', typ: 'at+jwt', kid: { a: 1 } })}.e30.${'A'.repeat(86)}`],
    ['it is a megabyte', 'e'.repeat(1_000_000)],
  ])('%s', async (_, token) => {
    expect(await authenticate(token)).toMatchObject({ error: 'invalid_token', status: 401 });
  });

  test.each<[string, (token: string) => string]>([
    ['a character of its payload is changed', (token) => token.replace(/\.(.{20})./, (_, head) => `.${head}_`)],
    ['its signature is cut off', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
  ])('%s', async (_, change) => {
    const { access_token: token } = await tokensOf(serving, clientId, userId);
    expect(await authenticate(change(token))).toMatchObject({ error: 'invalid_token' });
    expect(await authenticate(token)).toMatchObject({ userId });
  });

  test.each<[string, object, object]>([
    ['is for another audience', {}, { aud: 'https://other.example' }],
    ['is of another issuer', {}, { iss: 'https://other.example' }],
    ['has expired', {}, { iat: 1_700_000_000, exp: 1_700_001_800 }],
    ['is an ID token', { typ: 'JWT' }, {}],
    ['states no kind of access', {}, { scope: undefined }],
  ])('it is signed by us and %s', async (_, header, claims) => {
    const grant = await grantOf(await tokensOf(serving, clientId, userId));
    expect(await authenticate(await sign(grant, {}, {}))).toMatchObject({ userId });
    expect(await authenticate(await sign(grant, header, claims))).toMatchObject({ error: 'invalid_token' });
  });

  test('somebody else signed it under the id of our key', async () => {
    const grant = await grantOf(await tokensOf(serving, clientId, userId));
    const { privateKey } = generateKeyPairSync('ed25519');
    expect(await authenticate(await sign(grant, {}, {}, privateKey))).toMatchObject({ error: 'invalid_token' });
  });

  test('its half hour is over, though it was seen before', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId);
    await authenticate(token);
    const later = Temporal.Now.instant().add({ seconds: 1_801 });
    serving.server.clock.observe(later, performance.now(), performance.now());
    expect(serving.server.bearerTokens.recall(token)).toMatchObject({ error: 'invalid_token' });
    await serving.server.revocations.catchUp();
    expect(serving.server.bearerTokens.recall(token)).toMatchObject({ userId });
  });
});

describe('a revocation bites on the next request,', () => {
  test('when the client revokes the access token: this one alone', async () => {
    const tokens = await tokensOf(serving, clientId, userId);
    await authenticate(tokens.access_token);
    expect(await revoke({ token: tokens.access_token })).toBeUndefined();
    expect(await authenticate(tokens.access_token)).toMatchObject({ error: 'invalid_token' });
    const next = expectTokens(await refresh(serving, clientId, tokens.refresh_token));
    expect(await authenticate(next.access_token)).toMatchObject({ userId });
  });

  test('when the client revokes the refresh token: the whole grant', async () => {
    const tokens = await tokensOf(serving, clientId, userId);
    const other = await tokensOf(serving, clientId, userId);
    await authenticate(tokens.access_token);
    expect(await revoke({ token: tokens.refresh_token, token_type_hint: 'access_token' })).toBeUndefined();
    expect(await authenticate(tokens.access_token)).toMatchObject({ error: 'invalid_token' });
    expect(await refresh(serving, clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect(await authenticate(other.access_token)).toMatchObject({ userId });
  });

  test('but not when another client tries, who is told so', async () => {
    const tokens = await tokensOf(serving, clientId, userId);
    const otherId = await addClient(serving.em, userId);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await revoke({ client_id: otherId, token })).toMatchObject({ error: 'unauthorized_client' });
    }
    expect(await authenticate(tokens.access_token)).toMatchObject({ userId });
  });

  test('when the user takes back one grant, or all of an app', async () => {
    const laptop = await tokensOf(serving, clientId, userId);
    const phone = await tokensOf(serving, clientId, userId);
    const tablet = await tokensOf(serving, clientId, userId);
    for (const { access_token: token } of [laptop, phone, tablet]) await authenticate(token);
    const take = (grantId?: string) =>
      revokeApp(serving.em, serving.server, { userId, clientId, grantId, address: ADDRESS });
    await take((await grantOf(laptop)).grantId);
    expect(await authenticate(laptop.access_token)).toMatchObject({ error: 'invalid_token' });
    expect(await authenticate(phone.access_token)).toMatchObject({ userId });
    await take();
    for (const { access_token: token } of [phone, tablet])
      expect(await authenticate(token)).toMatchObject({ error: 'invalid_token' });
    await expect(take()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('when the client is suspended; reinstated, the same token works again', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId);
    await authenticate(token);
    await decide('SUSPEND');
    expect(await authenticate(token)).toMatchObject({ error: 'invalid_token' });
    await decide('REINSTATE');
    expect(await authenticate(token)).toMatchObject({ userId });
  });

  test('when the user is suspended; reinstated, the grants stay dead', async () => {
    const { access_token: token, refresh_token: refreshToken } = await tokensOf(serving, clientId, userId);
    await authenticate(token);
    const suspension = { userId, actorId: administratorId, address: ADDRESS };
    await suspendUserWithGrants(serving.em, serving.server, suspension);
    expect(await authenticate(token)).toMatchObject({ error: 'invalid_token' });
    await reinstateUserWithGrants(serving.em, serving.server, suspension);
    expect(await authenticate(token)).toMatchObject({ error: 'invalid_token' });
    expect(await refresh(serving, clientId, refreshToken)).toMatchObject({ error: 'invalid_grant' });
    expect(await authenticate((await tokensOf(serving, clientId, userId)).access_token)).toMatchObject({ userId });
  });
});

describe('suspending a user', () => {
  test('is for administrators, and not for oneself', async () => {
    await expect(suspend(userId, undefined)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(suspend(administratorId, undefined)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(suspend(userId, administratorId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(suspend(administratorId, administratorId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(suspend(administratorId, newUserId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a process whose feed is silent', () => {
  test('asks the database about each token instead of trusting what it knows', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId);
    // A process that heard nothing since its start.
    const clock = new DatabaseClock();
    const deaf = { ...serving.server, clock, revocations: new RevocationFeed(serving.em, clock) };
    const bearerTokens = new BearerTokens(deaf);
    expect(await bearerTokens.authenticate(serving.em, token)).toMatchObject({ userId });
    expect(bearerTokens.recall(token)).toBeUndefined();
    await revokeApp(serving.em, serving.server, { userId, clientId, grantId: undefined, address: ADDRESS });
    expect(await bearerTokens.authenticate(serving.em, token)).toMatchObject({ error: 'invalid_token' });
  });
});

function suspend(actorId: string, id: string | undefined): Promise<void> {
  return suspendUserWithGrants(serving.em, serving.server, { userId: id, actorId, address: ADDRESS });
}

function authenticate(token: string) {
  return serving.server.bearerTokens.authenticate(serving.em, token);
}

function revoke(fields: Record<string, string>) {
  return answerRevocationRequest(
    serving.em,
    serving.server,
    asForm({ client_id: clientId, client_secret: SECRET, ...fields }),
    ADDRESS,
  );
}

function decide(action: 'SUSPEND' | 'REINSTATE') {
  return reviewClient(serving.em, serving.server, { clientId, action, actorId: administratorId, address: ADDRESS });
}

async function grantOf({ access_token: token }: { access_token: string }): Promise<{ grantId: string }> {
  const principal = await authenticate(token);
  if ('error' in principal) throw new Error('The token should have been good.');
  return principal;
}

/** A token of the grant with the server's own key, except for what is changed. */
function sign(
  { grantId }: { grantId: string },
  header: object,
  claims: object,
  key?: Parameters<SignJWT['sign']>[0],
): Promise<string> {
  const { keys, clock } = serving.server;
  const issuedAt = clock.instant();
  const { kid, privateKey } = keys.signingKeyAt(issuedAt);
  const access = { kind: 'SCOPED', scopes: ['PROFILE_READ'] } as const;
  const token = { issuer: ISSUER, audience: ISSUER, userId, clientId, grantId, generation: 1, access, issuedAt };
  return new SignJWT({ ...accessTokenClaims(keys.derivationKey, token), ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })
    .sign(key ?? privateKey);
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
