/** organizations/ owns what members, roles and standings are, for organizations and (as `Group`) for teams. */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { metadataCheck } from '../../database/updates.ts';
import { User } from '../accounts/user.entity.ts';
import type { Role } from './role.rules.ts';

/** A company: the roof over its teams and members. Reference table. */
export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  checks: [metadataCheck('organizations')],
  properties: {
    id: p.uuid().primary(),
    slug: p.text().unique(),
    name: p.text(),
    bio: p.text().nullable(),
    logoUrl: p.text().nullable(),
    brandColor: p.text().nullable(),
    timeZone: p.text(),
    weekStart: p.text(),
    hidesBranding: p.boolean().default(false),
    isPrivate: p.boolean(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/**
 * The organization in whose lists a row stands: that of its team, or the one in which its user's things are denormalized
 * (denormalize.ts). It leads to the row and gives no right: who is shown it is decided by memberships as they are. So it is no
 * foreign key.
 */
export function denormalizedColumn() {
  return { organizationId: p.uuid().nullable() };
}

/**
 * For the list of an organization: by owner, oldest first. The owner is an expression, or the planner might take the primary key,
 * which has the same order, and pass over the rows of all others in search of a small organization's. `by` is a column by which the
 * list can be narrowed: the rows of each value of it are in that order.
 */
export function denormalizedIndex(table: string, owner: string, by?: string) {
  const name = [table, 'organization_id', ...(by ? [by] : []), 'idx'].join('_');
  const columns = [
    'organization_id',
    ...(by ? [by] : []),
    `(case when organization_id is not null then ${owner} end)`,
    'id',
  ];
  return {
    name,
    expression: `create index ${name} on ${table} (${columns.join(', ')}) where organization_id is not null`,
  };
}

const OF_USER = 'select denormalized_in_id into new.organization_id from users where id = new.user_id for key share;';
const OF_TEAM = 'select organization_id into new.organization_id from teams where id = new.team_id;';

/**
 * Gives each new row its organization, as it is by then: under the lock of the user, for whose rows under way denormalize.ts waits.
 * Bookings, which are made far more often, have it from the statement that makes them.
 */
export function denormalizingTrigger(table: string, belongsTo: 'PERSON' | 'OWNER') {
  const body = belongsTo === 'PERSON' ? OF_USER : `if new.user_id is null then ${OF_TEAM} else ${OF_USER} end if;`;
  return {
    name: `${table}_denormalized`,
    timing: 'before' as const,
    events: ['insert' as const],
    forEach: 'row' as const,
    body: `${body} return new`,
  };
}

/** The members of an organization, and their roles. Reference table. */
export const OrganizationMembership = defineEntity({
  name: 'OrganizationMembership',
  tableName: 'organization_memberships',
  uniques: [{ name: 'organization_memberships_organization_id_user_id_key', properties: ['organization', 'user'] }],
  indexes: [
    {
      name: 'organization_memberships_invited_by_id_idx',
      expression:
        'create index organization_memberships_invited_by_id_idx on organization_memberships (invited_by_id) where invited_by_id is not null',
    },
    { name: 'organization_memberships_organization_id_id_idx', properties: ['organization', 'id'] },
    // These serve the lists of one role, of members and of invitations. The first has the organization second, or the
    // planner, which believes each to be small, would look for a member by it.
    { name: 'organization_memberships_role_idx', properties: ['role', 'organization', 'id'] },
    {
      name: 'organization_memberships_joined_idx',
      expression:
        'create index organization_memberships_joined_idx on organization_memberships (organization_id, id) where accepted',
    },
    {
      name: 'organization_memberships_invited_idx',
      expression:
        'create index organization_memberships_invited_idx on organization_memberships (organization_id, id) where not accepted',
    },
    // A user's organizations and their invitations, neither of which is searched for among the other.
    { name: 'organization_memberships_user_id_organization_id_idx', properties: ['user', 'accepted', 'organization'] },
    {
      name: 'organization_memberships_accepted_idx',
      expression:
        'create index organization_memberships_accepted_idx on organization_memberships (organization_id, user_id) where accepted',
    },
    // By expressions, so that the planner takes them and never the one above, however few members it believes a group to have: the
    // people of one role, and those whose things are scattered.
    {
      name: 'organization_memberships_role_of_user_idx',
      expression:
        'create index organization_memberships_role_of_user_idx on organization_memberships (organization_id, (case when accepted then role end), user_id) where accepted',
    },
    {
      name: 'organization_memberships_scattered_idx',
      expression:
        'create index organization_memberships_scattered_idx on organization_memberships ((case when accepted and not denormalized then organization_id end), user_id) where accepted and not denormalized',
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').index(false),
    user: () => p.manyToOne(User).deleteRule('cascade').index(false),
    role: p.text().$type<Role>(),
    accepted: p.boolean(),
    /**
     * The user who has invited them, as long as they have not accepted: it counts as long as that person may give the
     * role.
     */
    invitedBy: () => p.manyToOne(User).deleteRule('cascade').nullable().index(false),
    /**
     * Whether all that is the member's own carries the id of the organization, so that its lists find it along one index. What
     * is not denormalized is looked for member by member; denormalize.ts sets it.
     */
    denormalized: p.boolean().defaultRaw('false'),
    /** When they accepted; before that, of no meaning. */
    joinedAt: p.type(InstantType).defaultRaw('now()'),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType).defaultRaw('now()'),
  },
});
