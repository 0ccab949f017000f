import { describe, expect, test } from 'vitest';
import { mayConsentBeSkipped, newScopes } from '../../../src/oauth/authorize/interaction.rules.ts';
import { type Access, accessOf, scopeText, UNRESTRICTED } from '../../../src/oauth/protocol/access.ts';
import { SCOPES, type Scope } from '../../../src/scopes/catalog.ts';

const REDIRECT_URI = 'https://app.example/cb';

function to(first: Scope, ...rest: readonly Scope[]): Access {
  return { kind: 'SCOPED', scopes: [first, ...rest] };
}

function isSkipped(access: Access, granted: readonly Access[], changes = {}) {
  return mayConsentBeSkipped({ access, redirectUri: REDIRECT_URI, prompts: [], ...changes }, granted);
}

describe('the scopes that are new to a user', () => {
  test.each<[string, Access, readonly Access[], readonly Scope[]]>([
    ['everything, at first', to('PROFILE_READ', 'BOOKING_READ'), [], ['PROFILE_READ', 'BOOKING_READ']],
    ['nothing, when it was granted', to('PROFILE_READ'), [to('PROFILE_READ', 'BOOKING_READ')], []],
    [
      'nothing, when several grants make it up',
      to('PROFILE_READ', 'BOOKING_READ'),
      [to('PROFILE_READ'), to('BOOKING_READ')],
      [],
    ],
    ['what was added', to('PROFILE_READ', 'BOOKING_READ'), [to('PROFILE_READ')], ['BOOKING_READ']],
    ['no TEAM scope whose ORG scope was granted', to('TEAM_PROFILE_READ'), [to('ORG_PROFILE_READ')], []],
    [
      'an ORG scope, though its TEAM scope was granted',
      to('ORG_PROFILE_READ'),
      [to('TEAM_PROFILE_READ')],
      ['ORG_PROFILE_READ'],
    ],
    [
      'a TEAM scope that the ORG scope of another action does not cover',
      to('TEAM_PROFILE_READ'),
      [to('ORG_PROFILE_WRITE')],
      ['TEAM_PROFILE_READ'],
    ],
    ['a READ scope, though the WRITE scope was granted', to('PROFILE_READ'), [to('PROFILE_WRITE')], ['PROFILE_READ']],
    ['a user scope, though the ORG scope was granted', to('PROFILE_READ'), [to('ORG_PROFILE_READ')], ['PROFILE_READ']],
    ['nothing, when access was unrestricted', to('PROFILE_READ', 'ORG_WEBHOOK_WRITE'), [UNRESTRICTED], []],
  ])('%s', (_, requested, granted, expected) => {
    expect(newScopes(requested, granted)).toEqual(expected);
  });
});

describe('consent is asked for', () => {
  test('at first, and when anything is new', () => {
    expect(isSkipped(to('PROFILE_READ'), [])).toBe(false);
    expect(isSkipped(to('PROFILE_READ', 'BOOKING_READ'), [to('PROFILE_READ')])).toBe(false);
    expect(isSkipped(to('ORG_BOOKING_READ'), [to('TEAM_BOOKING_READ')])).toBe(false);
  });

  test('and not when everything was granted before', () => {
    expect(isSkipped(to('PROFILE_READ'), [to('PROFILE_READ')])).toBe(true);
    expect(isSkipped(to('TEAM_BOOKING_READ'), [to('ORG_BOOKING_READ')])).toBe(true);
    expect(isSkipped(to('PROFILE_READ'), [UNRESTRICTED])).toBe(true);
  });

  test('for unrestricted access, unless just that was granted', () => {
    const [first, ...rest] = SCOPES;
    expect(isSkipped(UNRESTRICTED, [])).toBe(false);
    expect(isSkipped(UNRESTRICTED, [to(first as Scope, ...rest)])).toBe(false);
    expect(isSkipped(UNRESTRICTED, [to('PROFILE_READ'), UNRESTRICTED])).toBe(true);
  });

  test('when the client asks for it', () => {
    expect(isSkipped(to('PROFILE_READ'), [to('PROFILE_READ')], { prompts: ['consent'] })).toBe(false);
    expect(isSkipped(to('PROFILE_READ'), [to('PROFILE_READ')], { prompts: ['login'] })).toBe(true);
    expect(isSkipped(to('PROFILE_READ'), [to('PROFILE_READ')], { prompts: ['none'] })).toBe(true);
  });

  test.each([
    'http://localhost/cb',
    'http://localhost:51004/cb',
    'http://127.0.0.1:51004/cb',
    'http://[::1]:51004/cb',
    'https://localhost/cb',
    'com.example.app:/cb',
    'com.example.app://cb',
  ])('always when the answer goes to %s', (redirectUri) => {
    expect(isSkipped(to('PROFILE_READ'), [to('PROFILE_READ')], { redirectUri })).toBe(false);
  });
});

describe('access that a row or a token states', () => {
  test('is read in the order of the catalogue', () => {
    expect(accessOf('SCOPED', ['PROFILE_READ', 'BOOKING_READ', 'PROFILE_READ'])).toEqual(
      to('BOOKING_READ', 'PROFILE_READ'),
    );
    expect(accessOf('UNRESTRICTED', [])).toEqual(UNRESTRICTED);
  });

  test('loses a scope that was retired, and nothing else', () => {
    expect(accessOf('SCOPED', ['PROFILE_READ', 'RETIRED_READ'])).toEqual(to('PROFILE_READ'));
  });

  test.each([
    ['SCOPED', []],
    ['SCOPED', ['RETIRED_READ']],
    ['SCOPED', ['__proto__']],
    ['UNRESTRICTED', ['PROFILE_READ']],
    ['unrestricted', []],
    ['', []],
    ['', ['PROFILE_READ']],
    ['LEGACY', []],
    ['__proto__', []],
  ])('is refused when it is %j with %j', (kind, scopes) => {
    expect(accessOf(kind, scopes)).toBeUndefined();
  });

  test('is written with spaces, and as nothing when unrestricted', () => {
    expect(scopeText(to('BOOKING_READ', 'PROFILE_READ'))).toBe('BOOKING_READ PROFILE_READ');
    expect(scopeText(UNRESTRICTED)).toBe('');
  });
});
