/** Resolves the ids in an event type to the things that they name. Each field takes the same scopes as the thing's own list. */
import { type OwnedId, publicId } from '../../core/id.ts';
import type { Selection } from '../../database/columns.ts';
import { batched, batchedEachForAll } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { describedId } from '../../graphql/descriptions.ts';
import { addRowFields } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { INHERIT, reads } from '../../scopes/declare.ts';
import { people, User } from '../accounts/accounts.graphql.ts';
import { Schedule as ScheduleEntity } from '../schedules/schedule.entity.ts';
import { Schedule } from '../schedules/schedule.graphql.ts';
import { findSchedules } from '../schedules/schedule.queries.ts';
import { EventType as EventTypeEntity } from './event-type.entity.ts';
import { EventType } from './event-type.graphql.ts';
import { findEventTypeOwners, type EventTypeOwner as OwnerRow, type ShownTeam } from './event-type.queries.ts';

/** A person's own, a team's, or either in an organization. */
const owner = {
  user: people.user,
  ...reads('PROFILE', ['TEAM']),
  organization: [...people.organization, ...reads('PROFILE', ['ORGANIZATION']).organization],
} as const;

const EventTypeTeam = builder.objectRef<ShownTeam>('EventTypeTeam').implement({
  description: 'The team that an event type belongs to.',
  fields: (t) => ({
    id: t.id({ requires: INHERIT, description: describedId('team'), resolve: ({ id }) => publicId('team', id) }),
    name: t.exposeString('name', { requires: INHERIT, description: 'What people call it.' }),
    slug: t.exposeString('slug', { requires: INHERIT, description: 'Its name in addresses.' }),
  }),
});

const EventTypeOwner = builder.objectRef<OwnerRow>('EventTypeOwner').implement({
  description: 'The user or the team that an event type belongs to: one of both is there.',
  fields: (t) => ({
    user: t.expose('user', { type: User, nullable: true, requires: INHERIT, description: 'Null: it is a team.' }),
    team: t.expose('team', {
      type: EventTypeTeam,
      nullable: true,
      requires: INHERIT,
      description: 'Null: it is a user.',
    }),
  }),
});

const loadOwner = batched(({ em }, ownerIds) => findEventTypeOwners(em, ownerIds));

/**
 * A reader who is shown an event type with a schedule would find it among the schedules of its owner, who is reached in
 * the same way.
 */
const loadSchedule = batchedEachForAll((em, ids: readonly OwnedId[], selection: Selection<typeof ScheduleEntity>) =>
  findSchedules(em, ids, selection),
);

addRowFields(EventType, EventTypeEntity, (t) => ({
  owner: t.from(['ownerId'], {
    type: EventTypeOwner,
    nullable: true,
    requires: owner,
    description: 'The user or the team that owns it. Null when it is gone by now.',
    resolve: ({ ownerId }, _args, context) => loadOwner(context, ownerId, undefined),
  }),
  schedule: t.from(['ownerId', 'scheduleId'], {
    type: Schedule,
    nullable: true,
    requires: reads('SCHEDULE'),
    description:
      'The schedule that decides when it can be booked. Null: the default schedule of the user who is booked, as always with teams.',
    resolve: ({ ownerId, scheduleId }, _args, context, info) =>
      scheduleId === null
        ? null
        : loadSchedule(context, { ownerId, id: scheduleId }, selectionOf(info, ScheduleEntity)),
  }),
}));
