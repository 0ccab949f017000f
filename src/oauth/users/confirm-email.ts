import { takeStanding } from '../../database/on-behalf.ts';
import type { Em } from '../../database/sql.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { confirmEmail } from '../../modules/accounts/links/confirm-email.ts';
import type { Aftermath } from '../authorization-server.ts';
import { stopThings } from '../stopped/stop-things.ts';

export interface EmailConfirmation {
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
