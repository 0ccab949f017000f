import { auth, extractWWWAuthenticateParams, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
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

/** It knows nothing but the address of the API: the rest it learns from our challenges and metadata. */
describe('the OAuth client of the MCP TypeScript SDK', () => {
  test.each<[string, OAuthClientInformationMixed, string]>([
    ['a public client', { client_id: CLI.client_id }, CLI.redirect_uri],
    ['a confidential client', { client_id: APP.client_id, client_secret: APP.client_secret }, APP.redirect_uri],
  ])('finds its way from a 401 to tokens as %s, and asks for more after a 403', async (_, information, redirectUri) => {
    const provider = new Provider(information, redirectUri);
    const serverUrl = `${app.url}/graphql`;

    const refused = await ask('{ me { name } }', undefined);
    expect(refused.status).toBe(401);
    const { resourceMetadataUrl = new URL(app.url) } = extractWWWAuthenticateParams(refused);
    expect(resourceMetadataUrl.pathname).toBe('/.well-known/oauth-protected-resource');
    await connect(provider, { serverUrl, resourceMetadataUrl, scope: 'PROFILE_READ' });
    expect((await ask('{ me { name } }', provider.saved)).status).toBe(200);

    const poor = await ask('{ me { name eventTypes { nodes { id } } } }', provider.saved);
    const { error, scope = '' } = extractWWWAuthenticateParams(poor);
    expect([poor.status, error]).toEqual([403, 'insufficient_scope']);
    provider.saved = undefined;
    await connect(provider, { serverUrl, resourceMetadataUrl, scope });
    expect((await ask('{ me { name eventTypes { nodes { id } } } }', provider.saved)).status).toBe(200);
  });

  test('refreshes what it holds', async () => {
    const provider = new Provider({ client_id: CLI.client_id }, CLI.redirect_uri);
    const options = { serverUrl: `${app.url}/graphql`, scope: 'PROFILE_READ' };
    await connect(provider, options);
    const first = provider.saved?.access_token;
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    expect(provider.saved?.access_token).not.toBe(first);
    expect((await ask('{ me { name } }', provider.saved)).status).toBe(200);
  });

  test('finds the metadata also when nobody tells it where, and then asks for every scope there is', async () => {
    const provider = new Provider({ client_id: CLI.client_id }, CLI.redirect_uri);
    await connect(provider, { serverUrl: app.url });
    expect(provider.saved?.scope?.split(' ')).toHaveLength(46);
  });
});

class Provider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly #information: OAuthClientInformationMixed;
  saved: OAuthTokens | undefined;
  authorizationUrl: URL | undefined;
  #verifier = '';

  constructor(information: OAuthClientInformationMixed, redirectUrl: string) {
    this.#information = information;
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return { client_name: 'Test', redirect_uris: [this.redirectUrl] };
  }

  clientInformation() {
    return this.#information;
  }

  tokens() {
    return this.saved;
  }

  saveTokens(tokens: OAuthTokens) {
    this.saved = tokens;
  }

  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }
}

async function connect(provider: Provider, options: Parameters<typeof auth>[1]): Promise<void> {
  expect(await auth(provider, options)).toBe('REDIRECT');
  const { pathname, search } = provider.authorizationUrl ?? new URL(app.url);
  const { parameters } = await ada.allow(pathname + search);
  expect(await auth(provider, { ...options, authorizationCode: parameters.get('code') ?? '' })).toBe('AUTHORIZED');
}

function ask(query: string, tokens: OAuthTokens | undefined): Promise<Response> {
  return fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(tokens && { authorization: `Bearer ${tokens.access_token}` }),
    },
    body: JSON.stringify({ query }),
  });
}
