import { Problem } from '../../../core/problem.ts';
import { emailMistake, slugMistake } from '../../../core/text.ts';
import { type Selected, selectColumnsAs } from '../../../database/columns.ts';
import { violatedConstraint } from '../../../database/failure.ts';
import { changed, type Em, LATER, row, sql } from '../../../database/sql.ts';
import { deleteFrom, updateTable } from '../../../database/statements.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import type { GuessLimit } from '../../../limits/guess-limit.ts';
import { guessablePasswordMistake, passwordMistake, tidyName } from '../account.rules.ts';
import { findLink, linkOver, useLink, voidLinks } from '../links/account-links.ts';
import { LINK_KINDS } from '../links/account-mail.rules.ts';
import type { AccountMails } from '../links/account-mails.ts';
import { emailTaken } from '../links/change-email.ts';
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
  readonly endsOtherSessions: boolean;
  readonly address: string;
}

/** A step that the caller adds to the transaction of the change, such as ending the access of apps, which this module does not know. */
export type AlongWith = (em: Em, owner: AccountOwner) => Promise<unknown>;

export interface PasswordReset {
  readonly token: string;
  readonly newPassword: string;
  readonly address: string;
}

const ACCOUNT = selectColumnsAs(User, { userId: 'id', email: 'email', username: 'username', locale: 'locale' }, 'u');

/** The account whose password was set. */
interface ResetAccount extends Selected<typeof ACCOUNT> {
  /** False when the link has verified the address: until now, anybody may have been in the account. */
  readonly wasVerified: boolean;
}

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

/** @throws Problem with what is wrong with a new password of somebody's */
function throwIfUnfit(newPassword: string, owner: Pick<AccountOwner, 'email' | 'username'>): void {
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
  { sessionId, endsOtherSessions }: PasswordChange,
): Promise<void> {
  const { id, readAt } = owner;
  const others = deleteFrom(Session, { userId: id }).where('id', '<>', sessionId);
  await changed(em, endsOtherSessions ? others : others.where('createdAt', '>=', readAt));
}

/** A username as accounts have it; undefined where none was typed. What cannot be one never reaches the database. */
function namedIn(typed: string | undefined): string | undefined {
  const username = tidyName(typed ?? '');
  if (username === '') return undefined;
  return slugMistake(['username'], username) ? '' : username;
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
