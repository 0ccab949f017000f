import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAuthorizeRequest } from '../../../src/oauth/protocol/authorize-request.ts';
import { oauthError } from '../../../src/oauth/protocol/oauth-error.ts';
import { codeAnswer, errorAnswer } from '../../../src/oauth/protocol/redirect-uri.ts';
import { anyText } from './any-text.ts';
import { aQuery, aRequest, expectValue, ISSUER } from './builders.ts';

describe('an authorization request is read once', () => {
  test('into a plain record', () => {
    const query = aQuery({
      response_mode: 'query',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      prompt: 'login',
      login_hint: 'ada@acme.test',
      resource: 'https://gatehouse.example',
    });
    expect(parseAuthorizeRequest(query)).toEqual({
      clientId: 'app-1',
      redirectUri: 'https://app.example/cb',
      responseType: 'code',
      responseMode: 'query',
      scope: 'PROFILE_READ',
      state: 'xyz',
      codeChallenge: 'c',
      codeChallengeMethod: 'S256',
      prompt: 'login',
      loginHint: 'ada@acme.test',
      request: undefined,
      requestUri: undefined,
      resources: ['https://gatehouse.example'],
      mistakes: [],
    });
  });

  test('also when there is nothing', () => {
    expect(parseAuthorizeRequest('')).toMatchObject({ clientId: '', redirectUri: '', state: undefined, mistakes: [] });
  });

  test.each([
    '&&&',
    '&',
    '=',
    '=x',
    '%',
    '%zz=1',
    '%ff=1',
    'foo',
    'foo=bar',
    '__proto__=1',
    'constructor=1',
    'hasOwnProperty=1',
    'foo=%ff',
    'foo=%00',
    'STATE=x',
    'state%00=x',
    ';state=x',
  ])('and %s in it is ignored', (suffix) => {
    expect(aRequest({}, `&${suffix}`)).toEqual(aRequest());
  });

  test.each([
    ['scope=A+B', 'A B'],
    ['scope=A%20B', 'A B'],
    ['scope=A%2BB', 'A+B'],
    ['sc%6fpe=A', 'A'],
    ['scope=A=B', 'A=B'],
    ['scope=a%26b', 'a&b'],
    ['scope=%C3%A9', 'é'],
    ['scope=%F0%9F%98%80', '😀'],
  ])('%s means %j', (raw, scope) => {
    expect(aRequest({ scope: undefined }, `&${raw}`).scope).toBe(scope);
  });

  test.each(['scope=', 'scope'])('%s counts as omitted', (raw) => {
    expect(aRequest({ scope: undefined }, `&${raw}`)).toMatchObject({ scope: undefined, mistakes: [] });
  });
});

describe('a parameter that cannot be used is a mistake and has no value', () => {
  const names = {
    client_id: 'clientId',
    redirect_uri: 'redirectUri',
    response_type: 'responseType',
    response_mode: 'responseMode',
    scope: 'scope',
    state: 'state',
    code_challenge: 'codeChallenge',
    code_challenge_method: 'codeChallengeMethod',
    prompt: 'prompt',
    login_hint: 'loginHint',
    request: 'request',
    request_uri: 'requestUri',
  } as const;

  test.each(Object.entries(names))('%s given twice', (name, field) => {
    for (const again of [`&${name}=other`, `&${name}=`, `&${name}`, `&${name}=same`]) {
      const request = aRequest({ [name]: 'same' }, again);
      expect(request.mistakes).toEqual([{ parameter: name, problem: 'REPEATED' }]);
      expect(request[field] ?? '').toBe('');
    }
    expect(aRequest({ [name]: 'same' })[field]).toBe('same');
  });

  test.each(Object.entries(names))('%s in broken encoding', (name, field) => {
    for (const value of [
      '%',
      '%4',
      '%zz',
      '%ff',
      '%C3',
      '%C0%80',
      '%ED%A0%80',
      '%F8%88%80%80%80',
      '%00',
      'a%00b',
      'a%E2%82',
    ]) {
      const request = aRequest({ [name]: undefined }, `&${name}=${value}`);
      expect(request.mistakes).toEqual([{ parameter: name, problem: 'MALFORMED' }]);
      expect(request[field] ?? '').toBe('');
    }
  });

  test('a name that we do not know, given twice', () => {
    expect(aRequest({}, '&foo=1&foo=2').mistakes).toEqual([{ parameter: 'foo', problem: 'REPEATED' }]);
    expect(aRequest({}, '&__proto__=1&__proto__=2').mistakes).toEqual([
      { parameter: '__proto__', problem: 'REPEATED' },
    ]);
  });

  test('only resource may come more than once', () => {
    expect(aRequest({}, '&resource=a&resource=b&resource=')).toMatchObject({ resources: ['a', 'b'], mistakes: [] });
    expect(aRequest({}, '&resource=%ff').mistakes).toEqual([{ parameter: 'resource', problem: 'MALFORMED' }]);
  });

  test.each([
    ['x'.repeat(2_048), true],
    ['é'.repeat(1_024), true],
    ['😀'.repeat(512), true],
    ['x'.repeat(2_049), false],
    ['é'.repeat(1_025), false],
    ['😀'.repeat(513), false],
  ])('a state is at most 2,048 bytes long: %#', (state, isUsable) => {
    expect(aRequest({ state })).toMatchObject(
      isUsable
        ? { state, mistakes: [] }
        : { state: undefined, mistakes: [{ parameter: 'state', problem: 'TOO_LONG' }] },
    );
  });

  test.each(['x'.repeat(321), 'a\nb', 'a\x1b[2Jb'])('a login hint that is none is dropped: %j', (hint) => {
    expect(aRequest({ login_hint: hint })).toMatchObject({ loginHint: undefined, mistakes: [] });
    expect(aRequest({ login_hint: 'x'.repeat(320) }).loginHint).toBe('x'.repeat(320));
  });
});

