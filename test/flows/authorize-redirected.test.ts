import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, authorizePath, CHALLENGE, CLI, type Fields, NARROW, PKCE } from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { departed, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
let nobody: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  nobody = new TestBrowser(app.url);
});
afterAll(() => app.close());

const pathOf = (changes: Fields): string => authorizePath(APP, changes);

describe('a mistake is told to the client through its redirect URI, before anybody has to sign in:', () => {
  test.each<[string, string, string]>([
    ['scope is missing', pathOf({ scope: undefined }), 'invalid_scope'],
    ['scope is empty', pathOf({ scope: '' }), 'invalid_scope'],
    ['scope is only separators', pathOf({ scope: ' ,, ' }), 'invalid_scope'],
    ['a scope is unknown', pathOf({ scope: 'PROFILE_READ ADMIN' }), 'invalid_scope'],
    ['a scope is in lower case', pathOf({ scope: 'profile_read' }), 'invalid_scope'],
    ['a scope is the marker of first-party fields', pathOf({ scope: 'FIRST_PARTY' }), 'invalid_scope'],
    ['a scope is __proto__', pathOf({ scope: '__proto__' }), 'invalid_scope'],
    ['a scope is constructor', pathOf({ scope: 'constructor' }), 'invalid_scope'],
    ['a scope has a look-alike letter', pathOf({ scope: 'PRОFILE_READ' }), 'invalid_scope'],
    ['scopes are separated by a tab', pathOf({ scope: 'PROFILE_READ\tBOOKING_READ' }), 'invalid_scope'],
    ['scopes are separated by a line break', pathOf({ scope: 'PROFILE_READ\nBOOKING_READ' }), 'invalid_scope'],
    ['scopes are separated by a no-break space', pathOf({ scope: 'PROFILE_READ\u00a0BOOKING_READ' }), 'invalid_scope'],
    ['scopes are separated by semicolons', pathOf({ scope: 'PROFILE_READ;BOOKING_READ' }), 'invalid_scope'],
    ['scope is a JSON list', pathOf({ scope: '["PROFILE_READ"]' }), 'invalid_scope'],
    ['scope is 10 kB long', pathOf({ scope: 'X'.repeat(10_000) }), 'invalid_scope'],
    ['scope is openid', pathOf({ scope: 'openid PROFILE_READ' }), 'invalid_scope'],
    ['a scope is not enabled', authorizePath(NARROW, { scope: 'PROFILE_READ BOOKING_WRITE' }), 'invalid_scope'],
    ['WRITE is asked where READ is enabled', authorizePath(NARROW, { scope: 'BOOKING_WRITE' }), 'invalid_scope'],
    ['scope is given twice', `${pathOf({})}&scope=BOOKING_READ`, 'invalid_request'],
    ['scope is given twice alike', `${pathOf({})}&scope=PROFILE_READ`, 'invalid_request'],
    ['scope has a NUL', `${pathOf({ scope: undefined })}&scope=PROFILE_READ%00`, 'invalid_request'],
    ['scope is no UTF-8', `${pathOf({ scope: undefined })}&scope=%ff`, 'invalid_request'],
    ['response_type is token', pathOf({ response_type: 'token' }), 'unsupported_response_type'],
    ['response_type is id_token', pathOf({ response_type: 'id_token' }), 'unsupported_response_type'],
    ['response_type is code token', pathOf({ response_type: 'code token' }), 'unsupported_response_type'],
    ['response_type is CODE', pathOf({ response_type: 'CODE' }), 'unsupported_response_type'],
    ['response_type is given twice', `${pathOf({})}&response_type=code`, 'invalid_request'],
    ['response_mode is fragment', pathOf({ response_mode: 'fragment' }), 'invalid_request'],
    ['response_mode is form_post', pathOf({ response_mode: 'form_post' }), 'invalid_request'],
    ['response_mode is web_message', pathOf({ response_mode: 'web_message' }), 'invalid_request'],
    ['a request object is sent', pathOf({ request: 'eyJhbGciOiJub25lIn0.e30.' }), 'request_not_supported'],
    ['a request_uri is sent', pathOf({ request_uri: 'https://evil.test/r' }), 'request_uri_not_supported'],
    ['prompt is unknown', pathOf({ prompt: 'create' }), 'invalid_request'],
    ['prompt is in capitals', pathOf({ prompt: 'NONE' }), 'invalid_request'],
    ['prompt is none and login', pathOf({ prompt: 'none login' }), 'invalid_request'],
    ['prompt is none and consent', pathOf({ prompt: 'consent none' }), 'invalid_request'],
    ['prompt is given twice', `${pathOf({ prompt: 'login' })}&prompt=consent`, 'invalid_request'],
    ['the resource is another API', pathOf({ resource: 'https://other.example' }), 'invalid_target'],
    [
      'one of two resources is another API',
      `${pathOf({})}&resource=SELF&resource=https%3A%2F%2Fx.test`,
      'invalid_target',
    ],
    ['the resource is relative', pathOf({ resource: '/graphql' }), 'invalid_target'],
    ['code_challenge is short', pathOf({ code_challenge: CHALLENGE.slice(1) }), 'invalid_request'],
    ['code_challenge is long', pathOf({ code_challenge: `${CHALLENGE}A` }), 'invalid_request'],
    ['code_challenge is padded', pathOf({ code_challenge: `${CHALLENGE}=` }), 'invalid_request'],
    ['code_challenge is base64', pathOf({ code_challenge: `+/${CHALLENGE.slice(2)}` }), 'invalid_request'],
    ['code_challenge is 100 kB of hex', pathOf({ code_challenge: 'ab'.repeat(5_000) }), 'invalid_request'],
    ['code_challenge is given twice', `${pathOf(PKCE)}&code_challenge=${CHALLENGE}`, 'invalid_request'],
    ['the method is plain', pathOf({ ...PKCE, code_challenge_method: 'plain' }), 'invalid_request'],
    ['the method is s256', pathOf({ ...PKCE, code_challenge_method: 's256' }), 'invalid_request'],
    ['a method stands without a challenge', pathOf({ code_challenge_method: 'S256' }), 'invalid_request'],
    ['a public client sends no challenge', authorizePath(CLI), 'invalid_request'],
    ['a public client sends an empty challenge', authorizePath(CLI, { code_challenge: '' }), 'invalid_request'],
    ['a parameter that means nothing is given twice', `${pathOf({})}&utm=1&utm=1`, 'invalid_request'],
    ['__proto__ is given twice', `${pathOf({})}&__proto__=1&__proto__=2`, 'invalid_request'],
    ['login_hint is given twice', `${pathOf({ login_hint: 'a@b.c' })}&login_hint=d@e.f`, 'invalid_request'],
  ])('%s', async (_, path, error) => {
    const before = await oauthRows(app.database.em);
    for (const browser of [ada, nobody]) {
      const answer = await browser.request(path.replace('SELF', encodeURIComponent(app.url)));
      const location = answer.headers.get('location') ?? '';
      const redirectUri = new URL(path, app.url).searchParams.get('redirect_uri') ?? '';
      expect([answer.status, location.slice(0, redirectUri.length + 1)]).toEqual([303, `${redirectUri}?`]);
      const { error_description: description, ...told } = Object.fromEntries(new URL(location).searchParams);
      expect(told).toEqual({ error, state: 'xyz', iss: app.url });
      // RFC 6749 §4.1.2.1 says which characters a description may hold.
      expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{20,400}$/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect(await oauthRows(app.database.em)).toEqual(before);
  });

  test.each([
    ['repeated', '&state=xyz', 'xyz'],
    ['repeated as an empty one', '&state=', 'xyz'],
    ['longer than 2,048 bytes', '', 'x'.repeat(2_049)],
    ['longer than 2,048 bytes in UTF-8', '', 'é'.repeat(1_025)],
    ['no UTF-8', '&state=%ff', undefined],
    ['with a NUL', '&state=a%00b', undefined],
  ])('state is %s; then the answer has none', async (_, added, state) => {
    const { parameters } = departed(await ada.open(pathOf({ state }) + added));
    expect([parameters.get('error'), parameters.has('state')]).toEqual(['invalid_request', false]);
    expect(parameters.get('iss')).toBe(app.url);
  });
});

describe('state is returned as it was sent', () => {
  test.each([
    ['letters', 'aZ09'],
    ['characters of URLs', "/?#[]@!$&'()*+,;=:%-._~"],
    ['spaces and pluses', ' a +b  '],
    ['what looks encoded', '%20%41%2B&amp;'],
    ['markup and quotes', "\"><script>alert('1')</script>`"],
    ['a line break and a tab', 'a\r\nb\tc'],
    ['letters of the world', 'zäöü字🦊\u202e\u200f'],
    ['composed and decomposed letters', '\u00e9 e\u0301'],
    ['JSON', '{"return":"/x?y=1&z=2","n":[1,2]}'],
    ['a URL', 'https://other.example/?code=1&state=2&error=x#y'],
    ['another parameter', 'x&error=access_denied'],
    ['2,048 bytes', 'x'.repeat(2_048)],
    ['2,048 bytes in UTF-8', 'é'.repeat(1_024)],
  ])('%s', async (_, state) => {
    for (const changes of [{}, { scope: 'NOPE' }]) {
      const { parameters } = await ada.allow(authorizePath(APP, { state, ...changes }));
      expect(parameters.getAll('state')).toEqual([state]);
      expect(parameters.getAll('iss')).toEqual([app.url]);
      expect(parameters.has('code')).toBe(!('scope' in changes));
      expect(parameters.getAll('error')).toEqual('scope' in changes ? ['invalid_scope'] : []);
    }
  });

  test('however it was encoded, and not at all when none was sent', async () => {
    const encoded = await ada.allow(`${pathOf({ state: undefined })}&state=a+b%2bc%c3%a9!'()*`);
    expect(encoded.parameters.get('state')).toBe("a b+cé!'()*");
    for (const path of [pathOf({ state: undefined }), pathOf({ state: '' })]) {
      expect((await ada.allow(path)).parameters.has('state')).toBe(false);
    }
  });
});

describe('requests without a mistake:', () => {
  test.each<[string, Fields, string]>([
    ['response_type left out', { response_type: undefined }, 'PROFILE_READ'],
    ['scopes by commas', { scope: 'PROFILE_READ,BOOKING_READ' }, 'BOOKING_READ PROFILE_READ'],
    [
      'scopes by commas and spaces, repeated',
      { scope: ' BOOKING_READ, PROFILE_READ,,BOOKING_READ ' },
      'BOOKING_READ PROFILE_READ',
    ],
    ['response_mode query', { response_mode: 'query' }, 'PROFILE_READ'],
    ['parameters that nobody knows', { utm_source: 'x', __proto__: 'y', nonce: 'z' }, 'PROFILE_READ'],
    ['a challenge without a method', { code_challenge: CHALLENGE }, 'PROFILE_READ'],
  ])('%s', async (_, changes, scope) => {
    const stop = await ada.open(pathOf({ ...changes, prompt: 'consent' }));
    expect([stop.kind, stop.status]).toEqual(['PAGE', 200]);
    const { parameters } = departed(await ada.submit(stop, { decision: 'allow' }));
    const [row] = await app.database.em
      .getConnection()
      .execute<[{ scopes: string[] }]>(
        'select scopes from oauth_codes order by created_at desc, interaction_id desc limit 1',
      );
    expect([parameters.get('code') !== null, row?.scopes.join(' ')]).toEqual([true, scope]);
  });

  test.each(['', '/', '/graphql'])('a resource that is our API: its address with "%s"', async (path) => {
    expect((await ada.open(pathOf({ resource: app.url + path, prompt: 'consent' }))).kind).toBe('PAGE');
  });
});
