import { Problem } from '../../../core/problem.ts';
import { LATER } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import { notFoundHere } from '../../levels/not-found-here.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';
import { lockCalendars } from './lock-calendars.ts';

export const SET_DESTINATION_CODES = ['NOT_FOUND', 'NOT_POSSIBLE'] as const;

/** Has a user's bookings written to a calendar; null: to none. @throws Problem NOT_FOUND, NOT_POSSIBLE */
export async function setDestinationCalendar(em: Em, userId: string, id: string | null): Promise<void> {
  await em.transactional(async (inner) => {
    await lockCalendars(inner, userId);
    if (id !== null) await requireWritable(inner, userId, id);
    const before = updateTable(ConnectedCalendar, { userId, isDestination: true });
    await changed(inner, before.set({ isDestination: false, updatedAt: LATER }));
    if (id === null) return;
    await changed(inner, updateTable(ConnectedCalendar, { userId, id }).set({ isDestination: true, updatedAt: LATER }));
  });
}

/**
 * Where a user has no destination, that is the primary calendar of their oldest connection, of those that can be written to.
 * In a transaction that has locked the user.
 */
export async function setFallbackDestination(em: Em, userId: string): Promise<void> {
  const first = sql<string>`(select id from connected_calendars where user_id = ${userId} and not is_read_only
    order by connection_id, is_primary desc, id limit 1)`;
  const hasNone = sql<boolean>`not exists (
    select 1 from connected_calendars where user_id = ${userId} and is_destination)`;
  const changedTo = { isDestination: true, updatedAt: LATER };
  await changed(em, updateTable(ConnectedCalendar, { userId }).set(changedTo).where('id', '=', first).where(hasNone));
}

async function requireWritable(em: Em, ownerId: string, id: string): Promise<void> {
  const found = await row(em, selectFrom(ConnectedCalendar, { userId: ownerId, id }).select(['name', 'isReadOnly']));
  if (!found) throw notFoundHere('calendar', { ownerId, id });
  if (!found.isReadOnly) return;
  const message = `The calendar ${JSON.stringify(found.name)} can only be read; choose one that can be written to.`;
  throw new Problem('NOT_POSSIBLE', message, ['calendarId']);
}
