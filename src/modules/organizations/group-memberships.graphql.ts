import type { ObjectRef } from '@pothos/core';
import { idOf, publicId } from '../../core/id.ts';
import { batchedEach } from '../../graphql/batch.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import type { ScopeLists } from '../../scopes/requirement.ts';
import { viewerList } from '../accounts/viewer-list.graphql.ts';
import { CREATE_MEMBERSHIP_CODES, createMembership, requirePersonId } from './create-membership.ts';
import { DELETE_MEMBERSHIP_CODES, deleteMembership } from './delete-membership.ts';
import { type FurnishMember, type Group, requireGroupId } from './group.ts';
import { listInvitations } from './invitation.queries.ts';
import { requireMembershipId } from './lock-membership.ts';
import { InvitationConnection, Membership, MembershipConnection, MembershipRole } from './membership.graphql.ts';
import { findMemberships, type MembershipRow, membershipPages, type WantedMembership } from './membership.queries.ts';
import { isAtLeast, type Role } from './role.rules.ts';
import { UPDATE_MEMBERSHIP_CODES, updateMembership } from './update-membership.ts';

/** A group as its door shows it, with the caller's role in it. */
interface Door {
  readonly id: string;
  readonly role: Role;
}

interface GroupMemberships<Row extends Door> {
  readonly group: Group;
  readonly door: ObjectRef<Types, Row>;
  readonly level: 'TEAM' | 'ORGANIZATION';
  /** What its memberships require: at its own level, and at those that the group itself is reached through. */
  readonly reads: ScopeLists;
  readonly describes: Readonly<Record<'invitations' | 'create' | 'delete', string>>;
  readonly furnish?: (context: GraphQLContext) => FurnishMember;
}

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;
type PayloadBuilder = PothosSchemaTypes.ObjectFieldBuilder<Types, Partial<Changed>>;

/** The ids of the membership, and of the group under its own name (`teamId`), as callers see them. */
type Changed = Readonly<Record<string, string>> & { readonly membershipId: string };

/** What `userErrors` of the mutations of memberships can say. */

/** Declares the memberships of a kind of group: their list, their look-up, invitations into it, and their mutations. */
export function groupMemberships<Row extends Door>(options: GroupMemberships<Row>): void {
  declareReads(options);
  declareMutations(options);
}

function declareReads<Row extends Door>({ group, door, level, reads: data, describes }: GroupMemberships<Row>): void {
  const loadPage = pagesBelow({ columns: ['UUID'], keyOf: ({ id }: MembershipRow) => [id] }, ({ em }, ids, request) =>
    membershipPages(em, group, 'MEMBERSHIPS', ids, request),
  );
  const load = loaderOf(group);
  builder.objectFields(door, (t) => ({
    memberships: t.field({
      type: MembershipConnection,
      nullable: true,
      description: 'Who belongs to it, oldest membership first. Null unless you administer it.',
      requires: data,
      args: pageArguments(),
      resolve: ({ id, role }: Door, page, context) =>
        isAtLeast(role, 'ADMIN') ? loadPage(context, id, page, undefined) : undefined,
    }),
    membership: t.field({
      type: Membership,
      nullable: true,
      description: 'One of its memberships. Null unless you administer it.',
      requires: data,
      args: { id: t.arg.id({ required: true, description: 'The id of a membership, which begins with `mem_`.' }) },
      resolve: ({ id: groupId, role }: Door, { id }, context) => {
        const membershipId = idOf('membership', id);
        return membershipId !== undefined && isAtLeast(role, 'ADMIN')
          ? load(context, { groupId, id: membershipId }, undefined)
          : undefined;
      },
    }),
  }));
  viewerList(`${group.kind}Invitations`, {
    type: InvitationConnection,
    description: describes.invitations,
    requires: entering(level, data as never),
    order: { columns: ['UUID'], keyOf: ({ groupId }) => [groupId] },
    find: ({ em }, userId, request) => listInvitations(em, group, userId, request),
  });
}

function declareMutations<Row extends Door>({ group, level, describes, furnish }: GroupMemberships<Row>): void {
  const groupId = `${group.kind}Id`;
  const requires = entering(level, writes('MEMBERSHIP'));
  const load = loaderOf(group);
  const inGroup = (t: InputBuilder): object => ({ [groupId]: t.id({ required: true }) });
  const placeOf = (input: object, context: GraphQLContext) => ({
    groupId: requireGroupId(group, String((input as Readonly<Record<string, unknown>>)[groupId])),
    actorId: requireUserId(context),
  });
  const changed = (place: { readonly groupId: string }, membershipId: string): Changed => ({
    [groupId]: publicId(group.kind, place.groupId),
    membershipId: publicId('membership', membershipId),
  });
  const payload = (t: PayloadBuilder) => ({
    membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }),
    membership: t.field({
      type: Membership,
      nullable: true,
      requires: reads('MEMBERSHIP', [level]),
      // What the caller has just changed is shown to them whatever their role has become.
      resolve: ({ [groupId]: named = '', membershipId = '' }, _args, context) => {
        const [id, ofGroup] = [idOf('membership', membershipId), idOf(group.kind, named)];
        return id === undefined || ofGroup === undefined
          ? undefined
          : load(context, { groupId: ofGroup, id }, undefined);
      },
    }),
  });

  mutation(`${group.kind}MembershipCreate`, {
    description: describes.create,
    requires,
    errors: CREATE_MEMBERSHIP_CODES,
    onceByKey: true,
    input: (t) => ({
      ...inGroup(t),
      userId: t.id({ required: true }),
      role: t.field({ type: MembershipRole, required: true, description: 'What they may do there: no more than you.' }),
    }),
    resolve: async (input, context): Promise<Changed> => {
      const place = placeOf(input, context);
      const added = { userId: requirePersonId(input.userId), role: input.role };
      return changed(place, await createMembership(context.em, group, place, added, furnish?.(context)));
    },
    payload,
  });

  mutation(`${group.kind}MembershipUpdate`, {
    description: "Changes somebody's role, or accepts your own invitation.",
    requires,
    errors: UPDATE_MEMBERSHIP_CODES,
    input: (t) => ({
      ...inGroup(t),
      membershipId: t.id({ required: true }),
      role: t.field({ type: MembershipRole, description: 'What they may do there: no more than you.' }),
      accepted: t.boolean({ description: 'Only true, and only by the person who was invited.' }),
    }),
    resolve: async ({ membershipId: named, ...input }, context): Promise<Changed> => {
      const place = placeOf(input, context);
      const membershipId = requireMembershipId(group, named);
      await updateMembership(context.em, group, { ...place, membershipId }, input, furnish?.(context));
      return changed(place, membershipId);
    },
    payload,
  });

  mutation(`${group.kind}MembershipDelete`, {
    description: describes.delete,
    requires,
    errors: DELETE_MEMBERSHIP_CODES,
    input: (t) => ({ ...inGroup(t), membershipId: t.id({ required: true }) }),
    resolve: async ({ membershipId: named, ...input }, context) => {
      const place = placeOf(input, context);
      await deleteMembership(context.em, group, { ...place, membershipId: requireMembershipId(group, named) });
      return { membershipId: named };
    },
    payload: (t) => ({ membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }) }),
  });
}

/** Memberships, by their ids and the groups that they are of. Whether the caller may see it is decided before. */
function loaderOf(group: Group) {
  return batchedEach(({ em }, wanted: readonly WantedMembership[], _args: undefined) =>
    findMemberships(em, group, wanted),
  );
}
