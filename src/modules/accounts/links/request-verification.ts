import { Problem } from '../../../core/problem.ts';
import type { Em } from '../../../database/sql.ts';
import { findOwner } from '../require-password.ts';
import type { AccountMails } from './account-mails.ts';

/**
 * Mails the link that verifies an account's address once more; the one before is void. The same whether or not another
 * account has verified the address: only its mailbox is told. @throws Problem ALREADY_VERIFIED, TOO_MANY_MAILS
 */
export async function requestVerification(em: Em, mails: AccountMails, userId: string, address: string): Promise<void> {
  const { email, isEmailVerified } = await findOwner(em, userId);
  if (isEmailVerified) throw new Problem('ALREADY_VERIFIED', 'Your e-mail address is confirmed already.');
  mails.verification(userId, await mails.requireRoom(em, email, address, 'NEWS'));
}
