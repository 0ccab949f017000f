import { isTeam } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { changed, type Em, row } from '../../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../../database/statements.ts';
import type { Owner } from '../../levels/reach.ts';
import { EventType } from '../event-type.entity.ts';
import { eventTypeNotFound, reachOf } from '../event-type-owner.ts';
import { deleteChildren, lockTeam } from '../managed/child-event-types.ts';

/**
 * Takes something off the list of what can be booked, a managed event type with its children.
 * @throws Problem NOT_FOUND, FORBIDDEN, MANAGED_BY_TEAM
 */
export async function deleteEventType(em: Em, owner: Owner, eventTypeId: string): Promise<void> {
  const { ownerId } = owner;
  const count = await em.transactional(async (inner) => {
    const isOfTeam = isTeam(ownerId);
    if (isOfTeam) await lockTeam(inner, ownerId);
    const deleted = await changed(
      inner,
      deleteFrom(EventType, { ownerId, id: eventTypeId, parentId: null }).where(owner.isInCharge),
    );
    if (deleted > 0 && isOfTeam) await deleteChildren(inner, { ownerId, id: eventTypeId }, reachOf(owner));
    return deleted;
  });
  if (count > 0) return;
  await owner.refuse(em);
  const child = await row(em, selectFrom(EventType, { ownerId, id: eventTypeId }).select('id'));
  throw child ? managedByTeam() : eventTypeNotFound({ ownerId, id: eventTypeId });
}

function managedByTeam(): Problem {
  const advice = 'leave the team, or ask one of its administrators to take you off the hosts';
  return new Problem('MANAGED_BY_TEAM', `This event type is managed by a team; ${advice}.`, ['eventTypeId']);
}
