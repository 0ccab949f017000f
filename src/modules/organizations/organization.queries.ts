import { isId } from '../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { pageLimit, pageOrder, withinPage } from '../../database/keyset.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { WeekDay } from '../accounts/account.rules.ts';
import type { Role } from './role.rules.ts';

/** An organization, and what the caller may do in it: whoever has no role there is not shown the organization. */
export interface OrganizationRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly bio: string | null;
  readonly logoUrl: string | null;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly isPrivate: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** RFC 3339, as the database writes it */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly role: Role;
}

const COLUMNS = sql`o.id, o.slug, o.name, o.bio, o.logo_url as "logoUrl", o.time_zone as "timeZone",
  o.week_start as "weekStart", o.is_private as "isPrivate", o.metadata, o.created_at as "createdAt",
  o.updated_at as "updatedAt", mine.role`;

/** Those of the organizations that the user is a member of, by their ids. */
export async function findOrganizations(
  em: Em,
  userId: string,
  organizationIds: readonly string[],
): Promise<Map<string, OrganizationRow>> {
  const ids = organizationIds.filter((id) => isId('organization', id));
  if (ids.length === 0) return new Map();
  const found = await rows<OrganizationRow>(
    em,
    sql`select ${COLUMNS}
        from organizations o join organization_memberships mine on mine.organization_id = o.id
        where o.id = any(${ids}::text[]) and mine.user_id = ${userId} and mine.accepted`,
  );
  return new Map(found.map((organization) => [organization.id, organization]));
}

/** The organizations that the user is a member of. */
export async function listOrganizations(em: Em, userId: string, request: PageRequest): Promise<Page<OrganizationRow>> {
  const key = sql`mine.organization_id`;
  const fetched = await rows<OrganizationRow>(
    em,
    sql`select ${COLUMNS}
        from organization_memberships mine join organizations o on o.id = mine.organization_id
        where mine.user_id = ${userId} and mine.accepted and ${withinPage(key, request)}
        order by ${key} ${pageOrder(request)} limit ${pageLimit(request)}`,
  );
  return cutPage(fetched, request);
}
