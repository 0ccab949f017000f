import type { Page, PageRequest } from '../../core/page.ts';
import { selectColumns } from '../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../database/each.ts';
import { byKey, pageOrder, pagesByParent } from '../../database/keyset.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import type { Group } from '../organizations/group.ts';
import type { Role } from '../organizations/role.rules.ts';
import { Invitation } from './invitation.entity.ts';
import type { WantedOfGroup } from './membership.queries.ts';

/** An invitation by mail that waits for an answer, as its group's administrators see it. */
export interface SentInvitationRow {
  readonly id: string;
  readonly groupId: string;
  readonly email: string;
  readonly role: Role;
  /** RFC 3339, as the database writes it; so are the others. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
}

const COLUMNS = selectColumns(Invitation, ['id', 'email', 'role', 'createdAt', 'updatedAt', 'expiresAt'], 'i');

/** A page of what each group has sent. Whether the caller may see it is decided where the group was loaded. */
export async function sentInvitationPages(
  em: Em,
  { column }: Group,
  groupIds: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<SentInvitationRow>>> {
  const { within, orderAndLimit } = byKey(sql`i.id`, request);
  const fetched = await rows<SentInvitationRow>(
    em,
    sql`select g.id as "groupId", page.*
        from unnest(${groupIds}::uuid[]) as g(id)
        cross join lateral (
          select ${COLUMNS} from invitations i where i.${column} = g.id and i.expires_at > now() and ${within}
          ${orderAndLimit}
        ) page
        order by page.id ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ groupId }) => groupId, groupIds, request);
}

/** Each of these invitations, in their order: one of another group is not found. */
export async function findSentInvitations(
  em: Em,
  { column }: Group,
  wanted: readonly WantedOfGroup[],
  condition: RawBuilder<boolean> = sql`true`,
): Promise<(SentInvitationRow | undefined)[]> {
  const each = eachOf({ group_id: wanted.map(({ groupId }) => groupId), id: wanted.map(({ id }) => id) });
  const found = await rows<ForEach<SentInvitationRow>>(
    em,
    sql`select ${FOUND_FOR}, i.${column} as "groupId", ${COLUMNS}
        from ${each} join invitations i on i.id = wanted.id and i.${column} = wanted.group_id and i.expires_at > now()
        where ${condition}`,
  );
  return inPlace(found, wanted.length);
}
