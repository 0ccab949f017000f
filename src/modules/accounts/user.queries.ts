import { type Part, type RowOf, selectColumns } from '../../database/columns.ts';
import { read } from '../../database/lanes.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { User } from './user.entity.ts';

const SHOWN = [
  'id',
  'email',
  'username',
  'name',
  'timeZone',
  'weekStart',
  'timeFormat',
  'locale',
  'bio',
  'avatarUrl',
  'metadata',
  'isAdministrator',
  'createdAt',
  'updatedAt',
] as const;

const EMAIL_IS_VERIFIED = sql<boolean>`email_verified_at is not null`;

/** Whether the user's e-mail address is verified, for the statement builder. */
export const IS_EMAIL_VERIFIED = EMAIL_IS_VERIFIED.as('isEmailVerified');
export const PROFILE = [...SHOWN, IS_EMAIL_VERIFIED] as const;

/** A user as its owner sees it; nothing that only the service may know. */
export interface UserProfile extends Pick<RowOf<typeof User>, (typeof SHOWN)[number]> {
  readonly isEmailVerified: boolean;
}

/** Somebody, as the administrators of a group see its members. */
export interface Member extends ShownUser, Pick<RowOf<typeof User>, 'timeZone'> {
  readonly email: string;
}

/** A user beside anything that shows one (`User` in the schema): what everybody is shown of them. */
export type ShownUser = Pick<RowOf<typeof User>, 'id' | 'name' | 'username' | 'avatarUrl'>;

/** SQL: for `select`, such a user `u`, as the row's `user`. */
export const SHOWN_USER = sql<ShownUser>`json_build_object(
  'id', u.id, 'name', u.name, 'username', u.username, 'avatarUrl', u.avatar_url) as "user"`;

const COLUMNS = selectColumns(User, SHOWN, 'u');

/** The person whom a row names by its `user_id`. */
export const PERSON: Part<'user', typeof User, 'ONE'> = {
  name: 'user',
  holds: 'ONE',
  entity: User,
  from: (alias, of) => of.jsonObject('u', sql`from users u where u.id = ${sql.ref(`${alias}.user_id`)}`),
};

const SHOWN_COLUMNS = sql`${COLUMNS}, ${EMAIL_IS_VERIFIED} as "isEmailVerified"`;

/** Some users at once, by their ids. */
export async function findUsers(em: Em, userIds: readonly string[]): Promise<Map<string, UserProfile>> {
  const found = await read(
    em,
    sql<UserProfile>`select ${SHOWN_COLUMNS} from unnest(${userIds}::uuid[]) as wanted(id) join users u on u.id = wanted.id`,
  );
  return new Map(found.map((user) => [user.id, user]));
}

export function findUser(em: Em, userId: string): Promise<UserProfile | undefined> {
  return row(em, selectFrom(User, { id: userId }).select(PROFILE));
}
