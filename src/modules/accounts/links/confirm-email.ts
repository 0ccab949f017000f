import { Problem } from '../../../core/problem.ts';
import { LATER } from '../../../database/expressions.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { violatedConstraint } from '../../../database/violated-constraint.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { linkOver, useLink, voidLinks } from './account-links.ts';
import type { LinkKind } from './account-mail.rules.ts';
import type { AccountMails } from './account-mails.ts';

/** The links that show that somebody reads mail at an address. */
export const EMAIL_LINKS = ['VERIFY_EMAIL', 'CHANGE_EMAIL'] as const satisfies readonly LinkKind[];

export interface ConfirmedEmail {
  readonly userId: string;
  /** False when no address of the account was verified before. */
  readonly wasVerified: boolean;
  readonly kind: (typeof EMAIL_LINKS)[number];
  readonly email: string;
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
      // Other links went to the mailbox that is the account's no more.
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

export function emailTaken(): Problem {
  return new Problem('EMAIL_TAKEN', 'Another account has confirmed this e-mail address, so this one can’t use it.');
}
