import { describe, expect, test } from 'vitest';
import { CATALOG, SCOPES } from '../../src/scopes/catalog.ts';
import { scopeNamesIn } from '../../src/scopes/create-catalog.ts';
import { grantedScopes, heldScopes, sessionScopes, unrestrictedScopes } from '../../src/scopes/held-scopes.ts';
import { covers, FIRST_PARTY_BIT, isEmpty, NO_SCOPES, NOBODY_BIT } from '../../src/scopes/scope-set.ts';

const namesHeld = (...names: string[]) => scopeNamesIn(heldScopes(names), CATALOG);

describe('a token that is granted a scope holds', () => {
  test.each(CATALOG.implications)('$implies besides $scope', ({ scope, implies }) => {
    expect(namesHeld(scope)).toEqual([implies, scope]);
  });

  test.each(SCOPES.filter((name) => !CATALOG.implications.some(({ scope }) => scope === name)))(
    '%s and nothing else',
    (name) => {
      expect(namesHeld(name)).toEqual([name]);
    },
  );
});

test('implication adds up over several scopes, which come back in catalogue order', () => {
  expect(namesHeld('ORG_BOOKING_WRITE', 'BOOKING_READ', 'ORG_BOOKING_READ')).toEqual([
    'BOOKING_READ',
    'TEAM_BOOKING_READ',
    'TEAM_BOOKING_WRITE',
    'ORG_BOOKING_READ',
    'ORG_BOOKING_WRITE',
  ]);
});

test.each(['NOPE', 'booking_read', '__proto__', 'constructor', ''])(
  'a name the catalogue lacks opens nothing: %j',
  (name) => {
    expect(isEmpty(heldScopes([name]))).toBe(true);
  },
);

describe('a grant', () => {
  test('that is unrestricted holds the 46 scopes and still nothing first-party', () => {
    expect(scopeNamesIn(unrestrictedScopes(), CATALOG)).toEqual(SCOPES);
    expect(covers(unrestrictedScopes(), FIRST_PARTY_BIT)).toBe(false);
    expect(grantedScopes({ kind: 'UNRESTRICTED', scopes: [] })).toEqual(unrestrictedScopes());
  });

  test('that is scoped holds its scopes, and nothing if it has none: empty is not "everything"', () => {
    expect(grantedScopes({ kind: 'SCOPED', scopes: ['ORG_PROFILE_READ'] })).toEqual(heldScopes(['ORG_PROFILE_READ']));
    expect(grantedScopes({ kind: 'SCOPED', scopes: [] })).toEqual(NO_SCOPES);
  });

  test.each(['', 'scoped', 'LEGACY', '__proto__'])('of the unknown kind %j is none', (kind) => {
    expect(grantedScopes({ kind, scopes: ['BOOKING_READ'] })).toBeUndefined();
  });
});

test('a session holds the 46 scopes and the first-party fields, and not what nobody holds', () => {
  expect(covers(sessionScopes(), unrestrictedScopes())).toBe(true);
  expect(covers(sessionScopes(), FIRST_PARTY_BIT)).toBe(true);
  expect(covers(sessionScopes(), NOBODY_BIT)).toBe(false);
});
