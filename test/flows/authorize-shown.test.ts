import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { textOf } from '../support/html-form.ts';
import { APP, authorizePath, CLI, type Fields, NARROW } from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(() => app.close());

const PATH = '/auth/oauth2/authorize';
const pathOf = (changes: Fields): string => authorizePath(APP, changes);

/** A stranger could have written such a link, so nobody may be sent where it says (RFC 6749 §4.1.2.1). */
describe('shown on our own page, and never redirected, is a request', () => {
  test.each<[string, string, number, RegExp]>([
    ['without any parameter', PATH, 400, /client_id/],
    ['without client_id', pathOf({ client_id: undefined }), 400, /client_id/],
    ['with an empty client_id', pathOf({ client_id: '' }), 400, /client_id/],
    ['of an unknown client', pathOf({ client_id: 'gh_client_nobody' }), 400, /no OAuth client/],
    ['of a client written in another case', pathOf({ client_id: 'Demo-App' }), 400, /no OAuth client/],
    ['of a client with a space after its id', pathOf({ client_id: 'demo-app ' }), 400, /no OAuth client/],
    ['of a client with a NUL in its id', `${pathOf({ client_id: undefined })}&client_id=demo-app%00`, 400, /client_id/],
    ['of a client with a wildcard for its id', pathOf({ client_id: '%' }), 400, /no OAuth client/],
    ['of a client named by SQL', pathOf({ client_id: "' or 1=1--" }), 400, /no OAuth client/],
    ['of a client with an id of 15 kB', pathOf({ client_id: 'x'.repeat(15_000) }), 400, /no OAuth client/],
    ['of a client with a look-alike letter', pathOf({ client_id: 'dеmo-app' }), 400, /no OAuth client/],
    ['with client_id twice', `${pathOf({})}&client_id=demo-app`, 400, /client_id/],
    ['with two client ids', `${pathOf({})}&client_id=demo-cli`, 400, /client_id/],
    ['with a second, empty client_id', `${pathOf({})}&client_id=`, 400, /client_id/],
    [
      'with client_id%5B%5D for client_id',
      pathOf({ client_id: undefined, 'client_id%5B%5D': 'demo-app' }),
      400,
      /client/,
    ],
    [
      'of a pending client',
      authorizePath({ client_id: 'demo-pending', redirect_uri: 'https://pending.example.test/cb' }),
      403,
      /not been reviewed/,
    ],
    ['without redirect_uri', pathOf({ redirect_uri: undefined }), 400, /redirect_uri/],
    ['with an empty redirect_uri', pathOf({ redirect_uri: '' }), 400, /redirect_uri/],
    [
      'with redirect_uri twice',
      `${pathOf({})}&redirect_uri=${encodeURIComponent(APP.redirect_uri)}`,
      400,
      /redirect_uri/,
    ],
    ['with a second redirect_uri elsewhere', `${pathOf({})}&redirect_uri=https%3A%2F%2Fevil.test`, 400, /redirect_uri/],
    [
      'with a NUL in redirect_uri',
      `${pathOf({ redirect_uri: undefined })}&redirect_uri=${encodeURIComponent(APP.redirect_uri)}%00`,
      400,
      /redirect_uri/,
    ],
    [
      'with broken percent-encoding in redirect_uri',
      `${pathOf({ redirect_uri: undefined })}&redirect_uri=https://app.example.test/cb%`,
      400,
      /redirect_uri/,
    ],
    [
      'with bytes that are no UTF-8 in redirect_uri',
      `${pathOf({ redirect_uri: undefined })}&redirect_uri=https://app.example.test/cb%ff`,
      400,
      /redirect_uri/,
    ],
    ['with the redirect URI of another client', pathOf({ redirect_uri: NARROW.redirect_uri }), 400, /not registered/],
  ])('%s', async (_, path, status, text) => {
    expect(await refusal(path)).toEqual({ status, text: expect.stringMatching(text) });
  });

  test.each([
    'https://app.example.test/cb/',
    'https://app.example.test/cb?x=1',
    'https://app.example.test/cb#',
    'https://app.example.test/cb#code=x',
    'https://app.example.test/CB',
    'https://app.example.test/cb%2f',
    'https://app.example.test/./cb',
    'https://app.example.test/x/../cb',
    'https://app.example.test//cb',
    'https://app.example.test/%63b',
    'https://app.example.test/cb;x',
    'https://app.example.test:443/cb',
    'https://app.example.test:8443/cb',
    'https://app.example.test./cb',
    'https://APP.example.test/cb',
    'HTTPS://app.example.test/cb',
    'http://app.example.test/cb',
    'https://app.example.test@evil.test/cb',
    'https://app.example.test\\@evil.test/cb',
    'https://user@app.example.test/cb',
    'https://evil.test/cb?https://app.example.test/cb',
    'https://app.example.test.evil.test/cb',
    'https://xapp.example.test/cb',
    'https://app.exаmple.test/cb',
    'https://app。example。test/cb',
    'https:app.example.test/cb',
    'https:/app.example.test/cb',
    '//app.example.test/cb',
    '/cb',
    'app.example.test/cb',
    ' https://app.example.test/cb',
    'https://app.example.test/cb ',
    'https://app.example.test/cb\n',
    'https://app.example.test/cb\r\nSet-Cookie: x=1',
    'https://app.example.test/cb\t',
    'javascript:alert(1)//https://app.example.test/cb',
    'data:text/html,x',
    'https://*/cb',
    'https://app.example.test',
  ])('with redirect_uri %j', async (redirectUri) => {
    expect(await refusal(pathOf({ redirect_uri: redirectUri }))).toEqual({
      status: 400,
      text: expect.stringMatching(/not registered/),
    });
  });

  test.each(['PENDING', 'REJECTED', 'SUSPENDED'])('of a client that is %s', async (status) => {
    const em = app.database.em.fork();
    await changed(em, sql`update oauth_clients set status = ${status} where client_id = 'demo-narrow'`);
    expect(await refusal(authorizePath(NARROW))).toEqual({ status: 403, text: expect.stringMatching(/demo-narrow/) });
    await changed(em, sql`update oauth_clients set status = 'APPROVED' where client_id = 'demo-narrow'`);
    expect((await ada.open(authorizePath(NARROW))).status).toBe(200);
  });

  test('with further mistakes, if its client or redirect URI is wrong', async () => {
    const others = {
      scope: 'NOPE',
      response_type: 'token',
      prompt: 'none',
      code_challenge: 'x',
      resource: 'https://x',
    };
    expect(await refusal(pathOf({ ...others, redirect_uri: 'https://evil.test/' }))).toEqual({
      status: 400,
      text: expect.stringMatching(/not registered/),
    });
    expect(await refusal(pathOf({ ...others, client_id: 'nobody' }))).toEqual({
      status: 400,
      text: expect.stringMatching(/no OAuth client/),
    });
  });

  test('with a redirect_uri of 10 kB', async () => {
    expect(await refusal(pathOf({ redirect_uri: `${APP.redirect_uri}?${'x'.repeat(10_000)}` }))).toEqual({
      status: 400,
      text: expect.stringMatching(/not registered/),
    });
  });

  test('that is too large', async () => {
    const answer = await ada.request(pathOf({ state: 'x'.repeat(16_384) }));
    expect([414, 431]).toContain(answer.status);
    expect(answer.headers.get('location')).toBeNull();
    const many = Array.from({ length: 100 }, (_, n) => `&p${n}=1`).join('');
    expect(await refusal(pathOf({}) + many)).toEqual({ status: 400, text: expect.stringMatching(/parameters/) });
  });
});

