import { assert, property } from 'fast-check';
import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { authorize, type Refusal, tokenCaller } from '../../src/scopes/authorize.ts';
import { compileOperation } from '../../src/scopes/compile.ts';
import { heldScopes } from '../../src/scopes/held-scopes.ts';
import {
  challengeOf,
  credentialsChallenge,
  insufficientScopeChallenge,
  invalidRequestChallenge,
  invalidTokenChallenge,
} from '../../src/scopes/www-authenticate.ts';
import { hostileText } from './support/hostile-text.ts';
import { productLike } from './support/product-like.ts';

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

  test('with all that the operation requires, not with what is missing: one more consent must be enough', () => {
    const required = ['EVENT_TYPE_READ', 'BOOKING_READ', 'PROFILE_READ'];
    const some: Refusal = { ...refusal, requiredScopes: required, missingScopes: ['BOOKING_READ'] };
    expect(challengeOf(some, resource)).toBe(
      `${start}, error="insufficient_scope", scope="EVENT_TYPE_READ BOOKING_READ PROFILE_READ"`,
    );
  });

  test('with the operation’s minimal set as the engine finds it, by a token that holds a part of it', () => {
    const source = '{ me { name bookings { nodes { id } } } team(id: 1) { slug } }';
    const compiled = compileOperation(productLike, parse(source));
    const partial = compiled && authorize(compiled, tokenCaller(heldScopes(['PROFILE_READ', 'ORG_PROFILE_READ'])));
    expect(partial?.missingScopes).toEqual(['BOOKING_READ']);
    expect(partial && challengeOf(partial, resource)).toBe(
      `${start}, error="insufficient_scope", scope="BOOKING_READ PROFILE_READ TEAM_PROFILE_READ"`,
    );
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
