import { type RawBuilder, sql } from '../../database/sql.ts';
import { rolesFrom } from './role.rules.ts';

/** SQL: whether a user administers or owns an organization, which the statement around it names. */
export function administersOrganization(userId: string, organizationId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from organization_memberships om
    where om.organization_id = ${organizationId} and om.user_id = ${userId} and om.accepted
      and om.role = any(${rolesFrom('ADMIN')}::text[])
  )`;
}
