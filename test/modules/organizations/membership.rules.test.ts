import { describe, expect, test } from 'vitest';
import {
  mistakesOfCreation,
  mistakesOfDeletion,
  mistakesOfUpdate,
} from '../../../src/modules/organizations/membership.rules.ts';
import { isAtLeast, mayManage, ROLES, type Role, rolesFrom } from '../../../src/modules/organizations/role.rules.ts';

const ACTORS: (Role | undefined)[] = [undefined, ...ROLES];

describe('a role', () => {
  test('holds what the weaker ones hold, and no role holds nothing', () => {
    expect(isAtLeast('ADMIN', 'MEMBER')).toBe(true);
    expect(isAtLeast('ADMIN', 'ADMIN')).toBe(true);
    expect(isAtLeast('ADMIN', 'OWNER')).toBe(false);
    expect(isAtLeast(undefined, 'MEMBER')).toBe(false);
    expect(rolesFrom('ADMIN')).toEqual(['ADMIN', 'OWNER']);
  });

  test.each(ROLES)('%s is given and taken by administrators up to their own', (role) => {
    const who = ACTORS.filter((actor) => mayManage(actor, role));
    expect(who).toEqual(role === 'OWNER' ? ['OWNER'] : ['ADMIN', 'OWNER']);
    expect(ACTORS.filter((actor) => mistakesOfCreation(actor, role).length === 0)).toEqual(who);
    expect(ACTORS.filter((actorRole) => mistakesOfDeletion({ actorRole, isOwn: false, role }).length === 0)).toEqual(
      who,
    );
  });
});

describe('one’s own membership', () => {
  test.each(ACTORS)('can be ended as %s', (actorRole) => {
    expect(mistakesOfDeletion({ actorRole, isOwn: true, role: actorRole ?? 'OWNER' })).toEqual([]);
  });

  test('can be accepted, by nobody else and never undone', () => {
    const invited = { actorRole: undefined, isOwn: true, role: 'ADMIN' } as const;
    expect(mistakesOfUpdate(invited, { accepted: true })).toEqual([]);
    const other = { ...invited, actorRole: 'OWNER', isOwn: false } as const;
    expect(mistakesOfUpdate(other, { accepted: true })).toMatchObject([{ code: 'FORBIDDEN', path: ['accepted'] }]);
    for (const accepted of [false, null]) {
      expect(mistakesOfUpdate(invited, { accepted })).toMatchObject([{ code: 'BAD_INPUT', path: ['accepted'] }]);
    }
  });

  test('does not change its role by accepting', () => {
    const invited = { actorRole: undefined, isOwn: true, role: 'MEMBER' } as const;
    expect(mistakesOfUpdate(invited, { accepted: true, role: 'OWNER' })).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect(mistakesOfUpdate(invited, { accepted: true, role: 'MEMBER' })).toEqual([]);
  });
});
