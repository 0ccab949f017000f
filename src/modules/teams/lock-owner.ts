import { isTeam } from '../../core/id.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';

/**
 * Keeps the owner of bookings, event types or accounts from being deleted until the transaction ends; false when the owner is gone
 * already. A deletion goes through all that is an owner's in an order of its own, and would deadlock with a transaction that is
 * changing some of it. So this lock is taken before all others.
 */
export async function lockOwner(em: Em, ownerId: string, also: RawBuilder<unknown> = sql`1`): Promise<boolean> {
  return (await row(em, lockingOwner(ownerId, also))) !== undefined;
}

/** SQL: of an owner `o` under this lock, the organization in whose lists bookings of theirs stand, if any. */
export function organizationOf(ownerId: string): RawBuilder<unknown> {
  return isTeam(ownerId) ? sql`o.organization_id` : sql`o.denormalized_in_id as organization_id`;
}

/** SQL: the same as a part of a statement; no row when the owner is gone. */
export function lockingOwner(ownerId: string, also: RawBuilder<unknown> = sql`1`): RawBuilder<unknown> {
  const owners = isTeam(ownerId) ? sql`teams` : sql`users`;
  return sql`select ${also} from ${owners} o where o.id = ${ownerId} for key share of o`;
}
