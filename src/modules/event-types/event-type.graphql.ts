import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { createEventType } from './create-event-type.ts';
import { deleteEventType } from './delete-event-type.ts';
import { type EventTypeRow, eventTypePages, findEventTypes } from './event-type.queries.ts';
import { EVENT_TYPE_MISTAKES } from './event-type.rules.ts';
import { ownEventTypes } from './event-type-owner.ts';
import { updateEventType } from './update-event-type.ts';

const data = reads('EVENT_TYPE');
const read = reads('EVENT_TYPE', ['USER']);
const write = entering('USER', writes('EVENT_TYPE', ['USER']));

/** What each owner offers: a user or a team. Whether the caller may see it is decided where the owner was loaded. */
export const loadEventTypes = batched(({ em }, ownerIds, args: PageArguments) =>
  eventTypePages(em, ownerIds, pageRequest(args)),
);
export const loadEventType = batched(({ em }, ownerIds, id: string) => findEventTypes(em, ownerIds, id));

export const EventType = builder.objectRef<EventTypeRow>('EventType').implement({
  description: 'Something that can be booked with a user or a team.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    ownerId: t.exposeID('ownerId', { requires: data, description: 'The user or the team whose it is.' }),
    slug: t.exposeString('slug', { requires: data, description: 'Its name in addresses, unique for its owner.' }),
    title: t.exposeString('title', { requires: data }),
    description: t.exposeString('description', { nullable: true, requires: data }),
    lengthInMinutes: t.exposeInt('lengthInMinutes', { requires: data }),
    hidden: t.exposeBoolean('hidden', { requires: data, description: 'Whether the public lists leave it out.' }),
    color: t.exposeString('color', { nullable: true, requires: data, description: 'As `#rrggbb`.' }),
    metadata: t.expose('metadata', { type: 'Metadata', requires: data }),
    createdAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ updatedAt }) => Temporal.Instant.from(updatedAt),
    }),
  }),
});

export const EventTypeConnection = connectionOf(EventType);

builder.objectFields(Viewer, (t) => ({
  eventTypes: t.field({
    type: EventTypeConnection,
    nullable: true,
    description: 'What you offer yourself, oldest first; your teams list their own.',
    requires: read,
    args: pageArguments(),
    resolve: async ({ id }, args, context) => {
      const page = await loadEventTypes(context, id, args);
      return page && connection(page, (eventType) => [eventType.id]);
    },
  }),
  eventType: t.field({
    type: EventType,
    nullable: true,
    requires: read,
    args: { id: t.arg.id({ required: true }) },
    resolve: (viewer, { id }, context) => loadEventType(context, viewer.id, id),
  }),
}));

mutation('eventTypeCreate', {
  description: 'Offers something new to book with you.',
  requires: write,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN'],
  input: newEventTypeFields,
  resolve: async (input, context) =>
    changedEventType(await createEventType(context.em, ownEventTypes(requireUserId(context)), input)),
  payload: (t) => ({
    eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }),
    eventType: t.expose('eventType', { type: EventType, nullable: true, requires: read }),
  }),
});

mutation('eventTypeUpdate', {
  description: 'Changes an event type of yours. What is left out stays; null empties `description` and `color`.',
  requires: write,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND'],
  input: (t) => ({ eventTypeId: t.id({ required: true }), ...eventTypePatchFields(t) }),
  resolve: async ({ eventTypeId, ...patch }, context) =>
    changedEventType(await updateEventType(context.em, ownEventTypes(requireUserId(context)), eventTypeId, patch)),
  payload: (t) => ({
    eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }),
    eventType: t.expose('eventType', { type: EventType, nullable: true, requires: read }),
  }),
});

mutation('eventTypeDelete', {
  description: 'Deletes an event type of yours.',
  requires: write,
  errors: ['NOT_FOUND'],
  input: (t) => ({ eventTypeId: t.id({ required: true }) }),
  resolve: async ({ eventTypeId }, context) => {
    await deleteEventType(context.em, ownEventTypes(requireUserId(context)), eventTypeId);
    return { eventTypeId };
  },
  payload: (t) => ({ eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }) }),
});

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** What an event type can be created with. */
export function newEventTypeFields(t: InputBuilder) {
  return {
    ...eventTypePatchFields(t),
    slug: t.string({ required: true }),
    title: t.string({ required: true }),
    lengthInMinutes: t.int({ required: true, description: '1 to 1440.' }),
  };
}

/** What of an event type can be changed. */
export function eventTypePatchFields(t: InputBuilder) {
  return {
    slug: t.string(),
    title: t.string(),
    description: t.string(),
    lengthInMinutes: t.int({ description: '1 to 1440.' }),
    hidden: t.boolean({ description: 'Whether the public lists leave it out.' }),
    color: t.string({ description: 'As `#rrggbb`.' }),
    metadata: t.field({ type: 'Metadata', description: 'Replaces all keys.' }),
  };
}

/** The payload of a mutation that has made or changed an event type. */
export function changedEventType(eventType: EventTypeRow): { eventTypeId: string; eventType: EventTypeRow } {
  return { eventTypeId: eventType.id, eventType };
}
