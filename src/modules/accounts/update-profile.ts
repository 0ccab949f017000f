import { checkedFields } from '../../core/fields.ts';
import { Problem } from '../../core/problem.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { type Em, LATER, row } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import {
  isAsSeen,
  type LastSeen,
  rethrowForMetadata,
  throwIfChanged,
  withMergedMetadata,
} from '../../database/updates.ts';
import { PROFILE_CODES, PROFILE_FIELDS, type ProfilePatch, type TimeFormat } from './account.rules.ts';
import { claimUsername, usernameTaken } from './claim-username.ts';
import { User } from './user.entity.ts';
import { PROFILE, type UserProfile } from './user.queries.ts';

export const UPDATE_PROFILE_CODES = [
  ...PROFILE_CODES,
  'USERNAME_TAKEN',
  'TOO_MANY_USERNAMES',
  'NOT_FOUND',
  'CONFLICT',
] as const;

type ProfileUpdate = ProfilePatch & { readonly ifUpdatedAt?: LastSeen };

/**
 * Changes what the patch names and nothing else.
 * @throws Problem with every mistake at once; USERNAME_TAKEN, TOO_MANY_USERNAMES, CONFLICT, NOT_FOUND
 */
export async function updateProfile(
  em: Em,
  userId: string,
  { ifUpdatedAt, ...patch }: ProfileUpdate,
): Promise<UserProfile> {
  const checked = checkedFields(patch, PROFILE_FIELDS);
  const { username, timeFormat } = checked;
  const changes = {
    ...withMergedMetadata(checked),
    timeFormat: timeFormat as TimeFormat | undefined,
    updatedAt: LATER,
  };
  const statement = updateTable(User, { id: userId }).set(changes).where(isAsSeen(ifUpdatedAt)).returning(PROFILE);
  const update = (within: Em): Promise<UserProfile | undefined> => row(within, statement);
  const updated = await (username === undefined
    ? update(em)
    : em.transactional(rename({ userId, ifUpdatedAt }, username, update))
  ).catch(rethrowForMetadata);
  if (updated) return updated;
  await throwIfChanged(em, User, { id: userId }, ifUpdatedAt);
  throw new Problem('NOT_FOUND', 'This account no longer exists.');
}

function rename(
  { userId, ifUpdatedAt }: { readonly userId: string; readonly ifUpdatedAt: LastSeen },
  username: string,
  update: (em: Em) => Promise<UserProfile | undefined>,
) {
  return async (em: Em): Promise<UserProfile | undefined> => {
    const before = await row(
      em,
      selectFrom(User, { id: userId }).where(isAsSeen(ifUpdatedAt)).select('username').forNoKeyUpdate(),
    );
    if (!before) return undefined;
    if (before.username !== username) await claimUsername(em, userId, username, before.username);
    return update(em).catch((error: unknown) => {
      if (violatedConstraint(error) === 'users_username_unique') Problem.throwIfAny([usernameTaken(username)]);
      throw error;
    });
  };
}
