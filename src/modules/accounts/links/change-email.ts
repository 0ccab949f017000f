import { Problem } from '../../../core/problem.ts';
import { emailMistake } from '../../../core/text.ts';
import type { Em } from '../../../database/sql.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import type { GuessLimit } from '../../../limits/guess-limit.ts';
import { tidyName } from '../account.rules.ts';
import { type AccountOwner, findOwner, requireRightPassword } from '../require-password.ts';
import { makeLink, voidLinks } from './account-links.ts';
import type { AccountMails } from './account-mails.ts';

export const REQUEST_EMAIL_CHANGE_CODES = [
  'REQUIRED',
  'INVALID_EMAIL',
  'SAME_EMAIL',
  'WRONG_PASSWORD',
  'TOO_MANY_GUESSES',
  'TOO_MANY_MAILS',
  'BUSY',
  'NOT_FOUND',
] as const;

export interface EmailChange {
  readonly userId: string;
  readonly newEmail: string;
  readonly currentPassword: string;
  readonly address: string;
}

/**
 * Requests another address, which becomes the account's when its owner follows the link that is mailed there; until then
 * nothing changes. A change of the password in the meantime stops it. The answer is the same whether or not another account
 * has that address: only a mail to it tells. `alongWith` happens first in the transaction of the change.
 *
 * @throws Problem INVALID_EMAIL, REQUIRED, SAME_EMAIL, WRONG_PASSWORD, TOO_MANY_GUESSES, TOO_MANY_MAILS, BUSY
 */
export async function requestEmailChange(
  em: Em,
  guesses: GuessLimit,
  mails: AccountMails,
  change: EmailChange,
  alongWith?: (inner: Em) => Promise<unknown>,
): Promise<string> {
  const { userId, address } = change;
  const owner = await findOwner(em, userId);
  const newEmail = checkedEmail(change.newEmail, owner);
  await requireRightPassword(em, guesses, owner, change);
  const admission = await mails.requireRoom(em, newEmail, address, 'NEWS');
  const token = await em.transactional(async (inner) => {
    await alongWith?.(inner);
    const { passwordHash } = owner;
    const made = await makeLink(inner, { userId, kind: 'CHANGE_EMAIL', email: newEmail, passwordHash });
    if (made === undefined) throw await whatChanged(inner, owner);
    await recordAudit(inner, { type: 'USER_EMAIL_CHANGE_REQUESTED', userId, address });
    if (owner.isEmailVerified) await mails.emailAboutToChange(inner, owner, newEmail);
    return made;
  });
  mails.newEmail(owner, newEmail, token, admission);
  return newEmail;
}

/** Keeps the address as it is. @returns whether a change was pending */
export async function cancelEmailChange(em: Em, userId: string): Promise<boolean> {
  return (await voidLinks(em, userId, ['CHANGE_EMAIL'])) > 0;
}

/** Why there is no link for an account whose password was right a moment ago. */
async function whatChanged(em: Em, { id, passwordHash }: AccountOwner): Promise<Problem> {
  const now = await findOwner(em, id);
  if (now.passwordHash === passwordHash) return new Problem('NOT_FOUND', 'This account no longer exists.');
  const message = 'The password was changed at this moment, and the address stays as it is; type the new password.';
  return new Problem('WRONG_PASSWORD', message, ['currentPassword']);
}

function checkedEmail(typed: string, { email: current, isEmailVerified }: AccountOwner): string {
  const [email, path] = [tidyName(typed), ['newEmail'] as const];
  const mistake = emailMistake(path, email);
  Problem.throwIfAny(mistake ? [mistake] : []);
  if (email !== current) return email;
  const advice = isEmailVerified ? '' : ' To confirm it, ask for another mail.';
  throw new Problem('SAME_EMAIL', `That’s already the address of your account.${advice}`, path);
}
