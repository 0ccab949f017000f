import { Problem } from '../../core/problem.ts';
import type { RowOf } from '../../database/columns.ts';
import { type Em, NOW, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type GuessLimit, TooManyGuesses } from '../../limits/guess-limit.ts';
import { isPasswordOf, requireHashingCapacity } from './password-hash.ts';
import { isSignedInFrom } from './sign-in/sessions.ts';
import { User } from './user.entity.ts';
import { IS_EMAIL_VERIFIED } from './user.queries.ts';

/** The user whose account is about to change. */
export interface AccountOwner extends Pick<RowOf<typeof User>, (typeof COLUMNS)[number]> {
  readonly isEmailVerified: boolean;
  /** When all this was so, by the clock of the database. */
  readonly readAt: string;
}

const COLUMNS = ['id', 'name', 'email', 'username', 'locale', 'passwordHash'] as const;

/** @throws Problem NOT_FOUND */
export async function findOwner(em: Em, userId: string): Promise<AccountOwner> {
  const owner = selectFrom(User, { id: userId }).select([...COLUMNS, IS_EMAIL_VERIFIED, NOW.as('readAt')]);
  const found = await row(em, owner);
  if (found) return found;
  throw new Problem('NOT_FOUND', 'This account no longer exists.');
}

/**
 * Counted together with sign-in: a stolen session gives no further guesses. An unverified account clears
 * no count, since the address may be somebody else's. @throws Problem WRONG_PASSWORD, TOO_MANY_GUESSES, BUSY
 */
export async function requireRightPassword(
  em: Em,
  guesses: GuessLimit,
  owner: AccountOwner,
  { currentPassword, address }: { readonly currentPassword: string; readonly address: string },
): Promise<void> {
  requireHashingCapacity(address);
  const secondsToWait = await guesses.count(owner.email, address, () => isSignedInFrom(em, owner.email, address));
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  if (!(await isPasswordOf(owner.passwordHash, currentPassword, address))) {
    throw new Problem('WRONG_PASSWORD', 'The current password is wrong; check it and try again.', ['currentPassword']);
  }
  if (owner.isEmailVerified) await guesses.clear(owner.email, address);
}
