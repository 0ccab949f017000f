import { Problem } from '../../core/problem.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { type GuessLimit, TooManyGuesses } from '../../limits/guess-limit.ts';
import { guessablePasswordMistake, passwordMistake } from './account.rules.ts';
import { hashPassword, isPasswordOf, requireHashingCapacity } from './password-hash.ts';

export interface PasswordChange {
  readonly userId: string;
  /** The session that stays; all others of the user end. */
  readonly sessionId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly address: string;
}

/**
 * Changes a password for who knows the current one, and signs all other browsers out.
 *
 * @throws Problem WRONG_PASSWORD, a mistake of the new one, TOO_MANY_GUESSES, CONFLICT, BUSY
 */
export async function changePassword(em: Em, guesses: GuessLimit, change: PasswordChange): Promise<void> {
  const { userId, sessionId, newPassword, address } = change;
  const user = await findOwner(em, userId);
  const path = ['newPassword'] as const;
  const mistake = passwordMistake(path, newPassword) ?? guessablePasswordMistake(path, newPassword, user);
  Problem.throwIfAny(mistake ? [mistake] : []);
  await requireRightPassword(guesses, user, change);
  const newHash = await hashPassword(newPassword);
  await em.transactional(async (inner) => {
    // The old hash in the condition: of two changes at once, one finds it.
    const updated = await changed(
      inner,
      sql`update users set password_hash = ${newHash}, updated_at = now()
          where id = ${userId} and password_hash = ${user.passwordHash}`,
    );
    if (updated === 0) {
      throw new Problem('CONFLICT', 'The password was changed from somewhere else at the same moment; try again.');
    }
    await changed(inner, sql`delete from sessions where user_id = ${userId} and id <> ${sessionId}`);
    await recordAudit(inner, { type: 'USER_PASSWORD_CHANGED', userId, address });
  });
}

interface Owner {
  readonly email: string;
  readonly username: string;
  readonly passwordHash: string;
}

async function findOwner(em: Em, userId: string): Promise<Owner> {
  const found = await row(
    em,
    sql<Owner>`select email, username, password_hash as "passwordHash" from users where id = ${userId}`,
  );
  if (found) return found;
  throw new Problem('NOT_FOUND', 'This account does not exist any more.');
}

/** Counted together with sign-in: who holds a stolen session gets no second door to guess at. */
async function requireRightPassword(guesses: GuessLimit, user: Owner, change: PasswordChange): Promise<void> {
  requireHashingCapacity();
  const secondsToWait = await guesses.count(user.email, change.address);
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  if (!(await isPasswordOf(user.passwordHash, change.currentPassword))) {
    throw new Problem('WRONG_PASSWORD', 'The current password is not right; check it and try again.', [
      'currentPassword',
    ]);
  }
  await guesses.clear(user.email, change.address);
}
