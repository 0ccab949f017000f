import { NO_ID } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../../database/each.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { EventType, EventTypeHost } from '../../event-types/event-type.entity.ts';
import { type Group, manages } from '../../organizations/group.ts';
import { hasAnotherHost, hostedBy, ownUpcomingOf, teamsOf, upcomingOf } from './hosting-of-leaver.queries.ts';

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