describe('the page of a refusal', () => {
  test.each([
    [pathOf({ client_id: 'nobody' }), /invalid .*link that brought you here/, 'invalid_client', 'client_id'],
    [pathOf({ redirect_uri: 'https://evil.test/' }), /invalid .*nothing was shared/, 'invalid_request', 'redirect_uri'],
    [pathOf({}) + '&p=1'.repeat(100), /invalid .*nothing was shared/, 'invalid_request', undefined],
    [
      authorizePath({ client_id: 'demo-pending', redirect_uri: 'https://pending.example.test/cb' }),
      /can’t be used at the moment .*Your account is fine/,
      'unauthorized_client',
      'client_id',
    ],
  ])('tells the user what it means, and the developer, folded, what to do: %#', async (path, told, code, parameter) => {
    const { text: html } = await ada.request(path);
    const [shown = '', folded = ''] = html.split('<details');
    expect(textOf(shown)).toMatch(told);
    // Nothing in front of the fold speaks the language of developers.
    expect(textOf(shown)).not.toMatch(/client_id|redirect_uri|OAuth|invalid_/);
    expect(folded).toContain(`<dt>Error</dt><dd><code>${code}</code></dd>`);
    expect(/<dt>Parameter<\/dt><dd><code>(.*?)<\/code>/.exec(folded)?.[1]).toBe(parameter);
  });

  test('shows what was sent as text, never as markup', async () => {
    const answer = await ada.request(pathOf({ client_id: '<script>alert(1)</script><img/src=x>' }));
    expect(answer.text).toContain('&lt;script&gt;');
    expect(answer.text).not.toMatch(/<script|<img\/src/);
  });

  test('is the same for a visitor who is not signed in: nobody has to sign in to see it', async () => {
    const nobody = new TestBrowser(app.url);
    const answer = await nobody.request(pathOf({ redirect_uri: 'https://evil.test/' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('is shown to %s: the endpoint takes GET', async (method) => {
    const response = await fetch(app.url + pathOf({}), { method, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([405, null]);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('their twins go on: the same requests without the mistake ask for consent', async () => {
  for (const path of [pathOf({}), authorizePath(NARROW), authorizePath(CLI, { code_challenge: 'x'.repeat(43) })]) {
    const page = await ada.open(path);
    expect([page.kind, page.status]).toEqual(['PAGE', 200]);
  }
});

/** Sends a request that must change nothing and lead nowhere. @returns what is shown */
async function refusal(path: string): Promise<{ status: number; text: string }> {
  const before = await oauthRows(app.database.em);
  const answer = await ada.request(path);
  expect(answer.headers.get('location')).toBeNull();
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': expect.stringContaining('text/html'),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringMatching(/^(?!.*form-action).*frame-ancestors 'none'/),
  });
  expect(await oauthRows(app.database.em)).toEqual(before);
  return { status: answer.status, text: textOf(answer.text) };
}
