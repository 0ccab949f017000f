import { describe, expect, test } from 'vitest';
import {
  acceptRequest,
  CHECKS_BEFORE_CLIENT,
  CHECKS_BEFORE_CONSENT,
  CHECKS_BEFORE_REDIRECT,
} from '../../../src/oauth/protocol/authorize-checks.ts';
import type { Client } from '../../../src/oauth/protocol/client.ts';
import { firstError } from '../../../src/oauth/protocol/oauth-error.ts';
import { SCOPES } from '../../../src/scopes/catalog.ts';
import { aClient, aRequest, CHALLENGE, expectValue, ISSUER } from './builders.ts';

type Changes = Parameters<typeof aRequest>[0];

function errorBeforeClient(changes: Changes, rawSuffix = '') {
  return firstError(CHECKS_BEFORE_CLIENT, aRequest(changes, rawSuffix));
}
function errorBeforeRedirect(changes: Changes, client = aClient(), rawSuffix = '') {
  return firstError(CHECKS_BEFORE_REDIRECT, aRequest(changes, rawSuffix), client, ISSUER);
}
function errorBeforeConsent(changes: Changes, client = aClient(), rawSuffix = '') {
  return firstError(CHECKS_BEFORE_CONSENT, aRequest(changes, rawSuffix), client, ISSUER);
}
function accepted(changes: Changes, client?: Client) {
  return expectValue(acceptRequest(aRequest(changes), client ?? aClient(), ISSUER));
}

test('a good request passes every check', () => {
  expect(errorBeforeClient({})).toBeUndefined();
  expect(errorBeforeRedirect({})).toBeUndefined();
  expect(errorBeforeConsent({})).toBeUndefined();
});

describe('before the client is known, our own page tells that', () => {
  test.each([
    ['client_id is missing', { client_id: undefined }, '', 'invalid_request'],
    ['client_id is empty', { client_id: '' }, '', 'invalid_request'],
    ['client_id is repeated', {}, '&client_id=app-2', 'invalid_request'],
    ['client_id is repeated with the same value', {}, '&client_id=app-1', 'invalid_request'],
    ['client_id is not UTF-8', { client_id: undefined }, '&client_id=%ff', 'invalid_request'],
    ['client_id holds a NUL', { client_id: undefined }, '&client_id=app-1%00', 'invalid_request'],
    ['client_id holds a space', { client_id: 'app 1' }, '', 'invalid_client'],
    ['client_id holds a line break', { client_id: 'app\n1' }, '', 'invalid_client'],
    ['client_id is outside ASCII', { client_id: 'äpp' }, '', 'invalid_client'],
    ['client_id has 256 characters', { client_id: 'x'.repeat(256) }, '', 'invalid_client'],
  ])('%s', (_, changes, suffix, error) => {
    expect(errorBeforeClient(changes, suffix)).toMatchObject({ error, status: 400 });
  });

  test.each(['demo-app', 'gh_client_0123', 'x'.repeat(255)])('and looks up %s', (clientId) => {
    expect(errorBeforeClient({ client_id: clientId })).toBeUndefined();
  });
});

describe('an authorization request is not redirected when', () => {
  test.each(['PENDING', 'REJECTED', 'SUSPENDED'] as const)('the client is %s', (status) => {
    expect(errorBeforeRedirect({}, aClient({ status }))).toMatchObject({ error: 'unauthorized_client', status: 403 });
    expect(errorBeforeRedirect({}, aClient({ status: 'APPROVED' }))).toBeUndefined();
  });

  test('the client is not approved, whatever else is wrong', () => {
    expect(
      errorBeforeRedirect({ redirect_uri: 'https://evil.example/' }, aClient({ status: 'PENDING' })),
    ).toMatchObject({ status: 403 });
  });

  test.each([
    'https://app.example/cb/',
    'https://app.example/cb?x=1',
    'https://app.example/cb#',
    'https://app.example:443/cb',
    'https://app.example/%63b',
    'https://evil.example/cb',
    'https://app.example@evil.example/cb',
    'http://app.example/cb',
    'javascript:alert(1)',
    '/cb',
    '',
    undefined,
  ])('redirect_uri is %s', (redirectUri) => {
    expect(errorBeforeRedirect({ redirect_uri: redirectUri })).toMatchObject({ error: 'invalid_request', status: 400 });
  });

  test.each([
    '&redirect_uri=https://evil.example/',
    '&redirect_uri=https://app.example/cb',
    '&redirect_uri=',
    '&redirect_uri=%ff',
  ])('redirect_uri comes again: %s', (suffix) => {
    expect(errorBeforeRedirect({}, aClient(), suffix)).toMatchObject({ error: 'invalid_request', status: 400 });
  });

  test('and any of the registered URIs will do, a loopback one with any port', () => {
    const client = aClient({
      redirectUris: ['https://app.example/cb', 'http://127.0.0.1/callback', 'com.example.app:/cb'],
    });
    for (const uri of ['https://app.example/cb', 'http://127.0.0.1:51004/callback', 'com.example.app:/cb']) {
      expect(errorBeforeRedirect({ redirect_uri: uri }, client)).toBeUndefined();
    }
  });
});

