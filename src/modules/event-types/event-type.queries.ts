import { type RowOf, selectColumns } from '../../database/columns.ts';
import { Selection } from '../../database/selection.ts';
import { sql } from '../../database/sql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { EventType } from './event-type.entity.ts';

export const EVENT_TYPES: OwnedTable<typeof EventType> = {
  entity: EventType,
  kind: 'eventType',
  owner: 'ownerId',
  secret: sql<boolean>`item.hidden`,
  isDenormalized: true,
};

/** An event type, as a user or a team offers it. */
export type EventTypeRow = Omit<RowOf<typeof EventType>, 'scheduleId'> & { readonly scheduleId: string | null };

/** For `select` and `returning`, over `event_types e`. */
export const EVENT_TYPE_COLUMNS = selectColumns(EventType, Selection.whole(EventType).columns, 'e');
