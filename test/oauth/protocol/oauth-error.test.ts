import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstError, isOAuthError, oauthError, quoted } from '../../../src/oauth/protocol/oauth-error.ts';
import { anyText } from './any-text.ts';
import { ENCODED_GRANT_ID, ENCODED_INTERACTION_ID } from './builders.ts';

describe('an error description', () => {
  test('keeps the characters that RFC 6749 §5.2 allows', () => {
    const allowed = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).filter(
      (c) => c !== '"' && c !== '\\',
    );
    expect(oauthError('invalid_request', allowed.join('')).description).toBe(allowed.join(''));
  });

  test.each([
    ['a quotation mark', 'a"b'],
    ['a backslash', 'a\\b'],
    ['a line break', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['a NUL', 'a\0b'],
    ['a tab', 'a\tb'],
    ['a delete', 'a\x7fb'],
    ['a letter with an accent', 'aéb'],
    ['a right-to-left override', 'a\u202eb'],
  ])('replaces %s', (_, text) => {
    expect(oauthError('invalid_request', text).description).toBe('a?b');
  });

  test('holds allowed characters only, whatever was sent', () => {
    fc.assert(
      fc.property(anyText(), (sent) => {
        const { description } = oauthError('invalid_scope', `There is no ${quoted(sent)}.`);
        expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
      }),
    );
  });

  test('cuts what was sent to a bounded length', () => {
    expect(quoted('x'.repeat(100_000)).length).toBeLessThan(100);
    expect(quoted('x'.repeat(80))).toBe(`'${'x'.repeat(80)}'`);
  });

  test.each([
    ['a secret', `gh_secret_${'a'.repeat(49)}`, "'(a credential)'"],
    ['a code', `gh_code_${ENCODED_INTERACTION_ID}_${'Z'.repeat(48)}`, "'(a credential)'"],
    [
      'a refresh token among other text',
      `x gh_refresh_${ENCODED_GRANT_ID}_1_${'Z'.repeat(54)}/y`,
      "'x (a credential)/y'",
    ],
    ['an access token', `eyJ${'a'.repeat(200)}.${'b'.repeat(600)}.${'c-_'.repeat(20)}`, "'(a credential)...'"],
    ['the id of a client, which is no secret', 'gh_client_abc', "'gh_client_abc'"],
  ])('does not hold a credential in the wrong place: %s', (_, sent, shown) => {
    expect(quoted(sent)).toBe(shown);
  });
});

describe('the status of an error', () => {
  test.each([
    ['invalid_client', 401],
    ['invalid_token', 401],
    ['insufficient_scope', 403],
    ['invalid_grant', 400],
    ['invalid_request', 400],
    ['invalid_scope', 400],
    ['unauthorized_client', 400],
    ['server_error', 500],
    ['temporarily_unavailable', 503],
  ] as const)('%s is %i unless it is said otherwise', (code, status) => {
    expect(oauthError(code, 'x').status).toBe(status);
    expect(oauthError(code, 'x', 418).status).toBe(418);
  });
});

describe('an ordered list of checks', () => {
  const first = oauthError('invalid_request', 'first');
  const second = oauthError('invalid_scope', 'second');

  test('stops at the first refusal', () => {
    expect(firstError([() => undefined, () => first, () => second])).toBe(first);
  });

  test('says nothing when all pass', () => {
    expect(firstError([() => undefined, () => undefined])).toBeUndefined();
    expect(firstError([])).toBeUndefined();
  });

  test('gives each check the same arguments', () => {
    expect(firstError([(n: number) => (n > 1 ? second : undefined)], 2)).toBe(second);
    expect(firstError([(n: number) => (n > 1 ? second : undefined)], 1)).toBeUndefined();
  });
});

test('an error is told from a value', () => {
  expect(isOAuthError(oauthError('invalid_grant', 'x'))).toBe(true);
  expect(isOAuthError({ error: 'x' })).toBe(false);
  expect(isOAuthError({ status: 'x' })).toBe(false);
  expect(isOAuthError(['PROFILE_READ'])).toBe(false);
});
