import { ownedIdOf } from '../../../core/id.ts';
import { actingUserId, type GraphQLContext } from '../../../graphql/context.ts';
import { heldScopes } from '../../../scopes/held-scopes.ts';
import { type findOncePrivatelyLinked, privateLinkNotFound } from '../../event-types/private-links.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { insiderId } from '../../event-types/public/public-event-type.graphql.ts';
import { notFoundHere } from '../../levels/change-owned.ts';
import { findOfferedEventType } from './offered-event-type.queries.ts';

const AS_HOST = heldScopes(['BOOKING_WRITE']);

/**
 * The user who keeps a slot as a host of its event type: of a session, or of an app that may change their bookings. Any other app
 * is treated as anonymous.
 */
export function hostIdOf(context: GraphQLContext): string | null {
  return actingUserId(context, AS_HOST);
}

/** The signed-in user, if there is one: the one source of identity. */
export function callerIdOf({ caller }: GraphQLContext): string | null {
  return caller.kind === 'anonymous' ? null : caller.userId;
}

/**
 * An event type that anybody may book, or anybody with the private link.
 * @throws Problem NOT_FOUND, also for a hidden one
 */
export async function requireOffered(
  context: GraphQLContext,
  eventTypeId: string,
  privateLinkToken: string | null,
  follow?: typeof findOncePrivatelyLinked,
): Promise<BookableEventType> {
  const named = ownedIdOf('eventType', eventTypeId);
  const offeredTo = { viewerId: insiderId(context), privateLinkToken, follow };
  const found = named && (await findOfferedEventType(context.em, named, offeredTo));
  if (!found) throw privateLinkToken === null ? notFoundHere('eventType', eventTypeId) : privateLinkNotFound();
  return found;
}
