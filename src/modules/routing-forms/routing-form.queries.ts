import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest, TimeRange } from '../../core/page.ts';
import { type RowOf, type Selection, selectColumns } from '../../database/columns.ts';
import { read } from '../../database/lanes.ts';
import { byTime, pageOrder, pagesByParent } from '../../database/pages.ts';
import { type Em, row, sql, unnested } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
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
  created: TimeRange,
  request: PageRequest,
  selection: Selection<typeof RoutingFormResponse>,
): Promise<Map<string, Page<RowOf<typeof RoutingFormResponse>>>> {
  const { within, orderAndLimit } = byTime('OLDEST_FIRST', sql`item.created_at`, sql`item.id`, request, created);
  const fetched = await read(
    em,
    sql<RowOf<typeof RoutingFormResponse>>`select item.*
        from ${unnested(forms)} as form(owner_id, id)
        cross join lateral (
          select ${selection.with('id', 'formId', 'createdAt').from('item')} from routing_form_responses item
          where item.owner_id = form.owner_id and item.form_id = form.id and ${within}
          ${orderAndLimit}
        ) item
        order by item."createdAt" ${pageOrder(request)}, item.id ${pageOrder(request)}`,
  );
  return pagesByParent(
    fetched,
    ({ formId }) => formId,
    forms.map(({ id }) => id),
    request,
  );
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
      select ${selectColumns(Organization, ['name', 'logoUrl', 'brandColor', 'hideBranding'], 'o')}
      from organizations o where o.id = ${ownerId}`,
  );
}
