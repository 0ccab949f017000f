import type { Em } from '../../database/sql.ts';
import {
  type BookableEventType,
  type EventTypeName,
  findEventTypeRules,
} from '../event-types/event-type-rules.queries.ts';
import { findPrivatelyLinked } from '../event-types/use-private-link.ts';

/**
 * An event type as whoever asks may see it: without a private link, one that is not hidden; with one, the one that it
 * leads to, hidden or not. `follow` says where a link leads.
 */
export async function findOfferedEventType(
  em: Em,
  name: EventTypeName,
  privateLinkToken: string | null,
  follow = findPrivatelyLinked,
): Promise<BookableEventType | undefined> {
  const found = await findEventTypeRules(em, name);
  if (!found) return undefined;
  const isOffered = privateLinkToken === null ? !found.hidden : (await follow(em, privateLinkToken)) === found.id;
  return isOffered ? found : undefined;
}
