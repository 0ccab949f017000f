import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { type Selected, selectColumnsAs } from '../../database/columns.ts';
import { byKey } from '../../database/keyset.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { Group } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization-membership.entity.ts';

/** A membership that somebody has not accepted yet, with as much of the group as they need to decide. */
export interface InvitationRow extends Selected<typeof MEMBERSHIP> {
  readonly groupId: string;
  readonly groupKind: Group['kind'];
  readonly groupName: string;
}

// Memberships of teams have the same columns.
const MEMBERSHIP = selectColumnsAs(
  OrganizationMembership,
  { membershipId: 'id', role: 'role', createdAt: 'createdAt' },
  'm',
);

/** The groups of one kind that a user is invited to. */
export async function listInvitations(
  em: Em,
  { kind, table, memberships, column }: Group,
  userId: string,
  request: PageRequest,
): Promise<Page<InvitationRow>> {
  const key = sql`m.${column}`;
  const { within, orderAndLimit } = byKey(key, request);
  const fetched = await rows<InvitationRow>(
    em,
    sql`select ${MEMBERSHIP}, g.id as "groupId", ${kind}::text as "groupKind", g.name as "groupName"
        from ${memberships} m join ${table} g on g.id = ${key}
        where m.user_id = ${userId} and not m.accepted and ${within}
        ${orderAndLimit}`,
  );
  return cutPage(fetched, request);
}
