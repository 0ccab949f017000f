/**
 * public/ is event types as bookers see them, and all that booking one takes (`event-type-rules.queries.ts`). It may
 * import every other room of event-types/.
 */

import { cutPage, pageRequest } from '../../../core/page.ts';
import { Problem } from '../../../core/problem.ts';
import { slugMistake } from '../../../core/text.ts';
import { builder } from '../../../graphql/builder.ts';
import { connection, pageArguments, publicConnectionOf } from '../../../graphql/connection.ts';
import { actingUserId, type GraphQLContext } from '../../../graphql/context.ts';
import { OTHER_KINDS, ownedIdArgument } from '../../../graphql/id-arguments.ts';
import { SMALL, URL_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { heldScopes } from '../../../scopes/held-scopes.ts';
import { bookingUrl, type PublicOwner, privateLinkUrl } from '../booking-url.rules.ts';
import { EventType as EventTypeEntity } from '../event-type.entity.ts';
import { bookingRuleFields, loadBookingPlace, presentedFields } from '../event-type.graphql.ts';
import {
  MANAGED_BY_DESCRIPTION,
  PublicBookingField,
  PublicConfirmation,
  PublicCutOff,
  PublicLocation,
  PublicManagingTeam,
  PublicRecurrence,
  PublicSeats,
} from '../event-type-values.graphql.ts';
import { MANAGING_TEAM } from '../managed-event-types.ts';
import { MAX_LOCATIONS, offeredLocations } from '../settings/location.rules.ts';
import {
  findPrivatelyLinkedEventType,
  findPublicEventType,
  findPublicEventTypeById,
  listPublicEventTypes,
  type PrivatelyLinkedEventType,
  type ShownEventType,
} from './public-event-type.queries.ts';

const presented = presentedFields(PUBLIC);
const rules = bookingRuleFields(
  {
    BookingField: PublicBookingField,
    Confirmation: PublicConfirmation,
    Recurrence: PublicRecurrence,
    Seats: PublicSeats,
    CutOff: PublicCutOff,
  },
  PUBLIC,
);

export const PublicEventType = rowType(EventTypeEntity, 'PublicEventType', {
  description: 'An event type as everybody sees it.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'eventType', { requires: PUBLIC }),
    ...presented(t),
    managedBy: t.part(MANAGING_TEAM, {
      type: PublicManagingTeam,
      nullable: true,
      requires: PUBLIC,
      description: MANAGED_BY_DESCRIPTION,
    }),
    bookingUrl: t.from(['ownerId', 'slug'], {
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: PUBLIC,
      description:
        'The page where it is booked; that of the private link, if one led here. Null when its owner is gone.',
      resolve: async ({ ownerId, slug, ...row }, _args, context) => {
        const { publicUrl } = context;
        const { privateLinkToken: token } = row as Partial<PrivatelyLinkedEventType>;
        if (token !== undefined) return privateLinkUrl(publicUrl, token);
        const place = await loadBookingPlace(context, ownerId, undefined);
        return place === undefined ? null : bookingUrl(publicUrl, place, slug);
      },
    }),
    locations: t.from(['locations', 'seats'], {
      type: [PublicLocation],
      price: { max: MAX_LOCATIONS, weight: SMALL },
      requires: PUBLIC,
      description: 'The locations that the booker can choose from. The first is the default.',
      resolve: ({ locations, seats }) => [...offeredLocations(locations, seats)],
    }),
    ...rules(t),
  }),
});

const PublicEventTypeConnection = publicConnectionOf(PublicEventType);

builder.queryField('publicEventTypes', (t) =>
  t.field({
    type: PublicEventTypeConnection,
    nullable: true,
    description:
      'What can be booked with a user or a team, oldest first, without what is hidden. Of a private team, or a team of a private organization, only its members see something.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: {
      username: t.arg.string({
        description: 'The user whose booking page it is, such as `ada-lovelace`; give this or team.',
      }),
      team: t.arg.string({ description: 'The slug of the team whose booking page it is.' }),
      organization: t.arg.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
      ...pageArguments(),
    },
    resolve: async (_root, { username, team, organization, ...page }, context, info) => {
      const request = pageRequest(page);
      const owner = publicOwner({ username, team, organization });
      const found = owner
        ? await listPublicEventTypes(context.em, owner, request, selectionOf(info, EventTypeEntity), insiderId(context))
        : cutPage([], request);
      return connection<ShownEventType>(found, (eventType) => [eventType.id]);
    },
  }),
);

builder.queryField('publicEventType', (t) =>
  t.field({
    type: PublicEventType,
    nullable: true,
    description:
      'Something that can be booked, by its id, its place on a booking page, or a private link. Null when it is hidden, or of a private team that you do not belong to, unless the link still serves.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: {
      id: t.arg.id({
        description: `Its id, which begins with \`evt_\`; give this, or privateLinkToken, or slug and owner. ${OTHER_KINDS}`,
      }),
      privateLinkToken: t.arg.string({ description: 'The last part of the address of a private link.' }),
      slug: t.arg.string({ description: 'Its name in addresses, such as `intro-call`; with username, or team.' }),
      username: t.arg.string({ description: 'The user whose booking page it is on, such as `ada-lovelace`.' }),
      team: t.arg.string({ description: 'The slug of the team whose booking page it is on.' }),
      organization: t.arg.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
    },
    resolve: async (_root, { id, privateLinkToken, slug, ...page }, context, info) => {
      const { em } = context;
      const selection = selectionOf(info, EventTypeEntity);
      if (privateLinkToken != null) return findPrivatelyLinkedEventType(em, privateLinkToken, selection);
      if (id != null) {
        const named = ownedIdArgument('eventType', id, ['id']);
        return named && findPublicEventTypeById(em, named, selection, insiderId(context));
      }
      if (slug == null)
        throw new Problem('BAD_INPUT', 'Give id, privateLinkToken, or slug with username or team.', ['slug']);
      const owner = publicOwner(page);
      return owner && isSlug(slug) ? findPublicEventType(em, owner, slug, selection, insiderId(context)) : undefined;
    },
  }),
);

const AS_MEMBER = heldScopes(['TEAM_EVENT_TYPE_READ']);

/** The viewer of what a private team offers; null for anonymous callers. */
export function insiderId(context: Pick<GraphQLContext, 'caller'>): string | null {
  return actingUserId(context, AS_MEMBER);
}

export interface OwnerArguments {
  readonly username?: string | null | undefined;
  readonly team?: string | null | undefined;
  readonly organization?: string | null | undefined;
}

/** Undefined for what cannot name anybody. @throws Problem BAD_INPUT unless exactly one owner is named */
export function publicOwner({ username, team, organization }: OwnerArguments): PublicOwner | undefined {
  if ((username == null) === (team == null)) {
    throw new Problem('BAD_INPUT', 'Give username or team, one of the two: it says whose booking page it is.', [
      'username',
    ]);
  }
  if (username != null) return isSlug(username) ? { username } : undefined;
  if (team == null || !isSlug(team) || (organization != null && !isSlug(organization))) return undefined;
  return { team, organization: organization ?? undefined };
}

export function isSlug(text: string): boolean {
  return slugMistake(['slug'], text) === undefined;
}
