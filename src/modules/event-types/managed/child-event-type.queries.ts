import type { OwnedId } from '../../../core/id.ts';
import type { Page, PageRequest } from '../../../core/page.ts';
import { selectColumns } from '../../../database/columns.ts';
import { unnested } from '../../../database/expressions.ts';
import { byKey, pageOrder, pagesByParent } from '../../../database/keyset.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { EventType } from '../event-type.entity.ts';

/** What the administrators of the team see of a host's own copy. */
export interface ChildEventTypeRow {
  readonly id: string;
  readonly parentId: string;
  readonly slug: string;
  readonly hidden: boolean;
  /** The owner. */
  readonly userId: string;
  readonly name: string;
  readonly username: string;
}

const CHILD = selectColumns(EventType, ['id', 'parentId', 'slug', 'hidden', 'userId'], 'c');

/** A page of the children of each event type, by their owners. */
export async function childEventTypePages(
  em: Em,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
): Promise<Map<string, Page<ChildEventTypeRow>>> {
  const { within, orderAndLimit } = byKey(sql`c.owner_id`, request);
  const ids = eventTypes.map(({ id }) => id);
  const fetched = await rows(
    em,
    sql<ChildEventTypeRow>`select page.*
        from ${unnested(eventTypes)} as parent(team_id, id)
        cross join lateral (
          select ${CHILD}, u.name, u.username
          from event_types c join users u on u.id = c.owner_id
          where c.parent_team_id = parent.team_id and c.parent_id = parent.id and ${within}
          ${orderAndLimit}
        ) page
        order by page."userId" ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ parentId }) => parentId, ids, request);
}
