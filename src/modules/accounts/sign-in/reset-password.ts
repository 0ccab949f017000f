import { Problem } from '../../../core/problem.ts';
import { emailMistake, slugMistake } from '../../../core/text.ts';
import { type Selected, selectColumnsAs } from '../../../database/columns.ts';
import { LATER } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom } from '../../../database/statements.ts';
import { violatedConstraint } from '../../../database/violated-constraint.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import type { GuessLimit } from '../../../limits/guess-limit.ts';
import { tidyName } from '../account.rules.ts';
import { findLink, linkOver, useLink, voidLinks } from '../links/account-links.ts';
import { LINK_KINDS } from '../links/account-mail.rules.ts';
import type { AccountMails } from '../links/account-mails.ts';
import { emailTaken } from '../links/confirm-email.ts';
import { hashPassword } from '../password-hash.ts';
import { User } from '../user.entity.ts';
import { throwIfUnfit } from './change-password.ts';
import { Session } from './session.entity.ts';

/**
 * Mails links to set a new password, if there are accounts with the address: to the one that has verified it, else to each of
 * them, or to the one of `username`, for where there are more than a mail has room for. The
 * answer does not wait to see, so neither it nor its time tells. @throws Problem REQUIRED, INVALID_EMAIL, TOO_MANY_MAILS
 */
export async function requestPasswordReset(
  em: Em,
  mails: AccountMails,
  {
    email,
    username,
    address,
  }: { readonly email: string; readonly username?: string | undefined; readonly address: string },
): Promise<void> {
  const to = tidyName(email);
  const mistake = emailMistake(['email'], to);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const admission = await mails.requireRoom(em, to, address, 'ACCESS');
  mails.passwordReset({ email: to, username: namedIn(username) }, admission, (inner, userId) =>
    recordAudit(
      inner,
      { type: 'USER_PASSWORD_RESET_REQUESTED', userId, address },
      sql`exists (select from users where id = ${userId} and suspended_at is null)`,
    ),
  );
}

/** A username as accounts have it; undefined where none was typed. What cannot be one never reaches the database. */
function namedIn(typed: string | undefined): string | undefined {
  const username = tidyName(typed ?? '');
  if (username === '') return undefined;
  return slugMistake(['username'], username) ? '' : username;
}

export interface PasswordReset {
  readonly token: string;
  readonly newPassword: string;
  readonly address: string;
}

const ACCOUNT = selectColumnsAs(User, { userId: 'id', email: 'email', username: 'username', locale: 'locale' }, 'u');

/** The account whose password was set. */
export interface ResetAccount extends Selected<typeof ACCOUNT> {
  /** False when the link has verified the address: until now, anybody may have been in the account. */
  readonly wasVerified: boolean;
}

/**
 * Sets a new password by a link, and signs all browsers out. The user of the link reads mail at the address, so it is
 * verified from now on. One statement uses the link up and sets the password: of any number at once, one does it.
 *
 * @throws Problem LINK_OVER, a mistake of the password, EMAIL_TAKEN, BUSY
 */
export async function resetPassword(
  em: Em,
  guesses: GuessLimit,
  mails: AccountMails,
  { token, newPassword, address }: PasswordReset,
  alongWith?: (em: Em, account: ResetAccount) => Promise<unknown>,
): Promise<ResetAccount> {
  const link = await findLink(em, token, ['RESET_PASSWORD']);
  if (!link) throw linkOver();
  throwIfUnfit(newPassword, link);
  const newHash = await hashPassword(newPassword, address);
  const account = await em.transactional(async (inner) => {
    const reset = await setPassword(inner, token, newHash);
    if (!reset) throw linkOver();
    const { userId } = reset;
    await changed(inner, deleteFrom(Session, { userId }));
    await voidLinks(inner, userId, LINK_KINDS);
    await recordAudit(inner, { type: 'USER_PASSWORD_RESET', userId, address });
    await mails.passwordChanged(inner, reset);
    await alongWith?.(inner, reset);
    return reset;
  });
  // A user who was locked out after wrong guesses has proved by the link who they are.
  await guesses.clear(account.email, address);
  return account;
}

function setPassword(em: Em, token: string, newHash: string): Promise<ResetAccount | undefined> {
  return row(
    em,
    sql<ResetAccount>`
      with ${useLink(token, ['RESET_PASSWORD'])}
      update users u set password_hash = ${newHash}, email_verified_at = coalesce(u.email_verified_at, now()),
        updated_at = ${LATER}
      from used join before on before.id = used.user_id
      where u.id = used.user_id and u.email = used.email and u.suspended_at is null
      returning ${ACCOUNT}, before.email_verified_at is not null as "wasVerified"`,
  ).catch((error: unknown) => {
    if (violatedConstraint(error) === 'users_verified_email_key') throw emailTaken();
    throw error;
  });
}
