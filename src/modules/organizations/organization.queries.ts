import type { Page, PageRequest } from '../../core/page.ts';
import type { RowOf, Selection } from '../../database/columns.ts';
import { type Narrowed, NOT_NARROWED, pageOf } from '../../database/pages.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { ORGANIZATION, ownGroups } from './group.ts';
import type { Organization } from './organization.entity.ts';
import type { Role } from './role.rules.ts';

/**
 * An organization, and what the caller may do in it: callers without a role in the organization do not see it. It has
 * its id and the selected columns.
 */
type OrganizationRow = RowOf<typeof Organization> & { readonly role: Role };

/** Those of the organizations that the user is a member of, by their ids. */
export async function findOrganizations(
  em: Em,
  userId: string,
  organizationIds: readonly string[],
  selection: Selection<typeof Organization>,
): Promise<Map<string, OrganizationRow>> {
  const found = await rows<OrganizationRow>(
    em,
    sql`select ${selection.with('id').from('o')}, mine.role
        from organizations o join organization_memberships mine on mine.organization_id = o.id
        where o.id = any(${organizationIds}::uuid[]) and mine.user_id = ${userId} and mine.accepted`,
  );
  return new Map(found.map((organization) => [organization.id, organization]));
}

/** The organizations `o` that the user is a member of. */
export async function listOrganizations(
  em: Em,
  userId: string,
  request: PageRequest,
  selection: Selection<typeof Organization>,
  { condition }: Narrowed = NOT_NARROWED,
): Promise<Page<OrganizationRow>> {
  const { isOnPage, orderAndLimit } = ownGroups(ORGANIZATION, userId, request);
  return pageOf(
    em,
    request,
    sql<OrganizationRow>`select ${selection.with('id').from('o')}, mine.role
        from organization_memberships mine join organizations o on o.id = mine.organization_id
        where ${isOnPage} and ${condition}
        ${orderAndLimit}`,
  );
}
