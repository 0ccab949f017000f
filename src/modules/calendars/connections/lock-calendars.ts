import { Problem } from '../../../core/problem.ts';
import { type Em, row } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { User } from '../../accounts/user.entity.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';

/** One change of somebody's calendars at a time, so that counts are true and there is one destination. @returns whether they have any */
export async function lockCalendars(em: Em, userId: string): Promise<boolean> {
  const user = await row(em, selectFrom(User, { id: userId }).select('id').forNoKeyUpdate());
  if (!user) throw new Problem('NOT_FOUND', 'This account no longer exists.');
  return (await row(em, selectFrom(CalendarConnection, { userId }).select('id').limit(1))) !== undefined;
}
