import { Problem } from '../../core/problem.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { voidLinks } from './links/account-links.ts';
import { LINK_KINDS } from './links/account-mail.rules.ts';

export interface Suspension {
  readonly userId: string;
  /** The administrator who decided. */
  readonly actorId: string;
  readonly address: string;
}

/**
 * Keeps a user out, and ends the user's sessions and mailed links; the grants of apps are ended in
 * oauth/users/suspend-user.ts.
 * @returns whether the user could sign in until now @throws Problem NOT_FOUND
 */
export async function suspendUser(em: Em, suspension: Suspension): Promise<boolean> {
  return em.transactional(async (inner) => {
    const isNew = await setSuspended(inner, suspension.userId, true);
    if (isNew) await recordAudit(inner, { type: 'USER_SUSPENDED', ...suspension });
    return isNew;
  });
}

/**
 * Lets a user in again, who has to sign in anew.
 * @returns whether the user was suspended until now @throws Problem NOT_FOUND
 */
export async function reinstateUser(em: Em, suspension: Suspension): Promise<boolean> {
  return em.transactional(async (inner) => {
    const isNew = await setSuspended(inner, suspension.userId, false);
    if (isNew) await recordAudit(inner, { type: 'USER_REINSTATED', ...suspension });
    return isNew;
  });
}

/** @returns whether that changed anything */
async function setSuspended(em: Em, userId: string, isSuspended: boolean): Promise<boolean> {
  const found = await row(
    em,
    sql<{ wasSuspended: boolean }>`
      select suspended_at is not null as "wasSuspended" from users where id = ${userId} for update`,
  );
  if (!found) throw userNotFound();
  if (found.wasSuspended === isSuspended) return false;
  const suspendedAt = isSuspended ? sql`now()` : sql`null`;
  await changed(em, sql`update users set suspended_at = ${suspendedAt}, updated_at = now() where id = ${userId}`);
  // On reinstatement too: a session may have been started, or a link made, at the very moment of the suspension.
  await changed(em, sql`delete from sessions where user_id = ${userId}`);
  await voidLinks(em, userId, LINK_KINDS);
  return true;
}

export function userNotFound(): Problem {
  return new Problem('NOT_FOUND', 'There is no such user; check the id.');
}
