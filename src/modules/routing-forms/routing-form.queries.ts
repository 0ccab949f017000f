import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest, TimeRange } from '../../core/page.ts';
import { byTime } from '../../database/by-time.ts';
import type { RowOf } from '../../database/columns.ts';
import { unnested } from '../../database/expressions.ts';
import { pageOrder, pagesByParent } from '../../database/keyset.ts';
import { read } from '../../database/read.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, sql } from '../../database/sql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { RoutingForm } from './routing-form.entity.ts';
import { RoutingFormResponse } from './routing-form-response.entity.ts';

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
