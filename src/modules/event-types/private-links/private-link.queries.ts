import type { OwnedId } from '../../../core/id.ts';
import type { Page, PageRequest } from '../../../core/page.ts';
import type { RowOf } from '../../../database/columns.ts';
import { unnested } from '../../../database/expressions.ts';
import { byKey, pageOrder, pagesByParent } from '../../../database/keyset.ts';
import type { Part, Selection } from '../../../database/selection.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import type { OwnedTable } from '../../levels/owned.queries.ts';
import { ORGANIZATION } from '../../organizations/group.ts';
import { manages } from '../../organizations/standing.ts';
import { PrivateLink } from './private-link.entity.ts';

export const PRIVATE_LINKS: OwnedTable<typeof PrivateLink> = {
  entity: PrivateLink,
  kind: 'privateLink',
  owner: 'ownerId',
};

/** When the link was read, by the database's clock. */
export const READ_AT: Part<'readAt', typeof PrivateLink, 'ONE'> = {
  name: 'readAt',
  holds: 'ONE',
  entity: PrivateLink,
  from: () => sql`now()`,
};

/** SQL: whether the link `item` serves once more; `isExpired` is the same in code. */
export const SERVES = sql<boolean>`(
  (item.expires_at is null or item.expires_at > now())
  and (item.max_usage_count is null and item.expires_at is not null or item.usage_count < coalesce(item.max_usage_count, 1))
)`;

/**
 * A page of the private links of each event type, oldest first. Each is a key to it: none for those of a person who stands
 * above the viewer in every organization of both.
 */
export async function privateLinkPages(
  em: Em,
  viewerId: string,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof PrivateLink>,
): Promise<Map<string, Page<RowOf<typeof PrivateLink>>>> {
  const { within, orderAndLimit } = byKey(sql`l.id`, request);
  const ids = eventTypes.map(({ id }) => id);
  const fetched = await rows(
    em,
    sql<RowOf<typeof PrivateLink>>`select page.*
        from ${unnested(eventTypes)} as e(owner_id, id)
        cross join lateral (
          select ${selection.with('id', 'eventTypeId').from('l')} from private_links l
          where l.owner_id = e.owner_id and l.event_type_id = e.id and ${within}
            and ${isKeyFor(viewerId)}
          ${orderAndLimit}
        ) page
        order by page.id ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ eventTypeId }) => eventTypeId, ids, request);
}

/** SQL: whether the viewer, who was shown an event type of `e.owner_id`, may have its links: their own, a team's, a member's. */
function isKeyFor(viewerId: string): RawBuilder<boolean> {
  const group = { group: ORGANIZATION, groupId: sql`m.organization_id`, actorId: viewerId };
  return sql<boolean>`(e.owner_id = ${viewerId} or exists (select from teams t where t.id = e.owner_id) or exists (
    select from organization_memberships m
    where m.user_id = e.owner_id and m.accepted and ${manages(group, sql`e.owner_id`)}
  ))`;
}
