import type { OwnedId } from '../../core/id.ts';
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { BRAND, type Brand } from '../teams/inherited-profile.queries.ts';
import { RoutingForm } from './routing-form.entity.ts';

/** SQL over the form `item`: whether anybody can fill it in. */
export const IS_OPEN = sql<boolean>`item.is_active`;

/** A form that anybody can fill in, with all that it takes. */
export type OpenForm = RowOf<typeof RoutingForm>;

/** Undefined for what is not there, and for what is not active. */
export async function findOpenForm(em: Em, { ownerId, id }: OwnedId): Promise<OpenForm | undefined> {
  const columns = ['ownerId', 'id', 'name', 'description', 'fields', 'routes', 'fallback', 'version'] as const;
  return row<OpenForm>(em, selectFrom(RoutingForm, { ownerId, id }).where(IS_OPEN).select(columns));
}

/** The owner of a form, as those who fill it in see it. */
export interface FormOwner extends Brand {
  readonly name: string;
}

/** A team, with the organization that it is in, or an organization. */
export async function findFormOwner(em: Em, ownerId: string): Promise<FormOwner | undefined> {
  return row(
    em,
    sql<FormOwner>`
      select concat_ws(', ', t.name, o.name) as name, ${BRAND}
      from teams t left join organizations o on o.id = t.organization_id where t.id = ${ownerId}
      union all
      select ${selectColumns(Organization, ['name', 'logoUrl', 'brandColor', 'hideBranding'], 'o')}
      from organizations o where o.id = ${ownerId}`,
  );
}
