import { type Em, row, sql } from '../../src/database/sql.ts';
import { type SessionStart, type StartedSession, startSession } from '../../src/modules/accounts/sign-in/sessions.ts';

/** Signs a user in whose password the test has no need to know. */
export async function aSession(
  em: Em,
  userId: string,
  start: Partial<Omit<SessionStart, 'userId'>> = {},
): Promise<StartedSession> {
  const user = await row(em, sql<{ hash: string }>`select password_hash as hash from users where id = ${userId}`);
  const passwordHash = user?.hash ?? '';
  return startSession(em, { userId, passwordHash, userAgent: 'test', address: '192.0.2.1', ...start });
}
