import { changed, type Em, sql } from '../../../database/sql.ts';

/**
 * Sweeps away reservations that were over an hour ago and that nobody has come across since, at most `limit` rows of each
 * table. Rows that somebody is at work on are left to them. @returns how many rows
 */
export async function removeExpiredReservations(em: Em, limit: number): Promise<number> {
  const times = await changed(
    em,
    sql`delete from occupied_times where (host_id, holder_id) in (
          select host_id, holder_id from occupied_times
          where expires_at < now() - interval '1 hour' limit ${limit}::int for update skip locked)`,
  );
  const reservations = await changed(
    em,
    sql`delete from slot_reservations where (owner_id, id) in (
          select owner_id, id from slot_reservations
          where expires_at < now() - interval '1 hour' limit ${limit}::int for update skip locked)`,
  );
  return times + reservations;
}