test('our own page tells a missing, a repeated and a broken redirect_uri from one that is not registered', () => {
  expect(errorBeforeRedirect({ redirect_uri: undefined })?.description).toContain('missing');
  expect(errorBeforeRedirect({}, aClient(), '&redirect_uri=x')?.description).toContain('more than once');
  expect(errorBeforeRedirect({ redirect_uri: undefined }, aClient(), '&redirect_uri=%ff')?.description).toContain(
    'UTF-8',
  );
  expect(
    errorBeforeRedirect({ redirect_uri: undefined, scope: undefined }, aClient(), '&scope=%ff')?.description,
  ).toContain('missing');
  expect(errorBeforeRedirect({ redirect_uri: 'https://evil.example/' })?.description).toContain('not registered');
});

describe('the client is told through the redirect that', () => {
  test.each(['token', 'id_token', 'code token', 'CODE', 'none', 'code ', ' '])(
    'response_type %j is not supported',
    (responseType) => {
      expect(errorBeforeConsent({ response_type: responseType })).toMatchObject({ error: 'unsupported_response_type' });
    },
  );

  test.each(['code', '', undefined])('and response_type may be %s', (responseType) => {
    expect(errorBeforeConsent({ response_type: responseType })).toBeUndefined();
  });

  test.each(['fragment', 'form_post', 'web_message', 'query.jwt', 'QUERY'])(
    'response_mode %s is not served',
    (responseMode) => {
      expect(errorBeforeConsent({ response_mode: responseMode })).toMatchObject({ error: 'invalid_request' });
      expect(errorBeforeConsent({ response_mode: 'query' })).toBeUndefined();
    },
  );

  test('request objects are not supported', () => {
    expect(errorBeforeConsent({ request: 'eyJ' })).toMatchObject({ error: 'request_not_supported' });
    expect(errorBeforeConsent({ request_uri: 'http://169.254.169.254/' })).toMatchObject({
      error: 'request_uri_not_supported',
    });
    expect(errorBeforeConsent({ request: '', request_uri: '' })).toBeUndefined();
  });

  test.each([
    'state',
    'scope',
    'response_type',
    'response_mode',
    'code_challenge',
    'code_challenge_method',
    'prompt',
    'login_hint',
    'request',
    'request_uri',
    'foo',
  ])('%s is repeated', (name) => {
    expect(errorBeforeConsent({}, aClient(), `&${name}=a&${name}=a`)).toMatchObject({ error: 'invalid_request' });
  });

  test('state was repeated or is too long, and then no state is returned', () => {
    expect(aRequest({}, '&state=other').state).toBeUndefined();
    expect(errorBeforeConsent({}, aClient(), '&state=other')).toMatchObject({ error: 'invalid_request' });
    expect(errorBeforeConsent({ state: 'x'.repeat(2_049) })).toMatchObject({ error: 'invalid_request' });
    expect(errorBeforeConsent({ state: 'x'.repeat(2_048) })).toBeUndefined();
  });

  test.each([
    'select_account',
    'NONE',
    'none login',
    'login none',
    'none consent',
    'login,consent',
    'login\tconsent',
    'create',
  ])('prompt %j is not possible', (prompt) => {
    expect(errorBeforeConsent({ prompt })).toMatchObject({ error: 'invalid_request' });
  });

  test.each([
    ['none', ['none']],
    ['none none', ['none']],
    ['login', ['login']],
    ['login consent', ['login', 'consent']],
    ['  consent  consent ', ['consent']],
    [undefined, []],
  ])('and prompt may be %j', (prompt, prompts) => {
    expect(accepted({ prompt }).prompts).toEqual(prompts);
  });

  test.each([
    'https://other.example',
    'http://gatehouse.example',
    'https://gatehouse.example.evil.example',
    'https://gatehouse.example//',
    'https://gatehouse.example/v2/me',
    'https://gatehouse.example/#x',
    'https://gatehouse.example?x',
    'https://GATEHOUSE.example',
    'gatehouse.example',
    '*',
  ])('resource %s is not ours', (resource) => {
    expect(errorBeforeConsent({ resource })).toMatchObject({ error: 'invalid_target' });
  });

  test('and resource may name our API, once or more', () => {
    for (const resource of [
      'https://gatehouse.example',
      'https://gatehouse.example/',
      'https://gatehouse.example/graphql',
    ]) {
      expect(errorBeforeConsent({ resource })).toBeUndefined();
    }
    const ours = '&resource=https://gatehouse.example';
    expect(errorBeforeConsent({}, aClient(), ours + ours)).toBeUndefined();
    expect(errorBeforeConsent({}, aClient(), `${ours}&resource=https://other.example`)).toMatchObject({
      error: 'invalid_target',
    });
  });
});

