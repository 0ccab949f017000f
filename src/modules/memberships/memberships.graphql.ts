import { publicId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import { resourceOf } from '../levels/resource.graphql.ts';
import { ROLES } from '../organizations/role.rules.ts';
import { CREATE_MEMBERSHIP_CODES, createMembership, requirePersonId } from './create-membership.ts';
import type { MembershipRow } from './membership.queries.ts';
import { MEMBERSHIPS } from './membership-store.graphql.ts';
import { UPDATE_MEMBERSHIP_CODES, updateMembership } from './update-membership.ts';

const data = reads('MEMBERSHIP');

export const MembershipRole = builder.enumType('MembershipRole', {
  description: 'A role in a team or an organization. Each can do everything that the ones before it can.',
  values: describedValues(ROLES, {
    MEMBER: 'Belongs to it, and sees its profile.',
    ADMIN: 'Also sees and changes what belongs to it and to its members, and manages memberships up to ADMIN.',
    OWNER:
      'Also changes and deletes a team, and makes and removes other owners. There is always one at least; where the last one of a team leaves its organization, the administrators of that have the team.',
  }),
});

/**
 * A membership of a team or of an organization: the level at which it is reached tells which, and decides by which
 * scope.
 */
export const Membership = builder.objectRef<MembershipRow>('Membership').implement({
  description: 'A person’s membership of a team or an organization, with their role.',
  fields: (t) => ({
    id: t.id({ requires: data, resolve: ({ id }) => publicId('membership', id) }),
    role: t.expose('role', {
      type: MembershipRole,
      requires: data,
      description: 'The role of the member.',
    }),
    accepted: t.exposeBoolean('accepted', {
      requires: data,
      description: 'False while it is an invitation, which gives no rights yet.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      requires: data,
      description: 'When they were added or invited.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', requires: data }),
    user: t.expose('user', { type: User, requires: data, description: 'Who belongs to it, or is invited.' }),
  }),
});

const LIST = 'Who belongs to it, oldest membership first. Null unless you administer it.';
const LOOK_UP = 'One of its memberships. Null unless you administer it.';
const UPDATE = "Changes somebody's role, or accepts your own invitation.";

// How one ends is said where bookings are known: bookings/departures/.
resourceOf({
  type: Membership,
  store: MEMBERSHIPS,
  reads: data,
  writes: writes('MEMBERSHIP'),
  list: { name: 'memberships', describes: { team: LIST, organization: LIST } },
  lookUp: { name: 'membership', describes: { team: LOOK_UP, organization: LOOK_UP } },
  create: {
    input: (t) => ({
      userId: t.id({ required: true }),
      role: t.field({ type: MembershipRole, required: true, description: 'What they may do there: no more than you.' }),
    }),
    errors: CREATE_MEMBERSHIP_CODES,
    run: (em, { group, furnish, ...place }, { userId, role }) =>
      createMembership(em, group, place, { userId: requirePersonId(userId), role }, furnish),
    describes: {
      team: 'Invites a user to a team; the membership counts when they accept it. A team of an organization takes its members only. An administrator of the organization adds them at once, save for those whose role in it stands above: they are invited.',
      organization: 'Invites a user to an organization. The membership counts when they accept it.',
    },
  },
  update: {
    input: (t) => ({
      role: t.field({ type: MembershipRole, description: 'What they may do there: no more than you.' }),
      accepted: t.boolean({ description: 'Only true, and only by the person who was invited.' }),
    }),
    errors: UPDATE_MEMBERSHIP_CODES,
    run: async (em, { group, furnish, ...place }, membershipId, patch) => {
      await updateMembership(em, group, { ...place, membershipId }, patch, furnish);
      return undefined;
    },
    describes: { team: UPDATE, organization: UPDATE },
  },
});
