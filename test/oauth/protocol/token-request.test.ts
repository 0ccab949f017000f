import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTokenRequest, readGrantType } from '../../../src/oauth/protocol/token-request.ts';
import { paced } from '../../support/pace.ts';
import { anyText } from './any-text.ts';
import { aForm, aJson, anExchange, basic, expectValue } from './builders.ts';

const BODY = 'client_id=app-1&client_secret=s&grant_type=refresh_token&refresh_token=r&scope=A+B';
const JSON_BODY = JSON.stringify({
  client_id: 'app-1',
  client_secret: 's',
  grant_type: 'refresh_token',
  refresh_token: 'r',
  scope: 'A B',
});

const many = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&');
const encode = (text: string) => Buffer.from(text).toString('base64');
const read = (authorization: string, body = 'grant_type=refresh_token') =>
  parseTokenRequest(aForm(body, authorization));

describe('a form and a flat JSON object', () => {
  test('say the same', () => {
    const expected = {
      credentials: { method: 'POST', clientId: 'app-1', secret: 's' },
      grantType: 'refresh_token',
      code: undefined,
      redirectUri: undefined,
      codeVerifier: undefined,
      refreshToken: 'r',
      scope: 'A B',
      token: undefined,
      tokenTypeHint: undefined,
      resources: [],
    };
    expect(parseTokenRequest(aForm(BODY))).toEqual(expected);
    expect(parseTokenRequest(aJson(JSON_BODY))).toEqual(expected);
  });

  test.each([
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-URLEncoded',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'application/x-www-form-urlencoded; charset="utf-8"',
    'application/x-www-form-urlencoded ; charset=utf8 ; foo=bar',
    ' application/x-www-form-urlencoded ',
    'application/x-www-form-urlencoded; x-charset=utf-16',
  ])('are known by their content type: %j', (contentType) => {
    expect(parseTokenRequest({ ...aForm(BODY), contentType })).toMatchObject({ grantType: 'refresh_token' });
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'or by this: %j',
    (contentType) => {
      expect(parseTokenRequest({ ...aJson(JSON_BODY), contentType })).toMatchObject({ grantType: 'refresh_token' });
    },
  );

  test.each([
    undefined,
    '',
    ';',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json+oauth',
    'application/graphql-response+json',
    'application/x-www-form-urlencoded, application/json',
    'application/x-www-form-urlencoded; charset=utf-16',
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'application/json; charset=utf-7',
    'application/x-www-form-urlencoded; charset',
    'application/x-www-form-urlencoded; charset=utf-8x',
    'application/x-www-form-urlencoded; charset=x; charset=utf-8',
    'application/x-www-form-urlencoded; charset=xcharset=utf-8',
    'application/x-www-form-urlencoded; charset=utf-8; charset=utf-16',
    '*/*',
  ])('and are not guessed: %j', (contentType) => {
    expect(parseTokenRequest({ ...aForm(BODY), contentType })).toMatchObject({ error: 'invalid_request', status: 400 });
    expect(parseTokenRequest({ ...aJson(JSON_BODY), contentType })).toMatchObject({
      error: 'invalid_request',
      status: 400,
    });
  });

  test('a form is not read as JSON, nor JSON as a form', () => {
    expect(parseTokenRequest(aJson(BODY))).toMatchObject({ error: 'invalid_request' });
    expect(parseTokenRequest(aForm(JSON_BODY))).toHaveProperty('error');
  });
});

describe('parameters in the address are refused', () => {
  test.each([
    'client_id=app-1',
    'client_secret=s',
    'grant_type=refresh_token',
    'refresh_token=r',
    'foo=bar',
    '=',
    '&',
    'x',
  ])('%s', (query) => {
    expect(parseTokenRequest({ ...aForm(BODY), query })).toMatchObject({ error: 'invalid_request' });
    expect(parseTokenRequest({ ...aForm(BODY), query: '' })).toHaveProperty('grantType');
  });
});

describe('a form', () => {
  test.each([
    'client_id',
    'client_secret',
    'grant_type',
    'refresh_token',
    'scope',
    'foo',
    '__proto__',
    'code',
    'token',
  ])('with %s twice is refused', (name) => {
    for (const again of [`&${name}=a&${name}=b`, `&${name}=a&${name}=a`, `&${name}=&${name}=`, `&${name}&${name}`]) {
      expect(parseTokenRequest(aForm(BODY + again))).toMatchObject({ error: 'invalid_request' });
    }
  });

  test.each([
    'code=%ff',
    'code=%',
    'code=%zz',
    'code=%00',
    'code=a%00',
    'code=%ED%A0%80',
    'code_verifier=%C0%AF',
    'redirect_uri=%FE',
    'token=\ud800',
    'resource=%ff',
  ])('with the broken value %j is refused', (pair) => {
    expect(parseTokenRequest(aForm(`${BODY}&${pair}`))).toMatchObject({ error: 'invalid_request' });
  });

  test.each([
    'foo',
    'foo=bar',
    'foo=%ff',
    '%ff=foo',
    '&&',
    '=',
    '__proto__=x',
    'constructor=x',
    'CODE=x',
    'username=u&password=p',
  ])('with %s besides is read as without', (pair) => {
    expect(parseTokenRequest(aForm(`${BODY}&${pair}`))).toEqual(parseTokenRequest(aForm(BODY)));
  });

  test('takes an empty value for none', () => {
    expect(parseTokenRequest(aForm('client_id=app-1&client_secret=&grant_type=&code='))).toMatchObject({
      credentials: { method: 'NONE', clientId: 'app-1' },
      grantType: undefined,
      code: undefined,
    });
  });

  test('may repeat resource alone', () => {
    expect(parseTokenRequest(aForm(`${BODY}&resource=a&resource=b`))).toMatchObject({ resources: ['a', 'b'] });
  });

  test('may have 100 parameters and not 101', () => {
    expect(parseTokenRequest(aForm(`client_id=app-1&${many(99)}`))).toHaveProperty('credentials');
    expect(parseTokenRequest(aForm(`client_id=app-1&${many(100)}`))).toMatchObject({ error: 'invalid_request' });
  });
});

describe('JSON', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['two objects', '{}{}'],
    ['a comma too many', '{"client_id":"app-1",}'],
    ['single quotes', "{'client_id':'app-1'}"],
    ['a comment', '{"client_id":"app-1"/**/}'],
    ['a byte order mark', '\ufeff{"client_id":"app-1"}'],
    ['a list', '[{"client_id":"app-1"}]'],
    ['a text', '"client_id=app-1"'],
    ['a number', '1'],
    ['null', 'null'],
    ['true', 'true'],
    ['a million brackets', '['.repeat(1_000_000)],
    ['a deep object', '{"a":'.repeat(20_000)],
    ['101 members', `{"client_id":"app-1",${Array.from({ length: 100 }, (_, i) => `"p${i}":""`).join(',')}}`],
  ])('that is %s is refused', (_, body) => {
    expect(parseTokenRequest(aJson(body))).toMatchObject({ error: 'invalid_request' });
  });

  test.each([
    '1',
    '0',
    '1.5',
    '1e400',
    'true',
    'false',
    '[]',
    '["x"]',
    '[["x"]]',
    '{}',
    '{"x":"y"}',
    '{"toString":"x"}',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00x"',
  ])('is refused when its code is %s', (value) => {
    expect(parseTokenRequest(aJson(`{"client_id":"app-1","code":${value}}`))).toMatchObject({
      error: 'invalid_request',
    });
    expect(parseTokenRequest(aJson('{"client_id":"app-1","code":"x"}'))).toMatchObject({ code: 'x' });
  });

  test.each([
    '{"client_id":"app-1","code":"a","code":"b"}',
    '{"client_id":"app-1","code":"a","code":"a"}',
    '{"client_id":"app-1","code":"a","code":null}',
    '{"client_id":"app-1","code":"a","co\\u0064e":"b"}',
    '{"client_id":"app-1","code" : "a" , "x":{"y":"}"},"code":"b"}',
    '{"client_id":"app-1","code":"a","__proto__":"b","__proto__":"c"}',
    '{"client_id":"app-1","a":"\\\\","code":"a","b":"\\"","code":"b"}',
  ])('that names one thing twice is refused: %s', (body) => {
    expect(parseTokenRequest(aJson(body))).toMatchObject({ error: 'invalid_request' });
  });

  test.each([
    ['{"client_id":"app-1","code":"x","other":{"code":"y","client_id":"z"}}', 'x'],
    ['{"client_id":"app-1","code":"x","other":["code","code"]}', 'x'],
    ['{"client_id":"app-1","code":"code","other":"code"}', 'code'],
    ['{"client_id":"app-1","code":"\\"code\\":1,{","other":"}"}', '"code":1,{'],
    ['{"client_id":"app-1","other":"\\\\\\"","code":"x"}', 'x'],
    ['{"client_id":"app-1","__proto__":{"code":"y"},"code":"x"}', 'x'],
    ['{"client_id":"app-1","constructor":1,"toString":null,"code":"x"}', 'x'],
    [' \n\t{ "client_id" \n:\n "app-1" , "code" : "x" } ', 'x'],
    ['{"client_id":"app-1","c\\u006fde":"x"}', 'x'],
  ])('is read by its outermost names alone: %s', (body, code) => {
    expect(parseTokenRequest(aJson(body))).toMatchObject({ credentials: { clientId: 'app-1' }, code });
  });

  test('may have 100 members', () => {
    const members = Array.from({ length: 99 }, (_, i) => `"p${i}":""`).join(',');
    expect(parseTokenRequest(aJson(`{"client_id":"app-1",${members}}`))).toHaveProperty('credentials');
  });

  test('does not inherit parameters', () => {
    const request = parseTokenRequest(aJson('{"client_id":"app-1","__proto__":{"code":"y","grant_type":"z"}}'));
    expect(request).toMatchObject({ code: undefined, grantType: undefined });
  });

  test('takes null and the empty text for none', () => {
    expect(parseTokenRequest(aJson('{"client_id":"app-1","client_secret":null,"code":"","scope":null}'))).toMatchObject(
      {
        credentials: { method: 'NONE' },
        code: undefined,
        scope: undefined,
      },
    );
  });

  test('may list resources', () => {
    expect(parseTokenRequest(aJson('{"client_id":"app-1","resource":["a","b"]}'))).toMatchObject({
      resources: ['a', 'b'],
    });
    expect(parseTokenRequest(aJson('{"client_id":"app-1","resource":"a"}'))).toMatchObject({ resources: ['a'] });
    expect(parseTokenRequest(aJson('{"client_id":"app-1","resource":"a","resource":"b"}'))).toMatchObject({
      error: 'invalid_request',
    });
    expect(parseTokenRequest(aJson('{"client_id":"app-1","resource":["a",1]}'))).toMatchObject({
      error: 'invalid_request',
    });
  });

  test('finds a repeated name wherever it stands', () => {
    const text = anyText().filter((name) => name !== 'code' && name !== 'client_id');
    fc.assert(
      fc.property(
        fc.dictionary(text, fc.jsonValue(), { maxKeys: 5 }),
        fc.string(),
        fc.boolean(),
        (others, code, isRepeated) => {
          const body = JSON.stringify({ client_id: 'app-1', ...others, code: `x${code}` }).slice(0, -1);
          const request = parseTokenRequest(aJson(isRepeated ? `${body},"code":"y"}` : `${body}}`));
          expect(request).toMatchObject(isRepeated ? { error: 'invalid_request' } : { code: `x${code}` });
        },
      ),
    );
  });
});

