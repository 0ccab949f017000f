import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, CLI } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

const HTTP = { [oauth.allowInsecureRequests]: true };

let app: TestApp;
let ada: TestBrowser;
let server: oauth.AuthorizationServer;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  const issuer = new URL(app.url);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...HTTP });
  server = await oauth.processDiscoveryResponse(issuer, response);
});
afterAll(() => app.close());

describe('oauth4webapi', () => {
  test.each<[string, oauth.Client, oauth.ClientAuth, string]>([
    ['confidential by post', { client_id: APP.client_id }, oauth.ClientSecretPost(APP.client_secret), APP.redirect_uri],
    [
      'confidential by Basic',
      { client_id: APP.client_id },
      oauth.ClientSecretBasic(APP.client_secret),
      APP.redirect_uri,
    ],
    ['public', { client_id: CLI.client_id }, oauth.None(), CLI.redirect_uri],
  ])('goes the whole way, %s, and finds each answer as the RFCs have it', async (_, client, auth, redirectUri) => {
    const { verifier, callback } = await authorize(client, redirectUri);
    const parameters = oauth.validateAuthResponse(server, client, callback, 'state of the test');
    const exchanged = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      parameters,
      redirectUri,
      verifier,
      HTTP,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
    expect(tokens.scope).toBe('PROFILE_READ');

    const api = await oauth.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL('/v2/me', app.url),
      undefined,
      null,
      HTTP,
    );
    expect(await api.json()).toMatchObject({ username: 'ada' });

    const again = await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token ?? '', HTTP);
    const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
    const revoked = await oauth.revocationRequest(server, client, auth, refreshed.refresh_token ?? '', HTTP);
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    const late = await oauth.refreshTokenGrantRequest(server, client, auth, refreshed.refresh_token ?? '', HTTP);
    await expect(oauth.processRefreshTokenResponse(server, client, late)).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    });
  });

  test('verifies an access token by itself, with our published keys (RFC 9068)', async () => {
    const { verifier, callback } = await authorize({ client_id: CLI.client_id }, CLI.redirect_uri);
    const client = { client_id: CLI.client_id };
    const parameters = oauth.validateAuthResponse(server, client, callback, 'state of the test');
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      CLI.redirect_uri,
      verifier,
      HTTP,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    const request = new Request(app.url, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(await oauth.validateJwtAccessToken(server, request, app.url, HTTP)).toMatchObject({
      client_id: CLI.client_id,
      scope: 'PROFILE_READ',
    });
  });

  test('reads the metadata of the API, which names this server', async () => {
    const resource = new URL(app.url);
    const response = await oauth.resourceDiscoveryRequest(resource, HTTP);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(metadata.authorization_servers).toEqual([server.issuer]);
  });

  test('is told who answers on refusals too, and refuses the answer of somebody else', async () => {
    const client = { client_id: APP.client_id };
    const { location } = await ada.allow(
      `/auth/oauth2/authorize?client_id=${APP.client_id}&redirect_uri=${APP.redirect_uri}&state=s`,
    );
    expect(() => oauth.validateAuthResponse(server, client, new URL(location), 's')).toThrow(
      expect.objectContaining({ error: 'invalid_scope' }),
    );
    const elsewhere = { ...server, issuer: 'https://other.example' };
    expect(() => oauth.validateAuthResponse(elsewhere, client, new URL(location), 's')).toThrow(/iss/);
  });
});

async function authorize(client: oauth.Client, redirectUri: string): Promise<{ verifier: string; callback: URL }> {
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'PROFILE_READ',
    state: 'state of the test',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const { location } = await ada.allow(url.pathname + url.search);
  return { verifier, callback: new URL(location) };
}
