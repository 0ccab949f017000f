import { newUserId } from '../../../../src/core/id.ts';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';

/** The id of a new user without any schedule. */
export async function aUser(em: Em, timeZone = 'UTC'): Promise<string> {
  const id = newUserId();
  await rows(
    em,
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at, email_verified_at)
        values (${id}, ${id}, ${id}, ${id}, 'none', ${timeZone}, 'MONDAY', 24, 'en', '{}', false, now(), now(), now())`,
  );
  return id;
}
