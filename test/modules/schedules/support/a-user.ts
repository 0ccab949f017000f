import { newId } from '../../../../src/core/id.ts';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';

/** New users of a time zone, without any schedule: their ids, in order. */
export async function newUsers(em: Em, count: number, timeZone = 'UTC'): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('user')).toSorted();
  await rows(
    em,
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at)
        select id, id, id, id, 'none', ${timeZone}, 'MONDAY', 24, 'en', '{}', false, now(), now()
        from unnest(${ids}::text[]) as u(id)`,
  );
  return ids;
}

export async function aUser(em: Em, timeZone?: string): Promise<string> {
  const [id = ''] = await newUsers(em, 1, timeZone);
  return id;
}
