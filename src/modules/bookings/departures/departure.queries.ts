import { NO_ID } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../../database/each.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { EventType, EventTypeHost } from '../../event-types/event-type.entity.ts';
import { type Group, manages } from '../../organizations/group.ts';

/** Counts end at this number. */
export const MAX_COUNTED = 1_000;
/** The most event types that are named. */
export const MAX_NAMED = 100;

/** An event type that is concerned. */
export interface ConcernedEventType {
  readonly ownerId: string;
  readonly id: string;
  readonly slug: string;
  readonly title: string;
}

/** One with which the leaver is booked. */
export interface HostedEventType extends ConcernedEventType {
  readonly isMandatory: boolean;
  readonly isOnlyHost: boolean;
}

/** The bookings and event types that a member's departure would affect. */
export interface Departure {
  readonly membershipId: string;
  readonly upcomingBookingCount: number;
  readonly ownUpcomingBookingCount: number;
  readonly eventTypeCount: number;
  readonly eventTypes: readonly HostedEventType[];
  readonly managedEventTypeCount: number;
  readonly managedEventTypes: readonly ConcernedEventType[];
}

/** The departure that is asked about: that of a membership, or the actor's own. */
export interface WantedDeparture {
  readonly groupId: string;
  /** The membership that ends; null is the actor's own. */
  readonly membershipId: string | null;
}

/** Columns of `e`, an event type; the second ones are for `hostedBy`, too. */
export const CONCERNED = selectColumns(EventType, ['ownerId', 'id', 'slug', 'title'], 'e');
export const MANDATORY = selectColumns(EventTypeHost, ['isMandatory'], 'e');

/**
 * Finds what each of these departures would affect: the actor's own, and those of members whom the actor may remove.
 */
export async function findDepartures(
  em: Em,
  group: Group,
  actorId: string,
  wanted: readonly WantedDeparture[],
): Promise<(Departure | undefined)[]> {
  const each = eachOf({
    group_id: wanted.map(({ groupId }) => groupId),
    membership_id: wanted.map(({ membershipId }) => membershipId ?? NO_ID),
  });
  const [groupId, userId] = [sql`wanted.group_id`, sql`m.user_id`];
  const teams = teamsOf(group, groupId);
  const managed = sql`
    select e.owner_id, e.id, e.slug, e.title from ${teams} team
    join team_memberships tm on tm.team_id = team.id and tm.user_id = m.user_id and tm.accepted
    join event_types e on e.membership_id = tm.id`;
  const alone = sql`${MANDATORY}, not ${hasAnotherHost(userId)} as "isOnlyHost"`;
  const found = await rows(
    em,
    sql<ForEach<Departure>>`
      select ${FOUND_FOR}, m.id as "membershipId",
        (select count(*)::int from ${upcomingOf(group, groupId, userId, MAX_COUNTED)} upcoming) as "upcomingBookingCount",
        (select count(*)::int from ${ownUpcomingOf(group, userId, MAX_COUNTED)} upcoming) as "ownUpcomingBookingCount",
        hosted.count as "eventTypeCount", hosted.named as "eventTypes",
        managed.count as "managedEventTypeCount", managed.named as "managedEventTypes"
      from ${each}
      join ${group.memberships} m on m.${group.column} = wanted.group_id and m.accepted
        and case when wanted.membership_id = ${NO_ID} then m.user_id = ${actorId} else m.id = wanted.membership_id end
      cross join lateral ${countedAndNamed(hostedBy(teams, userId), sql`${CONCERNED}, ${alone}`)} hosted
      cross join lateral ${countedAndNamed(sql`(${managed})`, CONCERNED)} managed
      where m.user_id = ${actorId} or ${manages({ group, groupId, actorId }, userId)}`,
  );
  return inPlace(found, wanted.length);
}

/** SQL: how many event types `e` there are, and the first of them, with these columns. */
function countedAndNamed(eventTypes: RawBuilder<unknown>, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with e as materialized (select * from ${eventTypes} e order by e.id limit ${MAX_COUNTED}::int)
    select (select count(*)::int from e) as count, (
      select coalesce(json_agg(one order by one.id), '[]')
      from (select ${columns} from e order by e.id limit ${MAX_NAMED}::int) one
    ) as named
  )`;
}

/** Finds what somebody hosts for a group, as SQL over the tables that stand around it. */

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
function ownUpcomingOf({ kind }: Group, userId: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
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
    select e.owner_id, e.id, e.slug, e.title, e.assigns_all_members,
      e.scheduling_type = 'COLLECTIVE' or coalesce(named.is_mandatory, false) as is_mandatory
    from ${teams} team
    join team_memberships tm on tm.team_id = team.id and tm.user_id = ${userId} and tm.accepted
    join event_types e on e.owner_id = team.id and e.scheduling_type <> 'MANAGED'
    left join event_type_hosts named
      on named.owner_id = e.owner_id and named.event_type_id = e.id and named.user_id = tm.user_id
    where e.assigns_all_members or named.user_id is not null
  )`;
}

/** SQL: whether a team's event type, `e`, can be booked with somebody beside this user. */
export function hasAnotherHost(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  const isOther = sql`u.id <> ${userId} and u.suspended_at is null`;
  return sql<boolean>`case when e.assigns_all_members
    then exists (
      select from team_memberships o join users u on u.id = o.user_id
      where o.team_id = e.owner_id and o.accepted and ${isOther})
    else exists (
      select from event_type_hosts o join users u on u.id = o.user_id
      where o.owner_id = e.owner_id and o.event_type_id = e.id and ${isOther})
    end`;
}
