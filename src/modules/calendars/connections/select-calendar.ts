import { newId } from '../../../core/id.ts';
import { LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em, rows } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { notFoundHere } from '../../levels/not-found-here.ts';
import { dropBusyPeriods } from '../busy-periods.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';

export const SELECT_CALENDAR_CODES = ['NOT_FOUND'] as const;

/** Whether the events of a calendar make its user busy. They are read in the background. @throws Problem NOT_FOUND */
export async function selectCalendar(em: Em, userId: string, id: string, selected: boolean): Promise<void> {
  await em.transactional(async (inner) => {
    if (!(await beginReading(inner, userId, id, selected))) throw notFoundHere('calendar', { ownerId: userId, id });
    if (!selected) await dropBusyPeriods(inner, { userId, sourceId: id });
  });
}

/** Reads the selected calendars of an account anew, at once. */
export async function readAnew(em: Em, userId: string, connectionId: string): Promise<void> {
  const selected = selectFrom(ConnectedCalendar, { userId, connectionId, selected: true }).select('id');
  for (const { id } of await rows(em, selected)) await beginReading(em, userId, id, true);
}

/** Locks the row, so that an answer that is on its way leaves nothing behind. @returns whether there is such a calendar */
async function beginReading(em: Em, userId: string, id: string, selected: boolean): Promise<boolean> {
  const readingId = selected ? newId() : null;
  const unread = {
    readState: null,
    keptObjects: null,
    unreadableEventCount: 0,
    sealedUnreadable: null,
    readAt: null,
    expandedAt: null,
    nextReadAt: NOW,
    askedAt: null,
    answeredAt: null,
    restingUntil: null,
    failures: 0,
    error: null,
    notifiedAt: null,
  };
  const count = await changed(
    em,
    updateTable(ConnectedCalendar, { userId, id }).set({ selected, readingId, ...unread, updatedAt: LATER }),
  );
  if (count > 0 && readingId !== null)
    await recordEvent(em, userId, { type: 'CALENDAR_SELECTED', calendarId: id, readingId });
  return count > 0;
}
