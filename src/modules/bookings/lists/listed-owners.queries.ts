/** Finds the owners whose bookings the list of a team or an organization, the `parent` of the statement, has. */
import { type RawBuilder, sql } from '../../../database/sql.ts';
import { isReachedBy, REACH } from '../../levels/reach.ts';
import { administersOrganization, SCATTERED_IN } from '../../organizations/group.ts';
import { rolesFrom } from '../../organizations/role.rules.ts';
import type { BookingFilter } from './booking-list.rules.ts';
import {
  type BookingQuestion,
  hasEmail,
  namedEventTypes,
  ownersOfAttendee,
  teamsOfHost,
} from './list-filter.queries.ts';

/**
 * The place of a list, and its reader. A team has the bookings of its own event types. An organization has those of its teams and
 * of its members' own, whatever their roles: nothing in a list lets its reader change a booking.
 */
export interface GroupView {
  readonly level: 'team' | 'organization';
  readonly actorId: string;
}

export interface GroupList extends GroupView, BookingQuestion {}

/**
 * SQL: whether the list of a group has the bookings of this owner, for this reader, an administrator of it. Look-ups go by that, and so
 * does whatever tells others of bookings (webhooks/): what is told is what can be read.
 */
export function hasBookingsOf(
  {
    level,
    groupId,
    actorId,
  }: Pick<GroupView, 'level'> & {
    readonly groupId: RawBuilder<unknown>;
    readonly actorId: string | RawBuilder<unknown>;
  },
  ownerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (level === 'team') return sql<boolean>`${groupId} = ${ownerId}`;
  const isMembers = isReachedBy(REACH.organization.PERSON, groupId, ownerId);
  return sql<boolean>`(${isTeamOf(ownerId, groupId)}
    or (${isMembers} and ${administersOrganization(actorId, groupId)}))`;
}

/** SQL: whether this reader, an administrator of a team, has the bookings of this owner in its list, or in that of its organization. */
export function areReadThrough(
  teamId: RawBuilder<unknown>,
  actorId: RawBuilder<unknown>,
  ownerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const organization = { level: 'organization', groupId: sql`t.organization_id`, actorId } as const;
  return sql<boolean>`(${hasBookingsOf({ level: 'team', groupId: teamId, actorId }, ownerId)}
    or exists (select from teams t where t.id = ${teamId} and ${hasBookingsOf(organization, ownerId)}))`;
}

/** SQL: the `id` of the teams of `parent` that the filter leaves, in the order of an index of organizations. */
export function teamsIn({ level, filter }: GroupList): RawBuilder<unknown> {
  const isTeam = filter.teamId == null ? sql`` : sql`and reached.id = ${filter.teamId}`;
  const table = level === 'team' ? sql`(select parent.id) reached(id) where true` : TEAMS_OF_PARENT;
  return sql`select reached.id from ${table} ${isTeam} ${isNamed(sql`reached.id`, filter)} order by reached.id`;
}

const TEAMS_OF_PARENT = sql`teams reached where reached.organization_id = parent.id`;

/** SQL: whether somebody is among the members. */
export function isMember(list: GroupList, userId: RawBuilder<unknown>, isMeant = sql`true`): RawBuilder<unknown> {
  return sql`(select true from ${members(list)} and ${isMeant} and reached.user_id = ${userId} limit 1)`;
}

/** SQL: the `id` of the members of the organization `parent` that the filter leaves. */
export function membersIn(list: GroupList): RawBuilder<unknown> {
  return sql`select reached.user_id as id from ${members(list)}`;
}

/** SQL: the `id` of those of them whose things are not denormalized (denormalize.ts), in the order of an index. */
export function scatteredIn(list: GroupList): RawBuilder<unknown> {
  return sql`select reached.user_id as id from ${members(list, SCATTERED_IN)} and not reached.denormalized order by reached.user_id`;
}

/** SQL behind `from`: the memberships that a list reaches, under the name `reached`. */
function members({ filter }: GroupList, organizationId = sql`reached.organization_id`): RawBuilder<unknown> {
  return sql`organization_memberships reached
    where ${organizationId} = parent.id and reached.accepted
      and parent.role = any(${rolesFrom('ADMIN')}::text[])
      ${isNamed(sql`reached.user_id`, filter)}`;
}

/** SQL, beginning with `and`: of event types, that they are this owner's. */
function isNamed(ownerId: RawBuilder<unknown>, filter: BookingFilter): RawBuilder<unknown> {
  if (filter.eventTypeIds == null) return sql``;
  const ownerIds = [...new Set(namedEventTypes(filter).map((named) => named.ownerId))];
  return sql`and ${ownerId} = any(${ownerIds}::uuid[])`;
}

export function isTeamOf(teamId: RawBuilder<unknown>, organizationId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select true from teams t where t.id = ${teamId} and t.organization_id = ${organizationId} limit 1)`;
}

/** SQL: the `id` of the teams that count, of which the host may have been booked through some. */
export function teamsOf(list: GroupList, hostId: string): RawBuilder<unknown> {
  if (list.level === 'team' || list.filter.teamId != null) return teamsIn(list);
  return sql`select met.id from ${teamsOfHost(hostId)} met where ${isTeamOf(sql`met.id`, sql`parent.id`)}`;
}

/** SQL: the `id` of those of them who have met an attendee. */
export function ownersMet(list: GroupList, email: string): RawBuilder<unknown> {
  if (list.level === 'team' || list.filter.teamId != null) return teamsIn(list);
  const isOwner = sql`(${isTeamOf(sql`met.id`, sql`parent.id`)} or ${isMember(list, sql`met.id`)})`;
  return sql`select met.id from ${ownersOfAttendee(hasEmail(email))} met
    where ${isOwner} ${isNamed(sql`met.id`, list.filter)}`;
}
