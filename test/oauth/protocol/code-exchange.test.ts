import { describe, expect, test } from 'vitest';
import {
  exchangeIsComplete,
  judgeExchange,
  MAX_CODE_FAILURES,
  type StoredCode,
} from '../../../src/oauth/protocol/code-exchange.ts';
import { anExchange, at, CHALLENGE, VERIFIER } from './builders.ts';

const OTHER_VERIFIER = 'x'.repeat(43);

function aCode(changes: Partial<StoredCode> = {}): StoredCode {
  return {
    clientId: 'app-1',
    redirectUri: 'https://app.example/cb',
    codeChallenge: null,
    expiresAt: at(600),
    redeemedAt: null,
    failures: 0,
    ...changes,
  };
}
function aPkceCode(changes: Partial<StoredCode> = {}): StoredCode {
  return aCode({ codeChallenge: CHALLENGE, ...changes });
}
const proven = anExchange({ code_verifier: VERIFIER });

describe('a code is redeemed', () => {
  test('by the client, with its redirect URI', () => {
    expect(judgeExchange(anExchange(), aCode(), at(0))).toEqual({ kind: 'REDEEM' });
  });

  test('with a secret and a verifier together', () => {
    expect(judgeExchange(proven, aPkceCode(), at(0))).toEqual({ kind: 'REDEEM' });
  });

  test('until the moment it expires', () => {
    expect(judgeExchange(anExchange(), aCode(), at(599.999))).toEqual({ kind: 'REDEEM' });
    expect(judgeExchange(anExchange(), aCode(), at(600))).toMatchObject({
      kind: 'REFUSE',
      error: { error: 'invalid_grant' },
    });
    expect(judgeExchange(anExchange(), aCode(), at(601))).toMatchObject({
      kind: 'REFUSE',
      error: { error: 'invalid_grant' },
    });
  });

  test('after four failures, and not after five', () => {
    expect(judgeExchange(anExchange(), aCode({ failures: MAX_CODE_FAILURES - 1 }), at(0))).toEqual({ kind: 'REDEEM' });
    expect(judgeExchange(anExchange(), aCode({ failures: MAX_CODE_FAILURES }), at(0))).toMatchObject({
      kind: 'REFUSE',
      error: { error: 'invalid_grant' },
    });
    expect(MAX_CODE_FAILURES).toBe(5);
  });
});

describe('a failure is counted and the code stays usable when', () => {
  test.each([
    ['another client presents it', anExchange({ client_id: 'app-2' }), aCode()],
    [
      'another client presents it with the right verifier',
      anExchange({ client_id: 'app-2', code_verifier: VERIFIER }),
      aPkceCode(),
    ],
    ['the client id differs in case', anExchange({ client_id: 'APP-1' }), aCode()],
    ['the verifier is wrong', anExchange({ code_verifier: OTHER_VERIFIER }), aPkceCode()],
    ['the verifier is the challenge', anExchange({ code_verifier: CHALLENGE }), aPkceCode()],
    ['the verifier is missing', anExchange(), aPkceCode()],
    ['the redirect URI is another', anExchange({ redirect_uri: 'https://evil.example/cb' }), aCode()],
    ['the redirect URI has a slash more', anExchange({ redirect_uri: 'https://app.example/cb/' }), aCode()],
    ['the redirect URI is encoded differently', anExchange({ redirect_uri: 'https://app.example/%63b' }), aCode()],
    [
      'the redirect URI has another port',
      anExchange({ redirect_uri: 'http://127.0.0.1:2/cb' }),
      aCode({ redirectUri: 'http://127.0.0.1:1/cb' }),
    ],
    [
      'the redirect URI is another though PKCE fits',
      anExchange({ code_verifier: VERIFIER, redirect_uri: 'https://evil.example/' }),
      aPkceCode(),
    ],
  ])('%s', (_, request, code) => {
    expect(judgeExchange(request, code, at(0))).toMatchObject({
      kind: 'COUNT_FAILURE',
      error: { error: 'invalid_grant', status: 400 },
    });
  });
});

