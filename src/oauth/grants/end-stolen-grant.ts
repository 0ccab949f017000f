import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthGrant } from './oauth-grant.entity.ts';
import { endGrant, type RevocationReason } from './revoke-grant.ts';

/**
 * A code or a refresh token came from two sides, so one of them is a thief: ends the grant, with what is on the way to
 * another one of the same user and app, logs it and tells the user.
 */
export async function endStolenGrant(
  em: Em,
  server: AuthorizationServer,
  { grantId, reason, address }: { grantId: string; reason: RevocationReason; address: string },
): Promise<void> {
  const access = await row(em, selectFrom(OAuthGrant, { id: grantId }).select(['userId', 'clientId']));
  if (!access) return;
  const hasEnded = await em.transactional((inner) => endGrant(inner, { id: grantId, ...access }, { reason, address }));
  if (!hasEnded) return;
  await server.revocations.catchUp();
  server.notices.userOfStolenGrant(em, grantId);
}
