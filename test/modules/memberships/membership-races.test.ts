import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import {
  createMembership,
  deleteMembership,
  updateMembership,
} from '../../../src/modules/memberships/membership.commands.ts';
import { findStanding, type Group, ORGANIZATION } from '../../../src/modules/organizations/group.ts';
import { createOrganization } from '../../../src/modules/organizations/organization.commands.ts';
import { createTeam } from '../../../src/modules/teams/team.commands.ts';
import { TEAM } from '../../../src/modules/teams/team-role.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { outcomeOf } from '../../support/outcome.ts';

const OWNERS = 50;

let database: TestDatabase;
let users: string[];

beforeAll(async () => {
  database = await openTestDatabase();
  users = Array.from({ length: OWNERS }, () => newUserId());
  await rows(
    database.em.fork(),
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at, email_verified_at)
        select id, id::text, id::text, id::text, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now(), now()
        from unnest(${users}::uuid[]) as u(id)`,
  );
});
afterAll(() => database.close());

const GROUPS: [string, Group, (founderId: string, slug: string) => Promise<string>][] = [
  ['organization', ORGANIZATION, (founderId, slug) => createOrganization(em(), founderId, { slug, name: slug })],
  ['team', TEAM, (founderId, slug) => createTeam(em(), founderId, { slug, name: slug })],
];

describe.each(GROUPS)('when all %s owners act at the same moment', (_, group, found) => {
  test('stepping down, one of them stays owner', async () => {
    const { groupId, memberships } = await ownedByAll(group, found, 'step-down');
    const outcomes = await Promise.all(
      memberships.map(({ id, userId }) =>
        outcomeOf(updateMembership(em(), group, { groupId, actorId: userId, membershipId: id }, { role: 'MEMBER' })),
      ),
    );
    expect(countOf(outcomes)).toEqual({ done: OWNERS - 1, LAST_OWNER: 1 });
    expect(await ownersOf(group, groupId)).toBe(1);
  });

  test('leaving, one of them stays', async () => {
    const { groupId, memberships } = await ownedByAll(group, found, 'leave');
    const outcomes = await Promise.all(
      memberships.map(({ id, userId }) =>
        outcomeOf(deleteMembership(em(), group, { groupId, actorId: userId, membershipId: id })),
      ),
    );
    expect(countOf(outcomes)).toEqual({ done: OWNERS - 1, LAST_OWNER: 1 });
    expect(await ownersOf(group, groupId)).toBe(1);
  });

  test.each<[string, (target: Target) => Promise<void>]>([
    ['stepping down', (target) => updateMembership(em(), group, target, { role: 'MEMBER' })],
    ['leaving', (target) => deleteMembership(em(), group, target)],
  ])('half of them suspended, %s leaves one who is not', async (action, act) => {
    const { groupId, memberships } = await ownedByAll(group, found, `suspended-${action.slice(0, 4)}`);
    const suspended = users.filter((_user, index) => index % 2 === 0);
    await suspend(suspended, true);
    const outcomes = await Promise.all(
      memberships.map(({ id, userId }) => outcomeOf(act({ groupId, actorId: userId, membershipId: id }))),
    );
    expect(countOf(outcomes)).toEqual({ done: OWNERS - 1, LAST_OWNER: 1 });
    const owners = await rows<{ userId: string }>(
      em(),
      sql`select user_id as "userId" from ${group.memberships} where ${group.column} = ${groupId} and role = 'OWNER'`,
    );
    expect(owners).toHaveLength(1);
    expect(suspended).not.toContain(owners[0]?.userId);
    await suspend(suspended, false);
  });

  test('throwing each other out, one of them stays', async () => {
    const { groupId, memberships } = await ownedByAll(group, found, 'throw-out');
    await Promise.all(
      memberships.map(({ userId }, index) => {
        const membershipId = memberships[(index + 1) % OWNERS]?.id ?? '';
        return outcomeOf(deleteMembership(em(), group, { groupId, actorId: userId, membershipId }));
      }),
    );
    expect(await ownersOf(group, groupId)).toBeGreaterThanOrEqual(1);
  });

  test('inviting the same person, one invitation is made', async () => {
    const { groupId, memberships } = await ownedByAll(group, found, 'invite');
    const [first, ...others] = memberships;
    if (!first) throw new Error('There are no members.');
    await deleteMembership(em(), group, { groupId, actorId: first.userId, membershipId: first.id });
    const outcomes = await Promise.all(
      others.map(({ userId: actorId }) =>
        outcomeOf(createMembership(em(), group, { groupId, actorId }, { userId: first.userId, role: 'MEMBER' })),
      ),
    );
    expect(countOf(outcomes)).toEqual({ done: 1, ALREADY_MEMBER: OWNERS - 2 });
  });
});

test.each(GROUPS)(
  'the only owner of a %s stays beside a suspended one, and may go beside another',
  async (_, group, found) => {
    const { groupId, memberships } = await ownedByAll(group, found, 'two-owners');
    const [leaver, other] = memberships;
    if (!leaver || !other) throw new Error('There are no members.');
    await rows(
      em(),
      sql`delete from ${group.memberships} where ${group.column} = ${groupId} and id <> all(${[leaver.id, other.id]}::uuid[])`,
    );
    const own = { groupId, actorId: leaver.userId, membershipId: leaver.id };
    await suspend([other.userId], true);
    expect(await outcomeOf(deleteMembership(em(), group, own))).toBe('LAST_OWNER');
    expect(await outcomeOf(updateMembership(em(), group, own, { role: 'ADMIN' }))).toBe('LAST_OWNER');
    await suspend([other.userId], false);
    expect(await outcomeOf(deleteMembership(em(), group, own))).toBe('done');
  },
);

test('a member who leaves an organization while being added to its team ends up in neither', async () => {
  const [ownerId = '', userId = ''] = users;
  const organizationId = await createOrganization(em(), ownerId, { slug: 'going', name: 'Going' });
  const teamId = await createTeam(em(), ownerId, { slug: 'going', name: 'Going' }, organizationId);
  for (let round = 0; round < 10; round += 1) {
    const member = { groupId: organizationId, actorId: ownerId };
    const membershipId = await createMembership(em(), ORGANIZATION, member, { userId, role: 'MEMBER' });
    const own = { groupId: organizationId, actorId: userId, membershipId };
    await updateMembership(em(), ORGANIZATION, own, { isAccepted: true });
    const [, left] = await Promise.all([
      outcomeOf(createMembership(em(), TEAM, { groupId: teamId, actorId: ownerId }, { userId, role: 'MEMBER' })),
      outcomeOf(deleteMembership(em(), ORGANIZATION, own)),
    ]);
    expect(left).toBe('done');
    expect(await findStanding(em(), TEAM, teamId, userId)).toBeUndefined();
  }
});

function em() {
  return database.em.fork();
}

type Target = { groupId: string; actorId: string; membershipId: string };

async function suspend(userIds: readonly string[], isSuspended: boolean): Promise<void> {
  const suspendedAt = isSuspended ? sql`now()` : sql`null`;
  await rows(em(), sql`update users set suspended_at = ${suspendedAt} where id = any(${userIds}::uuid[])`);
}

async function ownedByAll(group: Group, found: (founderId: string, slug: string) => Promise<string>, slug: string) {
  const [founderId = '', ...others] = users;
  const groupId = await found(founderId, slug);
  const ids = others.map(() => newId());
  await rows(
    em(),
    sql`insert into ${group.memberships} (id, ${group.column}, user_id, role, accepted, created_at)
        select id, ${groupId}, user_id, 'OWNER', true, now()
        from unnest(${ids}::uuid[], ${others}::uuid[]) as m(id, user_id)`,
  );
  const memberships = await rows<{ id: string; userId: string }>(
    em(),
    sql`select id, user_id as "userId" from ${group.memberships} where ${group.column} = ${groupId}`,
  );
  return { groupId, memberships };
}

async function ownersOf(group: Group, groupId: string): Promise<number> {
  const found = await row<{ owners: string }>(
    em(),
    sql`select count(*) as owners from ${group.memberships}
        where ${group.column} = ${groupId} and role = 'OWNER' and accepted`,
  );
  return Number(found?.owners);
}

function countOf(outcomes: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(outcomes, (outcome) => outcome)].map(([key, list]) => [key, list.length]));
}
