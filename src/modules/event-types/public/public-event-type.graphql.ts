/**
 * public/ is event types as bookers see them. It may import every other room of event-types/.
 */

import { NO_PAGE } from '../../../core/page.ts';
import { Problem } from '../../../core/problem.ts';
import { slugMistake } from '../../../core/text.ts';
import { builder } from '../../../graphql/builder.ts';
import { connection, type ListOrder, pageArguments, publicConnectionOf } from '../../../graphql/connection.ts';
import { OTHER_KINDS, ownedIdArgument } from '../../../graphql/id-arguments.ts';
import { SMALL, URL_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { insiderId } from '../../teams/team.graphql.ts';
import { bookingUrl, type PublicOwner, privateLinkUrl } from '../booking-url.rules.ts';
import { EventType as EventTypeEntity } from '../event-type.entity.ts';
import { bookingRuleFields, loadBookingPlace, OfferedEventType, presentedFields } from '../event-type.graphql.ts';
import { MANAGED_BY_DESCRIPTION, PublicLocation, PublicManagingTeam } from '../event-type-values.graphql.ts';
import { MANAGING_TEAM } from '../managed-event-types.ts';
import { MAX_LOCATIONS, offeredLocations } from '../settings/location.rules.ts';
import {
  type EventTypeName,
  findPrivatelyLinkedEventType,
  findPublicEventType,
  findPublicEventTypeById,
  listPublicEventTypes,
  type PrivatelyLinkedEventType,
  type ShownEventType,
} from './public-event-type.queries.ts';

const presented = presentedFields(PUBLIC);
const rules = bookingRuleFields(PUBLIC);

export const PublicEventType = rowType(EventTypeEntity, 'PublicEventType', {
  description: 'An event type as everybody sees it.',
  interfaces: [OfferedEventType],
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
const OLDEST_FIRST: ListOrder<ShownEventType> = { columns: ['UUID'], keyOf: ({ id }) => [id] };

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
    resolve: (_root, args, context, info) => {
      const { username, team, organization } = args;
      const owner = publicOwner({ username, team, organization });
      return connection(OLDEST_FIRST, args, async (request) =>
        owner
          ? listPublicEventTypes(context.em, owner, request, selectionOf(info, EventTypeEntity), insiderId(context))
          : NO_PAGE,
      );
    },
  }),
);

const SLUG = 'Its name in addresses, such as `intro-call`.';

const EventTypeOfUserInput = builder.inputType('EventTypeOfUserInput', {
  description: 'An event type on the booking page of a user.',
  fields: (t) => ({
    username: t.string({ required: true, description: 'The user, such as `ada-lovelace`.' }),
    slug: t.string({ required: true, description: SLUG }),
  }),
});

const EventTypeOfTeamInput = builder.inputType('EventTypeOfTeamInput', {
  description: 'An event type on the booking page of a team.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'The slug of the team.' }),
    organization: t.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
    slug: t.string({ required: true, description: SLUG }),
  }),
});

/** An event type that anybody may name. */
export const EventTypeIdentifierInput = builder.inputType('EventTypeIdentifierInput', {
  isOneOf: true,
  description: 'Names an event type in one of these ways.',
  fields: (t) => ({
    id: t.id({ description: `Its id, which begins with \`evt_\`. ${OTHER_KINDS}` }),
    privateLinkToken: t.string({ description: 'The last part of the address of a private link.' }),
    ofUser: t.field({ type: EventTypeOfUserInput, description: 'By its place on the booking page of a user.' }),
    ofTeam: t.field({ type: EventTypeOfTeamInput, description: 'By its place on the booking page of a team.' }),
  }),
});

builder.queryField('publicEventType', (t) =>
  t.field({
    type: PublicEventType,
    nullable: true,
    description:
      'Something that can be booked, by its id, its place on a booking page, or a private link. Null when it is hidden, or of a private team that you do not belong to, unless the link still serves.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: { by: t.arg({ type: EventTypeIdentifierInput, required: true, description: 'What names it.' }) },
    resolve: async (_root, { by }, context, info) => {
      const { em } = context;
      const selection = selectionOf(info, EventTypeEntity);
      if (by.privateLinkToken != null) return findPrivatelyLinkedEventType(em, by.privateLinkToken, selection);
      const named = eventTypeName(by, 'by');
      if (!named) return undefined;
      if ('id' in named) return findPublicEventTypeById(em, named, selection, insiderId(context));
      return findPublicEventType(em, named.owner, named.slug, selection, insiderId(context));
    },
  }),
);

type Identifier = typeof EventTypeIdentifierInput.$inferInput;

/**
 * Reads how an argument names an event type: by its id, or by its owner's booking page and its slug; undefined for a text that
 * cannot name any.
 * @throws Problem BAD_INPUT for the id of another kind of thing
 */
export function eventTypeName({ id, ofUser, ofTeam }: Identifier, argument: string): EventTypeName | undefined {
  if (id != null) return ownedIdArgument('eventType', id, [argument, 'id']);
  const { slug = '', ...page } = ofUser ?? ofTeam ?? {};
  const owner = publicOwner(page);
  return owner && isSlug(slug) ? { owner, slug } : undefined;
}

interface OwnerArguments {
  readonly username?: string | null | undefined;
  readonly team?: string | null | undefined;
  readonly organization?: string | null | undefined;
}

/** Undefined for what cannot name anybody. @throws Problem BAD_INPUT unless exactly one owner is named */
export function publicOwner({ username, team, organization }: OwnerArguments): PublicOwner | undefined {
  if ((username == null) === (team == null)) {
    const mistaken = team == null && organization != null ? 'team' : 'username';
    throw new Problem('BAD_INPUT', 'Give username or team, one of the two: it says whose booking page it is.', [
      mistaken,
    ]);
  }
  if (username != null && organization != null) {
    throw new Problem('BAD_INPUT', 'Give organization with team, and leave it out with username.', ['organization']);
  }
  if (username != null) return isSlug(username) ? { username } : undefined;
  if (team == null || !isSlug(team) || (organization != null && !isSlug(organization))) return undefined;
  return { team, organization: organization ?? undefined };
}

export function isSlug(text: string): boolean {
  return slugMistake(['slug'], text) === undefined;
}
