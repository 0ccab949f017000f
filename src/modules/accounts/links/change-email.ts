import { Problem } from '../../../core/problem.ts';
import { emailMistake } from '../../../core/text.ts';
import { violatedConstraint } from '../../../database/failure.ts';
import { type Em, LATER, row, sql } from '../../../database/sql.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import { recordEvent } from '../../../events/record-event.ts';
import type { GuessLimit } from '../../../limits/guess-limit.ts';
import { tidyName } from '../account.rules.ts';
import { type AccountOwner, findOwner, requireRightPassword } from '../require-password.ts';
import { linkOver, makeLink, useLink, voidLinks } from './account-links.ts';
import type { LinkKind } from './account-mail.rules.ts';
import type { AccountMails } from './account-mails.ts';

export const REQUEST_EMAIL_CHANGE_CODES = [
  'REQUIRED',
  'INVALID_EMAIL',
  'SAME_EMAIL',
  'WRONG_PASSWORD',
  'TOO_MANY_GUESSES',
  'TOO_MANY_MAILS',
  'BUSY',
  'NOT_FOUND',
] as const;

/** The links that show that somebody reads mail at an address. */
export const EMAIL_LINKS = ['VERIFY_EMAIL', 'CHANGE_EMAIL'] as const satisfies readonly LinkKind[];

interface ConfirmedEmail {
  readonly userId: string;
  /** False when no address of the account was verified before. */
  readonly wasVerified: boolean;
  readonly kind: (typeof EMAIL_LINKS)[number];
  readonly email: string;
}

interface EmailChange {
  readonly userId: string;
  readonly newEmail: string;
  readonly currentPassword: string;
  readonly address: string;
}

/**
 * Requests another address, which becomes the account's when its owner follows the link that is mailed there; until then
 * nothing changes. A change of the password in the meantime stops it. The answer is the same whether or not another account
 * has that address: only a mail to it tells. `alongWith` happens first in the transaction of the change.
 *
 * @throws Problem INVALID_EMAIL, REQUIRED, SAME_EMAIL, WRONG_PASSWORD, TOO_MANY_GUESSES, TOO_MANY_MAILS, BUSY
 */
export async function requestEmailChange(
  em: Em,
  guesses: GuessLimit,
  mails: AccountMails,
  change: EmailChange,
  alongWith?: (inner: Em) => Promise<unknown>,
): Promise<string> {
  const { userId, address } = change;
  const owner = await findOwner(em, userId);
  const newEmail = checkedEmail(change.newEmail, owner);
  await requireRightPassword(em, guesses, owner, change);
  const admission = await mails.requireRoom(em, newEmail, address, 'NEWS');
  const token = await em.transactional(async (inner) => {
    await alongWith?.(inner);
    const { passwordHash } = owner;
    const made = await makeLink(inner, { userId, kind: 'CHANGE_EMAIL', email: newEmail, passwordHash });
    if (made === undefined) throw await whatChanged(inner, owner);
    await recordAudit(inner, { type: 'USER_EMAIL_CHANGE_REQUESTED', userId, address });
    if (owner.isEmailVerified) await mails.emailAboutToChange(inner, owner, newEmail);
    return made;
  });
  mails.newEmail(owner, newEmail, token, admission);
  return newEmail;
}

/** Keeps the address as it is. @returns whether a change was pending */
export async function cancelEmailChange(em: Em, userId: string): Promise<boolean> {
  return (await voidLinks(em, userId, ['CHANGE_EMAIL'])) > 0;
}

/**
 * Follows a link that was mailed to an address: from now on the address is the account's, and no other account can have
 * it. One statement uses the link up and changes the account, so of any number at once one does it.
 *
 * @throws Problem LINK_OVER; EMAIL_TAKEN when another account has verified the address meanwhile, and the link stays
 */
