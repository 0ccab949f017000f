import type { OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { type Em, type RawBuilder, row, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import { PrivateLink } from './private-link.entity.ts';
import { SERVES } from './private-link.queries.ts';
import { parsePrivateLinkToken } from './private-link-token.ts';

/**
 * Uses a private link once, and answers the event type that it leads to; undefined for a link that is not there
 * or has served its time. Call it in the transaction of the booking: a booking that fails has used nothing, and of those
 * who want the last use at the same moment, the row's lock lets one have it.
 */
export async function usePrivateLink(em: Em, token: string): Promise<OwnedId | undefined> {
  const link = parsePrivateLinkToken(token);
  if (!link) return undefined;
  return row(
    em,
    updateTable(PrivateLink, link)
      .set((eb) => ({ usageCount: eb('usageCount', '+', 1) }))
      .where(SERVES)
      .returning(EVENT_TYPE),
  );
}

/** The event type that a link leads to, if it still serves; nothing is used up. */
export async function findPrivatelyLinked(em: Em, token: string): Promise<OwnedId | undefined> {
  return findLinked(em, token, SERVES);
}

/**
 * The event type that a link leads to, or led to before it had served its time: the booker who took the last use must be
 * able to send the same request again.
 */
export async function findOncePrivatelyLinked(em: Em, token: string): Promise<OwnedId | undefined> {
  return findLinked(em, token, sql<boolean>`true`);
}

const EVENT_TYPE = ['ownerId', 'eventTypeId as id'] as const;

async function findLinked(em: Em, token: string, condition: RawBuilder<boolean>): Promise<OwnedId | undefined> {
  const link = parsePrivateLinkToken(token);
  if (!link) return undefined;
  return row(em, selectFrom(PrivateLink, link).where(condition).select(EVENT_TYPE));
}

/** The same answer for a link that is over, for one that leads elsewhere and for one that never was. */
export function privateLinkNotFound(): Problem {
  const message =
    'The private link does not lead to this event type, or has served its time; ask the host for another one.';
  return new Problem('NOT_FOUND', message, ['privateLinkToken']);
}
