import { ownerOf } from '../../../core/id.ts';
import { cutPage, pageRequest } from '../../../core/page.ts';
import { Problem } from '../../../core/problem.ts';
import { slugMistake } from '../../../core/text.ts';
import { actingUserId } from '../../../graphql/acting-user.ts';
import { builder } from '../../../graphql/builder.ts';
import { connection, pageArguments, publicConnectionOf } from '../../../graphql/connection.ts';
import type { GraphQLContext } from '../../../graphql/context.ts';
import { LONG_TEXT, SMALL, URL_TEXT } from '../../../graphql/limits/price.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { heldScopes } from '../../../scopes/held-scopes.ts';
import { bookingUrl, type PublicOwner, privateLinkUrl } from '../booking-url.rules.ts';
import { loadBookingPlace } from '../change/event-type.graphql.ts';
import {
  PublicBookingField,
  PublicConfirmation,
  PublicCutOff,
  PublicLocation,
  PublicRecurrence,
  PublicSeats,
} from '../event-type-values.graphql.ts';
import { MANAGED_BY_DESCRIPTION, PublicManagingTeam } from '../managed/managing-team.graphql.ts';
import { MAX_FIELDS } from '../settings/booking-field.rules.ts';
import { MAX_LOCATIONS, offeredLocations } from '../settings/location.rules.ts';
import { MAX_LENGTHS } from '../settings/scheduling-input.rules.ts';
import {
  findPrivatelyLinkedEventType,
  findPublicEventType,
  findPublicEventTypeById,
  listPublicEventTypes,
  type PrivatelyLinkedEventTypeRow,
  type PublicEventTypeRow,
} from './public-event-type.queries.ts';

type PublicEventTypeShape = PublicEventTypeRow | PrivatelyLinkedEventTypeRow;

const PublicEventType = builder.objectRef<PublicEventTypeShape>('PublicEventType').implement({
  description: 'What anybody may know of something that can be booked.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: PUBLIC }),
    slug: t.exposeString('slug', { requires: PUBLIC }),
    title: t.exposeString('title', { requires: PUBLIC }),
    description: t.exposeString('description', { price: LONG_TEXT, nullable: true, requires: PUBLIC }),
    managedBy: t.expose('managedBy', {
      type: PublicManagingTeam,
      nullable: true,
      requires: PUBLIC,
      description: MANAGED_BY_DESCRIPTION,
    }),
    lengthInMinutes: t.exposeInt('lengthInMinutes', { requires: PUBLIC }),
    bookingUrl: t.string({
      price: URL_TEXT,
      nullable: true,
      requires: PUBLIC,
      description:
        'The page where it is booked; that of the private link, if one led here. Null when its owner is gone.',
      resolve: async (eventType, _args, context) => {
        const { publicUrl } = context;
        if ('privateLinkToken' in eventType) return privateLinkUrl(publicUrl, eventType.privateLinkToken);
        const place = await loadBookingPlace(context, ownerOf('eventType', eventType.id) ?? '', undefined);
        return place === undefined ? null : bookingUrl(publicUrl, place, eventType.slug);
      },
    }),
    color: t.exposeString('color', { nullable: true, requires: PUBLIC, description: 'As `#rrggbb`.' }),
    lengthInMinutesOptions: t.intList({
      price: { max: MAX_LENGTHS },
      requires: PUBLIC,
      description: 'The lengths to choose from; empty when there is no choice.',
      resolve: ({ lengthInMinutesOptions }) => [...lengthInMinutesOptions],
    }),
    locations: t.field({
      type: [PublicLocation],
      price: { max: MAX_LOCATIONS, weight: SMALL },
      requires: PUBLIC,
      description: 'From which the booker chooses; the first is the default.',
      resolve: ({ locations, seats }) => [...offeredLocations(locations, seats)],
    }),
    bookingFields: t.field({
      type: [PublicBookingField],
      price: { max: MAX_FIELDS, weight: SMALL },
      requires: PUBLIC,
      description: 'What the booker is asked, in this order.',
      resolve: ({ bookingFields }) => [...bookingFields],
    }),
    confirmation: t.field({
      type: PublicConfirmation,
      requires: PUBLIC,
      resolve: ({ confirmation }) => confirmation,
    }),
    recurrence: t.field({
      type: PublicRecurrence,
      nullable: true,
      requires: PUBLIC,
      resolve: ({ recurrence }) => recurrence,
    }),
    seats: t.field({
      type: PublicSeats,
      nullable: true,
      requires: PUBLIC,
      description: 'Null: a slot is one booking.',
      resolve: ({ seats }) => seats,
    }),
    requiresBookerEmailVerification: t.exposeBoolean('requiresBookerEmailVerification', { requires: PUBLIC }),
    requiresAuthentication: t.exposeBoolean('requiresAuthentication', {
      requires: PUBLIC,
      description: 'Whether only somebody signed in can book.',
    }),
    disableGuests: t.exposeBoolean('disableGuests', { requires: PUBLIC }),
    disableCancelling: t.field({
      type: PublicCutOff,
      nullable: true,
      requires: PUBLIC,
      description: 'Null: attendees can cancel at any time.',
      resolve: ({ disableCancelling }) => disableCancelling,
    }),
    disableRescheduling: t.field({
      type: PublicCutOff,
      nullable: true,
      requires: PUBLIC,
      description: 'Null: attendees can reschedule at any time.',
      resolve: ({ disableRescheduling }) => disableRescheduling,
    }),
  }),
});

const PublicEventTypeConnection = publicConnectionOf(PublicEventType);

builder.queryField('publicEventTypes', (t) =>
  t.field({
    type: PublicEventTypeConnection,
    description:
      'What can be booked with a user or a team, oldest first, without what is hidden. Of a private team, or a team of a private organization, only its members see something.',
    requires: PUBLIC,
    args: {
      username: t.arg.string({ description: 'The user whose booking page it is; give this or team.' }),
      team: t.arg.string({ description: 'The slug of the team whose booking page it is.' }),
      organization: t.arg.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
      ...pageArguments(),
    },
    resolve: async (_root, { username, team, organization, ...page }, context) => {
      const request = pageRequest(page);
      const owner = publicOwner({ username, team, organization });
      const found = owner
        ? await listPublicEventTypes(context.em, owner, request, insiderId(context))
        : cutPage([], request);
      return connection<PublicEventTypeRow>(found, (eventType) => [eventType.id]);
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
    args: {
      id: t.arg.id({ description: 'Its id; give this, or privateLinkToken, or slug and whose it is.' }),
      privateLinkToken: t.arg.string({ description: 'The last part of the address of a private link.' }),
      slug: t.arg.string(),
      username: t.arg.string({ description: 'The user whose booking page it is on.' }),
      team: t.arg.string({ description: 'The slug of the team whose booking page it is on.' }),
      organization: t.arg.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
    },
    resolve: async (_root, { id, privateLinkToken, slug, ...page }, context) => {
      const { em } = context;
      if (privateLinkToken != null) return findPrivatelyLinkedEventType(em, privateLinkToken);
      if (id != null) return findPublicEventTypeById(em, id, insiderId(context));
      if (slug == null)
        throw new Problem('BAD_INPUT', 'Give id, privateLinkToken, or slug with username or team.', ['slug']);
      const owner = publicOwner(page);
      return owner && isSlug(slug) ? findPublicEventType(em, owner, slug, insiderId(context)) : undefined;
    },
  }),
);

const AS_MEMBER = heldScopes(['TEAM_EVENT_TYPE_READ']);

/** As whom a caller sees what a private team offers; null is anybody. */
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
