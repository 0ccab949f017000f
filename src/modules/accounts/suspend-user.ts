import { Problem } from '../../core/problem.ts';
import { changed, type Em, LATER, NOW, row } from '../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { recordEvent } from '../../events/record-event.ts';
import { voidLinks } from './links/account-links.ts';
import { LINK_KINDS } from './links/account-mail.rules.ts';
import { Session } from './sign-in/session.entity.ts';
import { User } from './user.entity.ts';

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
    if (isNew) {
      await recordAudit(inner, { type: 'USER_SUSPENDED', ...suspension });
      await recordEvent(inner, suspension.userId, { type: 'USER_SUSPENDED' });
    }
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
    if (isNew) {
      await recordAudit(inner, { type: 'USER_REINSTATED', ...suspension });
      await recordEvent(inner, suspension.userId, { type: 'USER_REINSTATED' });
    }
    return isNew;
  });
}

/** @returns whether that changed anything */
async function setSuspended(em: Em, userId: string, isSuspended: boolean): Promise<boolean> {
  const found = await row(em, selectFrom(User, { id: userId }).select('suspendedAt').forUpdate());
  if (!found) throw userNotFound();
  const wasSuspended = found.suspendedAt !== null;
  if (wasSuspended === isSuspended) return false;
  const suspendedAt = isSuspended ? NOW : null;
  await changed(em, updateTable(User, { id: userId }).set({ suspendedAt, updatedAt: LATER }));
  // On reinstatement too: a session may have been started, or a link made, at the very moment of the suspension.
  await changed(em, deleteFrom(Session, { userId }));
  await voidLinks(em, userId, LINK_KINDS);
  return true;
}

export function userNotFound(): Problem {
  return new Problem('NOT_FOUND', 'There is no such user; check the id.');
}
