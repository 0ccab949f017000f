import { takeStanding } from '../../database/on-behalf.ts';
import type { Em } from '../../database/sql.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { type PasswordReset, resetPassword } from '../../modules/accounts/sign-in/reset-password.ts';
import type { Aftermath } from '../authorization-server.ts';
import { endAccess } from '../grants/revoke-grant.ts';
import { stopThings } from '../stopped/stop-things.ts';

export interface PasswordResetWithGrants extends PasswordReset {
  /** Whether what the user granted to apps ends, too. */
  readonly revokeApps: boolean;
}

/**
 * Sets a new password by a link, and ends the access of apps where that is wished. Where the account was not verified before,
 * somebody else may have made it: what leads out of it stops (stop-things.ts). @throws as resetPassword does
 */
export async function resetPasswordWithGrants(
  em: Em,
  guesses: GuessLimit,
  mails: AccountMails,
  after: Aftermath,
  reset: PasswordResetWithGrants,
): Promise<void> {
  const { revokeApps, address } = reset;
  // The holder of the link needs nothing else, and the steps below may put them out.
  takeStanding(undefined);
  await resetPassword(em, guesses, mails, reset, async (inner, { userId, wasVerified }) => {
    if (!wasVerified) await stopThings(inner, { userId, address });
    else if (revokeApps) await endAccess(inner, { userId }, { reason: 'PASSWORD_CHANGED', address });
  });
  await after.revocations.catchUp();
}
