import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { answerIntrospectionRequest } from '../../src/oauth/tokens/introspect.ts';
import { answerRevocationRequest } from '../../src/oauth/tokens/revoke.ts';
import { asForm, expectTokens, refresh, tokensOf } from './support/flow.ts';
import { ADDRESS, addClient, addUser, ISSUER, openTestServer, SECRET, type TestServer } from './support/test-server.ts';

const INACTIVE = { active: false };

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

describe('introspection', () => {
  test('tells a client about a live access token of its own', async () => {
    const { access_token: token } = await tokensOf(serving, clientId, userId, { scope: 'PROFILE_READ' });
    const answer = await introspect(token);
    expect(answer).toMatchObject({
      active: true,
      scope: 'PROFILE_READ',
      client_id: clientId,
      sub: publicId('user', userId),
      iss: ISSUER,
      aud: ISSUER,
      token_type: 'bearer',
    });
    expect((answer as { exp: number; iat: number }).exp - (answer as { iat: number }).iat).toBe(1800);
  });

  test('tells it about its current refresh token, and calls the one before inactive', async () => {
    const first = await tokensOf(serving, clientId, userId);
    expect(await introspect(first.refresh_token)).toMatchObject({
      active: true,
      client_id: clientId,
      sub: publicId('user', userId),
    });
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    expect(await introspect(first.refresh_token)).toEqual(INACTIVE);
    expect(await introspect(second.refresh_token)).toMatchObject({ active: true });
  });

  test('does not count as use: an answer that got lost can still be asked for', async () => {
    const first = await tokensOf(serving, clientId, userId);
    const second = expectTokens(await refresh(serving, clientId, first.refresh_token));
    await introspect(second.access_token);
    await changed(
      serving.em,
      sql`update oauth_grants set rotated_at = rotated_at - interval '10 minutes' where client_id = ${clientId}`,
    );
    expect(await refresh(serving, clientId, first.refresh_token)).toMatchObject({
      refresh_token: second.refresh_token,
    });
  });

  test.each<[string, (tokens: { access_token: string; refresh_token: string }) => Promise<unknown>]>([
    [
      'was revoked',
      ({ refresh_token: token }) =>
        answerRevocationRequest(
          serving.em,
          serving.server,
          asForm({ client_id: clientId, client_secret: SECRET, token }),
          ADDRESS,
        ),
    ],
    [
      'is of a suspended user',
      () => changed(serving.em, sql`update users set suspended_at = now() where id = ${userId}`),
    ],
    [
      'is of a suspended client',
      () => changed(serving.em, sql`update oauth_clients set status = 'SUSPENDED' where client_id = ${clientId}`),
    ],
  ])('calls a token inactive that %s', async (_, end) => {
    const tokens = await tokensOf(serving, clientId, userId);
    await end(tokens);
    expect(await introspect(tokens.access_token)).toEqual(INACTIVE);
  });

  test('says nothing about tokens of other clients, and nothing to public ones', async () => {
    const tokens = await tokensOf(serving, clientId, userId);
    const otherId = await addClient(serving.em, userId);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await introspect(token, { client_id: otherId })).toEqual(INACTIVE);
      expect(await introspect(token)).toMatchObject({ active: true });
    }
    const publicId = await addClient(serving.em, userId, { type: 'PUBLIC' });
    expect(await introspect(tokens.access_token, { client_id: publicId, client_secret: undefined })).toMatchObject({
      error: 'unauthorized_client',
    });
  });

  test('needs a token, and the secret', async () => {
    expect(await introspect('')).toMatchObject({ error: 'invalid_request' });
    expect(await introspect('x', { client_secret: 'gh_secret_wrong' })).toMatchObject({ error: 'invalid_client' });
  });

  test('ends after 300 inactive tokens in a minute, for this client and network', async () => {
    for (let i = 0; i < 300; i += 1) expect(await introspect(`guess ${i}`)).toEqual(INACTIVE);
    expect(await introspect('guess')).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
    const otherId = await addClient(serving.em, userId);
    expect(await introspect('guess', { client_id: otherId })).toEqual(INACTIVE);
  });
});

function introspect(token: string, changes: Record<string, string | undefined> = {}) {
  const fields = { client_id: clientId, client_secret: SECRET, token, ...changes };
  return answerIntrospectionRequest(serving.em, serving.server, asForm(fields), ADDRESS);
}
