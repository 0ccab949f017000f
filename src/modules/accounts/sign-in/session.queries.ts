import { cutPage, type Page, type PageRequest } from '../../../core/page.ts';
import { sha256Hex } from '../../../core/secret.ts';
import { byTime } from '../../../database/by-time.ts';
import { type RowOf, type Selected, selectColumnsAs } from '../../../database/columns.ts';
import { ago, fromNow, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, rows, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import { type WithInstants, withInstants } from '../../../database/with-instants.ts';
import { networkOf } from '../../../limits/network.ts';
import { User } from '../user.entity.ts';
import { Session } from './session.entity.ts';
import { SESSION_DAYS } from './start-session.ts';

/** The session of a cookie, and its user. */
export interface FoundSession extends Pick<RowOf<typeof Session>, 'id'>, Selected<typeof USER> {
  readonly isEmailVerified: boolean;
}

const USER = selectColumnsAs(
  User,
  { userId: 'id', userName: 'name', userEmail: 'email', userLocale: 'locale', isAdministrator: 'isAdministrator' },
  'users',
);

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

/** A session in a user's own list. */
export interface ListedSession extends WithInstants<ListedRow, 'createdAt' | 'lastSeenAt'> {
  /** The row's key in the list, for its cursor. */
  readonly key: readonly [createdAt: string, id: string];
}

const LISTED = ['id', 'userAgent', 'address', 'createdAt', 'lastSeenAt'] as const;
type ListedRow = Pick<RowOf<typeof Session>, (typeof LISTED)[number]>;

/** A user's living sessions, newest first; the request's key has two columns. */
export async function findSessions(em: Em, userId: string, request: PageRequest): Promise<Page<ListedSession>> {
  const page = byTime('NEWEST_FIRST', sql`created_at`, sql`id`, request);
  const found = await rows(
    em,
    selectFrom(Session, { userId })
      .where('expiresAt', '>', NOW)
      .where(page.within)
      .select(LISTED)
      .modifyEnd(page.orderAndLimit),
  );
  return cutPage(found.map(asListedSession), request);
}

function asListedSession(found: ListedRow): ListedSession {
  return { ...withInstants(found, ['createdAt', 'lastSeenAt']), key: [found.createdAt, found.id] };
}
