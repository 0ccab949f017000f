import { newId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { randomBase62, sha256Hex } from '../../../core/secret.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../../database/statements.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import { noteSignIn } from '../../../limits/mail-receivers.ts';
import { User } from '../user.entity.ts';
import { Session } from './session.entity.ts';

/** A session nobody uses ends after 30 days, any after 90: `expires_at` is whichever comes first. */
export const SESSION_DAYS = { idle: 30, inAll: 90 } as const;

const MAX_USER_AGENT_LENGTH = 300;

export interface SessionStart {
  readonly userId: string;
  /** The hash that the password was compared with: once another one is stored, that password opens nothing any more. */
  readonly passwordHash: string;
  readonly userAgent: string;
  readonly address: string;
  /** The token that the browser showed before, if any: its session ends, so that a planted one is worth nothing. */
  readonly previousToken?: string | undefined;
}

export interface StartedSession {
  readonly id: string;
  /** 256 random bits for the cookie; stored as SHA-256 only. */
  readonly token: string;
}

/**
 * Signs a user in in one browser.
 * @throws Problem ACCOUNT_SUSPENDED, WRONG_CREDENTIALS for a password that was changed in the meantime
 */
export async function startSession(em: Em, start: SessionStart): Promise<StartedSession> {
  const { userId, address, previousToken } = start;
  const session = { id: newId(), token: randomBase62(43) };
  await em.transactional(async (inner) => {
    if (previousToken !== undefined) {
      await changed(inner, deleteFrom(Session, { tokenHash: sha256Hex(previousToken) }));
    }
    await insertSession(inner, session, start);
    await answerMails(inner, userId);
    await recordAudit(inner, { type: 'USER_SIGNED_IN', userId, address, detail: { sessionId: session.id } });
  });
  return session;
}

/** A user who signs in with a verified address reads its mails, so mails that strangers cause may go there again. */
async function answerMails(em: Em, userId: string): Promise<void> {
  const verified = selectFrom(User, { id: userId }).where('emailVerifiedAt', 'is not', null).select('email');
  const user = await row(em, verified);
  if (user) await noteSignIn(em, user.email);
}

/**
 * `for share` waits for a change of the account that is under way and then looks at what it left: without it, a session
 * inserted beside a change of password, and committed after that has ended all others, would live on.
 */
async function insertSession(em: Em, session: StartedSession, start: SessionStart): Promise<void> {
  const { userId, passwordHash } = start;
  const started = await row(
    em,
    sql<{ id: string }>`
      insert into sessions (id, token_hash, user_id, user_agent, address, created_at, last_seen_at, expires_at)
      select ${session.id}, ${sha256Hex(session.token)}, id, ${shownUserAgent(start.userAgent)}, ${start.address},
        now(), now(), now() + make_interval(days => ${SESSION_DAYS.idle})
      from users where id = ${userId} and suspended_at is null and password_hash = ${passwordHash}
      for share
      returning id`,
  );
  if (started) return;
  const user = await row(em, selectFrom(User, { id: userId }).select('suspendedAt'));
  throw user && user.suspendedAt !== null ? accountSuspended() : passwordChangedMeanwhile();
}

export function accountSuspended(): Problem {
  return new Problem('ACCOUNT_SUSPENDED', 'This account is suspended; ask an administrator of the service why.');
}

function passwordChangedMeanwhile(): Problem {
  return new Problem('WRONG_CREDENTIALS', 'The password was changed at this moment; sign in with the new one.');
}

function shownUserAgent(userAgent: string): string {
  return userAgent.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed().replaceAll('\0', '');
}
