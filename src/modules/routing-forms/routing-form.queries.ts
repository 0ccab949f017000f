import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest, TimeRange } from '../../core/page.ts';
import { type RowOf, type Selection, selectColumns } from '../../database/columns.ts';
import { read } from '../../database/lanes.ts';
import type { Narrowed } from '../../database/pages.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type OwnedTable, pagesHangingOn } from '../levels/owned.queries.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { BRAND, type Brand } from '../teams/team.queries.ts';
import { RoutingForm, RoutingFormResponse } from './routing-form.entity.ts';

export const ROUTING_FORMS: OwnedTable<typeof RoutingForm> = {
  entity: RoutingForm,
  kind: 'routingForm',
  owner: 'ownerId',
};

export const ROUTING_FORM_RESPONSES: OwnedTable<typeof RoutingFormResponse> = {
  entity: RoutingFormResponse,
  kind: 'routingFormResponse',
  owner: 'ownerId',
};

/** SQL over the form `item`: whether anybody can fill it in. */
export const IS_OPEN = sql<boolean>`item.is_active`;

/** A form that anybody can fill in, with all that it takes. */
export type OpenForm = RowOf<typeof RoutingForm>;

/** The owner of a form, as those who fill it in see it. */
export interface FormOwner extends Brand {
  readonly name: string;
}

/** A page of the responses to each form, oldest first, of those that were made in a time. The request's key has two columns. */
export async function responsePages(
  em: Em,
  forms: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof RoutingFormResponse>,
  by?: Narrowed<never, TimeRange>,
): Promise<Map<string, Page<RowOf<typeof RoutingFormResponse>>>> {
  const table = { entity: RoutingFormResponse, parent: 'formId', time: 'createdAt', fetch: read } as const;
  return pagesHangingOn(em, table, forms, request, selection, by);
}

/** Undefined for what is not there, and for what is not active. */
export async function findOpenForm(em: Em, { ownerId, id }: OwnedId): Promise<OpenForm | undefined> {
  const columns = ['ownerId', 'id', 'name', 'description', 'fields', 'routes', 'fallback', 'version'] as const;
  return row<OpenForm>(em, selectFrom(RoutingForm, { ownerId, id }).where(IS_OPEN).select(columns));
}

/** A team, with the organization that it is in, or an organization. */
export async function findFormOwner(em: Em, ownerId: string): Promise<FormOwner | undefined> {
  return row(
    em,
    sql<FormOwner>`
      select concat_ws(', ', t.name, o.name) as name, ${BRAND}
      from teams t left join organizations o on o.id = t.organization_id where t.id = ${ownerId}
      union all
      select ${selectColumns(Organization, ['name', 'logoUrl', 'brandColor', 'hidesBranding'], 'o')}
      from organizations o where o.id = ${ownerId}`,
  );
}
