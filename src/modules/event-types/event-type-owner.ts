import { isId, ownerOf } from '../../core/id.ts';
import type { Problem } from '../../core/problem.ts';
import { type RawBuilder, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { notFoundHere } from '../levels/not-found-here.ts';
import type { Owner } from '../levels/reach.ts';
import { manages } from '../organizations/standing.ts';
import { scheduleNotFound } from '../schedules/hold-schedules.ts';
import { TEAM } from '../teams/team-role.ts';

/** SQL: whether the caller may decide about this member of the team that owns an event type, as its host. */
export type Reach = (userId: RawBuilder<unknown>) => RawBuilder<boolean>;

/** Whom the caller reaches through a team that they administer; one's own event types have no hosts to decide about. */
export function reachOf({ ownerId, administrator }: Owner): Reach {
  if (!administrator || !isId('team', ownerId)) return () => sql`true`;
  const { actorId } = administrator;
  return (userId) => manages({ group: TEAM, groupId: sql`${ownerId}`, actorId }, userId);
}

/** The owner that an event type's id carries. @throws Problem NOT_FOUND for what cannot be an id */
export function requireOwnerOf(eventTypeId: string): string {
  const ownerId = ownerOf('eventType', eventTypeId);
  if (ownerId === undefined) throw eventTypeNotFound(eventTypeId);
  return ownerId;
}

/** The same answer for an event type that is not there and for somebody else's. */
export function eventTypeNotFound(eventTypeId: string): Problem {
  return notFoundHere('eventType', eventTypeId);
}

/**
 * Only an owner's own schedule can be named; that it is there, the foreign key says.
 * @throws Problem NOT_FOUND
 */
export function requireOwnSchedule(ownerId: string, scheduleId: string | null | undefined): void {
  if (scheduleId != null && ownerOf('schedule', scheduleId) !== ownerId) throw scheduleNotFound(scheduleId);
}

/** What the foreign key says of a schedule that is not there, or was deleted at this very moment. @throws Problem NOT_FOUND */
export function rethrowForSchedule(error: unknown, scheduleId: string | null | undefined): void {
  const isForSchedule = violatedConstraint(error) === 'event_types_owner_id_schedule_id_foreign';
  if (isForSchedule && scheduleId != null) throw scheduleNotFound(scheduleId);
}
