import { AuthorizationCode, type ModuleOptions } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(() => app.close());

/** It sends no PKCE, and its secret by HTTP Basic unless it is told otherwise. */
describe('simple-oauth2', () => {
  test.each<[string, ModuleOptions<'id'>['options']]>([
    ['by default: HTTP Basic and forms', {}],
    ['with HTTP Basic that is not encoded strictly', { credentialsEncodingMode: 'loose' }],
    ['with the secret in the body', { authorizationMethod: 'body' }],
    ['with JSON bodies', { bodyFormat: 'json', authorizationMethod: 'body' }],
  ])('goes the whole way %s', async (_, options) => {
    const client = new AuthorizationCode({
      client: { id: APP.client_id, secret: APP.client_secret },
      auth: {
        tokenHost: app.url,
        tokenPath: '/v2/auth/oauth2/token',
        revokePath: '/v2/auth/oauth2/revoke',
        authorizePath: '/auth/oauth2/authorize',
      },
      ...(options && { options }),
    });
    const url = new URL(client.authorizeURL({ redirect_uri: APP.redirect_uri, scope: ['PROFILE_READ'], state: 's' }));
    const { parameters } = await ada.allow(url.pathname + url.search);
    const granted = await client.getToken({ code: parameters.get('code') ?? '', redirect_uri: APP.redirect_uri });
    expect(granted.token).toMatchObject({ token_type: 'bearer', scope: 'PROFILE_READ' });
    expect(granted.expired()).toBe(false);
    expect(await statusWith(granted.token['access_token'])).toBe(200);

    const refreshed = await granted.refresh();
    expect(await statusWith(refreshed.token['access_token'])).toBe(200);
    await refreshed.revokeAll();
    expect(await statusWith(refreshed.token['access_token'])).toBe(401);
    await expect(refreshed.refresh()).rejects.toMatchObject({ output: { statusCode: 400 } });
  });
});

async function statusWith(token: unknown): Promise<number> {
  const { status } = await app.graphql('{ me { id } }', { token: String(token) });
  return status;
}