describe('a request is refused as a whole when', () => {
  test.each([
    ['it has 101 parameters', Array.from({ length: 101 }, (_, i) => `p${i}=1`).join('&'), 400],
    ['it has 101 of one name', 'resource=a&'.repeat(101), 400],
    ['it is longer than 16 KiB', `state=${'x'.repeat(16_379)}`, 414],
    ['it holds a space', 'state=a b', 400],
    ['it holds a raw letter outside ASCII', 'state=é', 400],
    ['it holds a raw control character', 'state=\x01', 400],
    ['it holds a raw NUL', 'state=\0', 400],
    ['it holds a raw line break', 'state=a\r\nb', 400],
    ['it holds a lone surrogate', 'state=\ud800', 400],
  ])('%s', (_, query, status) => {
    expect(parseAuthorizeRequest(query)).toMatchObject({ error: 'invalid_request', status });
  });

  test.each([
    ['it has 100 parameters', Array.from({ length: 100 }, (_, i) => `p${i}=1`).join('&')],
    ['it is 16 KiB long', `foo=${'x'.repeat(16_380)}`],
    ['it has many ampersands', `${'&'.repeat(16_000)}client_id=x`],
  ])('and not when %s', (_, query) => {
    expect(parseAuthorizeRequest(query)).toHaveProperty('clientId');
  });

  test('and gets an answer, whatever its text is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'&=%+0fFzcstate_id\0é '.split('')), maxLength: 300 }),
        (query) => {
          const answer = parseAuthorizeRequest(query);
          expect('error' in answer ? answer.status : answer.mistakes.length).toBeTypeOf('number');
        },
      ),
    );
  });
});

describe('state comes back as it was sent', () => {
  const address = { redirectUri: 'https://app.example/cb?keep=%7e', issuer: ISSUER };
  const roundTrip = (encoded: string) => {
    const { state } = expectValue(parseAuthorizeRequest(`client_id=x&state=${encoded}`));
    return new URL(codeAnswer({ ...address, state }, 'c')).searchParams.get('state');
  };

  test.each([
    ['a%2Bb', 'a+b'],
    ['a+b', 'a b'],
    ['a%20b', 'a b'],
    ['100%25', '100%'],
    ['%2525', '%25'],
    ['%26%3D%23%3F', '&=#?'],
    ['%22%27%3C%3E%5C', '"\'<>\\'],
    ['%C3%A9', 'é'],
    ['e%CC%81', 'e\u0301'],
    ['%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB', '👩‍💻'],
    ['%EF%BB%BFx', '\ufeffx'],
    ['%E2%80%AE', '\u202e'],
    ['%0D%0A%09', '\r\n\t'],
    ['%7B%22a%22%3A1%7D', '{"a":1}'],
    ['eyJhIjoxfQ%3D%3D', 'eyJhIjoxfQ=='],
  ])('%s', (encoded, state) => {
    expect(roundTrip(encoded)).toBe(state);
  });

  test('for any text', () => {
    fc.assert(
      fc.property(anyText(1, 200), (text) => {
        const state = text.toWellFormed().replaceAll('\0', '');
        fc.pre(state !== '');
        expect(roundTrip(encodeURIComponent(state))).toBe(state);
        expect(roundTrip(new URLSearchParams({ s: state }).toString().slice(2))).toBe(state);
      }),
    );
  });

  test('is absent when none was sent, and in errors too', () => {
    const error = oauthError('invalid_scope', 'x y');
    expect(codeAnswer(address, 'c')).toBe('https://app.example/cb?keep=%7e&code=c&iss=https%3A%2F%2Fgatehouse.example');
    expect(codeAnswer({ ...address, state: null }, 'c')).toBe(codeAnswer(address, 'c'));
    expect(errorAnswer({ ...address, state: 'a b' }, error)).toBe(
      'https://app.example/cb?keep=%7e&error=invalid_scope&error_description=x%20y&state=a%20b&iss=https%3A%2F%2Fgatehouse.example',
    );
  });
});
