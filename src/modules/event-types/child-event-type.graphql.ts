import { type OwnedId, publicId, publicOwnedId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { describedId } from '../../graphql/descriptions.ts';
import { URL_TEXT } from '../../graphql/limits/price.ts';
import { addRowFields } from '../../graphql/row.ts';
import { reads } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import { bookingUrl } from './booking-url.rules.ts';
import { EventType as EventTypeEntity } from './event-type.entity.ts';
import { EventType } from './event-type.graphql.ts';
import { type ChildEventTypeRow, childEventTypePages } from './managed-event-types.ts';

const data = reads('EVENT_TYPE');

const loadChildren = pagesBelow(
  { columns: ['UUID'], keyOf: ({ userId }: ChildEventTypeRow) => [userId] },
  (context, eventTypes: readonly OwnedId[], request) =>
    childEventTypePages(context.em, requireUserId(context), eventTypes, request),
);

/** The parent, as far as a child shows it: the owner of a child need not administer the team. */
const ParentEventType = builder.objectRef<OwnedId & { readonly title: string }>('ParentEventType').implement({
  description: 'A managed event type of a team, which its members have copies of.',
  fields: (t) => ({
    id: t.id({
      requires: data,
      description: describedId('eventType'),
      resolve: (parent) => publicOwnedId('eventType', parent),
    }),
    title: t.exposeString('title', { requires: data, description: 'Its title at the team.' }),
    teamId: t.id({
      requires: data,
      description: 'The team that manages it, by its id (`tea_…`).',
      resolve: ({ ownerId }) => publicId('team', ownerId),
    }),
  }),
});

const ChildEventType = builder.objectRef<ChildEventTypeRow>('ChildEventType').implement({
  description: 'A host’s own copy of a managed event type.',
  fields: (t) => ({
    id: t.id({
      requires: data,
      description: describedId('eventType'),
      resolve: ({ userId, id }) => publicOwnedId('eventType', { ownerId: userId, id }),
    }),
    user: t.expose('user', { type: User, requires: data, description: 'The host who is booked with it.' }),
    isHidden: t.exposeBoolean('isHidden', { requires: data, description: 'Whether the host has hidden it.' }),
    bookingUrl: t.field({
      type: 'URL',
      price: URL_TEXT,
      requires: data,
      description: 'The page where it can be booked.',
      resolve: ({ user, slug }, _args, { publicUrl }) => bookingUrl(publicUrl, user.username, slug),
    }),
  }),
});

addRowFields(EventType, EventTypeEntity, (t) => ({
  parent: t.from(['parentTeamId', 'parentId', 'title'], {
    type: ParentEventType,
    nullable: true,
    requires: data,
    description:
      'The managed event type of a team that this one follows: its owner decides `isHidden` and `scheduleId`, the team everything else. Null: nobody manages it.',
    // The title is the parent's: the team decides it.
    resolve: ({ parentTeamId, parentId, title }) =>
      parentTeamId === null || parentId === null ? null : { ownerId: parentTeamId, id: parentId, title },
  }),
  children: t.from(['ownerId', 'id', 'schedulingType'], {
    type: connectionOf(ChildEventType),
    nullable: true,
    requires: data,
    description:
      'The hosts’ copies of a MANAGED event type, by host, except hidden ones of hosts whose role stands above yours. Empty for all other event types.',
    args: pageArguments(),
    resolve: ({ ownerId, id }, page, context) => loadChildren(context, { ownerId, id }, page, undefined),
  }),
}));
