import { isId } from '../core/id.ts';
import { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import type { Aftermath } from './authorization-server.ts';
import { isPossibleClientId } from './protocol/client.ts';
import { revokeAuthorizedApp } from './revoke-grant.ts';

export interface AppToRevoke {
  readonly userId: string;
  readonly clientId: string;
  /** Undefined ends all grants of the app. */
  readonly grantId: string | undefined;
  readonly address: string;
}

/** A user takes back what an app was granted: its tokens are refused from the next request on. @throws Problem NOT_FOUND */
export async function revokeApp(
  em: Em,
  after: Aftermath,
  { userId, clientId, grantId, address }: AppToRevoke,
): Promise<void> {
  const isPossible = isPossibleClientId(clientId) && (grantId === undefined || isId('grant', grantId));
  const ended = isPossible
    ? await em.transactional((inner) =>
        revokeAuthorizedApp(inner, { userId, clientId, grantId }, { reason: 'REVOKED_BY_USER', address }),
      )
    : 0;
  if (ended === 0) {
    throw new Problem('NOT_FOUND', 'You have granted nothing like that to such an app; check clientId and grantId.');
  }
  await after.revocations.catchUp();
}
