import { sha256Hex } from '../../../core/secret.ts';
import { changed, type Em, row } from '../../../database/sql.ts';
import { deleteFrom } from '../../../database/statements.ts';
import { sweepOf } from '../../../database/sweep.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import { Session } from './session.entity.ts';

export const REVOKE_SESSION_CODES = ['NOT_FOUND'] as const;

/** Signs the browser with this token out. @returns whether it was signed in */
export async function endSession(em: Em, token: string, address: string): Promise<boolean> {
  return em.transactional(async (inner) => {
    const ended = await row(inner, deleteFrom(Session, { tokenHash: sha256Hex(token) }).returning(['id', 'userId']));
    if (!ended) return false;
    const { id: sessionId, userId } = ended;
    await recordAudit(inner, { type: 'USER_SIGNED_OUT', userId, address, detail: { sessionId } });
    return true;
  });
}

/** Ends one of a user's own sessions, by its id. @returns whether there was one */
export async function revokeSession(em: Em, userId: string, sessionId: string, address: string): Promise<boolean> {
  return em.transactional(async (inner) => {
    const ended = await changed(inner, deleteFrom(Session, { id: sessionId, userId }));
    if (ended > 0) await recordAudit(inner, { type: 'SESSION_REVOKED', userId, address, detail: { sessionId } });
    return ended > 0;
  });
}

/** Ends all of a user's sessions but this one. @returns how many */
export async function endOtherSessions(
  em: Em,
  userId: string,
  keptSessionId: string,
  address: string,
): Promise<number> {
  return em.transactional(async (inner) => {
    const ended = await changed(inner, deleteFrom(Session, { userId }).where('id', '<>', keptSessionId));
    const detail = { sessionsEnded: ended, keptSessionId };
    if (ended > 0) await recordAudit(inner, { type: 'SESSION_REVOKED', userId, address, detail });
    return ended;
  });
}

/** Deletes sessions that are over by their age. */
export const removeExpiredSessions = sweepOf(Session, 'expiresAt');
