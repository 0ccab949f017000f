import { Problem } from '../../core/problem.ts';
import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { User } from './user.entity.ts';

/**
 * Who has strangers written to does so under an address that is theirs: accounts without one cost nothing. `why`: a sentence
 * without its point. @returns the username. @throws Problem EMAIL_NOT_VERIFIED
 */
export async function requireVerifiedEmail(em: Em, userId: string, why: string): Promise<string> {
  const found = await row(
    em,
    selectFrom(User, { id: userId }).where('emailVerifiedAt', 'is not', null).select('username'),
  );
  if (found) return found.username;
  throw new Problem('EMAIL_NOT_VERIFIED', `${why}; verify your e-mail address first, at /settings/account.`);
}
