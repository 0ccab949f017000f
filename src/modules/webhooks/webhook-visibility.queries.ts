/**
 * Decides of what a webhook is notified, by the rules of the lists: it gets what the user who set it, and the app that they did it
 * with, could read at this moment at its level. One condition says so when a message is written, and each time that it is sent.
 */
import { type RawBuilder, sql } from '../../database/sql.ts';
import { isListedFor } from '../bookings/lists/booking-condition.queries.ts';
import { areReadThrough, hasBookingsOf, isTeamOf } from '../bookings/lists/group-owner.queries.ts';
import { isReachedBy, REACH } from '../levels/reach.ts';
import { TRIGGERS } from './webhook.rules.ts';
import type { IsLetIn } from './webhook-setter.queries.ts';

/** SQL: what a message is about: its owner, its id (a booking's, an absence's, a response's), and the trigger. */
export interface Subject {
  readonly ownerId: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly trigger: RawBuilder<unknown>;
}

const [USER, TEAM, ORGANIZATION, SET_BY] = [
  sql`w.user_id`,
  sql`w.team_id`,
  sql`w.organization_id`,
  sql`w.set_by_id`,
] as const;

/** SQL: the owners whose webhooks may be notified, and what these webhooks are about: the owner, or one event type. */
export function concernedBy({ ownerId, id, trigger }: Subject): RawBuilder<unknown> {
  return sql`
    with booking as (select b.* from bookings b where b.owner_id = ${ownerId} and b.id = ${id} and ${kindOf(trigger)} = 'BOOKING'),
    persons(id) as (
      select unnest(coalesce(host_ids, array[owner_id])) from booking
      union select ${ownerId}::uuid where ${kindOf(trigger)} = 'SCHEDULE'
    )
    select id as owner_id, id as about from persons
    union select owner_id, event_type_id from booking
    union select e.parent_team_id, e.parent_id from booking
      join event_types e on e.owner_id = booking.owner_id and e.id = booking.event_type_id
    union select m.organization_id, m.organization_id from organization_memberships m where m.user_id = ${ownerId}::uuid and m.accepted
    union select t.organization_id, t.organization_id from teams t where t.id = ${ownerId}::uuid
    union select ${ownerId}::uuid, ${ownerId}::uuid where ${kindOf(trigger)} = 'ROUTING_FORM'`;
}

/** SQL: whether the webhook `w` is about the subject and its setter may read that, whatever their app may read. */
export function mayBeNotified(subject: Subject): RawBuilder<boolean> {
  const { ownerId, id, trigger } = subject;
  const isAbout = sql`(w.event_type_id is null or w.event_type_id = b.event_type_id)`;
  const isListed = sql`case
    when ${USER} is not null then ${isAbout} and ${isListedFor(USER, sql`b.owner_id`, sql`b.id`)}
    when ${TEAM} is not null then ${isCopy(sql`b.owner_id`, sql`b.event_type_id`)}
      or (${isAbout} and ${hasBookingsOf({ level: 'team', groupId: TEAM, actorId: SET_BY }, sql`b.owner_id`)})
    else ${hasBookingsOf({ level: 'organization', groupId: ORGANIZATION, actorId: SET_BY }, sql`b.owner_id`)} end`;
  const isAway = sql`(${USER} = ${ownerId} or ${isReachedBy(REACH.organization.PERSON, ORGANIZATION, ownerId)})`;
  const isForms = sql`(${ORGANIZATION} = ${ownerId} or ${isTeamOf(ownerId, ORGANIZATION)})`;
  return sql<boolean>`coalesce(case ${kindOf(trigger)}
    when 'BOOKING' then exists (select from bookings b where b.owner_id = ${ownerId} and b.id = ${id} and ${isListed})
    when 'SCHEDULE' then ${isAway} and exists (select from out_of_office o where o.user_id = ${ownerId} and o.id = ${id})
    else ${isForms} and exists (select from routing_form_responses r where r.owner_id = ${ownerId} and r.id = ${id}) end, false)`;
}

/**
 * SQL: whether a message to `w` has the data of its subject, and does not only say that something happened: the app that set the
 * address could read it then and can read it now. A team's list does not have the bookings of its members' copies of an event
 * type; for those, the organization's list decides.
 */
export function isDetailed(isLetIn: IsLetIn, { ownerId, trigger }: Subject): RawBuilder<boolean> {
  const data = kindOf(trigger);
  const [ofUser, ofTeam, ofOrganization] = ['', 'TEAM_', 'ORG_'].map(
    (prefix) => sql`${sql.lit(prefix)} || ${data} || '_READ'`,
  );
  const isTeams = sql`${TEAM} = ${ownerId}`;
  const scopes = sql<readonly string[]>`case
    when ${USER} is not null then array[${ofUser}]
    when ${isTeams} then array[${ofTeam}, ${ofOrganization}]
    else array[${ofOrganization}] end`;
  return sql<boolean>`coalesce(${data} = any(w.readable)
    and (w.client_id is null or ${isLetIn(SET_BY, sql`w.client_id`, scopes)})
    and (${TEAM} is null or ${areReadThrough(TEAM, SET_BY, ownerId)}), false)`;
}

/** SQL: whether an event type is somebody's copy of the one of a team that `w` is about. */
function isCopy(ownerId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from event_types copy where copy.owner_id = ${ownerId} and copy.id = ${id}
    and copy.parent_team_id = ${TEAM} and copy.parent_id = w.event_type_id)`;
}

/** SQL: the kind of data that a trigger is about. */
function kindOf(trigger: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(${JSON.stringify(TRIGGERS)}::jsonb->>${trigger})`;
}
