import { Problem } from '../../../core/problem.ts';
import { LATER } from '../../../database/expressions.ts';
import { changed, type Em } from '../../../database/sql.ts';
import { deleteFrom, updateTable } from '../../../database/statements.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import type { GuessLimit } from '../../../limits/guess-limit.ts';
import { guessablePasswordMistake, passwordMistake } from '../account.rules.ts';
import { voidLinks } from '../links/account-links.ts';
import type { AccountMails } from '../links/account-mails.ts';
import { hashPassword } from '../password-hash.ts';
import { type AccountOwner, findOwner, requireRightPassword } from '../require-password.ts';
import { User } from '../user.entity.ts';
import { Session } from './session.entity.ts';

export interface PasswordChange {
  readonly userId: string;
  /** The session of the caller, which is kept in any case. */
  readonly sessionId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Whether the user's other browsers are signed out. */
  readonly endOtherSessions: boolean;
  readonly address: string;
}

/** A further step in the transaction of a change; modules further up know of it. */
export type AlongWith = (em: Em, owner: AccountOwner) => Promise<unknown>;

/**
 * Changes a password for a caller who knows the current one. A browser that is being signed in with the old one at this moment
 * ends with the others, or finds the hash changed (startSession).
 *
 * @throws Problem WRONG_PASSWORD, a mistake of the new one, TOO_MANY_GUESSES, CONFLICT, BUSY
 */
export async function changePassword(
  em: Em,
  guesses: GuessLimit,
  mails: AccountMails,
  change: PasswordChange,
  alongWith?: AlongWith,
): Promise<void> {
  const { userId, newPassword, address } = change;
  const owner = await findOwner(em, userId);
  throwIfUnfit(newPassword, owner);
  await requireRightPassword(em, guesses, owner, change);
  const newHash = await hashPassword(newPassword, address);
  await em.transactional(async (inner) => {
    // The old hash in the condition: of two changes at once, one finds it.
    const updated = await changed(
      inner,
      updateTable(User, { id: userId, passwordHash: owner.passwordHash }).set({
        passwordHash: newHash,
        updatedAt: LATER,
      }),
    );
    if (updated === 0) {
      throw new Problem('CONFLICT', 'The password was changed from somewhere else at the same moment; try again.');
    }
    await endSessions(inner, owner, change);
    // Somebody else who knew the old password may have requested them.
    await voidLinks(inner, userId, ['CHANGE_EMAIL', 'RESET_PASSWORD']);
    await recordAudit(inner, { type: 'USER_PASSWORD_CHANGED', userId, address });
    if (owner.isEmailVerified) await mails.passwordChanged(inner, owner);
    await alongWith?.(inner, owner);
  });
}

/** @throws Problem with what is wrong with a new password of somebody's */
export function throwIfUnfit(newPassword: string, owner: Pick<AccountOwner, 'email' | 'username'>): void {
  const path = ['newPassword'] as const;
  const mistake = passwordMistake(path, newPassword) ?? guessablePasswordMistake(path, newPassword, owner);
  Problem.throwIfAny(mistake ? [mistake] : []);
}

/**
 * Where other browsers may stay, those still end that were signed in with the old password while it was being changed:
 * that somebody else knows it may be why.
 */
async function endSessions(
  em: Em,
  owner: AccountOwner,
  { sessionId, endOtherSessions }: PasswordChange,
): Promise<void> {
  const { id, readAt } = owner;
  const others = deleteFrom(Session, { userId: id }).where('id', '<>', sessionId);
  await changed(em, endOtherSessions ? others : others.where('createdAt', '>=', readAt));
}
