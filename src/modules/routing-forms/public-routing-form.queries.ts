import type { OwnedId } from '../../core/id.ts';
import type { RowOf } from '../../database/columns.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
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
