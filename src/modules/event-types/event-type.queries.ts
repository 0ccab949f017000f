import { isTeam, type OwnedId } from '../../core/id.ts';
import type { Problem } from '../../core/problem.ts';
import { type RowOf, Selection, selectColumns } from '../../database/columns.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { SHOWN_USER, type ShownUser } from '../accounts/user.queries.ts';
import { notFoundHere } from '../levels/change-owned.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { manages } from '../organizations/group.ts';
import { lockOwner } from '../teams/lock-owner.ts';
import type { Team } from '../teams/team.entity.ts';
import { TEAM } from '../teams/team-role.ts';
import { EventType } from './event-type.entity.ts';

export const EVENT_TYPES: OwnedTable<typeof EventType> = {
  entity: EventType,
  kind: 'eventType',
  owner: 'ownerId',
  secret: sql<boolean>`item.is_hidden`,
  isDenormalized: true,
};

/** An event type, as a user or a team offers it. */
export type EventTypeRow = Omit<RowOf<typeof EventType>, 'scheduleId'> & { readonly scheduleId: string | null };

/** For `select` and `returning`, over `event_types e`. */
export const EVENT_TYPE_COLUMNS = selectColumns(EventType, Selection.whole(EventType).columns, 'e');

/** SQL: whether the caller may decide about this member of the team that owns an event type, as its host. */
export type Reach = (userId: RawBuilder<unknown>) => RawBuilder<boolean>;

/** The owner who offers an event type: one of both. */
export interface EventTypeOwner {
  readonly user: ShownUser | null;
  readonly team: ShownTeam | null;
}

/** A team, as far as an event type of it shows it. */
export type ShownTeam = Pick<RowOf<typeof Team>, 'id' | 'name' | 'slug'>;

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
 * Lets one transaction at a time add something that is counted for an event type, which cannot go away meanwhile; those for other
 * event types of its owner need not wait, unlike under `lockOwnerAlone`. @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function lockEventTypeAlone(
  em: Em,
  owner: Owner,
  id: string,
): Promise<Pick<EventTypeRow, 'schedulingType'>> {
  const { ownerId, isInCharge } = owner;
  await lockOwner(em, ownerId);
  const locking = selectFrom(EventType, { ownerId, id }).where(isInCharge).select('schedulingType').forNoKeyUpdate();
  const locked = await row(em, locking);
  if (locked) return locked;
  await owner.refuse(em);
  throw eventTypeNotFound({ ownerId, id });
}

/**
 * Turns an error of the foreign key into a problem: the schedule is not there, or was deleted at this very moment.
 * @throws Problem NOT_FOUND
 */
export function rethrowForSchedule(error: unknown, named: string | null | undefined): void {
  const isForSchedule = violatedConstraint(error) === 'event_types_owner_id_schedule_id_foreign';
  if (isForSchedule && named != null) throw notFoundHere('schedule', named);
}

/** The owners of event types, by their ids. */
export async function findEventTypeOwners(em: Em, ownerIds: readonly string[]): Promise<Map<string, EventTypeOwner>> {
  const found = await rows(
    em,
    sql<EventTypeOwner & { readonly id: string }>`
      select u.id, ${SHOWN_USER}, null as team from users u where u.id = any(${ownerIds}::uuid[])
      union all
      select t.id, null, json_build_object('id', t.id, 'name', t.name, 'slug', t.slug)
      from teams t where t.id = any(${ownerIds}::uuid[])`,
  );
  return new Map(found.map((owner) => [owner.id, owner]));
}
