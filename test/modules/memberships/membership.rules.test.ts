import { describe, expect, test } from 'vitest';
import {
  mistakesOfCreation,
  mistakesOfDeletion,
  mistakesOfUpdate,
} from '../../../src/modules/memberships/membership.rules.ts';
import {
  isAtLeast,
  mayManage,
  ROLES,
  type Role,
  rolesFrom,
  STANDINGS,
} from '../../../src/modules/organizations/role.rules.ts';

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
    expect(
      ACTORS.filter((actorRole) => mistakesOfDeletion({ actorRole, isOwn: false, role, standing: role }).length === 0),
    ).toEqual(who);
  });
});

describe('a standing', () => {
  test.each(STANDINGS)('%s is in reach of administrators who stand as high, and of nobody below', (standing) => {
    const highEnough = STANDINGS.slice(Math.max(STANDINGS.indexOf(standing), 1));
    expect(STANDINGS.filter((actor) => mayManage(actor, standing))).toEqual(highEnough);
    expect(mayManage(undefined, standing)).toBe(false);
    const reaches = (actorRole: (typeof STANDINGS)[number]) => {
      const membership = { actorRole, isOwn: false, role: 'MEMBER', standing } as const;
      const mistakes = [...mistakesOfDeletion(membership), ...mistakesOfUpdate(membership, { role: 'ADMIN' })];
      return mistakes.length === 0;
    };
    expect(STANDINGS.filter(reaches)).toEqual(highEnough);
  });
});

describe('one’s own membership', () => {
  test.each(ACTORS)('can be ended as %s', (actorRole) => {
    expect(mistakesOfDeletion({ actorRole, isOwn: true, role: 'OWNER', standing: actorRole ?? 'OWNER' })).toEqual([]);
  });

  test('can be accepted, by nobody else and never undone', () => {
    const invited = { actorRole: undefined, isOwn: true, role: 'ADMIN', standing: 'ADMIN' } as const;
    expect(mistakesOfUpdate(invited, { isAccepted: true })).toEqual([]);
    const other = { ...invited, actorRole: 'OWNER', isOwn: false } as const;
    expect(mistakesOfUpdate(other, { isAccepted: true })).toMatchObject([{ code: 'FORBIDDEN', path: ['isAccepted'] }]);
    for (const accepted of [false, null]) {
      expect(mistakesOfUpdate(invited, { isAccepted: accepted })).toMatchObject([
        { code: 'BAD_INPUT', path: ['isAccepted'] },
      ]);
    }
  });

  test('does not change its role by accepting', () => {
    const invited = { actorRole: undefined, isOwn: true, role: 'MEMBER', standing: 'MEMBER' } as const;
    expect(mistakesOfUpdate(invited, { isAccepted: true, role: 'OWNER' })).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect(mistakesOfUpdate(invited, { isAccepted: true, role: 'MEMBER' })).toEqual([]);
  });
});
