import type { OwnedId } from '../../core/id.ts';
import { selectColumns } from '../../database/columns.ts';
import { unnested } from '../../database/expressions.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { EventTypeHost as HostEntity } from './event-type-host.entity.ts';
import type { EventTypeHost } from './event-type-host.rules.ts';

/** A host as the administrators of the team see them. */
export interface HostRow extends EventTypeHost {
  readonly name: string;
  readonly username: string;
}

const HOST = selectColumns(HostEntity, ['eventTypeId', 'userId', 'isMandatory', 'priority', 'weight'], 'h');

/** The users who are named as hosts of each event type. */
export async function findHosts(em: Em, eventTypes: readonly OwnedId[]): Promise<Map<string, readonly HostRow[]>> {
  const found = await rows(
    em,
    sql<HostRow & { readonly eventTypeId: string }>`
      select ${HOST}, u.name, u.username from ${unnested(eventTypes)} as e(owner_id, id)
      join event_type_hosts h on h.owner_id = e.owner_id and h.event_type_id = e.id
      join users u on u.id = h.user_id
      order by h.user_id`,
  );
  return Map.groupBy(found, ({ eventTypeId }) => eventTypeId);
}
