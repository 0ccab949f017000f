import { changed, type Em, sql } from '../database/sql.ts';
import { type RevokedBy, revokeGrantsOfUser } from './revoke-grant.ts';

/**
 * Ends all that apps have of a user: grants, codes that were not exchanged, and authorizations under way. In the caller's
 * transaction; `catchUp` of the feed, after it, makes this process refuse the tokens at once.
 */
export async function endAccessOfApps(em: Em, userId: string, by: RevokedBy): Promise<void> {
  await revokeGrantsOfUser(em, userId, by);
  await changed(em, sql`delete from oauth_codes where user_id = ${userId} and redeemed_at is null`);
  await changed(em, sql`delete from oauth_interactions where user_id = ${userId}`);
}
