import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import { Team } from '../teams/team.graphql.ts';
import { createEventType } from './create-event-type.ts';
import { deleteEventType } from './delete-event-type.ts';
import { EventType, EventTypeConnection, loadEventType, loadEventTypes } from './event-type.graphql.ts';
import { EVENT_TYPE_MISTAKES } from './event-type.rules.ts';
import { newTeamEventTypeFields, teamEventTypePatchFields } from './event-type-input.graphql.ts';
import { eventTypeMutation } from './event-type-mutation.graphql.ts';
import { teamEventTypes } from './event-type-owner.ts';
import { updateEventType } from './update-event-type.ts';

const data = reads('EVENT_TYPE', ['TEAM', 'ORGANIZATION']);
const read = reads('EVENT_TYPE', ['TEAM']);
const write = entering('TEAM', writes('EVENT_TYPE'));

builder.objectFields(Team, (t) => ({
  eventTypes: t.field({
    type: EventTypeConnection,
    nullable: true,
    description: 'What the team offers, oldest first. Null unless you administer it.',
    requires: data,
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
    requires: data,
    args: { id: t.arg.id({ required: true }) },
    resolve: (team, { id }, context) =>
      isAtLeast(team.role, 'ADMIN') ? loadEventType(context, team.id, id) : undefined,
  }),
}));

eventTypeMutation('teamEventTypeCreate', {
  description: 'Offers something new to book with a team that you administer.',
  requires: write,
  read,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN'],
  onceByKey: true,
  input: (t) => ({ teamId: t.id({ required: true }), ...newTeamEventTypeFields(t) }),
  resolve: ({ teamId, ...input }, context) =>
    createEventType(context.em, teamEventTypes(requireUserId(context), teamId), input),
});

eventTypeMutation('teamEventTypeUpdate', {
  description:
    'Changes what a team offers that you administer. What is left out stays as it is. What the hosts have of a MANAGED one follows.',
  requires: write,
  read,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({
    teamId: t.id({ required: true }),
    eventTypeId: t.id({ required: true }),
    ...teamEventTypePatchFields(t),
  }),
  resolve: ({ teamId, eventTypeId, ...patch }, context) =>
    updateEventType(context.em, teamEventTypes(requireUserId(context), teamId), eventTypeId, patch),
});

mutation('teamEventTypeDelete', {
  description:
    'Deletes something that a team offers that you administer; of a MANAGED one, also what its hosts have of it.',
  requires: write,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({ teamId: t.id({ required: true }), eventTypeId: t.id({ required: true }) }),
  resolve: async ({ teamId, eventTypeId }, context) => {
    await deleteEventType(context.em, teamEventTypes(requireUserId(context), teamId), eventTypeId);
    return { eventTypeId };
  },
  payload: (t) => ({ eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }) }),
});