describe('scope', () => {
  test.each([
    ['profile_read'],
    ['Profile_Read'],
    ['PROFILE_READ openid'],
    ['PROFILE-READ'],
    ['PROFILE_READ;BOOKING_READ'],
    ['PROFILE_READ+BOOKING_READ'],
    ['PROFILE_READ|BOOKING_READ'],
    ['PROFILE_READ\tBOOKING_READ'],
    ['PROFILE_READ\nBOOKING_READ'],
    ['PROFILE_READ\r\n'],
    ['PROFILE_READ\u00a0BOOKING_READ'],
    ['PROFILE_READ\u3000'],
    ['PROFILE_READ\u200b'],
    ['\ufeffPROFILE_READ'],
    ['PROFILE_READ\x0b'],
    ['"PROFILE_READ"'],
    ['*'],
    ['all'],
    ['PROFILE_*'],
    ['PROFILE_READ.'],
    ['ΡROFILE_READ'],
    ['ORG_APPS_READ'],
    ['__proto__'],
    ['constructor'],
    ['toString'],
    ['0'],
    ['undefined'],
    ['null'],
    [' '],
    [','],
    [', ,'],
    ['x'.repeat(5_000)],
  ])('%j is invalid, for legacy clients too', (scope) => {
    expect(errorBeforeConsent({ scope })).toMatchObject({ error: 'invalid_scope' });
    expect(errorBeforeConsent({ scope }, aClient({ legacy: true, scopes: [] }))).toMatchObject({
      error: 'invalid_scope',
    });
  });

  test.each(['ORG_PROFILE_READ', 'TEAM_BOOKING_READ', 'PROFILE_WRITE', 'PROFILE_READ BOOKING_WRITE'])(
    '%s is invalid when the client has not enabled it',
    (scope) => {
      expect(errorBeforeConsent({ scope })).toMatchObject({ error: 'invalid_scope' });
      expect(errorBeforeConsent({ scope }, aClient({ scopes: SCOPES }))).toBeUndefined();
    },
  );

  test('a TEAM scope is not enabled by its ORG scope: enabled scopes count by name', () => {
    const client = aClient({ scopes: ['ORG_PROFILE_READ'] });
    expect(errorBeforeConsent({ scope: 'TEAM_PROFILE_READ' }, client)).toMatchObject({ error: 'invalid_scope' });
    expect(errorBeforeConsent({ scope: 'ORG_PROFILE_READ' }, client)).toBeUndefined();
  });

  test('names the scope that is wrong', () => {
    expect(errorBeforeConsent({ scope: 'PROFILE_READ BOOKING_WRITE' })?.description).toContain('BOOKING_WRITE');
    expect(errorBeforeConsent({ scope: 'profile_read' })?.description).toContain('PROFILE_READ');
  });

  test.each([
    ['PROFILE_READ BOOKING_READ', ['BOOKING_READ', 'PROFILE_READ']],
    ['BOOKING_READ,PROFILE_READ', ['BOOKING_READ', 'PROFILE_READ']],
    [' ,PROFILE_READ,, BOOKING_READ ,', ['BOOKING_READ', 'PROFILE_READ']],
    ['PROFILE_READ PROFILE_READ,PROFILE_READ', ['PROFILE_READ']],
  ])('%j is read in the order of the catalogue', (scope, scopes) => {
    expect(accepted({ scope }).access).toEqual({ kind: 'SCOPED', scopes });
  });

  test('may name all there are', () => {
    expect(accepted({ scope: SCOPES.toReversed().join(' ') }, aClient({ scopes: SCOPES })).access).toEqual({
      kind: 'SCOPED',
      scopes: SCOPES,
    });
  });

  test('must be there, except for a legacy client', () => {
    expect(errorBeforeConsent({ scope: undefined })).toMatchObject({ error: 'invalid_scope' });
    expect(errorBeforeConsent({ scope: '' })).toMatchObject({ error: 'invalid_scope' });
    expect(accepted({ scope: undefined }, aClient({ legacy: true, scopes: [] })).access).toEqual({
      kind: 'UNRESTRICTED',
    });
    expect(accepted({ scope: 'PROFILE_WRITE' }, aClient({ legacy: true, scopes: [] })).access).toEqual({
      kind: 'SCOPED',
      scopes: ['PROFILE_WRITE'],
    });
  });

  test('must be there for a client that enabled nothing but is not marked as legacy', () => {
    expect(errorBeforeConsent({ scope: undefined }, aClient({ scopes: [] }))).toMatchObject({ error: 'invalid_scope' });
  });
});