describe('an answer comes whatever the request is', () => {
  test.each([
    ['a quoted text that never ends', `{"client_id":"app-1","a":"${'\\"'.repeat(30_000)}`],
    ['many strings', `{"client_id":"app-1","a":[${'"x",'.repeat(15_000)}"x"]}`],
    ['much white space', `{"client_id":"app-1"${' '.repeat(60_000)},"a":"x"}`],
  ])('JSON with %s', (_, body) => {
    const before = process.threadCpuUsage();
    expect(parseTokenRequest(aJson(body))).toBeTypeOf('object');
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(paced(500));
  });

  test('any text as form, JSON and header', () => {
    fc.assert(
      fc.property(anyText(0, 100), anyText(0, 50), (body, header) => {
        for (const input of [aForm(body), aJson(body), aForm(BODY, header), aForm(BODY, `Basic ${header}`)]) {
          expect(parseTokenRequest(input)).toBeTypeOf('object');
        }
      }),
    );
  });
});

describe('the grant type', () => {
  test.each(['authorization_code', 'refresh_token'] as const)('%s is one of the two', (grantType) => {
    expect(readGrantType(anExchange({ grant_type: grantType }))).toBe(grantType);
  });

  test.each([
    'password',
    'client_credentials',
    'implicit',
    'AUTHORIZATION_CODE',
    'authorization_code ',
    'refresh-token',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    '__proto__',
    'constructor',
  ])('%s is not', (grantType) => {
    expect(readGrantType(anExchange({ grant_type: grantType }))).toMatchObject({
      error: 'unsupported_grant_type',
      status: 400,
    });
  });

  test.each(['', undefined])('%j is missing', (grantType) => {
    expect(readGrantType(anExchange({ grant_type: grantType }))).toMatchObject({ error: 'invalid_request' });
  });
});

