import type { OwnedId } from '../../../core/id.ts';
import { type RowOf, selectColumns } from '../../../database/columns.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { EventType } from '../../event-types/event-type.entity.ts';

/** What a booking shows of its event type. */
export type BookedEventType = Pick<RowOf<typeof EventType>, (typeof SHOWN)[number]>;
const SHOWN = ['ownerId', 'id', 'slug', 'title'] as const;
const COLUMNS = selectColumns(EventType, SHOWN, 'e');

/** Those of the event types that are still there, by their ids. */
export async function findBookedEventTypes(
  em: Em,
  eventTypes: readonly OwnedId[],
): Promise<Map<string, BookedEventType>> {
  const owners = [...new Set(eventTypes.map(({ ownerId }) => ownerId))];
  const found = await rows(
    em,
    sql<BookedEventType>`select ${COLUMNS} from event_types e
        where e.owner_id = any(${owners}::uuid[]) and e.id = any(${eventTypes.map(({ id }) => id)}::uuid[])`,
  );
  return new Map(found.map((eventType) => [eventType.id, eventType]));
}
