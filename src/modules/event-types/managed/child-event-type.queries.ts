import type { OwnedId } from '../../../core/id.ts';
import type { Page, PageRequest } from '../../../core/page.ts';
import { byKey, pageOrder, pagesByParent } from '../../../database/keyset.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';

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

/** A page of the children of each event type, by their owners. */
export async function childEventTypePages(
  em: Em,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
): Promise<Map<string, Page<ChildEventTypeRow>>> {
  const { within, orderAndLimit } = byKey(sql`c.owner_id`, request);
  const [teamIds, ids] = [eventTypes.map(({ ownerId }) => ownerId), eventTypes.map(({ id }) => id)];
  const fetched = await rows(
    em,
    sql<ChildEventTypeRow>`select page.*
        from unnest(${teamIds}::uuid[], ${ids}::uuid[]) as parent(team_id, id)
        cross join lateral (
          select c.id, c.parent_id as "parentId", c.slug, c.hidden, u.id as "userId", u.name, u.username
          from event_types c join users u on u.id = c.owner_id
          where c.parent_team_id = parent.team_id and c.parent_id = parent.id and ${within}
          ${orderAndLimit}
        ) page
        order by page."userId" ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ parentId }) => parentId, ids, request);
}
