/**
 * Every part of an address, every parameter of a page, and every parameter of what apps send is given the ends of what a
 * text can be. Each is answered; none is a fault of ours.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textsOf } from '../api/every-value/extremes.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, FORM, PKCE } from '../support/oauth-requests.ts';
import { NAVIGATION, TestBrowser } from '../support/test-browser.ts';
import { TRUSTING, Traveller } from '../support/traveller.ts';

let app: TestApp;
let ada: TestBrowser;
let admin: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ ...TRUSTING, LOG_LEVEL: 'silent' });
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  admin = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
});
afterAll(() => app.close());

/** A longer header of a request is refused before us. */
const MOST_CHARACTERS = 8_000;
/** Its documents are of the schema for apps, which has no field for administrators: there they are users like Ada. */
const API = '/v2/';
/** No texts at all, as they may stand in an address. */
const RAW = ['%00', '%FF', '%ED%A0%80', '%', '%zz', '..', '.', '%2e%2e', '%2F', '//', '%5C', ''];

function addressed(name: string): readonly string[] {
  const texts = textsOf(name).filter((text) => text.isWellFormed() && text.length < MOST_CHARACTERS);
  return [...texts.map(encodeURIComponent), ...RAW];
}

type Fault = readonly [sent: string, status: number];

/** The faults among the answers to many requests, ten at a time. */
async function faultsOf(requests: readonly (readonly [string, () => Promise<{ status: number }>])[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let at = 0; at < requests.length; at += 10) {
    await Promise.all(
      requests.slice(at, at + 10).map(async ([sent, request]) => {
        const { status } = await request();
        if (status >= 500) faults.push([sent.slice(0, 200), status]);
      }),
    );
  }
  return faults;
}

test('the parts of every address are answered, whatever they are', async () => {
  const routes = [...new Set(app.routes)].filter((route) => route.includes(':') && route.startsWith('GET '));
  expect(routes.length).toBeGreaterThan(10);
  const requests = routes.flatMap((route) => {
    const pattern = route.slice('GET '.length);
    const parts = [...pattern.matchAll(/:(\w+)(?:\{[^/]*\})?/g)];
    return parts.flatMap(([part, name = '']) =>
      addressed(name).flatMap((value) => {
        const path = pattern.replace(part, value).replaceAll(/:\w+(?:\{[^/]*\})?/g, 'demo-app');
        return [new Traveller(app.url), ada, ...(path.startsWith(API) ? [] : [admin])].map(
          (browser) => [path, () => browser.request(path, NAVIGATION)] as const,
        );
      }),
    );
  });
  expect(await faultsOf(requests)).toEqual([]);
});

/** Which pages read which parameters. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/auth/login': ['return_to', 'login_hint', 'prompt', 'done'],
  '/auth/signup': ['return_to', 'login_hint'],
  '/auth/confirm-email': ['token', 'done'],
  '/auth/invitation': ['token', 'done'],
  '/connect/start': ['link'],
  '/connect/callback': ['state', 'code', 'error', 'iss'],
  '/connect/done': ['name'],
  '/demo/callback': ['state', 'code', 'error', 'iss'],
  '/auth/forgotten-password': ['sent', 'email'],
  '/auth/new-password': ['token'],
  '/settings/webhooks': ['after', 'done', 'types', 'about'],
  '/settings/schedules': ['after', 'done'],
  '/settings/conferencing': ['done'],
  '/settings/conferencing/disconnect': ['app'],
  '/settings/account': ['after', 'done'],
  '/settings/stopped': ['after', 'done'],
  '/settings/apps': ['after', 'done'],
  '/settings/apps/demo-app/revoke': ['grant'],
  '/settings/developer/oauth': ['after', 'done'],
  '/settings/developer/oauth/new/redirect-uris': ['redirectUris', 'type'],
  '/settings/developer/oauth/demo-app': ['refused_before', 'done'],
  '/admin/oauth': ['after', 'client_id', 'done'],
  '/admin/oauth/demo-app': ['done'],
  '/book/ada': ['after'],
  '/book/ada/intro': ['timeZone', 'durationInMinutes', 'month', 'date', 'start', 'name', 'email', 'embed'],
  '/v2/me': ['query', 'variables'],
  '/graphql': ['query', 'variables', 'operationName', 'extensions'],
};

test.each(Object.entries(PAGES))('%s takes whatever its parameters are', async (path, names) => {
  const requests = names.flatMap((name) =>
    [...addressed(name), `x&${name}=y`].flatMap((value) => {
      const address = `${path}?${name}=${value}`;
      return [new Traveller(app.url), path.startsWith('/admin') ? admin : ada].map(
        (browser) => [address, () => browser.request(address)] as const,
      );
    }),
  );
  expect(await faultsOf(requests)).toEqual([]);
});

const AUTHORIZE = { ...PKCE, response_type: 'code', scope: 'PROFILE_READ', state: 'xyz' };
const { client_id, client_secret, redirect_uri } = APP;
/** The requests of apps, as they should be, with all that may be there. */
const BY_APPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v2/auth/oauth2/token': {
    grant_type: 'authorization_code',
    ...APP,
    code: 'x',
    code_verifier: 'x',
    scope: 'PROFILE_READ',
  },
  '/v2/auth/oauth2/token?refresh': {
    grant_type: 'refresh_token',
    client_id,
    client_secret,
    refresh_token: 'x',
    scope: 'x',
  },
  '/v2/auth/oauth2/revoke': { client_id, client_secret, token: 'x', token_type_hint: 'refresh_token' },
  '/v2/auth/oauth2/introspect': { client_id, client_secret, token: 'x', token_type_hint: 'access_token' },
};

describe('requests of apps', () => {
  test.each(Object.entries(BY_APPS))('to %s are answered, whatever their parameters are', async (path, usual) => {
    const requests = Object.keys(usual).flatMap((name) => {
      const { [name]: _, ...others } = usual;
      const rest = new URLSearchParams(others).toString();
      const texts = textsOf(name).map((text) => `${new URLSearchParams({ [name]: text })}&${rest}`);
      const bodies = [...texts, ...RAW.map((value) => `${name}=${value}&${rest}`), rest, `${name}=x&${name}=y&${rest}`];
      return bodies.map(
        (body) =>
          [`${path} ${body}`, () => new Traveller(app.url).request(path, { 'content-type': FORM }, body)] as const,
      );
    });
    expect(await faultsOf(requests)).toEqual([]);
  });

  test('to authorize are answered, and go back to nobody but the app', async () => {
    const usual: Record<string, string> = { ...AUTHORIZE, client_id, redirect_uri };
    const more = ['prompt', 'login_hint', 'max_age', 'nonce', 'resource', 'response_mode', 'request', 'request_uri'];
    const requests = [...Object.keys(usual), ...more].flatMap((name) => {
      const { [name]: _, ...others } = usual;
      const rest = new URLSearchParams(others).toString();
      return addressed(name).flatMap((value) => {
        const path = `/auth/oauth2/authorize?${name}=${value}&${rest}`;
        return [new Traveller(app.url), ada].map(
          (browser) =>
            [
              path,
              async () => {
                const { status, headers } = await browser.request(path);
                const location = headers.get('location') ?? '/';
                return { status: location.startsWith('/') || location.startsWith(`${redirect_uri}?`) ? status : 599 };
              },
            ] as const,
        );
      });
    });
    expect(await faultsOf(requests)).toEqual([]);
  });
});
