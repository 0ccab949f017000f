import { ownedIdOf } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { actingUserId, type GraphQLContext } from '../../../graphql/context.ts';
import { ownedIdArgument } from '../../../graphql/id-arguments.ts';
import { heldScopes } from '../../../scopes/held-scopes.ts';
import { type findOncePrivatelyLinked, privateLinkNotFound } from '../../event-types/private-links.ts';
import type { BookableEventType, EventTypeName } from '../../event-types/public/event-type-rules.queries.ts';
import {
  insiderId,
  isSlug,
  type OwnerArguments,
  publicOwner,
} from '../../event-types/public/public-event-type.graphql.ts';
import { notFoundHere } from '../../levels/change-owned.ts';
import { findOfferedEventType } from './offered-event-type.queries.ts';

const AS_HOST = heldScopes(['BOOKING_WRITE']);

/**
 * The user who may act as a host in fields that are open to anybody with a uid: of a session, or of an app that may change
 * their bookings. Any other app is treated as anonymous.
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

interface NameArguments extends OwnerArguments {
  readonly eventTypeId?: string | null | undefined;
  readonly slug?: string | null | undefined;
}

/**
 * Reads how a query names an event type: by its id, or by its owner's booking page and its slug; undefined for a text
 * that cannot name any.
 * @throws Problem BAD_INPUT unless it is named in exactly one way, and for the id of another kind of thing
 */
export function offeredName({ eventTypeId, slug, ...page }: NameArguments): EventTypeName | undefined {
  if ((eventTypeId == null) === (slug == null)) {
    throw new Problem('BAD_INPUT', 'Give eventTypeId, or slug with username or team; one of the two.', ['eventTypeId']);
  }
  if (slug == null) return ownedIdArgument('eventType', eventTypeId ?? '', ['eventTypeId']);
  const owner = publicOwner(page);
  return owner && isSlug(slug) ? { owner, slug } : undefined;
}
