import { publicId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { reads } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import type { InvitationRow } from './invitation.queries.ts';
import type { MembershipRow } from './membership.queries.ts';
import { ROLES } from './role.rules.ts';

const membership = reads('MEMBERSHIP');

export const MembershipRole = builder.enumType('MembershipRole', {
  description: 'Each role can do what those before it can.',
  values: describedValues(ROLES, {
    MEMBER: 'Belongs to it, and sees its profile.',
    ADMIN: 'Also sees and changes what belongs to it and to its members, and manages memberships up to ADMIN.',
    OWNER: 'Also changes and deletes a team, and makes and removes other owners. There is always one at least.',
  }),
});

/** Of a team or of an organization: the level at which it is reached tells which, and decides by which scope. */
export const Membership = builder.objectRef<MembershipRow>('Membership').implement({
  description: 'That somebody belongs to a team or an organization, and as what.',
  fields: (t) => ({
    id: t.id({ requires: membership, resolve: ({ id }) => publicId('membership', id) }),
    role: t.expose('role', {
      type: MembershipRole,
      requires: membership,
      description: 'What its holder may do there.',
    }),
    accepted: t.exposeBoolean('accepted', {
      requires: membership,
      description: 'False while it is an invitation, which gives no rights yet.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      requires: membership,
      description: 'When they were added or invited.',
    }),
    user: t.expose('user', { type: User, requires: membership, description: 'Who belongs to it, or is invited.' }),
  }),
});

export const MembershipConnection = connectionOf(Membership);

/** Into a team or an organization: the level at which it is reached tells which. */
const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  description: 'A team or an organization that you are invited to. Until you accept, you see no more of it than this.',
  fields: (t) => ({
    membershipId: t.id({
      requires: membership,
      description: 'What to accept, or to decline by deleting it.',
      resolve: ({ membershipId }) => publicId('membership', membershipId),
    }),
    groupId: t.id({
      requires: membership,
      description: 'The team or the organization.',
      resolve: ({ groupKind, groupId }) => publicId(groupKind, groupId),
    }),
    groupName: t.exposeString('groupName', { requires: membership, description: 'What it is called.' }),
    role: t.expose('role', {
      type: MembershipRole,
      requires: membership,
      description: 'What you may do there once you have accepted.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      requires: membership,
      description: 'When you were invited.',
    }),
  }),
});

export const InvitationConnection = connectionOf(Invitation);
