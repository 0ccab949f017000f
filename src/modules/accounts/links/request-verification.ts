import { Problem } from '../../../core/problem.ts';
import type { Em } from '../../../database/sql.ts';
import { findOwner } from '../require-password.ts';
import type { AccountMails } from './account-mails.ts';

/**
 * Mails the link that verifies an account's address once more; the one before is void. The same whether or not another
 * account has verified the address: only its mailbox is told. `before` happens before the mail is sent, which it may refuse.
 * @throws Problem ALREADY_VERIFIED, TOO_MANY_MAILS
 */
export async function requestVerification(
  em: Em,
  mails: AccountMails,
  { userId, address }: { readonly userId: string; readonly address: string },
  before?: (em: Em) => Promise<unknown>,
): Promise<void> {
  const { email, isEmailVerified } = await findOwner(em, userId);
  if (isEmailVerified) throw new Problem('ALREADY_VERIFIED', 'Your e-mail address is already confirmed.');
  const admission = await mails.requireRoom(em, email, address, 'NEWS');
  await before?.(em);
  mails.verification(userId, admission);
}
