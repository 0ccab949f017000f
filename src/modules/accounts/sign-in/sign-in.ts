/** sign-in/ owns sessions, and the ways to one: signing up, signing in, a new password. It may import links/. */

import { newId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { sha256Hex } from '../../../core/secret.ts';
import { emailMistake } from '../../../core/text.ts';
import type { RowOf } from '../../../database/columns.ts';
import { changed, type Em, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { sweepOf } from '../../../database/sweep.ts';
import type { AuditRecord } from '../../../events/record-audit.ts';
import { type GuessLimit, TooManyGuesses } from '../../../limits/guess-limit.ts';
import { networkOf } from '../../../limits/network.ts';
import { tidyName } from '../account.rules.ts';
import { requireHashingCapacity, whosePassword } from '../password-hash.ts';
import { User } from '../user.entity.ts';
import { PROFILE, type UserProfile } from '../user.queries.ts';
import { FailedSignIn as FailedSignInHour } from './session.entity.ts';
import { accountSuspended, isSignedInFrom } from './sessions.ts';

export interface SignedIn {
  readonly user: UserProfile;
  /**
   * The hash that the password was compared with: a session begins only while it is still the account's (startSession).
   */
  readonly passwordHash: string;
}

/** Sweeps away hours that are over; their events stay. */
export const removeOldFailedSignIns = sweepOf(FailedSignInHour, 'endsAt');

interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** The network address of the caller: a network that guesses is locked out, others are not. */
  readonly address: string;
}

/**
 * The account with this e-mail address and password: the verified one, or the newest or the oldest that is not. Whether there
 * is one shows neither in the answer nor in its time: each failure costs the same statements and as many hashes.
 *
 * Where many networks guess at one account, it takes some seconds, but not from a network in which its user is signed in.
 *
 * @throws Problem WRONG_CREDENTIALS, ACCOUNT_SUSPENDED (only to callers who know the password), TOO_MANY_GUESSES, BUSY
 */
export async function signIn(em: Em, guesses: GuessLimit, input: SignInInput): Promise<SignedIn> {
  const { address } = input;
  const email = tidyName(input.email);
  // Checked before counting: a request that is refused for want of threads is no guess, and is not counted.
  requireHashingCapacity(address);
  const secondsToWait = await guesses.count(email, address, async () => {
    return isAddress(email) && isSignedInFrom(em, email, address);
  });
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  const accounts = await findAccounts(em, email);
  const hashes = accounts.map((account) => account?.passwordHash);
  const found = accounts[await whosePassword(hashes, input.password, address)];
  if (!found) {
    const known = accounts.find((account) => account !== undefined);
    await recordFailedSignIn(em, {
      userId: known?.id ?? null,
      address,
      reason: 'WRONG_CREDENTIALS',
    });
    throw new Problem('WRONG_CREDENTIALS', 'The e-mail address or password is wrong; check both and try again.');
  }
  // Anybody can have an unverified account with somebody else's address, and must not clear that one's count with it.
  if (found.isEmailVerified) await guesses.clear(email, address);
  const { passwordHash, suspendedAt, ...user } = found;
  if (suspendedAt === null) return { user, passwordHash };
  await recordFailedSignIn(em, { userId: found.id, address, reason: 'ACCOUNT_SUSPENDED' });
  throw accountSuspended();
}

/** A text that cannot be an address never reaches the database, which would refuse NUL with an error. */
function isAddress(email: string): boolean {
  return emailMistake(['email'], email) === undefined;
}

type Account = UserProfile & Pick<RowOf<typeof User>, 'passwordHash' | 'suspendedAt'>;

/**
 * The verified account of the address, the newest unverified one, and the oldest: anybody can make more of them later,
 * and they must not hide the owner's. Always three places, and one statement.
 */
async function findAccounts(em: Em, email: string): Promise<readonly (Account | undefined)[]> {
  if (!isAddress(email)) return [undefined, undefined, undefined];
  const accounts = selectFrom(User, { email }).select([...PROFILE, 'passwordHash', 'suspendedAt']);
  const unverified = accounts.where('emailVerifiedAt', 'is', null).limit(1);
  const found = await rows(
    em,
    accounts
      .where('emailVerifiedAt', 'is not', null)
      .unionAll((eb) => [
        eb.parens(unverified.orderBy('createdAt', 'desc').orderBy('id', 'desc')),
        eb.parens(unverified.orderBy('createdAt').orderBy('id')),
      ]),
  );
  const [newest, oldest] = found.filter(({ isEmailVerified }) => !isEmailVerified);
  return [found.find(({ isEmailVerified }) => isEmailVerified), newest, oldest];
}

interface FailedSignIn {
  /** Null for an address that nobody has. */
  readonly userId: string | null;
  readonly address: string;
  readonly reason: 'WRONG_CREDENTIALS' | 'ACCOUNT_SUSPENDED';
}

const TYPE: AuditRecord['type'] = 'USER_SIGN_IN_FAILED';

/**
 * Tells the audit log. Anybody can fail any number of times, so the failures of one account from one network in one hour
 * are one event with their number, and so are all those for addresses that nobody has. For these too, and by one
 * statement each time, or the time would tell; without what was typed, which may be a password in the wrong field.
 */
async function recordFailedSignIn(em: Em, { userId, address, reason }: FailedSignIn): Promise<void> {
  const key = sha256Hex(JSON.stringify([userId, networkOf(address), reason]));
  const detail = JSON.stringify({ reason, failures: 1 });
  await changed(
    em,
    sql`with this_hour as (
          insert into failed_sign_ins as known (key, event_at, event_id, ends_at)
          values (${key}, clock_timestamp(), ${newId()}, clock_timestamp() + interval '1 hour')
          on conflict (key) do update set
            event_at = case when known.ends_at <= now() then excluded.event_at else known.event_at end,
            event_id = case when known.ends_at <= now() then excluded.event_id else known.event_id end,
            ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
          returning event_at, event_id
        )
        insert into audit_events as event (occurred_at, id, type, user_id, address, detail)
        select event_at, event_id, ${TYPE}::text, ${userId}::uuid, ${address}::text, ${detail}::jsonb from this_hour
        on conflict (occurred_at, id) do update set
          address = excluded.address,
          detail = event.detail || jsonb_build_object('failures', (event.detail->>'failures')::int + 1)`,
  );
}
