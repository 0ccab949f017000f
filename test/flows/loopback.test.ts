import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { authorizePath, CLI, exchange, PKCE, VERIFIER } from '../support/oauth-requests.ts';
import { departed, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(() => app.close());

const pathTo = (redirectUri: string): string => authorizePath(CLI, { ...PKCE, redirect_uri: redirectUri });

/** Registered: http://127.0.0.1/callback, http://[::1]/callback, http://localhost/callback, com.example.cli:/cb */
describe('a native app is answered at', () => {
  test.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:80/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]:49152/callback',
    'http://localhost:8080/callback',
    'com.example.cli:/cb',
  ])('%s, exactly, and exchanges with it', async (redirectUri) => {
    const page = await ada.open(pathTo(redirectUri));
    const { location, parameters } = departed(await ada.submit(page, { decision: 'allow' }));
    expect(location.startsWith(`${redirectUri}?code=gh_code_`)).toBe(true);
    const code = parameters.get('code') ?? '';
    const other = { code_verifier: VERIFIER, redirect_uri: 'http://127.0.0.1:2/callback' };
    expect((await exchange(app.url, CLI, code, other)).body.error).toBe('invalid_grant');
    const { status } = await exchange(app.url, CLI, code, { code_verifier: VERIFIER, redirect_uri: redirectUri });
    expect(status).toBe(200);
  });
});

describe('a native app is not answered at', () => {
  test.each([
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:080/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:8080/callback/',
    'http://127.0.0.1:8080/Callback',
    'http://127.0.0.1:8080/callback?x=1',
    'http://127.0.0.1:8080/../callback',
    'http://127.0.0.1:8080',
    'https://127.0.0.1:8080/callback',
    'http://127.0.0.2:8080/callback',
    'http://127.1:8080/callback',
    'http://0x7f000001:8080/callback',
    'http://2130706433/callback',
    'http://0.0.0.0:8080/callback',
    'http://[::]:8080/callback',
    'http://[0:0:0:0:0:0:0:1]:8080/callback',
    'http://[::ffff:127.0.0.1]:8080/callback',
    'http://LOCALHOST:8080/callback',
    'http://localhost.:8080/callback',
    'http://localhost.evil.test/callback',
    'http://127.0.0.1.evil.test/callback',
    'http://127.0.0.1:8080@evil.test/callback',
    'http://evil.test:8080/callback',
    'http://127.0.0.1:8080\\@evil.test/callback',
    'http://127.0.0.1:80 80/callback',
    'http://127.0.0.1:８０８０/callback',
    'http://127。0。0。1/callback',
    'com.example.cli:/cb/',
    'com.example.cli://cb',
    'com.example.cli:8080/cb',
    'COM.EXAMPLE.CLI:/cb',
    'com.example.evil:/cb',
  ])('%s', async (redirectUri) => {
    const answer = await ada.request(pathTo(redirectUri));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.text).toContain('is not registered');
  });
});
