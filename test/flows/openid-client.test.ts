import * as oauth from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, CLI } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(() => app.close());

describe('openid-client', () => {
  test.each([
    ['a confidential client with its secret in the body', APP.client_id, oauth.ClientSecretPost(APP.client_secret)],
    ['a confidential client with HTTP Basic', APP.client_id, oauth.ClientSecretBasic(APP.client_secret)],
    ['a public client', CLI.client_id, oauth.None()],
  ])('goes the whole way as %s', async (_, clientId, authentication) => {
    const config = await discover(clientId, authentication);
    const tokens = await authorize(config, clientId, 'PROFILE_READ');
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 1800, scope: 'PROFILE_READ' });

    const profile = await app.graphql('{ me { username } }', { token: tokens.access_token });
    expect(profile).toMatchObject({ status: 200, body: { data: { me: { username: 'ada' } } } });

    const poor = await app.graphql('{ me { bookings: eventTypes { nodes { id } } } }', { token: tokens.access_token });
    expect(poor.status).toBe(403);
    expect(poor.body.errors[0].extensions.missingScopes).toEqual(['EVENT_TYPE_READ']);
    expect(poor.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="EVENT_TYPE_READ/);

    const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await app.graphql('{ me { id } }', { token: refreshed.access_token })).status).toBe(200);

    await oauth.tokenRevocation(config, refreshed.refresh_token ?? '');
    const refused = await app.graphql('{ me { id } }', { token: refreshed.access_token });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/error="invalid_token"/);
    await expect(oauth.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('introspects its own tokens, live and revoked', async () => {
    const config = await discover(APP.client_id, oauth.ClientSecretBasic(APP.client_secret));
    const tokens = await authorize(config, APP.client_id, 'PROFILE_READ BOOKING_READ');
    expect(await oauth.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      scope: 'BOOKING_READ PROFILE_READ',
      client_id: APP.client_id,
    });
    expect(await oauth.tokenIntrospection(config, tokens.refresh_token ?? '')).toMatchObject({ active: true });
    await oauth.tokenRevocation(config, tokens.access_token);
    expect(await oauth.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    expect(await oauth.tokenIntrospection(config, tokens.refresh_token ?? '')).toMatchObject({ active: true });
  });

  test('is told of a refusal, and recognises it as ours', async () => {
    const config = await discover(APP.client_id, oauth.ClientSecretBasic(APP.client_secret));
    await expect(authorize(config, APP.client_id, 'PROFILE_REED')).rejects.toMatchObject({ error: 'invalid_scope' });
  });
});

function discover(clientId: string, authentication: oauth.ClientAuth): Promise<oauth.Configuration> {
  return oauth.discovery(new URL(app.url), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
  });
}

async function authorize(
  config: oauth.Configuration,
  clientId: string,
  scope: string,
): Promise<oauth.TokenEndpointResponse> {
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const expectedState = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: clientId === CLI.client_id ? CLI.redirect_uri : APP.redirect_uri,
    scope,
    state: expectedState,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const { location } = await ada.allow(url.pathname + url.search);
  return oauth.authorizationCodeGrant(config, new URL(location), { pkceCodeVerifier, expectedState });
}
