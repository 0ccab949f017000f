import { randomBase62, sha256Hex } from '../../core/secret.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { sweepOf } from '../../database/sweep.ts';
import type { Owner } from '../levels/reach.ts';
import { ConnectionRequest } from './connection-request.entity.ts';

/** From beginning a connection to the way back from its provider. */
const CONNECTION_MINUTES = 10;
export const CONNECT_PATH = '/connect/start';

export const removeExpiredConnectionRequests = sweepOf(ConnectionRequest, 'expiresAt');

/**
 * Begins a connection for an owner whom the caller is in charge of; an earlier one that was not completed is void.
 * @returns the token of a link which the user, and nobody else, is to open in their browser.
 * @throws Problem of the owner
 */
export async function beginConnection(
  em: Em,
  owner: Owner,
  { userId, provider }: { readonly userId: string; readonly provider: string },
): Promise<string> {
  const token = randomBase62(43);
  const begun = await changed(
    em,
    sql`insert into connection_requests (user_id, owner_id, provider, link_hash, created_at, expires_at)
        select ${userId}::uuid, ${owner.ownerId}::uuid, ${provider}::text, ${sha256Hex(token)}::text, now(),
          now() + make_interval(mins => ${CONNECTION_MINUTES})
        where ${owner.isInCharge}
        on conflict (user_id, owner_id, provider) do update set link_hash = excluded.link_hash, state_hash = null,
          browser_hash = null, code_verifier = null, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  );
  if (begun === 0) {
    await owner.refuse(em);
    throw new Error('Nobody has refused a connection, and none was begun.');
  }
  return token;
}
