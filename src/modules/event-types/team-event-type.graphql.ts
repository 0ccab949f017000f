import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import { Team } from '../teams/team.graphql.ts';
import { createEventType } from './create-event-type.ts';
import { deleteEventType } from './delete-event-type.ts';
import {
  changedEventType,
  EventType,
  EventTypeConnection,
  loadEventType,
  loadEventTypes,
} from './event-type.graphql.ts';
import { EVENT_TYPE_MISTAKES } from './event-type.rules.ts';
import { newTeamEventTypeFields, teamEventTypePatchFields } from './event-type-input.graphql.ts';
import { teamEventTypes } from './event-type-owner.ts';
import { updateEventType } from './update-event-type.ts';

const read = entering('TEAM', reads('EVENT_TYPE'));
const write = entering('TEAM', writes('EVENT_TYPE'));

builder.objectFields(Team, (t) => ({
  eventTypes: t.field({
    type: EventTypeConnection,
    nullable: true,
    description: 'What the team offers, oldest first. Null unless you administer it.',
    requires: read,
    args: pageArguments(),
    resolve: async ({ id, role }, args, context) => {
      const page = isAtLeast(role, 'ADMIN') ? await loadEventTypes(context, id, args) : undefined;
      return page && connection(page, (eventType) => [eventType.id]);
    },
  }),
  eventType: t.field({
    type: EventType,
    nullable: true,
    description: 'Something that the team offers. Null unless you administer it.',
    requires: read,
    args: { id: t.arg.id({ required: true }) },
    resolve: (team, { id }, context) =>
      isAtLeast(team.role, 'ADMIN') ? loadEventType(context, team.id, id) : undefined,
  }),
}));

mutation('teamEventTypeCreate', {
  description: 'Offers something new to book with a team that you administer.',
  requires: write,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN'],
  onceByKey: true,
  input: (t) => ({ teamId: t.id({ required: true }), ...newTeamEventTypeFields(t) }),
  resolve: async ({ teamId, ...input }, context) =>
    changedEventType(await createEventType(context.em, teamEventTypes(requireUserId(context), teamId), input)),
  payload: (t) => ({
    eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }),
    eventType: t.expose('eventType', { type: EventType, nullable: true, requires: read }),
  }),
});

mutation('teamEventTypeUpdate', {
  description:
    'Changes what a team offers that you administer. What is left out stays as it is. The event types of members that a MANAGED one has follow it.',
  requires: write,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({
    teamId: t.id({ required: true }),
    eventTypeId: t.id({ required: true }),
    ...teamEventTypePatchFields(t),
  }),
  resolve: async ({ teamId, eventTypeId, ...patch }, context) => {
    const owner = teamEventTypes(requireUserId(context), teamId);
    return changedEventType(await updateEventType(context.em, owner, eventTypeId, patch));
  },
  payload: (t) => ({
    eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }),
    eventType: t.expose('eventType', { type: EventType, nullable: true, requires: read }),
  }),
});

mutation('teamEventTypeDelete', {
  description: 'Deletes something that a team offers that you administer.',
  requires: write,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({ teamId: t.id({ required: true }), eventTypeId: t.id({ required: true }) }),
  resolve: async ({ teamId, eventTypeId }, context) => {
    await deleteEventType(context.em, teamEventTypes(requireUserId(context), teamId), eventTypeId);
    return { eventTypeId };
  },
  payload: (t) => ({ eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }) }),
});
