import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { changes } from '../../database/changes.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { eventTypeSlugTaken } from './create-event-type.ts';
import { EVENT_TYPE_COLUMNS, type EventTypeRow } from './event-type.queries.ts';
import { EVENT_TYPE_FIELDS, type EventTypeFields } from './event-type.rules.ts';
import { type EventTypeOwner, eventTypeNotFound, requireOwnerOf } from './event-type-owner.ts';

/** Changes what the patch names. @throws Problem NOT_FOUND, FORBIDDEN, SLUG_TAKEN, and every mistake of the patch at once */
export async function updateEventType(
  em: Em,
  owner: EventTypeOwner,
  eventTypeId: string,
  patch: PatchOf<EventTypeFields>,
): Promise<EventTypeRow> {
  requireOwnerOf(eventTypeId);
  const values = checkedFields(patch, EVENT_TYPE_FIELDS);
  const updated = await row<EventTypeRow>(
    em,
    sql`update event_types e set ${changes(values)}
        where e.owner_id = ${owner.ownerId} and e.id = ${eventTypeId} and ${owner.isInCharge}
        returning ${EVENT_TYPE_COLUMNS}`,
  ).catch((error: unknown) => {
    if (violatedConstraint(error) === 'event_types_owner_id_slug_key') throw eventTypeSlugTaken(values.slug ?? '');
    throw error;
  });
  if (updated) return updated;
  await owner.refuse(em);
  throw eventTypeNotFound(eventTypeId);
}
