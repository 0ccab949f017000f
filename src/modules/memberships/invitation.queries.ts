import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { selectColumns } from '../../database/columns.ts';
import { byKey } from '../../database/keyset.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { Group } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization-membership.entity.ts';
import type { Role } from '../organizations/role.rules.ts';

/** A membership that somebody has not accepted yet, with as much of the group as they need to decide. */
export interface InvitationRow {
  readonly membershipId: string;
  readonly groupId: string;
  readonly groupKind: Group['kind'];
  readonly groupName: string;
  readonly role: Role;
  /** RFC 3339, as the database writes it */
  readonly createdAt: string;
}

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
    sql`select m.id as "membershipId", g.id as "groupId", ${kind}::text as "groupKind",
          g.name as "groupName", ${selectColumns(OrganizationMembership, ['role', 'createdAt'], 'm')}
        from ${memberships} m join ${table} g on g.id = ${key}
        where m.user_id = ${userId} and not m.accepted and ${within}
        ${orderAndLimit}`,
  );
  return cutPage(fetched, request);
}
