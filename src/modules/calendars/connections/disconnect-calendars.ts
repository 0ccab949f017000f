import { type Em, row, rows } from '../../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../../database/statements.ts';
import { endConnection } from '../../connections/end-connection.ts';
import { notFoundHere } from '../../levels/not-found-here.ts';
import { dropBusyPeriods } from '../busy-periods.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';
import { setFallbackDestination } from './destination-calendar.ts';
import { lockCalendars } from './lock-calendars.ts';

export const DISCONNECT_CODES = ['NOT_FOUND'] as const;

/**
 * Forgets a connection: its credentials, its calendars, and when they said that their user is busy. Was one of them the
 * destination of bookings, another connection's takes its place. @throws Problem NOT_FOUND
 */
export async function disconnectCalendars(em: Em, userId: string, id: string): Promise<void> {
  await em.transactional(async (inner) => {
    await lockCalendars(inner, userId);
    const calendars = await rows(
      inner,
      selectFrom(ConnectedCalendar, { userId, connectionId: id }).select(['id', 'isDestination']).forUpdate(),
    );
    const gone = await row(inner, deleteFrom(CalendarConnection, { userId, id }).returning('accessId'));
    if (!gone) throw notFoundHere('calendarAccount', { ownerId: userId, id });
    if (gone.accessId !== null) await endConnection(inner, { ownerId: userId, id: gone.accessId });
    for (const calendar of calendars) await dropBusyPeriods(inner, { userId, sourceId: calendar.id });
    if (calendars.some(({ isDestination }) => isDestination)) await setFallbackDestination(inner, userId);
  });
}
