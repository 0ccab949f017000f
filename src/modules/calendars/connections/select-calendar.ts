import { LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { notFoundHere } from '../../levels/not-found-here.ts';
import { dropBusyPeriods } from '../busy-periods.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';

export const SELECT_CALENDAR_CODES = ['NOT_FOUND'] as const;

/** Whether the events of a calendar make its user busy. They are read in the background. @throws Problem NOT_FOUND */
export async function selectCalendar(em: Em, userId: string, id: string, selected: boolean): Promise<void> {
  await em.transactional(async (inner) => {
    const anew = { selected, readState: null, readAt: null, nextReadAt: NOW, failures: 0, updatedAt: LATER };
    // Locks the row, so that an answer that is on its way leaves nothing behind.
    const count = await changed(inner, updateTable(ConnectedCalendar, { userId, id }).set(anew));
    if (count === 0) throw notFoundHere('calendar', { ownerId: userId, id });
    if (!selected) await dropBusyPeriods(inner, { userId, sourceId: id });
  });
}
