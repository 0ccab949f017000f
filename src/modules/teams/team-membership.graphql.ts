import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { createMembership } from '../organizations/create-membership.ts';
import { deleteMembership } from '../organizations/delete-membership.ts';
import { InvitationConnection } from '../organizations/invitation.graphql.ts';
import { listInvitations } from '../organizations/invitation.queries.ts';
import {
  MEMBERSHIP_MISTAKES,
  Membership,
  MembershipConnection,
  MembershipRole,
} from '../organizations/membership.graphql.ts';
import { findMemberships, type MembershipRow, membershipPages } from '../organizations/membership.queries.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import { updateMembership } from '../organizations/update-membership.ts';
import { Team } from './team.graphql.ts';
import { TEAM } from './team-role.ts';

const data = reads('MEMBERSHIP', ['TEAM', 'ORGANIZATION']);
const read = reads('MEMBERSHIP', ['TEAM']);
const write = entering('TEAM', writes('MEMBERSHIP'));

const loadMemberships = batched(({ em }, ids, args: PageArguments) =>
  membershipPages(em, TEAM, 'MEMBERSHIPS', ids, pageRequest(args)),
);
const loadMembership = batched(({ em }, ids, id: string) => findMemberships(em, TEAM, ids, id));

builder.objectFields(Team, (t) => ({
  memberships: t.field({
    type: MembershipConnection,
    nullable: true,
    description: 'Who belongs to it, oldest membership first. Null unless you administer it.',
    requires: data,
    args: pageArguments(),
    resolve: async ({ id, role }, args, context) => {
      const page = isAtLeast(role, 'ADMIN') ? await loadMemberships(context, id, args) : undefined;
      return page && connection(page, (membership) => [membership.id]);
    },
  }),
  membership: t.field({
    type: Membership,
    nullable: true,
    description: 'One of its memberships. Null unless you administer it.',
    requires: data,
    args: { id: t.arg.id({ required: true }) },
    resolve: (team, { id }, context) =>
      isAtLeast(team.role, 'ADMIN') ? loadMembership(context, team.id, id) : undefined,
  }),
}));

builder.objectField(Viewer, 'teamInvitations', (t) =>
  t.field({
    type: InvitationConnection,
    description: 'The teams that you are invited to.',
    requires: entering('TEAM', data),
    args: pageArguments(),
    resolve: async ({ id }, args, { em }) =>
      connection(await listInvitations(em, TEAM, id, pageRequest(args)), ({ groupId }) => [groupId]),
  }),
);

mutation('teamMembershipCreate', {
  description:
    'Invites a user to a team; the membership counts when they accept it. A team of an organization takes its members only. An administrator of the organization adds them at once, save for those whose role in it stands above: they are invited.',
  requires: write,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ALREADY_MEMBER'],
  onceByKey: true,
  input: (t) => ({
    teamId: t.id({ required: true }),
    userId: t.id({ required: true }),
    role: t.field({ type: MembershipRole, required: true }),
  }),
  resolve: async ({ teamId, ...input }, context) => {
    const place = { groupId: teamId, actorId: requireUserId(context) };
    return { teamId, membershipId: await createMembership(context.em, TEAM, place, input, context.furnishMember) };
  },
  payload: (t) => ({
    membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }),
    membership: t.field({ type: Membership, nullable: true, requires: read, resolve: changedMembership }),
  }),
});

mutation('teamMembershipUpdate', {
  description: "Changes somebody's role, or accepts your own invitation.",
  requires: write,
  errors: MEMBERSHIP_MISTAKES,
  input: (t) => ({
    teamId: t.id({ required: true }),
    membershipId: t.id({ required: true }),
    role: t.field({ type: MembershipRole }),
    accepted: t.boolean({ description: 'Only true, and only by the person who was invited.' }),
  }),
  resolve: async ({ teamId, membershipId, ...patch }, context) => {
    const target = { groupId: teamId, membershipId, actorId: requireUserId(context) };
    await updateMembership(context.em, TEAM, target, patch, context.furnishMember);
    return { teamId, membershipId };
  },
  payload: (t) => ({
    membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }),
    membership: t.field({ type: Membership, nullable: true, requires: read, resolve: changedMembership }),
  }),
});

mutation('teamMembershipDelete', {
  description: 'Removes somebody from a team, or lets you leave, or decline an invitation.',
  requires: write,
  errors: MEMBERSHIP_MISTAKES,
  input: (t) => ({ teamId: t.id({ required: true }), membershipId: t.id({ required: true }) }),
  resolve: async ({ teamId, membershipId }, context) => {
    const target = { groupId: teamId, membershipId, actorId: requireUserId(context) };
    await deleteMembership(context.em, TEAM, target);
    return { membershipId };
  },
  payload: (t) => ({ membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }) }),
});

/** What a mutation of this caller's has just changed: shown to them whatever their role has become. */
function changedMembership(
  { teamId, membershipId }: { readonly teamId?: string; readonly membershipId?: string },
  _args: object,
  context: GraphQLContext,
): Promise<MembershipRow | undefined> | undefined {
  if (teamId === undefined || membershipId === undefined) return undefined;
  return loadMembership(context, teamId, membershipId);
}
