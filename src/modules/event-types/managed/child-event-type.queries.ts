import type { OwnedId } from '../../../core/id.ts';
import type { Page, PageRequest } from '../../../core/page.ts';
import { selectColumns } from '../../../database/columns.ts';
import { unnested } from '../../../database/expressions.ts';
import { byKey, pageOrder, pagesByParent } from '../../../database/keyset.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { manages } from '../../organizations/standing.ts';
import { TEAM } from '../../teams/team-role.ts';
import { EventType } from '../event-type.entity.ts';

/** A host's own copy, as far as the administrators of the team see it. */
export interface ChildEventTypeRow {
  readonly id: string;
  readonly parentId: string;
  readonly slug: string;
  readonly hidden: boolean;
  /** The user who owns the child. */
  readonly userId: string;
  readonly name: string;
  readonly username: string;
}

const CHILD = selectColumns(EventType, ['id', 'parentId', 'slug', 'hidden', 'userId'], 'c');

/** A page of the children of each event type, by their owners; of those that are hidden, the ones whose owner the viewer manages. */
export async function childEventTypePages(
  em: Em,
  viewerId: string,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
): Promise<Map<string, Page<ChildEventTypeRow>>> {
  const { within, orderAndLimit } = byKey(sql`c.owner_id`, request);
  const ids = eventTypes.map(({ id }) => id);
  const isManaged = manages({ group: TEAM, groupId: sql`parent.team_id`, actorId: viewerId }, sql`c.owner_id`);
  const fetched = await rows(
    em,
    sql<ChildEventTypeRow>`select page.*
        from ${unnested(eventTypes)} as parent(team_id, id)
        cross join lateral (
          select ${CHILD}, u.name, u.username
          from event_types c join users u on u.id = c.owner_id
          where c.parent_team_id = parent.team_id and c.parent_id = parent.id and ${within} and (not c.hidden or ${isManaged})
          ${orderAndLimit}
        ) page
        order by page."userId" ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ parentId }) => parentId, ids, request);
}