describe('client credentials in the Authorization header', () => {
  test.each([
    ['plain ones', basic('app-1', 'secret'), 'app-1', 'secret'],
    ['another case of Basic', basic('app-1', 's').replace('Basic', 'bAsIc'), 'app-1', 's'],
    ['several spaces', basic('app-1', 's').replace(' ', '   '), 'app-1', 's'],
    ['a colon in the secret', basic('app-1', 'a:b:c'), 'app-1', 'a:b:c'],
    ['an encoded colon in the id', basic('app%3A1', 's'), 'app:1', 's'],
    ['an encoded secret', basic('app-1', 'a%2Bb%25%20c'), 'app-1', 'a+b% c'],
    ['a plus for a space', basic('app-1', 'a+b'), 'app-1', 'a b'],
    ['letters outside ASCII', basic('app-1', 'pässwörd'), 'app-1', 'pässwörd'],
    ['encoded letters outside ASCII', basic('app-1', 'p%C3%A4ss'), 'app-1', 'päss'],
    ['an empty secret', basic('app-1', ''), 'app-1', ''],
    ['the demo client', basic('demo-app', 'gh_secret_demo_app'), 'demo-app', 'gh_secret_demo_app'],
  ])('may be %s', (_, authorization, clientId, secret) => {
    expect(read(authorization)).toMatchObject({ credentials: { method: 'BASIC', clientId, secret } });
  });

  test.each([
    ['empty', ''],
    ['the scheme alone', 'Basic'],
    ['the scheme and spaces', 'Basic   '],
    ['not base64', 'Basic !!!!'],
    ['base64url', `Basic ${Buffer.from([0xfb, 0xff]).toString('base64url')}`],
    ['base64 without padding', `Basic ${encode('app-1:se').replace(/=+$/, '')}`],
    ['base64 with padding within', 'Basic YXA=cDpz'],
    ['base64 cut off', `Basic ${encode('app-1:secret').slice(0, -1)}`],
    ['without a colon', `Basic ${encode('app-1')}`],
    ['an encoded colon only', `Basic ${encode('app-1%3Asecret')}`],
    ['without an id', `Basic ${encode(':secret')}`],
    ['nothing but a colon', `Basic ${encode(':')}`],
    ['a broken percent in the id', `Basic ${encode('app%:secret')}`],
    ['a broken percent in the secret', `Basic ${encode('app-1:100%')}`],
    ['invalid UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`],
    ['encoded invalid UTF-8', `Basic ${encode('app-1:%ff')}`],
    ['an id with a NUL', `Basic ${encode('app\0:secret')}`],
    ['an id with an encoded NUL', `Basic ${encode('app%00:secret')}`],
    ['an id with a space', `Basic ${encode('app 1:secret')}`],
    ['an id outside ASCII', `Basic ${encode('äpp:secret')}`],
    ['an id of 256 characters', `Basic ${encode(`${'x'.repeat(256)}:secret`)}`],
    ['a byte order mark', `Basic ${encode('\ufeffapp-1:secret')}`],
    ['a tab after the scheme', `Basic\t${encode('app-1:secret')}`],
    ['two of them', `${basic('app-1', 'secret')}, ${basic('app-2', 'secret')}`],
    ['two texts', `${basic('app-1', 'secret')} x`],
    ['a bearer token', 'Bearer abc'],
    ['a digest', 'Digest username="app-1"'],
    ['credentials without a scheme', encode('app-1:secret')],
  ])('may not be %s', (_, authorization) => {
    expect(read(authorization)).toMatchObject({ error: 'invalid_client', status: 401 });
    expect(read(authorization, BODY)).toHaveProperty('error');
  });

  test('and in the body too are refused', () => {
    expect(read(basic('app-1', 's'), 'client_id=app-1&client_secret=s')).toMatchObject({
      error: 'invalid_request',
      status: 400,
    });
    expect(read(basic('app-1', 's'), 'client_secret=s')).toMatchObject({ error: 'invalid_request' });
    expect(read(basic('app-1', 's'), 'client_id=app-2')).toMatchObject({ error: 'invalid_request' });
    expect(read(basic('app-1', 's'), 'client_id=app-1')).toMatchObject({
      credentials: { method: 'BASIC', clientId: 'app-1' },
    });
  });

  test('come through whatever they are', () => {
    const id = fc.string({ unit: fc.constantFrom(...'aZ09-._~:%+&='.split('')), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(id, anyText(1), (clientId, text) => {
        const secret = text.toWellFormed();
        const request = expectValue(read(basic(encodeURIComponent(clientId), encodeURIComponent(secret))));
        expect(request.credentials).toEqual({ method: 'BASIC', clientId, secret });
      }),
    );
  });
});

describe('client credentials in the body', () => {
  test.each([
    ['grant_type=refresh_token', 'invalid_client'],
    ['client_secret=s', 'invalid_client'],
    ['client_id=&client_secret=s', 'invalid_client'],
    ['client_id=app%0A1&client_secret=s', 'invalid_client'],
    ['client_id=%C3%A4pp', 'invalid_client'],
    [`client_id=${'x'.repeat(256)}`, 'invalid_client'],
    ['client_id=app-1%00', 'invalid_request'],
  ])('%s: %s', (body, error) => {
    expect(parseTokenRequest(aForm(body))).toMatchObject({ error });
  });

  test('are an id alone, or an id and a secret', () => {
    expect(parseTokenRequest(aForm('client_id=app-1'))).toMatchObject({
      credentials: { method: 'NONE', clientId: 'app-1' },
    });
    expect(parseTokenRequest(aForm('client_id=app-1&client_secret=s'))).toMatchObject({
      credentials: { method: 'POST', secret: 's' },
    });
  });
});

test('no error repeats a secret, a code or a token', () => {
  const secret = 'gh_secret_TOPSECRET';
  const inputs = [
    aForm(`client_id=app-1&client_secret=${secret}&client_secret=${secret}`),
    aForm(`client_id=app-1&client_secret=${secret}`, basic('app-1', secret)),
    aForm('client_id=app-2', basic('app-1', secret)),
    aForm(`code=${secret}&code=x&client_id=app-1`),
    aForm(`refresh_token=${secret}%ff&client_id=app-1`),
    aForm('', `Bearer ${secret}`),
    aJson(`{"client_id":"app-1","client_secret":["${secret}"]}`),
    { ...aForm(BODY), query: `client_secret=${secret}` },
  ];
  for (const input of inputs) {
    const answer = parseTokenRequest(input);
    expect(answer).toHaveProperty('error');
    expect(JSON.stringify(answer)).not.toContain('TOPSECRET');
  }
});
