import { changed, type Em, sql } from '../../database/sql.ts';
import { type EventTypeOwner, eventTypeNotFound, requireOwnerOf } from './event-type-owner.ts';

/** Takes something off the list of what can be booked. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteEventType(em: Em, owner: EventTypeOwner, eventTypeId: string): Promise<void> {
  requireOwnerOf(eventTypeId);
  const count = await changed(
    em,
    sql`delete from event_types e
        where e.owner_id = ${owner.ownerId} and e.id = ${eventTypeId} and ${owner.isInCharge}`,
  );
  if (count > 0) return;
  await owner.refuse(em);
  throw eventTypeNotFound(eventTypeId);
}
