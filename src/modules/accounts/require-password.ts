import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { type GuessLimit, TooManyGuesses } from '../../limits/guess-limit.ts';
import { isPasswordOf, requireHashingCapacity } from './password-hash.ts';

/** Whose account is about to change. */
export interface AccountOwner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly username: string;
  readonly passwordHash: string;
  /** When all this was so, by the clock of the database. */
  readonly readAt: string;
}

/** @throws Problem NOT_FOUND */
export async function findOwner(em: Em, userId: string): Promise<AccountOwner> {
  const found = await row(
    em,
    sql<AccountOwner>`
      select id, name, email, email_verified_at is not null as "isEmailVerified", username,
        password_hash as "passwordHash", now() as "readAt"
      from users where id = ${userId}`,
  );
  if (found) return found;
  throw new Problem('NOT_FOUND', 'This account does not exist any more.');
}

/**
 * Counted together with sign-in: a stolen session gives no further guesses. An unverified account clears
 * no count, since the address may be somebody else's. @throws Problem WRONG_PASSWORD, TOO_MANY_GUESSES, BUSY
 */
export async function requireRightPassword(
  guesses: GuessLimit,
  owner: AccountOwner,
  { currentPassword, address }: { readonly currentPassword: string; readonly address: string },
): Promise<void> {
  requireHashingCapacity(address);
  const secondsToWait = await guesses.count(owner.email, address);
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  if (!(await isPasswordOf(owner.passwordHash, currentPassword, address))) {
    throw new Problem('WRONG_PASSWORD', 'The current password is not right; check it and try again.', [
      'currentPassword',
    ]);
  }
  if (owner.isEmailVerified) await guesses.clear(owner.email, address);
}
