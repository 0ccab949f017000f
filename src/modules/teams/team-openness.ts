import { type RawBuilder, sql } from '../../database/sql.ts';
import { teamRole } from './team-role.ts';

/**
 * SQL: whether the booking page of the team `t` is open to a user, or to anybody (null). That of a private team is for its
 * members and the administrators of its organization; that of a private organization's teams for the organization's members.
 */
export function isOpenTo(viewerId: string | null): RawBuilder<boolean> {
  if (viewerId === null) return sql<boolean>`(not t.is_private and not exists (${privateOrganization()}))`;
  return sql<boolean>`((not t.is_private or ${teamRole(viewerId)} is not null)
    and not exists (${privateOrganization()} and not exists (
      select 1 from organization_memberships insider
      where insider.organization_id = closed.id and insider.user_id = ${viewerId} and insider.accepted)))`;
}

function privateOrganization(): RawBuilder<unknown> {
  return sql`select 1 from organizations closed where closed.id = t.organization_id and closed.is_private`;
}
