import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import { createMembership } from './create-membership.ts';
import { deleteMembership } from './delete-membership.ts';
import { ORGANIZATION } from './group.ts';
import { MEMBERSHIP_MISTAKES, Membership, MembershipConnection, MembershipRole } from './membership.graphql.ts';
import { findMemberships, type MembershipRow, membershipPages } from './membership.queries.ts';
import { Organization } from './organization.graphql.ts';
import { isAtLeast } from './role.rules.ts';
import { updateMembership } from './update-membership.ts';

const read = reads('MEMBERSHIP', ['ORGANIZATION']);
const write = entering('ORGANIZATION', writes('MEMBERSHIP'));

const UserConnection = connectionOf(User);

const loadMemberships = batched(({ em }, ids, args: PageArguments) =>
  membershipPages(em, ORGANIZATION, 'MEMBERSHIPS', ids, pageRequest(args)),
);
const loadUsers = batched(({ em }, ids, args: PageArguments) =>
  membershipPages(em, ORGANIZATION, 'USERS', ids, pageRequest(args)),
);
const loadMembership = batched(({ em }, ids, id: string) => findMemberships(em, ORGANIZATION, ids, id));

builder.objectFields(Organization, (t) => ({
  memberships: t.field({
    type: MembershipConnection,
    nullable: true,
    description: 'Who belongs to it, oldest membership first. Null unless you administer it.',
    requires: read,
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
    requires: read,
    args: { id: t.arg.id({ required: true }) },
    resolve: (organization, { id }, context) =>
      isAtLeast(organization.role, 'ADMIN') ? loadMembership(context, organization.id, id) : undefined,
  }),
  users: t.field({
    type: UserConnection,
    nullable: true,
    description: 'Its members who have accepted. Null unless you administer it.',
    requires: read,
    args: pageArguments(),
    resolve: async ({ id, role }, args, context) => {
      const page = isAtLeast(role, 'ADMIN') ? await loadUsers(context, id, args) : undefined;
      return page && connection({ ...page, rows: page.rows.map(({ user }) => user) }, (user) => [user.id]);
    },
  }),
}));

mutation('organizationMembershipCreate', {
  description: 'Invites a user to an organization. The membership counts when they accept it.',
  requires: write,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ALREADY_MEMBER'],
  onceByKey: true,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    userId: t.id({ required: true }),
    role: t.field({ type: MembershipRole, required: true }),
  }),
  resolve: async ({ organizationId, ...input }, context) => {
    const place = { groupId: organizationId, actorId: requireUserId(context) };
    return { organizationId, membershipId: await createMembership(context.em, ORGANIZATION, place, input) };
  },
  payload: (t) => ({
    membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }),
    membership: t.field({
      type: Membership,
      nullable: true,
      requires: read,
      resolve: changedMembership,
    }),
  }),
});

mutation('organizationMembershipUpdate', {
  description: "Changes somebody's role, or accepts your own invitation.",
  requires: write,
  errors: MEMBERSHIP_MISTAKES,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    membershipId: t.id({ required: true }),
    role: t.field({ type: MembershipRole }),
    accepted: t.boolean({ description: 'Only true, and only by the person who was invited.' }),
  }),
  resolve: async ({ organizationId, membershipId, ...patch }, context) => {
    const target = { groupId: organizationId, membershipId, actorId: requireUserId(context) };
    await updateMembership(context.em, ORGANIZATION, target, patch);
    return { organizationId, membershipId };
  },
  payload: (t) => ({
    membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }),
    membership: t.field({
      type: Membership,
      nullable: true,
      requires: read,
      resolve: changedMembership,
    }),
  }),
});

mutation('organizationMembershipDelete', {
  description: 'Removes somebody from an organization and from its teams, or lets you leave, or decline an invitation.',
  requires: write,
  errors: MEMBERSHIP_MISTAKES,
  input: (t) => ({ organizationId: t.id({ required: true }), membershipId: t.id({ required: true }) }),
  resolve: async ({ organizationId, membershipId }, context) => {
    const target = { groupId: organizationId, membershipId, actorId: requireUserId(context) };
    await deleteMembership(context.em, ORGANIZATION, target);
    return { membershipId };
  },
  payload: (t) => ({ membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }) }),
});

/** What a mutation of this caller's has just changed: shown to them whatever their role has become. */
function changedMembership(
  { organizationId, membershipId }: { readonly organizationId?: string; readonly membershipId?: string },
  _args: object,
  context: GraphQLContext,
): Promise<MembershipRow | undefined> | undefined {
  if (organizationId === undefined || membershipId === undefined) return undefined;
  return loadMembership(context, organizationId, membershipId);
}
