import { idOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { Aftermath } from '../authorization-server.ts';
import { isPossibleClientId } from '../protocol/client.ts';
import { endAccess, endGrant } from './revoke-grant.ts';

export const REVOKE_APP_CODES = ['NOT_FOUND'] as const;

export interface AppToRevoke {
  readonly userId: string;
  readonly clientId: string;
  /** Undefined ends all access of the app. */
  readonly grantId: string | undefined;
  readonly address: string;
}

/** A user takes back what an app was granted: its tokens are refused from the next request on. @throws Problem NOT_FOUND */
export async function revokeApp(
  em: Em,
  after: Aftermath,
  { userId, clientId, grantId, address }: AppToRevoke,
): Promise<void> {
  const by = { reason: 'REVOKED_BY_USER', address } as const;
  const hasEnded =
    isPossibleClientId(clientId) &&
    (await em.transactional((inner) =>
      grantId === undefined
        ? endAccess(inner, { userId, clientId }, by)
        : endGrant(inner, { id: grantId, userId, clientId }, by),
    ));
  if (!hasEnded) throw nothingGranted();
  await after.revocations.catchUp();
}

/** The id of the grant that a caller names. @throws Problem NOT_FOUND */
export function namedGrant(text: string): string {
  const grantId = idOf('grant', text);
  if (grantId === undefined) throw nothingGranted();
  return grantId;
}

function nothingGranted(): Problem {
  return new Problem('NOT_FOUND', 'You have granted nothing like that to such an app; check clientId and grantId.');
}
