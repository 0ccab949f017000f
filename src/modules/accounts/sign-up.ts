import { checkedFields } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { ACCOUNT_FIELDS, guessablePasswordMistake, type NewAccount } from './account.rules.ts';
import { hashPassword } from './password-hash.ts';
import { asUserProfile, PROFILE_COLUMNS, type UserProfile, type UserProfileRow } from './user.queries.ts';

export interface SignUpInput {
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** IANA name; UTC when absent. */
  readonly timeZone?: string | undefined;
  /** Where it comes from, for the audit log. */
  readonly address?: string;
}

/** What a new account begins with, made in the same transaction; modules further up own it. */
export type Furnish = (em: Em, userId: string) => Promise<unknown>;

/**
 * Makes an account. It can be used at once, so a taken e-mail address cannot be hidden: whoever signs up would notice on
 * signing in. It is said plainly, with the way to sign in; the caller limits how often one network may ask.
 *
 * @throws Problem with every mistake at once; GUESSABLE, EMAIL_TAKEN, USERNAME_TAKEN; BUSY
 */
export async function signUp(em: Em, input: SignUpInput, furnish?: Furnish): Promise<UserProfile> {
  const { name, username, email, password, timeZone = 'UTC' } = input;
  const account = checkedFields({ name, username, email, password, timeZone }, ACCOUNT_FIELDS);
  const mistake = guessablePasswordMistake(['password'], password, account);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const passwordHash = await hashPassword(password);
  return em.transactional(async (inner) => {
    // The constraints decide; who lost, and by which of them, is only looked up to say so.
    const created = await insertUser(inner, account, passwordHash);
    if (!created) return refuseTakenNames(inner, account);
    await recordAudit(inner, { type: 'USER_SIGNED_UP', userId: created.id, address: input.address ?? null });
    await furnish?.(inner, created.id);
    return asUserProfile(created);
  });
}

export function usernameTaken(username: string): Mistake {
  return {
    code: 'USERNAME_TAKEN',
    message: `The username "${username}" is taken; choose another.`,
    path: ['username'],
  };
}

async function insertUser(em: Em, account: NewAccount, passwordHash: string): Promise<UserProfileRow | undefined> {
  const { email, username, name, timeZone } = account;
  return row(
    em,
    sql<UserProfileRow>`
      insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
        metadata, is_administrator, created_at, updated_at)
      values (${newId('user')}, ${email}, ${username}, ${name}, ${passwordHash}, ${timeZone}, 'MONDAY', 24, 'en',
        '{}', false, now(), now())
      on conflict do nothing
      returning ${PROFILE_COLUMNS}`,
  );
}

async function refuseTakenNames(em: Em, { email, username }: NewAccount): Promise<never> {
  const taken = await row(
    em,
    sql<{ email: boolean; username: boolean }>`
      select exists(select 1 from users where email = ${email}) as email,
        exists(select 1 from users where username = ${username}) as username`,
  );
  Problem.throwIfAny([
    ...(taken?.username ? [usernameTaken(username)] : []),
    ...(taken?.email ? [emailTaken(email)] : []),
  ]);
  throw new Problem('CONFLICT', 'Somebody else was signing up with the same name at this moment; try again.');
}

function emailTaken(email: string): Mistake {
  const message = `There is an account with the e-mail address "${email}" already; sign in, or use another address.`;
  return { code: 'EMAIL_TAKEN', message, path: ['email'] };
}
