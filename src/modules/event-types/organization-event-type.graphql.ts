import { type PageArguments, pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import { createEventType } from './create-event-type.ts';
import { deleteEventType } from './delete-event-type.ts';
import { EventType, EventTypeConnection } from './event-type.graphql.ts';
import { findOrganizationEventTypes, organizationEventTypePages } from './event-type.queries.ts';
import { EVENT_TYPE_MISTAKES } from './event-type.rules.ts';
import {
  eventTypePatchFields,
  newEventTypeFields,
  newTeamEventTypeFields,
  teamEventTypePatchFields,
} from './event-type-input.graphql.ts';
import { eventTypeMutation } from './event-type-mutation.graphql.ts';
import { type EventTypeOwner, eventTypeNotFound, organizationEventTypes, requireOwnerOf } from './event-type-owner.ts';
import { updateEventType } from './update-event-type.ts';

const read = reads('EVENT_TYPE', ['ORGANIZATION']);
const write = entering('ORGANIZATION', writes('EVENT_TYPE'));

const loadEventTypes = batched(({ em }, organizationIds, args: PageArguments) =>
  organizationEventTypePages(em, organizationIds, pageRequest(args)),
);
const loadEventType = batched(({ em }, organizationIds, id: string) =>
  findOrganizationEventTypes(em, organizationIds, id),
);

builder.objectFields(Organization, (t) => ({
  eventTypes: t.field({
    type: EventTypeConnection,
    nullable: true,
    description: 'What its teams and its members offer, by owner. Null unless you administer it.',
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
    description: 'Something that one of its teams or members offers. Null unless you administer it.',
    requires: read,
    args: { id: t.arg.id({ required: true }) },
    resolve: (organization, { id }, context) =>
      isAtLeast(organization.role, 'ADMIN') ? loadEventType(context, organization.id, id) : undefined,
  }),
}));

eventTypeMutation('organizationEventTypeCreate', {
  description: 'Offers something new to book with a team or a member of an organization that you administer.',
  requires: write,
  read,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN', 'BAD_INPUT'],
  onceByKey: true,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    teamId: t.id({ description: 'The team whose it is; give this or userId.' }),
    userId: t.id({ description: 'The member whose it is; give this or teamId.' }),
    ...newTeamEventTypeFields(t),
    scheduleId: newEventTypeFields(t).scheduleId,
  }),
  resolve: ({ organizationId, teamId, userId, ...input }, context) => {
    const { ownerId, field } = oneOwner(teamId, userId);
    const notFound = new Problem('NOT_FOUND', 'There is no such team or member in the organization.', [field]);
    const owner = organizationEventTypes(requireUserId(context), organizationId, ownerId, notFound);
    return createEventType(context.em, owner, input);
  },
});

eventTypeMutation('organizationEventTypeUpdate', {
  description: 'Changes what a team or a member of an organization offers that you administer.',
  requires: write,
  read,
  errors: [...EVENT_TYPE_MISTAKES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN', 'MANAGED_BY_TEAM'],
  input: (t) => ({
    organizationId: t.id({ required: true }),
    eventTypeId: t.id({ required: true }),
    ...teamEventTypePatchFields(t),
    scheduleId: eventTypePatchFields(t).scheduleId,
  }),
  resolve: ({ organizationId, eventTypeId, ...patch }, context) => {
    const owner = ownerIn(requireUserId(context), organizationId, eventTypeId);
    return updateEventType(context.em, owner, eventTypeId, patch);
  },
});

mutation('organizationEventTypeDelete', {
  description: 'Deletes something that a team or a member of an organization offers that you administer.',
  requires: write,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'MANAGED_BY_TEAM'],
  input: (t) => ({ organizationId: t.id({ required: true }), eventTypeId: t.id({ required: true }) }),
  resolve: async ({ organizationId, eventTypeId }, context) => {
    await deleteEventType(context.em, ownerIn(requireUserId(context), organizationId, eventTypeId), eventTypeId);
    return { eventTypeId };
  },
  payload: (t) => ({ eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }) }),
});

function ownerIn(actorId: string, organizationId: string, eventTypeId: string): EventTypeOwner {
  const ownerId = requireOwnerOf(eventTypeId);
  return organizationEventTypes(actorId, organizationId, ownerId, eventTypeNotFound(eventTypeId));
}

type OwnerField = 'teamId' | 'userId';

function oneOwner(
  teamId: string | null | undefined,
  userId: string | null | undefined,
): { ownerId: string; field: OwnerField } {
  if (teamId != null && userId == null) return { ownerId: teamId, field: 'teamId' };
  if (userId != null && teamId == null) return { ownerId: userId, field: 'userId' };
  throw new Problem('BAD_INPUT', 'Give teamId or userId, one of the two: it says whose event type this is.', [
    'teamId',
  ]);
}
