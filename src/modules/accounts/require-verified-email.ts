import { Problem } from '../../core/problem.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { User } from './user.entity.ts';

/**
 * SQL: whether the address of a user is verified, for the statement that decides. An account under another person's address costs
 * nothing, and may become that person's: until its address is shown to be its holder's, nothing leads out of it, and nobody
 * is let in. What is verified stays so, so that no race is lost by looking first.
 */
export function hasVerifiedEmail(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select v.email_verified_at is not null from users v where v.id = ${userId}), false)`;
}

/**
 * Refuses a user who has not verified their address; this is the only place that does. `why`: a sentence without its
 * point, which says what the address is needed for.
 * @returns the username.
 * @throws Problem EMAIL_NOT_VERIFIED
 */
export async function requireVerifiedEmail(em: Em, userId: string, why: string): Promise<string> {
  const found = await row(
    em,
    selectFrom(User, { id: userId }).where('emailVerifiedAt', 'is not', null).select('username'),
  );
  if (found) return found.username;
  throw new Problem('EMAIL_NOT_VERIFIED', `${why}; verify your e-mail address first, at /settings/account.`);
}
