/** Finds what somebody hosts for a group, as SQL over the tables that stand around it. */
import { type RawBuilder, sql } from '../../../database/sql.ts';
import type { Group } from '../../organizations/group.ts';

/** SQL: the ids of the teams that a group is or has. */
export function teamsOf({ kind }: Group, groupId: RawBuilder<unknown>): RawBuilder<unknown> {
  return kind === 'team' ? sql`(select ${groupId}::uuid as id)` : teamsOfOrganization(groupId);
}

function teamsOfOrganization(organizationId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select t.id from teams t where t.organization_id = ${organizationId})`;
}

/**
 * SQL: the upcoming bookings that somebody hosts for event types of the group's teams, at most `limit`: along what they host
 * from now on, which is no more than their time has room for.
 */
export function upcomingOf(
  { kind }: Group,
  groupId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const isOfGroup =
    kind === 'team'
      ? sql`h.team_id = ${groupId}`
      : sql`(select true from teams t where t.id = h.team_id and t.organization_id = ${groupId} limit 1)`;
  return upcomingWhere(userId, isOfGroup, limit);
}

/**
 * SQL: those of event types of their own, as far as the group reaches them: a team those that it manages, an organization all.
 */
export function ownUpcomingOf({ kind }: Group, userId: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const isManaged = sql`and (select true from event_types c
    where c.owner_id = h.user_id and c.id = h.event_type_id and c.membership_id = m.id limit 1)`;
  return upcomingWhere(userId, sql`h.owner_id = h.user_id ${kind === 'team' ? isManaged : sql``}`, limit);
}

function upcomingWhere(
  userId: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  return sql`(
    select found.* from unnest(array['PENDING', 'ACCEPTED']) as standing(status)
    cross join lateral (
      select h.owner_id, h.booking_id, h.event_type_id from booking_hosts h
      where h.user_id = ${userId} and h.status = standing.status and h.starts_at > now() and ${condition}
      limit ${limit}::int
    ) found
    limit ${limit}::int
  )`;
}

/**
 * SQL: the event types of these teams with which somebody is booked as their host, each with whether they are needed for
 * every booking: MANAGED ones are not booked themselves.
 */
export function hostedBy(teams: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select e.owner_id, e.id, e.slug, e.title, e.assign_all_members,
      e.scheduling_type = 'COLLECTIVE' or coalesce(named.is_mandatory, false) as is_mandatory
    from ${teams} team
    join team_memberships tm on tm.team_id = team.id and tm.user_id = ${userId} and tm.accepted
    join event_types e on e.owner_id = team.id and e.scheduling_type <> 'MANAGED'
    left join event_type_hosts named
      on named.owner_id = e.owner_id and named.event_type_id = e.id and named.user_id = tm.user_id
    where e.assign_all_members or named.user_id is not null
  )`;
}

/** SQL: whether a team's event type, `e`, can be booked with somebody beside this user. */
export function hasAnotherHost(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  const isOther = sql`u.id <> ${userId} and u.suspended_at is null`;
  return sql<boolean>`case when e.assign_all_members
    then exists (
      select from team_memberships o join users u on u.id = o.user_id
      where o.team_id = e.owner_id and o.accepted and ${isOther})
    else exists (
      select from event_type_hosts o join users u on u.id = o.user_id
      where o.owner_id = e.owner_id and o.event_type_id = e.id and ${isOther})
    end`;
}