describe('PKCE', () => {
  const publicClient = aClient({ type: 'PUBLIC' });

  test('is required of public clients and of those that ask for it', () => {
    expect(errorBeforeConsent({}, publicClient)).toMatchObject({ error: 'invalid_request' });
    expect(errorBeforeConsent({}, aClient({ requiresPkce: true }))).toMatchObject({ error: 'invalid_request' });
    expect(errorBeforeConsent({ code_challenge: CHALLENGE }, publicClient)).toBeUndefined();
    expect(errorBeforeConsent({ code_challenge: CHALLENGE }, aClient({ requiresPkce: true }))).toBeUndefined();
    expect(errorBeforeConsent({}, aClient())).toBeUndefined();
  });

  test.each(['plain', 's256', 'S512', 'none', ' S256'])('%j is no method', (method) => {
    expect(errorBeforeConsent({ code_challenge: CHALLENGE, code_challenge_method: method })).toMatchObject({
      error: 'invalid_request',
    });
    expect(errorBeforeConsent({ code_challenge: CHALLENGE, code_challenge_method: 'S256' })).toBeUndefined();
  });

  test('a method without a challenge is a mistake', () => {
    expect(errorBeforeConsent({ code_challenge_method: 'S256' })).toMatchObject({ error: 'invalid_request' });
    expect(errorBeforeConsent({ code_challenge_method: 'S256', code_challenge: '' })).toMatchObject({
      error: 'invalid_request',
    });
  });

  test.each([
    CHALLENGE.slice(1),
    `${CHALLENGE}A`,
    `${CHALLENGE}=`,
    `${CHALLENGE.slice(1)}=`,
    `${CHALLENGE.slice(1)}+`,
    `${CHALLENGE.slice(1)}/`,
    `${CHALLENGE.slice(1)}.`,
    `${CHALLENGE.slice(1)} `,
    `${CHALLENGE}\n`,
    `${CHALLENGE.slice(1)}é`,
    'x',
    ' ',
    'x'.repeat(10_000),
  ])('%j is no challenge', (challenge) => {
    expect(errorBeforeConsent({ code_challenge: challenge })).toMatchObject({ error: 'invalid_request' });
  });
});

test('an accepted request is plain JSON with all that is needed later', () => {
  const request = accepted({ code_challenge: CHALLENGE, prompt: 'login', login_hint: 'ada@acme.test' });
  expect(request).toEqual({
    clientId: 'app-1',
    redirectUri: 'https://app.example/cb',
    state: 'xyz',
    access: { kind: 'SCOPED', scopes: ['PROFILE_READ'] },
    codeChallenge: CHALLENGE,
    prompts: ['login'],
    loginHint: 'ada@acme.test',
  });
  expect(JSON.parse(JSON.stringify(request))).toEqual(request);
  expect(accepted({ state: undefined })).toMatchObject({ state: null, codeChallenge: null, loginHint: null });
});

test('a refused request is not accepted', () => {
  expect(acceptRequest(aRequest({ scope: undefined }), aClient(), ISSUER)).toMatchObject({ error: 'invalid_scope' });
});

test('every error to the client is short and plain', () => {
  const descriptions = [
    errorBeforeConsent({ scope: 'é"\\'.repeat(500) }),
    errorBeforeConsent({ response_type: '<script>'.repeat(500) }),
    errorBeforeConsent({ scope: SCOPES.join(' ') }),
    errorBeforeRedirect({ redirect_uri: `https://evil.example/${'"\u202e'.repeat(1_000)}` }),
  ].map((error) => error?.description ?? '');
  for (const description of descriptions) expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{20,1000}$/);
});
