/** Which workflows are about which bookings, and when: SQL over `w`, a workflow, `b`, a booking, and `e`, its event type. */
import { type RawBuilder, sql } from '../../../database/sql.ts';
import { hasBookingsOf } from '../../bookings/lists/group-owner.queries.ts';
import { isReachedBy, REACH } from '../../levels/reach.ts';

/** SQL over `b`: the team that it may be of. */
const TEAM_OF_BOOKING = sql`coalesce(b.team_id, (b.managed_by->>'id')::uuid)`;

/**
 * SQL over `b`: whether it is this team's: its list has it, or what the team manages was booked of somebody who still is a member.
 * Bookings of such event types are their hosts' own, and go with those who leave.
 */
export function isOfTeam(teamId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${teamId} = ${TEAM_OF_BOOKING} and (
    ${hasBookingsOf({ level: 'team', groupId: teamId, actorId: sql`null` }, sql`b.owner_id`)}
    or ${isReachedBy(REACH.team.PERSON, teamId, sql`b.owner_id`)}))`;
}

/** Bookings with the active workflows that are about them: those of their team, or of the team that manages their event type. */
export const BOOKINGS_WITH_WORKFLOWS = sql`
  bookings b
  join workflows w on w.team_id = ${TEAM_OF_BOOKING} and ${isOfTeam(sql`w.team_id`)} and w.is_active
  left join event_types e on e.owner_id = b.owner_id and e.id = b.event_type_id`;

/** Whether it is about its event type; a child of a managed one counts as that. */
export const IS_ABOUT_IT = sql`(w.event_type_ids is null or b.event_type_id = any(w.event_type_ids)
  or e.parent_id = any(w.event_type_ids))`;

const OFFSET = sql`make_interval(mins => (w.event_offset->>'value')::int
  * case w.event_offset->>'unit' when 'MINUTE' then 1 when 'HOUR' then 60 else 1440 end)`;

/** When it is due; null where it goes by no time. */
export const DUE_AT: RawBuilder<string | null> = sql`case w.trigger
  when 'BEFORE_EVENT' then b.starts_at - ${OFFSET} when 'AFTER_EVENT' then b.ends_at + ${OFFSET} end`;
