import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { changes, columnOf, inserted } from '../../database/changes.ts';
import { type Entity, tableOf } from '../../database/columns.ts';
import { changed, type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { notFoundHere } from './not-found-here.ts';
import type { OwnedTable } from './owned.queries.ts';
import type { Owner } from './reach.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Inserts a row of this owner's, in one statement that decides on the caller's right as well.
 * @returns its id. @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function insertOwned<E extends Entity>(
  em: Em,
  { entity, owner: ownerColumn }: OwnedTable<E>,
  owner: Owner,
  values: Values,
): Promise<string> {
  const id = newId();
  const given = inserted({ ...values, [ownerColumn]: owner.ownerId, id });
  const count = await changed(
    em,
    sql`insert into ${tableOf(entity)} (${given.columns}, created_at, updated_at)
        select ${given.values}, now(), now() where ${owner.isInCharge}`,
  );
  if (count > 0) return id;
  await owner.refuse(em);
  throw new Problem('NOT_FOUND', 'This account does not exist any more.');
}

/** Changes a row of this owner's. @throws Problem NOT_FOUND, FORBIDDEN */
export async function updateOwned<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  owner: Owner,
  id: string,
  values: Values,
): Promise<void> {
  await changeOwned(
    em,
    owned,
    owner,
    id,
    (isItem) => sql`update ${tableOf(owned.entity)} item set ${changes(values)} where ${isItem}`,
  );
}

/** Deletes a row of this owner's. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteOwned<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  owner: Owner,
  id: string,
): Promise<void> {
  await changeOwned(em, owned, owner, id, (isItem) => sql`delete from ${tableOf(owned.entity)} item where ${isItem}`);
}

async function changeOwned<E extends Entity>(
  em: Em,
  { kind, owner: ownerColumn }: OwnedTable<E>,
  owner: Owner,
  id: string,
  statement: (isItem: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  const isItem = sql`${sql.ref(`item.${columnOf(ownerColumn)}`)} = ${owner.ownerId} and item.id = ${id}`;
  if ((await changed(em, statement(sql`${isItem} and ${owner.isInCharge}`))) > 0) return;
  await owner.refuse(em);
  throw notFoundHere(kind, { ownerId: owner.ownerId, id });
}
