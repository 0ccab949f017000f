import { type Em, sql } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type RevocationReason, revokeWhere } from './revoke-grant.ts';

/** A code or a refresh token came from two sides, so one of them is a thief: ends the grant, logs it and tells the user. */
export async function endStolenGrant(
  em: Em,
  server: AuthorizationServer,
  { grantId, reason, address }: { grantId: string; reason: RevocationReason; address: string },
): Promise<void> {
  const ended = await em.transactional((inner) => revokeWhere(inner, sql`id = ${grantId}`, { reason, address }));
  if (ended.length === 0) return;
  await server.revocations.catchUp();
  server.notices.userOfStolenGrant(em, grantId);
}
