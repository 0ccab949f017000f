/** Token endpoints send these statements, so they are templates: the builder takes ten times as long to write one. */

import { changed, type Em, row, sql } from '../../database/sql.ts';
import { isInUse } from '../clients/client-columns.ts';
import type { VerifiedAccessToken } from '../protocol/access-token.ts';

interface GrantUse {
  readonly isAlive: boolean;
  /** The client has shown that the answer with this generation reached it; the generation before cannot be retried much longer. */
  readonly isConfirmation: boolean;
  readonly isDueToBeNoted: boolean;
  /** Whether the user's address is not verified. */
  readonly isUnverified: boolean;
}

/**
 * Finds the facts about a verified access token whose grant is alive; undefined for another. Notes that the token was
 * used: for the user's list of apps, and because it proves that the pair of its generation has arrived
 * (protocol/refresh.ts).
 */
export async function seeAccessToken(
  em: Em,
  token: VerifiedAccessToken,
): Promise<Pick<GrantUse, 'isUnverified'> | undefined> {
  const use = await findUse(em, token);
  if (!use?.isAlive) return undefined;
  if (use.isConfirmation || use.isDueToBeNoted) await noteUse(em, token);
  return { isUnverified: use.isUnverified };
}

/** The same without noting anything: somebody asks about the token and does not use it. */
export async function isTokenAlive(em: Em, token: VerifiedAccessToken): Promise<boolean> {
  const use = await findUse(em, token);
  return use?.isAlive ?? false;
}

function findUse(em: Em, token: VerifiedAccessToken): Promise<GrantUse | undefined> {
  const { grantId, clientId, userId, tokenId, generation } = token;
  return row(
    em,
    sql<GrantUse>`
      select g.revoked_at is null and ${isInUse} and u.suspended_at is null and not exists (
          select from oauth_revocations r where r.kind = 'TOKEN' and r.subject = ${tokenId} and r.revoked
        ) as "isAlive",
        g.generation = ${generation} and g.confirmed_at is null as "isConfirmation",
        g.last_used_at < now() - interval '1 minute' as "isDueToBeNoted", u.email_verified_at is null as "isUnverified"
      from oauth_grants g
      join oauth_clients c on c.client_id = g.client_id
      join users u on u.id = g.user_id
      where g.id = ${grantId} and g.client_id = ${clientId} and g.user_id = ${userId}`,
  );
}

/** The generation is compared again: a token of an earlier one confirms nothing, however late this statement runs. */
async function noteUse(em: Em, { grantId, generation }: VerifiedAccessToken): Promise<void> {
  await changed(
    em,
    sql`update oauth_grants set last_used_at = now(),
          confirmed_at = case when generation = ${generation} then coalesce(confirmed_at, now()) else confirmed_at end
        where id = ${grantId}`,
  );
}
