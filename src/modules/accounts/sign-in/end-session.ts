import { sha256Hex } from '../../../core/secret.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { recordAudit } from '../../../events/record-audit.ts';

export const REVOKE_SESSION_CODES = ['NOT_FOUND'] as const;

/** Signs the browser with this token out. @returns whether it was signed in */
export async function endSession(em: Em, token: string, address: string): Promise<boolean> {
  return em.transactional(async (inner) => {
    const ended = await row(
      inner,
      sql<{ id: string; userId: string }>`
        delete from sessions where token_hash = ${sha256Hex(token)} returning id, user_id as "userId"`,
    );
    if (!ended) return false;
    const { id: sessionId, userId } = ended;
    await recordAudit(inner, { type: 'USER_SIGNED_OUT', userId, address, detail: { sessionId } });
    return true;
  });
}

/** Ends one of a user's own sessions, by its id. @returns whether there was one */
export async function revokeSession(em: Em, userId: string, sessionId: string, address: string): Promise<boolean> {
  return em.transactional(async (inner) => {
    const ended = await changed(inner, sql`delete from sessions where id = ${sessionId} and user_id = ${userId}`);
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
    const ended = await changed(inner, sql`delete from sessions where user_id = ${userId} and id <> ${keptSessionId}`);
    const detail = { sessionsEnded: ended, keptSessionId };
    if (ended > 0) await recordAudit(inner, { type: 'SESSION_REVOKED', userId, address, detail });
    return ended;
  });
}

/** Deletes sessions that are over by their age, at most `limit` of them. @returns how many */
export async function removeExpiredSessions(em: Em, limit: number): Promise<number> {
  return changed(
    em,
    sql`delete from sessions where id in (
      select id from sessions where expires_at <= now() order by expires_at limit ${limit}
    )`,
  );
}
