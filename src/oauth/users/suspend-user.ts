/**
 * users/ changes accounts in ways that also end grants: passwords and suspension. It may import grants/, clients/ and
 * revocations/.
 */
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { reinstateUser, type Suspension, suspendUser, userNotFound } from '../../modules/accounts/suspend-user.ts';
import type { Aftermath } from '../authorization-server.ts';
import { findClientsOf, requireAdministrator, reviveClientsOf } from '../clients/registered-client.ts';
import { endAccess, type RevokedBy } from '../grants/revoke-grant.ts';
import { recordRevocations } from '../revocations/revocations.ts';

export const REINSTATE_USER_WITH_GRANTS_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

export const SUSPEND_USER_WITH_GRANTS_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

export interface NamedSuspension extends Omit<Suspension, 'userId'> {
  /** Undefined where the caller has named what is no user's id. */
  readonly userId: string | undefined;
}

/**
 * An administrator shuts a user out: sessions, grants and codes end, and access tokens are refused from the next request
 * on. What the user has registered as a developer stops with them, for everybody who uses it, and keeps its grants.
 * @throws Problem FORBIDDEN, NOT_FOUND
 */
export async function suspendUserWithGrants(em: Em, after: Aftermath, named: NamedSuspension): Promise<void> {
  const { actorId } = named;
  await em.transactional(async (inner) => {
    await requireAdministrator(inner, actorId);
    const suspension = ofUser(named);
    const { userId } = suspension;
    if (userId === actorId) {
      throw new Problem('FORBIDDEN', 'You cannot suspend yourself; ask another administrator.', ['userId']);
    }
    if (!(await suspendUser(inner, suspension))) return;
    await endAccess(inner, { userId }, bySuspension(suspension));
    await recordRevocations(inner, 'USER', [userId]);
    await recordRevocations(inner, 'DEVELOPER', await findClientsOf(inner, userId));
  });
  await after.revocations.catchUp();
}

/** Lets a suspended user in again, who has to authorize apps anew; the user's own apps go on where they stopped. @throws Problem FORBIDDEN, NOT_FOUND */
export async function reinstateUserWithGrants(em: Em, after: Aftermath, named: NamedSuspension): Promise<void> {
  const { actorId } = named;
  await em.transactional(async (inner) => {
    await requireAdministrator(inner, actorId);
    const suspension = ofUser(named);
    const { userId } = suspension;
    if (!(await reinstateUser(inner, suspension))) return;
    // Somebody whose session was read just before the suspension may have begun something just after it.
    await endAccess(inner, { userId }, bySuspension(suspension));
    await recordRevocations(inner, 'USER', [userId], false);
    await recordRevocations(inner, 'DEVELOPER', await reviveClientsOf(inner, userId), false);
  });
  await after.revocations.catchUp();
}

function ofUser({ userId, ...rest }: NamedSuspension): Suspension {
  if (userId === undefined) throw userNotFound();
  return { userId, ...rest };
}

function bySuspension({ actorId, address }: Suspension): RevokedBy {
  return { reason: 'USER_SUSPENDED', actorId, address };
}
