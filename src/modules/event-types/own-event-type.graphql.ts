import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { createEventType } from './create-event-type.ts';
import { deleteEventType } from './delete-event-type.ts';
import { EventType, EventTypeConnection, loadEventType, loadEventTypes } from './event-type.graphql.ts';
import { EVENT_TYPE_MISTAKES } from './event-type.rules.ts';
import { eventTypePatchFields, newEventTypeFields } from './event-type-input.graphql.ts';
import { eventTypeMutation } from './event-type-mutation.graphql.ts';
import { ownEventTypes } from './event-type-owner.ts';
import { updateEventType } from './update-event-type.ts';

const read = reads('EVENT_TYPE', ['USER']);
const write = entering('USER', writes('EVENT_TYPE', ['USER']));

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

eventTypeMutation('eventTypeCreate', {
  description: 'Offers something new to book with you.',
  requires: write,
  read,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND'],
  onceByKey: true,
  input: newEventTypeFields,
  resolve: (input, context) => createEventType(context.em, ownEventTypes(requireUserId(context)), input),
});

eventTypeMutation('eventTypeUpdate', {
  description:
    'Changes an event type of yours. What is left out stays as it is; null empties what can be empty. Of one that a team manages, only `hidden` and `scheduleId` are yours to change.',
  requires: write,
  read,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND', 'MANAGED_BY_TEAM'],
  input: (t) => ({ eventTypeId: t.id({ required: true }), ...eventTypePatchFields(t) }),
  resolve: ({ eventTypeId, ...patch }, context) =>
    updateEventType(context.em, ownEventTypes(requireUserId(context)), eventTypeId, patch),
});

mutation('eventTypeDelete', {
  description: 'Deletes an event type of yours, unless a team manages it.',
  requires: write,
  errors: ['NOT_FOUND', 'MANAGED_BY_TEAM'],
  input: (t) => ({ eventTypeId: t.id({ required: true }) }),
  resolve: async ({ eventTypeId }, context) => {
    await deleteEventType(context.em, ownEventTypes(requireUserId(context)), eventTypeId);
    return { eventTypeId };
  },
  payload: (t) => ({ eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }) }),
});
