import { instantOf } from '../../core/instant.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import type { TimeFormat, WeekDay } from './account.rules.ts';

/** A user as its owner sees it; nothing that only the service may know. */
export interface UserProfile {
  readonly id: string;
  readonly email: string;
  /** Whether its owner has proved to read mail there. */
  readonly isEmailVerified: boolean;
  readonly username: string;
  readonly name: string;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly timeFormat: TimeFormat;
  readonly locale: string;
  readonly bio: string | null;
  readonly avatarUrl: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly isAdministrator: boolean;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
}

/** As the database gives it: instants are text. */
export type UserProfileRow = Omit<UserProfile, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** For `select` and `returning`, over the table `users` under its own name. */
export const PROFILE_COLUMNS = sql`
  users.id, users.email, users.email_verified_at is not null as "isEmailVerified", users.username, users.name, users.time_zone as "timeZone", users.week_start as "weekStart",
  users.time_format as "timeFormat", users.locale, users.bio, users.avatar_url as "avatarUrl", users.metadata,
  users.is_administrator as "isAdministrator", users.created_at as "createdAt", users.updated_at as "updatedAt"`;

export function asUserProfile(found: UserProfileRow): UserProfile {
  return {
    ...found,
    createdAt: instantOf(found.createdAt),
    updatedAt: instantOf(found.updatedAt),
  };
}

export async function findUser(em: Em, userId: string): Promise<UserProfile | undefined> {
  const found = await row(em, sql<UserProfileRow>`select ${PROFILE_COLUMNS} from users where id = ${userId}`);
  return found && asUserProfile(found);
}
