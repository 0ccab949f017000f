import type { OwnedId } from '../../../core/id.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';

/** What a booking shows of its event type. */
export interface BookedEventType extends OwnedId {
  readonly slug: string;
  readonly title: string;
}

/** Those of the event types that are still there, by their ids. */
export async function findBookedEventTypes(
  em: Em,
  eventTypes: readonly OwnedId[],
): Promise<Map<string, BookedEventType>> {
  const owners = [...new Set(eventTypes.map(({ ownerId }) => ownerId))];
  const found = await rows(
    em,
    sql<BookedEventType>`select e.owner_id as "ownerId", e.id, e.slug, e.title from event_types e
        where e.owner_id = any(${owners}::uuid[]) and e.id = any(${eventTypes.map(({ id }) => id)}::uuid[])`,
  );
  return new Map(found.map((eventType) => [eventType.id, eventType]));
}
