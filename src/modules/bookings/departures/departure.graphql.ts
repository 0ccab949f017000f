import { idOf, publicId, publicOwnedId } from '../../../core/id.ts';
import { batchedEach } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import { describedId } from '../../../graphql/descriptions.ts';
import { refuseOtherKind } from '../../../graphql/id-arguments.ts';
import { INHERIT, reads } from '../../../scopes/declare.ts';
import { type GroupLevel, LEVELS } from '../../levels/level.graphql.ts';
import { requiredAt } from '../../levels/resource.graphql.ts';
import type { Group } from '../../organizations/group.ts';
import {
  type ConcernedEventType,
  type Departure,
  findDepartures,
  type HostedEventType,
  MAX_COUNTED,
  MAX_NAMED,
  type WantedDeparture,
} from './departure.queries.ts';

export const GROUPS = ['team', 'organization'] as const satisfies readonly GroupLevel[];
const read = reads('MEMBERSHIP');
const eventTypes = reads('EVENT_TYPE');
const bookings = reads('BOOKING');
/** The scopes of the preview, which shows all three. */
const preview = {
  team: [...read.team, ...bookings.team, ...eventTypes.team],
  organization: [...read.organization, ...bookings.organization, ...eventTypes.organization],
} as const;
export const COUNTED = `At most ${MAX_COUNTED} are counted.`;
export const NAMED = `The first ${MAX_NAMED}, oldest first.`;

export const DepartureEventType = builder.objectRef<ConcernedEventType>('DepartureEventType').implement({
  description: 'An event type that somebody’s departure is about.',
  fields: (t) => ({
    id: t.id({
      requires: INHERIT,
      description: describedId('eventType'),
      resolve: (eventType) => publicOwnedId('eventType', eventType),
    }),
    slug: t.exposeString('slug', { requires: INHERIT, description: 'Its name in addresses.' }),
    title: t.exposeString('title', { requires: INHERIT, description: 'What it is called.' }),
  }),
});

const hosted = builder.objectRef<HostedEventType>('DepartureHostedEventType').implement({
  description: 'An event type of a team with which somebody who may leave is booked.',
  fields: (t) => ({
    eventType: t.field({
      type: DepartureEventType,
      requires: INHERIT,
      description: 'Which one.',
      resolve: (eventType) => eventType,
    }),
    isMandatory: t.exposeBoolean('isMandatory', {
      requires: INHERIT,
      description: 'Whether they attend every booking: it is COLLECTIVE, or they are a mandatory host.',
    }),
    isOnlyHost: t.exposeBoolean('isOnlyHost', {
      requires: INHERIT,
      description: 'Whether nobody else hosts it, those who are suspended aside: then it is not offered without them.',
    }),
  }),
});

const departureType = builder.objectRef<Departure>('MembershipDeparture').implement({
  description: 'What would happen if a member left or were removed now. Nothing has been done.',
  fields: (t) => ({
    membershipId: t.id({
      requires: INHERIT,
      description: 'The membership that would end, by its id (`mem_…`).',
      resolve: ({ membershipId }) => publicId('membership', membershipId),
    }),
    upcomingBookingCount: t.exposeInt('upcomingBookingCount', {
      requires: INHERIT,
      description: `Upcoming bookings, pending ones too, that they host for event types of the team, or of the organization’s teams: those that \`bookings\` decides about. ${COUNTED}`,
    }),
    ownUpcomingBookingCount: t.exposeInt('ownUpcomingBookingCount', {
      requires: INHERIT,
      description: `Upcoming bookings of event types of their own: at a team of those that it manages, at an organization of all. They stay theirs, whatever is chosen. ${COUNTED}`,
    }),
    eventTypeCount: t.exposeInt('eventTypeCount', {
      requires: INHERIT,
      description: `Event types of which they would no longer be a host. ${COUNTED}`,
    }),
    eventTypes: t.expose('eventTypes', {
      type: [hosted],
      price: { max: MAX_NAMED },
      requires: INHERIT,
      description: `Event types of which they would no longer be a host. ${NAMED}`,
    }),
    managedEventTypeCount: t.exposeInt('managedEventTypeCount', {
      requires: INHERIT,
      description: `Their copies of MANAGED event types, which would be deleted. ${COUNTED}`,
    }),
    managedEventTypes: t.expose('managedEventTypes', {
      type: [DepartureEventType],
      price: { max: MAX_NAMED },
      requires: INHERIT,
      description: `Their copies of MANAGED event types, which would be deleted. ${NAMED}`,
    }),
  }),
});

/** One statement for all that are asked for in one turn. */
function departuresIn(group: Group) {
  return batchedEach((context: GraphQLContext, wanted: readonly WantedDeparture[], _args: undefined) =>
    findDepartures(context.em, group, requireUserId(context), wanted),
  );
}

for (const level of GROUPS) {
  const load = departuresIn(LEVELS[level].group);
  builder.objectField(LEVELS[level].door, 'departure', (t) =>
    t.field({
      type: departureType,
      nullable: true,
      description: `What would happen if a member were removed from this ${level}, or if you left it. Null unless it is your own membership, or that of a member whom you may remove.`,
      requires: requiredAt(level, preview),
      args: {
        membershipId: t.arg.id({ description: 'The id of the membership (`mem_…`). Default: your own.' }),
      },
      resolve: ({ id: groupId }, { membershipId: named }, context) => {
        if (named == null) return load(context, { groupId, membershipId: null }, undefined);
        const membershipId = idOf('membership', named) ?? refuseOtherKind(['membership'], named, ['membershipId']);
        return membershipId === undefined ? undefined : load(context, { groupId, membershipId }, undefined);
      },
    }),
  );
}
