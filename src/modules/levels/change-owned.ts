import {
  kindInWords,
  newId,
  type OwnedId,
  type OwnedKind,
  ownedIdOf,
  publicOwnedId,
  wrongKindInWords,
} from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { type ColumnOf, columnOf, type Entity, type RowOf, type Selection, tableOf } from '../../database/columns.ts';
import { write } from '../../database/lanes.ts';
import { changed, type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { changes, inserted, isAsSeen, throwIfChanged } from '../../database/updates.ts';
import { columnsOfItem, isOne, type OwnedTable } from './owned.queries.ts';
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
  throw new Problem('NOT_FOUND', 'This account no longer exists.');
}

/** Changes a row of this owner's. @returns what is shown of it then. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT */
export async function updateOwned<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  owner: Owner,
  id: string,
  values: Values,
  shown: Selection<E>,
): Promise<RowOf<E>> {
  const updated = await updateOwnedIf(em, owned, owner, id, values, shown);
  return updated ?? refuseUpdate(em, owned, owner, id);
}

/**
 * Changes a row where a condition over `item` holds, by one statement that decides about everything. @returns undefined if
 * nothing was changed
 */
export async function updateOwnedIf<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  owner: Owner,
  id: string,
  values: Values,
  shown: Selection<E>,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<RowOf<E> | undefined> {
  const [updated] = await write(
    em,
    owned.entity,
    sql<RowOf<E>>`update ${tableOf(owned.entity)} item set ${changes(values)}
        where ${isItem(owned, owner, id)} and ${owner.isInCharge} and ${isAsSeen(owner.lastSeen)} and ${condition}
        returning ${columnsOfItem(shown)}`,
    `${owned.kind} ${owner.ownerId} ${id}`,
  );
  return updated;
}

/** A row of this owner's, locked until the transaction ends, for rules about the whole. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT */
export async function lockOwned<E extends Entity, Name extends ColumnOf<E>>(
  em: Em,
  owned: OwnedTable<E>,
  owner: Owner,
  id: string,
  columns: readonly Name[],
): Promise<Pick<RowOf<E>, Name>> {
  const found = await row(
    em,
    selectFrom(owned.entity, itemOf(owned, owner, id))
      .where(isOne(owned))
      .where(owner.isInCharge)
      .where(isAsSeen(owner.lastSeen))
      .select(columns as never)
      .forNoKeyUpdate(),
  );
  return (found as Pick<RowOf<E>, Name> | undefined) ?? refuseUpdate(em, owned, owner, id);
}

/** Deletes a row of this owner's. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteOwned<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  owner: Owner,
  id: string,
): Promise<void> {
  const count = await changed(
    em,
    deleteFrom(owned.entity, itemOf(owned, owner, id))
      .where(isOne(owned))
      .where(owner.isInCharge),
  );
  if (count === 0) await refused(em, owned, owner, id);
}

function itemOf<E extends Entity>({ owner }: Pick<OwnedTable<E>, 'owner'>, { ownerId }: Owner, id: string): object {
  return { [owner]: ownerId, id };
}

function isItem<E extends Entity>(owned: OwnedTable<E>, { ownerId }: Owner, id: string): RawBuilder<unknown> {
  return sql`${sql.ref(`item.${columnOf(owned.owner)}`)} = ${ownerId} and item.id = ${id} and ${isOne(owned)}`;
}

/** Why an update has changed nothing. Only called after its statement has decided. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT */
export async function refuseUpdate<E extends Entity>(
  em: Em,
  owned: Pick<OwnedTable<E>, 'entity' | 'kind' | 'owner' | 'only'>,
  owner: Owner,
  id: string,
): Promise<never> {
  await owner.refuse(em);
  await throwIfChanged(em, owned.entity, itemOf(owned, owner, id), owner.lastSeen, isOne(owned));
  throw notFoundHere(owned.kind, { ownerId: owner.ownerId, id });
}

/** Why nothing was deleted. @throws Problem NOT_FOUND, FORBIDDEN */
async function refused<E extends Entity>(em: Em, { kind }: OwnedTable<E>, owner: Owner, id: string): Promise<never> {
  await owner.refuse(em);
  throw notFoundHere(kind, { ownerId: owner.ownerId, id });
}

/** Gives the same answer for a missing thing, for somebody else's, and for a text that is no such id. */
export function notFoundHere(noun: OwnedKind, named: OwnedId | string): Problem {
  const id = typeof named === 'string' ? named : publicOwnedId(noun, named);
  const message = `There is no ${kindInWords(noun)} ${shown(id)} here.${wrongKindInWords(noun, id)}`;
  return new Problem('NOT_FOUND', message, [`${noun}Id`]);
}

/**
 * The id of what a caller names, which must be this owner's: what is not is not there, and no statement has to be sent to
 * see that. @throws Problem NOT_FOUND
 */
export function requireOwnId(noun: OwnedKind, named: string, owner: string): string {
  const found = ownedIdOf(noun, named);
  if (found?.ownerId !== owner) throw notFoundHere(noun, named);
  return found.id;
}
