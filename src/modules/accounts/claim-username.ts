import { type Mistake, Problem } from '../../core/problem.ts';
import { COUNT, type Em, NOW, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { sweepOf } from '../../database/sweep.ts';
import { Username } from './user.entity.ts';

/** Links to a name live longer than it, and must not lead to somebody else. */
const KEPT_FOR_DAYS = 90;
/** Somebody who changes names all the time must not keep them all from others. */
const MOST_KEPT = 5;

/**
 * Takes a username for a user, and keeps the one before it from everybody else for 90 days. The key of the table decides
 * who gets a name: of any number at once one, and a name that is being given up nobody. In the order of the names, so
 * that two who exchange theirs do not wait for each other. In the caller's transaction, which ends with what this throws.
 *
 * @throws Problem USERNAME_TAKEN, TOO_MANY_USERNAMES
 */
export async function claimUsername(em: Em, userId: string, username: string, before?: string): Promise<void> {
  const claimed = await rows(
    em,
    sql<{ username: string }>`
      insert into usernames as known (username, user_id, free_at)
      select name, ${userId}::uuid, case when is_former then now() + make_interval(days => ${KEPT_FOR_DAYS}) end
      from (values (${username}::text, false), (${before ?? null}::text, true)) as names (name, is_former)
      where name is not null
      order by name
      on conflict (username) do update set user_id = excluded.user_id, free_at = excluded.free_at
        where known.user_id = excluded.user_id or known.free_at <= now()
      returning username`,
  );
  if (!claimed.some((one) => one.username === username)) Problem.throwIfAny([usernameTaken(username)]);
  if (before !== undefined) await requireFewFormerNames(em, userId);
}

export function usernameTaken(username: string): Mistake {
  return {
    code: 'USERNAME_TAKEN',
    message: `The username "${username}" is taken; choose another.`,
    path: ['username'],
  };
}

/** The caller has locked the user's row, so that no two transactions count at the same time. */
async function requireFewFormerNames(em: Em, userId: string): Promise<void> {
  const { kept } = (await row(
    em,
    selectFrom(Username, { userId }).where('freeAt', '>', NOW).select(COUNT.as('kept')),
  )) ?? { kept: 0 };
  if (kept <= MOST_KEPT) return;
  const message = `You have given up ${MOST_KEPT} usernames in ${KEPT_FOR_DAYS} days; take one of them back, or wait.`;
  throw new Problem('TOO_MANY_USERNAMES', message, ['username']);
}

/** The name that somebody has now who gave `username` up, as long as nobody else can have it. */
export async function findSuccessor(em: Em, username: string): Promise<string | undefined> {
  const found = await row(
    em,
    sql<{ username: string }>`
      select u.username from usernames n join users u on u.id = n.user_id
      where n.username = ${username} and n.free_at > now() and u.suspended_at is null`,
  );
  return found?.username;
}

/** Deletes names that are free again. */
export const removeFreeUsernames = sweepOf(Username, 'freeAt');
