import { checkedFields } from '../../../core/fields.ts';
import { newUserId } from '../../../core/id.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import { violatedConstraint } from '../../../database/failure.ts';
import { type Em, json, NOW, row } from '../../../database/sql.ts';
import { insertInto } from '../../../database/statements.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import { ACCOUNT_FIELDS, guessablePasswordMistake, type NewAccount } from '../account.rules.ts';
import { claimUsername, usernameTaken } from '../claim-username.ts';
import { hashPassword } from '../password-hash.ts';
import { User } from '../user.entity.ts';
import { PROFILE, type UserProfile } from '../user.queries.ts';
import type { SignedIn } from './sign-in.ts';

export interface SignUpInput {
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** IANA name; UTC when absent. */
  readonly timeZone?: string | undefined;
  /** BCP 47; English when absent. */
  readonly locale?: string | undefined;
  /** The network address of the caller: for the audit log, and the line in which the password waits to be hashed. */
  readonly address?: string;
  /** The operator vouches for the address. */
  readonly isEmailVerified?: boolean;
}

/**
 * Gives a new account its first things in the same transaction, in words of its locale (BCP 47); modules further up own
 * it.
 */
export type Furnish = (em: Em, userId: string, locale: string) => Promise<unknown>;

/**
 * Makes an account and says with which hash it may be signed in at once. Its address is verified later, by the reader
 * of the mail there (change-email.ts), so it may be anybody's, and the answer is the same whether or not another account has it.
 *
 * @throws Problem with every mistake at once; GUESSABLE, USERNAME_TAKEN; EMAIL_TAKEN for a verified one; BUSY
 */
export async function signUp(em: Em, input: SignUpInput, furnish?: Furnish): Promise<SignedIn> {
  const { name, username, email, password, timeZone = 'UTC', locale = 'en', address } = input;
  const account = checkedFields({ name, username, email, password, timeZone, locale }, ACCOUNT_FIELDS);
  const mistake = guessablePasswordMistake(['password'], password, account);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const passwordHash = await hashPassword(password, address);
  const userId = newUserId();
  const user = await em.transactional(async (inner) => {
    await claimUsername(inner, userId, account.username);
    const created = await insertUser(inner, account, {
      userId,
      passwordHash,
      isEmailVerified: input.isEmailVerified ?? false,
    });
    await recordAudit(inner, { type: 'USER_SIGNED_UP', userId, address: address ?? null });
    await furnish?.(inner, userId, locale);
    return created;
  });
  return { user, passwordHash };
}

async function insertUser(
  em: Em,
  { email, username, name, timeZone, locale }: NewAccount,
  {
    userId,
    passwordHash,
    isEmailVerified,
  }: { readonly userId: string; readonly passwordHash: string; readonly isEmailVerified: boolean },
): Promise<UserProfile> {
  const inserted = await row(
    em,
    insertInto(User)
      .values({
        id: userId,
        email,
        emailVerifiedAt: isEmailVerified ? NOW : null,
        origin: isEmailVerified ? 'OPERATOR' : 'SIGN_UP',
        username,
        name,
        passwordHash,
        timeZone,
        weekStart: 'MONDAY',
        timeFormat: 24,
        locale,
        metadata: json({}),
        isAdministrator: false,
        createdAt: NOW,
        updatedAt: NOW,
      })
      .returning(PROFILE),
  ).catch((error: unknown) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'users_username_unique') Problem.throwIfAny([usernameTaken(username)]);
    if (constraint === 'users_verified_email_key') Problem.throwIfAny([emailTaken(email)]);
    throw error;
  });
  if (inserted) return inserted;
  throw new Error('An account was inserted and is not there.');
}

function emailTaken(email: string): Mistake {
  const message = `There is a verified account with the e-mail address "${email}" already.`;
  return { code: 'EMAIL_TAKEN', message, path: ['email'] };
}
