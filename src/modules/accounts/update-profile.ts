import { checkedFields } from '../../core/fields.ts';
import { Problem } from '../../core/problem.ts';
import { changes } from '../../database/changes.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { PROFILE_CODES, PROFILE_FIELDS, type ProfilePatch } from './account.rules.ts';
import { claimUsername, usernameTaken } from './claim-username.ts';
import { asUserProfile, PROFILE_COLUMNS, type UserProfile, type UserProfileRow } from './user.queries.ts';

export const UPDATE_PROFILE_CODES = [...PROFILE_CODES, 'USERNAME_TAKEN', 'TOO_MANY_USERNAMES', 'NOT_FOUND'] as const;

/**
 * Changes what the patch names and nothing else.
 * @throws Problem with every mistake at once; USERNAME_TAKEN, TOO_MANY_USERNAMES, NOT_FOUND
 */
export async function updateProfile(em: Em, userId: string, patch: ProfilePatch): Promise<UserProfile> {
  const checked = checkedFields(patch, PROFILE_FIELDS);
  const { username } = checked;
  const update = (within: Em): Promise<UserProfileRow | undefined> =>
    row(
      within,
      sql<UserProfileRow>`update users set ${changes(checked)} where id = ${userId} returning ${PROFILE_COLUMNS}`,
    );
  const updated = await (username === undefined ? update(em) : em.transactional(rename(userId, username, update)));
  if (updated) return asUserProfile(updated);
  throw new Problem('NOT_FOUND', 'This account does not exist any more.');
}

function rename(userId: string, username: string, update: (em: Em) => Promise<UserProfileRow | undefined>) {
  return async (em: Em): Promise<UserProfileRow | undefined> => {
    const before = await row(
      em,
      sql<{ username: string }>`select username from users where id = ${userId} for no key update`,
    );
    if (!before) return undefined;
    if (before.username !== username) await claimUsername(em, userId, username, before.username);
    return update(em).catch((error: unknown) => {
      if (violatedConstraint(error) === 'users_username_unique') Problem.throwIfAny([usernameTaken(username)]);
      throw error;
    });
  };
}
