import { sql } from '../../src/database/sql.ts';
import { listInvitations, sentInvitationPages } from '../../src/modules/memberships/invitation.queries.ts';
import { membershipPages } from '../../src/modules/memberships/membership.queries.ts';
import { ORGANIZATION } from '../../src/modules/organizations/group.ts';
import { TEAM } from '../../src/modules/teams/team-role.ts';
import { NEW_ID, uuidNumbered, uuidOf } from '../support/ids.ts';
import {
  and,
  by,
  did,
  type Fixture,
  groupAt,
  groupOf,
  type Maker,
  numbered,
  type Operation,
  tried,
} from './fixture.ts';

const newMembership = (group: 'team' | 'organization') => async (maker: Maker) => ({
  membershipId: await maker.made(
    `${group}MembershipCreate`,
    {
      ...(await groupOf(maker, group)),
      userId: await maker.newUser(group === 'team' ? 'acme' : undefined),
      role: 'MEMBER',
    },
    'membershipId',
  ),
});

const newInvitation = (group: 'team' | 'organization') => async (maker: Maker) => ({
  invitationId: await maker.made(
    `${group}InvitationCreate`,
    { ...(await groupOf(maker, group)), email: `${maker.slug()}@mail.test`, role: 'MEMBER' },
    'invitationId',
  ),
});

/** A membership that was accepted, of a group that Ada owns, whomever she handed it over to before. */
async function accepted(maker: Maker, table: string, made: { readonly membershipId: string }): Promise<string> {
  const id = uuidOf(made.membershipId);
  await maker.rows(
    sql`update ${sql.table(table)} set role = 'OWNER' where user_id = ${uuidOf(maker.userId('ada'))} returning id`,
  );
  await maker.rows(sql`update ${sql.table(table)} set accepted = true where id = ${id} returning id`);
  return made.membershipId;
}

const CHANGE_ROLE: Operation = {
  name: 'change the role of their membership',
  isOfMembership: true,
  prepare: async (world, level, { membershipId }) => {
    const { prefix, of } = groupAt(world, level);
    return tried(`${prefix}MembershipUpdate`, { ...of, membershipId, role: 'ADMIN' });
  },
};

const END: Operation = {
  name: 'end their membership',
  isOfMembership: true,
  prepare: async (world, level, { membershipId }) => {
    const { prefix, of } = groupAt(world, level);
    return tried(`${prefix}MembershipDelete`, { ...of, membershipId });
  },
};

