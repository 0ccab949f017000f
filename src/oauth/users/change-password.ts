import type { Em } from '../../database/sql.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { type AlongWith, changePassword, type PasswordChange } from '../../modules/accounts/sign-in/change-password.ts';
import type { Aftermath } from '../authorization-server.ts';
import { endAccess } from '../grants/revoke-grant.ts';

export const CHANGE_PASSWORD_WITH_GRANTS_CODES = [
  'REQUIRED',
  'TOO_SHORT',
  'TOO_LONG',
  'INVALID_TEXT',
  'GUESSABLE',
  'WRONG_PASSWORD',
  'TOO_MANY_GUESSES',
  'CONFLICT',
  'BUSY',
  'NOT_FOUND',
] as const;

export interface PasswordChangeWithGrants extends PasswordChange {
  /** Whether what the user granted to apps ends, too. */
  readonly revokeApps: boolean;
}

/** Changes a password, and ends the access of apps in the same transaction. @throws as changePassword does */
export async function changePasswordWithGrants(
  em: Em,
  guesses: GuessLimit,
  mails: AccountMails,
  after: Aftermath,
  change: PasswordChangeWithGrants,
  alongWith?: AlongWith,
): Promise<void> {
  const { userId, revokeApps, address } = change;
  await changePassword(em, guesses, mails, change, async (inner, owner) => {
    await alongWith?.(inner, owner);
    if (revokeApps) await endAccess(inner, { userId }, { reason: 'PASSWORD_CHANGED', address });
  });
  if (revokeApps) await after.revocations.catchUp();
}
