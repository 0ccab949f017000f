import type { OwnedId } from '../../../core/id.ts';
import type { Page, PageRequest } from '../../../core/page.ts';
import type { RowOf } from '../../../database/columns.ts';
import type { Part, Selection } from '../../../database/selection.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import type { OwnedTable } from '../../levels/owned.queries.ts';
import { pagesHangingOn } from '../../levels/pages-below.queries.ts';
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
export function privateLinkPages(
  em: Em,
  viewerId: string,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof PrivateLink>,
): Promise<Map<string, Page<RowOf<typeof PrivateLink>>>> {
  const table = { entity: PrivateLink, parent: 'eventTypeId' } as const;
  return pagesHangingOn(em, table, eventTypes, request, selection, isKeptFor(viewerId));
}

/** SQL: whether the viewer, who was shown an event type `parent`, may have its keys and secrets: their own, a team's, a member's. */
export function isKeptFor(viewerId: string): RawBuilder<boolean> {
  const ownerId = sql`parent.owner_id`;
  const group = { group: ORGANIZATION, groupId: sql`m.organization_id`, actorId: viewerId };
  return sql<boolean>`(${ownerId} = ${viewerId} or exists (select from teams t where t.id = ${ownerId}) or exists (
    select from organization_memberships m
    where m.user_id = ${ownerId} and m.accepted and ${manages(group, ownerId)}
  ))`;
}
