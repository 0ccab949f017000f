import { isId } from '../../../core/id.ts';
import { type Em, type RawBuilder, row, sql } from '../../../database/sql.ts';

/**
 * Keeps whoever bookings belong to from being deleted until the transaction ends; false when they are gone. A deletion
 * goes through an owner's bookings, reservations and times in an order of its own, and whoever is in the middle of
 * changing some of them would wait for it while it waits for them. So this comes before any lock of theirs.
 */
export async function holdOwner(em: Em, ownerId: string, also: RawBuilder<unknown> = sql`1`): Promise<boolean> {
  const owners = isId('team', ownerId) ? sql`teams` : sql`users`;
  const found = await row(em, sql`select ${also} from ${owners} o where o.id = ${ownerId} for key share of o`);
  return found !== undefined;
}
