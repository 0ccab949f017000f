import type { OwnedId } from '../../core/id.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { EventTypeHost } from './event-type-host.rules.ts';

/** A host as the administrators of the team see them. */
export interface HostRow extends EventTypeHost {
  readonly name: string;
  readonly username: string;
}

/** Those named as hosts of each event type. */
export async function findHosts(em: Em, eventTypes: readonly OwnedId[]): Promise<Map<string, readonly HostRow[]>> {
  const found = await rows(
    em,
    sql<HostRow & { readonly eventTypeId: string }>`
      select h.event_type_id as "eventTypeId", h.user_id as "userId", h.is_mandatory as "isMandatory", h.priority,
        h.weight, u.name, u.username
      from unnest(${eventTypes.map(({ ownerId }) => ownerId)}::uuid[], ${eventTypes.map(({ id }) => id)}::uuid[]) as e(owner_id, id)
      join event_type_hosts h on h.owner_id = e.owner_id and h.event_type_id = e.id
      join users u on u.id = h.user_id
      order by h.user_id`,
  );
  return Map.groupBy(found, ({ eventTypeId }) => eventTypeId);
}
