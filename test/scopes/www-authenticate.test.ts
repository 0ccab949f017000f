import { assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Refusal } from '../../src/scopes/authorize.ts';
import {
  challengeOf,
  credentialsChallenge,
  insufficientScopeChallenge,
  invalidRequestChallenge,
  invalidTokenChallenge,
} from '../../src/scopes/www-authenticate.ts';
import { hostileText } from './support/hostile-text.ts';

const resource = { realm: 'gatehouse', resourceMetadata: 'https://api.example/.well-known/oauth-protected-resource' };
const start = `Bearer realm="gatehouse", resource_metadata="https://api.example/.well-known/oauth-protected-resource"`;

test('a request without credentials is challenged without an error', () => {
  expect(credentialsChallenge(resource)).toBe(start);
});

test('a bad token or request is told what is wrong with it', () => {
  expect(invalidTokenChallenge(resource, 'The token has expired.')).toBe(
    `${start}, error="invalid_token", error_description="The token has expired."`,
  );
  expect(invalidRequestChallenge(resource, 'Two tokens were sent.')).toBe(
    `${start}, error="invalid_request", error_description="Two tokens were sent."`,
  );
});

test('a token that lacks scopes is told all that the operation needs', () => {
  expect(insufficientScopeChallenge(resource, ['BOOKING_READ', 'PROFILE_READ'])).toBe(
    `${start}, error="insufficient_scope", scope="BOOKING_READ PROFILE_READ"`,
  );
});

describe('a refusal is challenged', () => {
  const refusal: Refusal = {
    status: 403,
    code: 'INSUFFICIENT_SCOPE',
    message: '',
    requiredScopes: ['PROFILE_READ'],
    missingScopes: ['PROFILE_READ'],
    fields: [],
  };

  test('by its code', () => {
    expect(challengeOf(refusal, resource)).toBe(insufficientScopeChallenge(resource, ['PROFILE_READ']));
    expect(challengeOf({ ...refusal, status: 401, code: 'UNAUTHENTICATED' }, resource)).toBe(start);
  });

  test('not at all where another token would not help', () => {
    expect(challengeOf({ ...refusal, code: 'FORBIDDEN' }, resource)).toBeUndefined();
  });
});

test('quotes inside a value are replaced, and so is whatever a header cannot carry', () => {
  expect(invalidTokenChallenge(resource, 'Say "ü"')).toBe(
    `${start}, error="invalid_token", error_description="Say '?'"`,
  );
});

describe('no value', () => {
  test.each(['a"b', 'a\\', 'a\r\nSet-Cookie: x=1', 'a\0b', 'ü', '\uD800', '", error="none'])(
    'ends its quotes early: %j',
    (value) => {
      const header = invalidTokenChallenge({ ...resource, realm: value }, value);
      expect(header).toMatch(/^Bearer (?:[a-z_]+="[\x20-\x21\x23-\x5B\x5D-\x7E]*"(?:, |$)){4}$/);
      expect(new Headers({ 'WWW-Authenticate': header }).get('WWW-Authenticate')).toBe(header);
    },
  );

  test('of any text makes a header that cannot be sent', () => {
    assert(
      property(hostileText, (text) => {
        expect(invalidTokenChallenge(resource, text)).toMatch(/^[\x20-\x7E]+$/);
      }),
    );
  });
});
