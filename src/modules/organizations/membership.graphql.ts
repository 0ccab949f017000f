import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { reads } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import type { FurnishMember } from './group.ts';
import type { MembershipRow } from './membership.queries.ts';
import { ROLES } from './role.rules.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Gives new members what they get on joining a team; teams do not know of event types. */
    readonly furnishMember: FurnishMember;
  }
}

const membership = reads('MEMBERSHIP');

export const MembershipRole = builder.enumType('MembershipRole', {
  description: 'Each role can do what those before it can.',
  values: ROLES,
});

/** Of a team or of an organization: the level at which it is reached tells which, and decides by which scope. */
export const Membership = builder.objectRef<MembershipRow>('Membership').implement({
  description: 'That somebody belongs to a team or an organization, and as what.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: membership }),
    role: t.expose('role', { type: MembershipRole, requires: membership }),
    accepted: t.exposeBoolean('accepted', {
      requires: membership,
      description: 'False while it is an invitation, which gives no rights yet.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      requires: membership,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
    user: t.expose('user', { type: User, requires: membership }),
  }),
});

export const MembershipConnection = connectionOf(Membership);

/** What `userErrors` of the mutations of memberships can say. */
export const MEMBERSHIP_MISTAKES = ['NOT_FOUND', 'FORBIDDEN', 'BAD_INPUT', 'LAST_OWNER'] as const;
