import { Problem } from '../../../core/problem.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { SERVES } from './private-link.queries.ts';
import { parsePrivateLinkToken } from './private-link-token.ts';

/**
 * Uses a private link once, and answers the id of the event type that it leads to; undefined for a link that is not there
 * or has served its time. Call it in the transaction of the booking: a booking that fails has used nothing, and of those
 * who want the last use at the same moment, the row's lock lets one have it.
 */
export async function usePrivateLink(em: Em, token: string): Promise<string | undefined> {
  const link = parsePrivateLinkToken(token);
  if (!link) return undefined;
  const used = await row(
    em,
    sql<{ eventTypeId: string }>`
      update private_links l set usage_count = l.usage_count + 1
      where l.owner_id = ${link.ownerId} and l.id = ${link.id} and l.secret = ${link.secret} and ${SERVES}
      returning l.event_type_id as "eventTypeId"`,
  );
  return used?.eventTypeId;
}

/** The event type that a link leads to, if it still serves; nothing is used up. */
export async function findPrivatelyLinked(em: Em, token: string): Promise<string | undefined> {
  const link = parsePrivateLinkToken(token);
  if (!link) return undefined;
  const found = await row(
    em,
    sql<{ eventTypeId: string }>`select l.event_type_id as "eventTypeId" from private_links l
        where l.owner_id = ${link.ownerId} and l.id = ${link.id} and l.secret = ${link.secret} and ${SERVES}`,
  );
  return found?.eventTypeId;
}

/**
 * The event type that a link leads to, or led to before it had served its time: the booker who took the last use must be
 * able to send the same request again.
 */
export async function findOncePrivatelyLinked(em: Em, token: string): Promise<string | undefined> {
  const link = parsePrivateLinkToken(token);
  if (!link) return undefined;
  const found = await row(
    em,
    sql<{ eventTypeId: string }>`select l.event_type_id as "eventTypeId" from private_links l
        where l.owner_id = ${link.ownerId} and l.id = ${link.id} and l.secret = ${link.secret}`,
  );
  return found?.eventTypeId;
}

/** The same answer for a link that is over, for one that leads elsewhere and for one that never was. */
export function privateLinkNotFound(): Problem {
  const message =
    'The private link does not lead to this event type, or has served its time; ask the host for another one.';
  return new Problem('NOT_FOUND', message, ['privateLinkToken']);
}
