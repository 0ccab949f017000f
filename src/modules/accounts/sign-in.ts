import { Problem } from '../../core/problem.ts';
import { emailMistake } from '../../core/text.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { type GuessLimit, TooManyGuesses } from '../../limits/guess-limit.ts';
import { tidyName } from './account.rules.ts';
import { isPasswordOf, requireHashingCapacity } from './password-hash.ts';
import { asUserProfile, PROFILE_COLUMNS, type UserProfile, type UserProfileRow } from './user.queries.ts';

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** Where it comes from: a network that guesses is locked out, others are not. */
  readonly address: string;
}

/**
 * The user with this e-mail address and password. Whether the account exists shows neither in the answer nor in its time.
 *
 * @throws Problem WRONG_CREDENTIALS, ACCOUNT_SUSPENDED (only to who knows the password), TOO_MANY_GUESSES, BUSY
 */
export async function signIn(em: Em, guesses: GuessLimit, input: SignInInput): Promise<UserProfile> {
  const email = tidyName(input.email);
  // Before counting: what is refused for want of threads is no guess, and leaves no count behind.
  requireHashingCapacity();
  const secondsToWait = await guesses.count(email, input.address);
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  const found = await findCredentials(em, email);
  const isRight = await isPasswordOf(found?.passwordHash, input.password);
  if (!found || !isRight) {
    await recordFailure(em, input, found, 'WRONG_CREDENTIALS');
    const message = 'The e-mail address or the password is not right; check both and try again.';
    throw new Problem('WRONG_CREDENTIALS', message);
  }
  await guesses.clear(email, input.address);
  const { passwordHash: _, isSuspended, ...profile } = found;
  if (!isSuspended) return asUserProfile(profile);
  await recordFailure(em, input, found, 'ACCOUNT_SUSPENDED');
  throw new Problem('ACCOUNT_SUSPENDED', 'This account is suspended; ask an administrator of the service why.');
}

/** For nobody's account too, or the time would tell; without what was typed, which may be a password in the wrong field. */
async function recordFailure(em: Em, input: SignInInput, user: Credentials | undefined, reason: string): Promise<void> {
  const { address } = input;
  await recordAudit(em, { type: 'USER_SIGN_IN_FAILED', userId: user?.id ?? null, address, detail: { reason } });
}

type Credentials = UserProfileRow & { readonly passwordHash: string; readonly isSuspended: boolean };

async function findCredentials(em: Em, email: string): Promise<Credentials | undefined> {
  // What cannot be an address never reaches the database, which would refuse NUL with an error.
  if (emailMistake(['email'], email)) return undefined;
  return row(
    em,
    sql<Credentials>`
      select ${PROFILE_COLUMNS}, password_hash as "passwordHash", suspended_at is not null as "isSuspended"
      from users where email = ${email}`,
  );
}
