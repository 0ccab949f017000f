import { checkedFields } from '../../core/fields.ts';
import { Problem } from '../../core/problem.ts';
import { changes } from '../../database/changes.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { PROFILE_FIELDS, type ProfilePatch } from './account.rules.ts';
import { usernameTaken } from './sign-up.ts';
import { asUserProfile, PROFILE_COLUMNS, type UserProfile, type UserProfileRow } from './user.queries.ts';

/** Changes what the patch names and nothing else. @throws Problem with every mistake at once; USERNAME_TAKEN, NOT_FOUND */
export async function updateProfile(em: Em, userId: string, patch: ProfilePatch): Promise<UserProfile> {
  const checked = checkedFields(patch, PROFILE_FIELDS);
  const updated = await row(
    em,
    sql<UserProfileRow>`update users set ${changes(checked)} where id = ${userId} returning ${PROFILE_COLUMNS}`,
  ).catch((error: unknown) => {
    if (violatedConstraint(error) === 'users_username_unique')
      Problem.throwIfAny([usernameTaken(checked.username ?? '')]);
    throw error;
  });
  if (updated) return asUserProfile(updated);
  throw new Problem('NOT_FOUND', 'This account does not exist any more.');
}