export async function confirmEmail(
  em: Em,
  mails: AccountMails,
  { token, address }: { readonly token: string; readonly address: string },
  alongWith?: (em: Em, confirmed: ConfirmedEmail) => Promise<unknown>,
): Promise<ConfirmedEmail> {
  return em.transactional(async (inner) => {
    const confirmed = await confirm(inner, token);
    if (!confirmed) throw linkOver();
    const { userId, username, locale, kind, email, emailBefore, wasVerified } = confirmed;
    if (kind === 'VERIFY_EMAIL') await recordAudit(inner, { type: 'USER_EMAIL_VERIFIED', userId, address });
    else {
      // Other links went to the old mailbox, which no longer belongs to the account.
      await voidLinks(inner, userId, ['VERIFY_EMAIL', 'RESET_PASSWORD']);
      await recordAudit(inner, { type: 'USER_EMAIL_CHANGED', userId, address, detail: { emailBefore } });
      if (wasVerified) await mails.emailChanged(inner, { email: emailBefore, username, locale }, email);
    }
    if (!wasVerified) await recordEvent(inner, userId, { type: 'USER_VERIFIED' });
    const done = { userId, kind, email, wasVerified };
    await alongWith?.(inner, done);
    return done;
  });
}

export function emailTaken(): Problem {
  return new Problem('EMAIL_TAKEN', 'Another account has confirmed this e-mail address, so this one can’t use it.');
}

/**
 * Mails the link that verifies an account's address once more; the one before is void. The same whether or not another
 * account has verified the address: only its mailbox is told. `before` happens before the mail is sent, which it may refuse.
 * @throws Problem ALREADY_VERIFIED, TOO_MANY_MAILS
 */
export async function requestVerification(
  em: Em,
  mails: AccountMails,
  { userId, address }: { readonly userId: string; readonly address: string },
  before?: (em: Em) => Promise<unknown>,
): Promise<void> {
  const { email, isEmailVerified } = await findOwner(em, userId);
  if (isEmailVerified) throw new Problem('ALREADY_VERIFIED', 'Your e-mail address is already confirmed.');
  const admission = await mails.requireRoom(em, email, address, 'NEWS');
  await before?.(em);
  mails.verification(userId, admission);
}

function checkedEmail(typed: string, { email: current, isEmailVerified }: AccountOwner): string {
  const [email, path] = [tidyName(typed), ['newEmail'] as const];
  const mistake = emailMistake(path, email);
  Problem.throwIfAny(mistake ? [mistake] : []);
  if (email !== current) return email;
  const advice = isEmailVerified ? '' : ' To confirm it, ask for another mail.';
  throw new Problem('SAME_EMAIL', `That’s already the address of your account.${advice}`, path);
}

/** Why there is no link for an account whose password was right a moment ago. */
async function whatChanged(em: Em, { id, passwordHash }: AccountOwner): Promise<Problem> {
  const now = await findOwner(em, id);
  if (now.passwordHash === passwordHash) return new Problem('NOT_FOUND', 'This account no longer exists.');
  const message = 'The password was changed at this moment, and the address stays as it is; type the new password.';
  return new Problem('WRONG_PASSWORD', message, ['currentPassword']);
}

interface Confirmed extends ConfirmedEmail {
  readonly username: string;
  readonly locale: string;
  readonly emailBefore: string;
}

function confirm(em: Em, token: string): Promise<Confirmed | undefined> {
  return row(
    em,
    sql<Confirmed>`
      with ${useLink(token, EMAIL_LINKS)}
      update users u set email = used.email, email_verified_at = now(), updated_at = ${LATER}
      from used join before on before.id = used.user_id
      where u.id = used.user_id and u.suspended_at is null and (used.kind = 'CHANGE_EMAIL' or u.email = used.email)
      returning u.id as "userId", u.username, u.locale, used.kind, u.email, before.email as "emailBefore",
        before.email_verified_at is not null as "wasVerified"`,
  ).catch((error: unknown) => {
    if (violatedConstraint(error) === 'users_verified_email_key') throw emailTaken();
    throw error;
  });
}