export const fixture: Fixture = {
  after: ['groups'],
  things: { membership: {}, invitation: {} },
  inputs: {
    teamInvitationCreate: by('team', (maker) => ({ email: `${maker.slug()}@mail.test`, role: 'MEMBER' })),
    teamInvitationResend: by('team', newInvitation('team')),
    teamInvitationDelete: by('team', newInvitation('team')),
    organizationInvitationCreate: by('organization', (maker) => ({
      email: `${maker.slug()}@mail.test`,
      role: 'MEMBER',
    })),
    organizationInvitationResend: by('organization', newInvitation('organization')),
    organizationInvitationDelete: by('organization', newInvitation('organization')),
    teamMembershipCreate: by('team', async (maker) => ({ userId: await maker.newUser('acme'), role: 'MEMBER' })),
    teamMembershipUpdate: by('team', and(newMembership('team'), { role: 'ADMIN' })),
    teamMembershipDelete: by('team', newMembership('team')),
    teamMembershipOwnershipTransfer: by('team', async (maker) => ({
      membershipId: await accepted(maker, 'team_memberships', await newMembership('team')(maker)),
    })),
    organizationMembershipCreate: by('organization', async (maker) => ({
      userId: await maker.newUser(),
      role: 'MEMBER',
    })),
    organizationMembershipUpdate: by('organization', and(newMembership('organization'), { role: 'ADMIN' })),
    organizationMembershipOwnershipTransfer: by('organization', async (maker) => ({
      membershipId: await accepted(maker, 'organization_memberships', await newMembership('organization')(maker)),
    })),
    organizationMembershipDelete: by('organization', newMembership('organization')),
    organizationUserUpdate: by('organization', async (maker) => ({
      userId: await maker.newUser('acme'),
      timeZone: 'Asia/Kolkata',
    })),
    organizationUserRemove: by('organization', async (maker) => ({ userId: await maker.newUser('acme') })),
  },
  fields: {
    Viewer: { AS_ABOVE: 'organizationInvitations teamInvitations' },
    Organization: { OWN_MEMBERSHIP: 'departure', GROUP_ADMINISTRATORS: 'users user' },
    Team: { OWN_MEMBERSHIP: 'departure' },
    Membership: { AS_ABOVE: 'user' },
    MembershipDeparture: { AS_ABOVE: 'eventTypes managedEventTypes' },
    DepartureHostedEventType: { AS_ABOVE: 'eventType' },
  },
  lists: {
    'Organization.invitations': {
      lists: [(em, many, page) => sentInvitationPages(em, ORGANIZATION, [many.organizationId], page)],
    },
    'Organization.memberships': {
      lists: [(em, many, page) => membershipPages(em, ORGANIZATION, 'MEMBERSHIPS', [many.organizationId], page)],
    },
    'Organization.users': {
      lists: [(em, many, page) => membershipPages(em, ORGANIZATION, 'USERS', [many.organizationId], page)],
    },
    'Team.invitations': { lists: [(em, { teamId }, page) => sentInvitationPages(em, TEAM, [teamId], page)] },
    'Team.memberships': { lists: [(em, { teamId }, page) => membershipPages(em, TEAM, 'MEMBERSHIPS', [teamId], page)] },
    'Viewer.organizationInvitations': {
      lists: [(em, { userId }, page) => listInvitations(em, ORGANIZATION, userId, page)],
    },
    'Viewer.teamInvitations': { lists: [(em, { userId }, page) => listInvitations(em, TEAM, userId, page)] },
  },
  many: ({ userId, administratorId, memberId, ids, ...many }, count) => {
    const isAccepted = sql`n % 2 = 0 or user_id = ${memberId}`;
    return [
      ...(['organization', 'team'] as const).flatMap((kind) => {
        const [table, column] = [sql.ref(`${kind}_memberships`), sql.ref(`${kind}_id`)];
        const groupId = kind === 'team' ? many.teamId : many.organizationId;
        return [
          sql`insert into ${table} (id, ${column}, user_id, role, accepted, created_at)
            select ${uuidNumbered('a')}, ${groupId}::uuid, user_id,
              case when user_id = ${userId} then 'OWNER' else 'MEMBER' end, user_id = ${userId} or ${isAccepted}, now()
            from unnest(${ids}::uuid[]) with ordinality as u(user_id, n)`,
          // An invitation counts as long as its sender may give it.
          sql`insert into ${table} (id, ${column}, user_id, role, accepted, created_at)
            select ${uuidNumbered('c')}, ${uuidNumbered('0')}, ${administratorId}::uuid, 'ADMIN', true, now()
            from ${numbered(count)}`,
          sql`insert into ${table} (id, ${column}, user_id, role, accepted, invited_by_id, created_at)
            select ${uuidNumbered('b')}, ${uuidNumbered('0')}, ${userId}::uuid, 'MEMBER', n > ${count - 3}::int,
              case when n > ${count - 3}::int then null else ${administratorId}::uuid end, now()
            from ${numbered(count)}`,
          sql`insert into invitations (id, ${column}, email, role, token_hash, invited_by_id, created_at, updated_at, expires_at)
            select ${NEW_ID}, ${groupId}::uuid, n || '@mail.test', 'MEMBER', ${kind} || n, ${userId}::uuid, now(), now(),
              now() + interval '1 day'
            from ${numbered(count)}`,
          sql`insert into invitations (id, ${column}, email, role, token_hash, invited_by_id, created_at, updated_at, expires_at)
            select ${NEW_ID}, ${uuidNumbered('0')}, ${many.quietUserId}::text, 'MEMBER', ${kind} || '-' || n,
              ${userId}::uuid, now(), now(), now() + interval '1 day'
            from ${numbered(count)}`,
        ];
      }),
      sql`update organization_memberships set denormalized = true where organization_id = ${many.organizationId} and accepted`,
    ];
  },
  fillGroups: async ({ world, owner, teamId }) => {
    const invited = { email: 'invited@mail.test', role: 'OWNER' };
    await did(owner, 'teamInvitationCreate', { teamId, ...invited });
    await did(owner, 'organizationInvitationCreate', { organizationId: world.organizationId, ...invited });
  },
  operations: { group: [CHANGE_ROLE, END] },
};
