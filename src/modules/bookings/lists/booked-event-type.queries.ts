import { ownerOf } from '../../../core/id.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';

/** What a booking shows of its event type. */
export interface BookedEventType {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
}

/** Those of the event types that are still there, by their ids. */
export async function findBookedEventTypes(em: Em, ids: readonly string[]): Promise<Map<string, BookedEventType>> {
  const owners = [...new Set(ids.map((id) => ownerOf('eventType', id)).filter((owner) => owner !== undefined))];
  const found = await rows(
    em,
    sql<BookedEventType>`select e.id, e.slug, e.title from event_types e
        where e.owner_id = any(${owners}::text[]) and e.id = any(${ids}::text[])`,
  );
  return new Map(found.map((eventType) => [eventType.id, eventType]));
}
