import { type Em, row, sql } from '../../database/sql.ts';

/**
 * Until the end of the transaction, keeps the end of a user's access apart from codes that are given out because of it:
 * those rest on grants that were alive a moment ago, and on no click that a revocation could find (storeDecision).
 */
export async function lockAccess(em: Em, userId: string, purpose: 'TO_END' | 'TO_REST_ON'): Promise<void> {
  const key = sql`hashtext('gatehouse: access'), hashtext(${userId})`;
  await row(
    em,
    purpose === 'TO_END' ? sql`select pg_advisory_xact_lock(${key})` : sql`select pg_advisory_xact_lock_shared(${key})`,
  );
}
