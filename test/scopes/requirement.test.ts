import { describe, expect, test } from 'vitest';
import { CATALOG } from '../../src/scopes/catalog.ts';
import { entering, FIRST_PARTY, INHERIT, PUBLIC, reads, writes } from '../../src/scopes/declare.ts';
import { declaredRequirement, problemOfBase, problemOfRequirement, REQUIREMENT } from '../../src/scopes/requirement.ts';

describe('a requirement can be enforced when it is', () => {
  test.each([
    reads('BOOKING'),
    entering('TEAM', writes('EVENT_TYPE')),
    entering('USER', INHERIT),
    entering('TEAM', FIRST_PARTY),
    INHERIT,
    PUBLIC,
    FIRST_PARTY,
    { team: ['TEAM_EVENT_TYPE_READ', 'TEAM_PROFILE_READ'] },
    { team: ['ORG_PROFILE_READ'], enters: 'TEAM' },
    { user: ['EVENT_TYPE_WRITE', 'TEAM_EVENT_TYPE_WRITE'] },
  ])('%j', (requirement) => {
    expect(problemOfRequirement(requirement, CATALOG)).toBeUndefined();
  });
});

describe('a requirement cannot be enforced when it is', () => {
  test.each([
    [undefined, 'declares no requirement'],
    [null, 'not an object'],
    ['BOOKING_READ', 'not an object'],
    [['BOOKING_READ'], 'not an object'],
    [{}, 'lists no scopes'],
    [{ enters: 'USER' }, 'lists no scopes'],
    [{ user: [] }, 'user list is empty: an empty list is never "open"'],
    [{ user: 'BOOKING_READ' }, 'user list is empty'],
    [{ user: null }, 'user list is empty'],
    [{ user: ['BOOKINGS_READ'] }, 'names "BOOKINGS_READ", which is no scope'],
    [{ user: ['constructor'] }, 'names "constructor", which is no scope'],
    [{ user: [['BOOKING_READ']] }, 'no scope'],
    [{ team: ['BOOKING_READ'] }, 'holds no scope of its level'],
    [{ organization: ['TEAM_BOOKING_READ'] }, 'holds no scope of its level'],
    [{ user: ['ORG_BOOKING_READ'] }, 'holds no scope of its level'],
    [{ users: ['BOOKING_READ'] }, 'names "users", which is no level'],
    [{ user: ['BOOKING_READ'], enters: 'TEAM' }, 'enters TEAM and lists no scopes for it'],
    [{ access: 'INHERIT', enters: 'ADMIN' }, 'enters "ADMIN"'],
    [{ access: 'INHERIT', user: ['BOOKING_READ'] }, 'is INHERIT and lists scopes'],
    [{ access: 'PUBLIC', user: ['BOOKING_READ'] }, 'is PUBLIC and lists scopes'],
    [{ access: 'PUBLIC', enters: 'USER' }, 'PUBLIC and enters a level'],
    [{ access: 'OPEN' }, 'access "OPEN" is none of'],
    [{ access: null }, 'access null is none of'],
  ])('%j', (requirement, problem) => {
    expect(problemOfRequirement(requirement, CATALOG)).toContain(problem);
  });
});

test('base scopes are lists by level, and nothing else', () => {
  expect(problemOfBase(reads('BOOKING'), CATALOG)).toBeUndefined();
  expect(problemOfBase(INHERIT, CATALOG)).toContain('names "access", which is no level');
  expect(problemOfBase({ team: [] }, CATALOG)).toContain('is empty');
  expect(problemOfBase([], CATALOG)).toContain('not an object');
});

test('a requirement is read from the field itself and never from a directive of some name', () => {
  expect(declaredRequirement({ extensions: { [REQUIREMENT]: PUBLIC } })).toBe(PUBLIC);
  expect(declaredRequirement({ extensions: { directives: { requiresScope: { access: 'PUBLIC' } } } })).toBeUndefined();
  expect(declaredRequirement({})).toBeUndefined();
});
