import { takeStanding } from '../../database/on-behalf.ts';
import type { Em } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { confirmEmail } from '../../modules/accounts/links/change-email.ts';
import {
  type AlongWith,
  changePassword,
  type PasswordChange,
  type PasswordReset,
  resetPassword,
} from '../../modules/accounts/sign-in/change-password.ts';
import { acceptByLink } from '../../modules/memberships/answer-invitation.ts';
import type { InvitedTo } from '../../modules/memberships/membership.rules.ts';
import type { FurnishMember } from '../../modules/organizations/group.ts';
import type { Aftermath } from '../authorization-server.ts';
import { endAccess } from '../grants/revoke-grant.ts';
import { type ProvenAccount, stopThings } from '../stopped/stop-things.ts';

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

interface PasswordChangeWithGrants extends PasswordChange {
  /** Whether what the user granted to apps ends, too. */
  readonly revokesApps: boolean;
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
  const { userId, revokesApps, address } = change;
  await changePassword(em, guesses, mails, change, async (inner, owner) => {
    await alongWith?.(inner, owner);
    if (revokesApps) await endAccess(inner, { userId }, { reason: 'PASSWORD_CHANGED', address });
  });
  if (revokesApps) await after.revocations.catchUp();
}

interface PasswordResetWithGrants extends PasswordReset {
  /** Whether what the user granted to apps ends, too. */
  readonly revokesApps: boolean;
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
  const { revokesApps, address } = reset;
  // The holder of the link needs nothing else, and the steps below may put them out.
  takeStanding(undefined);
  await resetPassword(em, guesses, mails, reset, async (inner, { userId, wasVerified }) => {
    if (!wasVerified) await stopThings(inner, { userId, address });
    else if (revokesApps) await endAccess(inner, { userId }, { reason: 'PASSWORD_CHANGED', address });
  });
  await after.revocations.catchUp();
}

interface EmailConfirmation {
  readonly token: string;
  readonly address: string;
  /** The session of the browser in which the link is followed, if any. */
  readonly sessionId?: string | undefined;
}

/**
 * Follows a link that was mailed to an address. The mail of its own sign-up verifies an account, and nothing else happens:
 * its page says which account that is, and only who made it is to press the button. A link that changes the address of an
 * account whose first one was never verified went to a mailbox that the account has not named at its sign-up: whoever made
 * it may have meant another's, so that what was done in it until now stops (stop-things.ts). @throws as confirmEmail does
 */
export async function confirmEmailWithGrants(
  em: Em,
  mails: AccountMails,
  after: Aftermath,
  { sessionId, ...confirmation }: EmailConfirmation,
): Promise<void> {
  const { address } = confirmation;
  // The holder of the link needs nothing else, and the steps below may put them out.
  takeStanding(undefined);
  await confirmEmail(em, mails, confirmation, async (inner, { userId, kind, wasVerified }) => {
    if (kind === 'CHANGE_EMAIL' && !wasVerified) await stopThings(inner, { userId, address, sessionId });
  });
  await after.revocations.catchUp();
}

interface Acceptance extends ProvenAccount {
  readonly token: string;
}

/**
 * Accepts an invitation by the link of its mail. That verifies the address of an account to which it went; since the account was
 * not shown to be its reader's until then, what leads out of it stops. @throws as acceptByLink does
 */
export async function acceptByLinkWithGrants(
  em: Em,
  after: Aftermath,
  { token, ...account }: Acceptance,
  furnishTeamMember: FurnishMember,
): Promise<InvitedTo> {
  const { userId, address } = account;
  // The holder of the link needs nothing else, and the steps below may put them out.
  takeStanding(undefined);
  const joined = await acceptByLink(em, { token, userId }, furnishTeamMember, async (inner) => {
    await recordAudit(inner, { type: 'USER_EMAIL_VERIFIED', userId, address });
    await stopThings(inner, account);
  });
  await after.revocations.catchUp();
  return joined;
}