describe('an exchange is refused without any effect when', () => {
  test('there is no such code', () => {
    expect(judgeExchange(anExchange(), undefined, at(0))).toMatchObject({
      kind: 'REFUSE',
      error: { error: 'invalid_grant' },
    });
  });

  test('a verifier comes for a code that had no challenge', () => {
    expect(judgeExchange(proven, aCode(), at(0))).toMatchObject({
      kind: 'REFUSE',
      error: { error: 'invalid_request' },
    });
  });

  test.each([
    ['wrong verifier', anExchange({ code_verifier: OTHER_VERIFIER })],
    ['missing verifier', anExchange()],
    ['stranger', anExchange({ client_id: 'app-2', code_verifier: VERIFIER })],
    ['wrong redirect URI', anExchange({ code_verifier: VERIFIER, redirect_uri: 'https://evil.example/' })],
  ])('the code is used already and the replay proves nothing: %s', (_, request) => {
    for (const now of [at(1), at(30), at(10_000)]) {
      expect(judgeExchange(request, aPkceCode({ redeemedAt: at(0) }), now)).toMatchObject({
        kind: 'REFUSE',
        error: { error: 'invalid_grant' },
      });
    }
  });

  test('the code is expired, so that a wrong verifier is not even counted', () => {
    expect(judgeExchange(anExchange({ code_verifier: OTHER_VERIFIER }), aPkceCode(), at(600))).toMatchObject({
      kind: 'REFUSE',
    });
  });
});

describe('the second coming of a used code', () => {
  test("within 10 seconds with the same verifier is the client's own duplicate", () => {
    for (const now of [at(0), at(9.999)]) {
      expect(judgeExchange(proven, aPkceCode({ redeemedAt: at(0) }), now)).toMatchObject({
        kind: 'DUPLICATE',
        error: { error: 'invalid_grant' },
      });
    }
  });

  test('later is a replay', () => {
    for (const now of [at(10), at(60), at(700)]) {
      expect(judgeExchange(proven, aPkceCode({ redeemedAt: at(0) }), now)).toMatchObject({
        kind: 'REPLAY',
        error: { error: 'invalid_grant' },
      });
    }
  });

  test('without PKCE is a replay at once', () => {
    expect(judgeExchange(anExchange(), aCode({ redeemedAt: at(0) }), at(0.001))).toMatchObject({ kind: 'REPLAY' });
  });
});

describe('before the code is looked up', () => {
  test.each([undefined, ''])('code %j is missing', (code) => {
    expect(exchangeIsComplete(anExchange({ code }))).toMatchObject({ error: 'invalid_request' });
  });

  test.each([undefined, ''])('redirect_uri %j is missing, with a verifier too', (redirect_uri) => {
    for (const code_verifier of [undefined, VERIFIER]) {
      expect(exchangeIsComplete(anExchange({ redirect_uri, code_verifier }))).toMatchObject({
        error: 'invalid_request',
        description: expect.stringContaining('redirect_uri is missing'),
      });
    }
  });

  test.each(['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}+`, `${'x'.repeat(42)}é`, `${'x'.repeat(43)} `, 'x'])(
    'code_verifier %j is none',
    (verifier) => {
      expect(exchangeIsComplete(anExchange({ code_verifier: verifier }))).toMatchObject({ error: 'invalid_request' });
    },
  );

  test.each([undefined, VERIFIER, 'x'.repeat(128)])('code_verifier %j is fine', (verifier) => {
    expect(exchangeIsComplete(anExchange({ code_verifier: verifier }))).toBeUndefined();
  });
});

test('no answer repeats a code or a verifier', () => {
  const request = anExchange({ code: 'TOPSECRET', code_verifier: `TOPSECRET${OTHER_VERIFIER}` });
  for (const code of [undefined, aCode(), aPkceCode(), aPkceCode({ redeemedAt: at(0) })]) {
    expect(JSON.stringify(judgeExchange(request, code, at(0)))).not.toContain('TOPSECRET');
  }
});
