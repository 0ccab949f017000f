import { isTeam, type OwnedId } from '../../core/id.ts';
import type { Problem } from '../../core/problem.ts';
import { type RawBuilder, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { notFoundHere } from '../levels/not-found-here.ts';
import type { Owner } from '../levels/reach.ts';
import { manages } from '../organizations/standing.ts';
import { TEAM } from '../teams/team-role.ts';

/** SQL: whether the caller may decide about this member of the team that owns an event type, as its host. */
export type Reach = (userId: RawBuilder<unknown>) => RawBuilder<boolean>;

/**
 * Says whom the caller reaches through a team that they administer; one's own event types have no hosts to decide
 * about.
 */
export function reachOf({ ownerId, administrator }: Owner): Reach {
  if (!administrator || !isTeam(ownerId)) return () => sql`true`;
  const { actorId } = administrator;
  return (userId) => manages({ group: TEAM, groupId: sql`${ownerId}`, actorId }, userId);
}

/** The same answer for an event type that is not there and for somebody else's. */
export function eventTypeNotFound(eventType: OwnedId): Problem {
  return notFoundHere('eventType', eventType);
}

/**
 * Turns an error of the foreign key into a problem: the schedule is not there, or was deleted at this very moment.
 * @throws Problem NOT_FOUND
 */
export function rethrowForSchedule(error: unknown, named: string | null | undefined): void {
  const isForSchedule = violatedConstraint(error) === 'event_types_owner_id_schedule_id_foreign';
  if (isForSchedule && named != null) throw notFoundHere('schedule', named);
}
