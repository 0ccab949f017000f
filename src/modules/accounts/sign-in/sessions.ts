import { newId } from '../../../core/id.ts';
import { mapped, type Page, type PageRequest } from '../../../core/page.ts';
import { Problem } from '../../../core/problem.ts';
import { randomBase62, sha256Hex } from '../../../core/secret.ts';
import { type RowOf, type Selected, selectColumns, selectColumnsAs } from '../../../database/columns.ts';
import { byTime, pageOf } from '../../../database/pages.ts';
import { ago, changed, type Em, fromNow, NOW, row, rows, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../../database/statements.ts';
import { sweepOf } from '../../../database/sweep.ts';
import { type WithInstants, withInstants } from '../../../database/temporal-types.ts';
import { recordAudit } from '../../../events/record-audit.ts';
import { noteSignIn } from '../../../limits/mail-receivers.ts';
import { networkOf } from '../../../limits/network.ts';
import { User } from '../user.entity.ts';
import { Session } from './session.entity.ts';

/** A session nobody uses ends after 30 days, any after 90: `expires_at` is whichever comes first. */
export const SESSION_DAYS = { idle: 30, inAll: 90 } as const;

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

/** The session of a cookie, and its user. */
export interface FoundSession extends Pick<RowOf<typeof Session>, 'id'>, Selected<typeof USER> {
  readonly isEmailVerified: boolean;
}

const USER = selectColumnsAs(
  User,
  { userId: 'id', userName: 'name', userEmail: 'email', userLocale: 'locale', isAdministrator: 'isAdministrator' },
  'users',
);

/** A session in a user's own list. */
export interface ListedSession extends WithInstants<ListedRow, 'createdAt' | 'lastSeenAt'> {
  /** The row's key in the list, for its cursor. */
  readonly key: readonly [createdAt: string, id: string];
}

const LISTED = ['id', 'userAgent', 'address', 'createdAt', 'lastSeenAt'] as const;
type ListedRow = Pick<RowOf<typeof Session>, (typeof LISTED)[number]>;

export const REVOKE_SESSION_CODES = ['NOT_FOUND'] as const;

/** Deletes sessions that are over by their age. */
export const removeExpiredSessions = sweepOf(Session, 'expiresAt');

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

export function accountSuspended(): Problem {
  return new Problem('ACCOUNT_SUSPENDED', 'This account is suspended; ask an administrator of the service why.');
}

/** The living session of a cookie's token, of a user who is not suspended. Notes that it was seen, once a minute. */
export async function findSession(em: Em, token: string): Promise<FoundSession | undefined> {
  const found = await row(
    em,
    sql<FoundSession & { isDueToBeNoted: boolean }>`
      select sessions.id, ${USER}, users.email_verified_at is not null as "isEmailVerified",
        sessions.last_seen_at < now() - interval '1 minute' as "isDueToBeNoted"
      from sessions join users on users.id = sessions.user_id
      where sessions.token_hash = ${sha256Hex(token)} and sessions.expires_at > now() and users.suspended_at is null`,
  );
  if (!found) return undefined;
  const { isDueToBeNoted, ...session } = found;
  if (isDueToBeNoted) await noteSeen(em, session.id);
  return session;
}

/** Whether the verified account with this address has a living session that began in the same network. */
export async function isSignedInFrom(em: Em, email: string, address: string): Promise<boolean> {
  const found = await rows(
    em,
    sql<{ address: string }>`
      select distinct sessions.address from sessions join users on users.id = sessions.user_id
      where users.email = ${email} and users.email_verified_at is not null and sessions.expires_at > now()`,
  );
  return found.some((session) => networkOf(session.address) === networkOf(address));
}

/** A user's living sessions, newest first; the request's key has two columns. */
export async function findSessions(em: Em, userId: string, request: PageRequest): Promise<Page<ListedSession>> {
  const page = byTime('NEWEST_FIRST', sql`created_at`, sql`id`, request);
  const found = await pageOf(
    em,
    request,
    sql<ListedRow>`select ${selectColumns(Session, LISTED, 's')} from sessions s
        where user_id = ${userId} and expires_at > now() and ${page.within} ${page.orderAndLimit}`,
  );
  return mapped(found, asListedSession);
}

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

const MAX_USER_AGENT_LENGTH = 300;

function shownUserAgent(userAgent: string): string {
  return userAgent.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed().replaceAll('\0', '');
}

function passwordChangedMeanwhile(): Problem {
  return new Problem('WRONG_CREDENTIALS', 'The password was changed at this moment; sign in with the new one.');
}

/** A user who signs in with a verified address reads its mails, so mails that strangers cause may go there again. */
async function answerMails(em: Em, userId: string): Promise<void> {
  const verified = selectFrom(User, { id: userId }).where('emailVerifiedAt', 'is not', null).select('email');
  const user = await row(em, verified);
  if (user) await noteSignIn(em, user.email);
}

/** The condition stands in the statement too: of many requests at once, one writes. */
async function noteSeen(em: Em, sessionId: string): Promise<void> {
  await changed(
    em,
    updateTable(Session, { id: sessionId })
      .set({
        lastSeenAt: NOW,
        expiresAt: sql`least(created_at + make_interval(days => ${SESSION_DAYS.inAll}::int), ${fromNow(SESSION_DAYS.idle, 'days')})`,
      })
      .where('lastSeenAt', '<', ago(1, 'mins')),
  );
}

function asListedSession(found: ListedRow): ListedSession {
  return { ...withInstants(found, ['createdAt', 'lastSeenAt']), key: [found.createdAt, found.id] };
}
