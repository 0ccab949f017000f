import { idOf, NO_ID, publicId, publicOwnedId } from '../../../core/id.ts';
import { batchedEach } from '../../../graphql/batch.ts';
import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { calledFrom, type GraphQLContext, requireScopes, requireUserId } from '../../../graphql/context.ts';
import { describedId, describedValues } from '../../../graphql/descriptions.ts';
import { refuseOtherKind } from '../../../graphql/id-arguments.ts';
import { mutation, type PayloadFields } from '../../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { enteringAt, type GroupLevel, LEVELS } from '../../levels/level.graphql.ts';
import { actorInGroup, pathFields, withinOrganization } from '../../levels/owned-store.graphql.ts';
import { requiredAt } from '../../levels/resource.graphql.ts';
import { type MembershipTarget, requireMembershipId } from '../../memberships/membership.commands.ts';
import { deleteOrganizationUser, requireUserNamed } from '../../memberships/organization-user.ts';
import type { Group } from '../../organizations/group.ts';
import { ownTeamFields, teamTargetOf } from '../../teams/team.graphql.ts';
import { reasonField } from '../booking-input.graphql.ts';
import { BOOKINGS_AT_ONCE, DELETE_TEAM_CODES, deleteTeam } from './delete-team.ts';
import {
  type ConcernedEventType,
  type Departure,
  findDepartures,
  type HostedEventType,
  MAX_COUNTED,
  MAX_NAMED,
  type WantedDeparture,
} from './departure.queries.ts';
import {
  DEPARTURE_BOOKINGS,
  DEPARTURE_OTHERWISE,
  type DepartureChoice,
  MAX_SETTLED_BOOKINGS,
} from './departure-choice.rules.ts';
import { type Departed, END_MEMBERSHIP_CODES, endMembership } from './end-membership.ts';

const GROUPS = ['team', 'organization'] as const satisfies readonly GroupLevel[];
const read = reads('MEMBERSHIP');
const eventTypes = reads('EVENT_TYPE');
const bookings = reads('BOOKING');
/** The preview takes the scopes of all three kinds of things that it shows. */
const preview = {
  team: [...read.team, ...bookings.team, ...eventTypes.team],
  organization: [...read.organization, ...bookings.organization, ...eventTypes.organization],
} as const;
export const COUNTED = `At most ${MAX_COUNTED} are counted.`;
const NAMED = `The first ${MAX_NAMED}, oldest first.`;

export const DepartureEventType = builder.objectRef<ConcernedEventType>('DepartureEventType').implement({
  description: 'An event type that somebody’s departure affects.',
  fields: (t) => ({
    id: t.id({
      requires: INHERIT,
      description: describedId('eventType'),
      resolve: (eventType) => publicOwnedId('eventType', eventType),
    }),
    slug: t.exposeString('slug', { requires: INHERIT, description: 'Its name in addresses.' }),
    title: t.exposeString('title', { requires: INHERIT, description: 'The title that bookers see.' }),
  }),
});

const hosted = builder.objectRef<HostedEventType>('DepartureHostedEventType').implement({
  description: 'An event type of a team with which somebody who may leave is booked.',
  fields: (t) => ({
    eventType: t.field({
      type: DepartureEventType,
      requires: INHERIT,
      description: 'The event type that they host.',
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
      description: `Upcoming bookings of the member’s own event types: at a team those that it manages, at an organization all. They stay with the member, whatever is chosen. ${COUNTED}`,
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

const write = writes('MEMBERSHIP');
const bookingWrite = writes('BOOKING');

const DepartureBookings = builder.enumType('DepartureBookings', {
  description: 'What happens to upcoming bookings of somebody who leaves a group, for its event types that they host.',
  values: describedValues(DEPARTURE_BOOKINGS, {
    KEEP: 'The person who leaves keeps hosting these bookings.',
    REASSIGN:
      'Each gets another host of its event type who has time then. Where others host it as well and nobody takes turns, they do it without them.',
    CANCEL:
      'They are cancelled, with the reason. Where others host them as well and nobody takes turns, they do it without them.',
  }),
});

const DepartureOtherwise = builder.enumType('DepartureOtherwise', {
  description: 'What happens to bookings that should be reassigned but that nobody is free for.',
  values: describedValues(DEPARTURE_OTHERWISE, {
    KEEP: 'The person who leaves keeps hosting these bookings.',
    CANCEL: 'They are cancelled, with the reason.',
  }),
});

function choiceFields(t: InputBuilder, level: GroupLevel) {
  return {
    upcomingBookings: t.field({
      type: DepartureBookings,
      description: `What becomes of their upcoming bookings, of which \`departure\` says how many there are: KEEP if left out. Of more than ${MAX_SETTLED_BOOKINGS}, nothing but KEEP can be chosen. An app that chooses anything else needs \`${bookingWrite[level].join(' ')}\` as well, or is answered \`INSUFFICIENT_SCOPE\`.`,
    }),
    toUserId: t.id({
      description: 'With REASSIGN: who takes them over, by their id (`usr_…`); each time whose turn it is if left out.',
    }),
    ifNobodyIsFree: t.field({
      type: DepartureOtherwise,
      description:
        'With REASSIGN: what becomes of those that nobody has time for. Left out: then nothing is done, and the answer is `HOST_NOT_AVAILABLE`.',
    }),
    reason: reasonField(t, 'The reason, which hosts and attendees are told. Needed where bookings are cancelled.'),
  };
}

interface ChoiceInput {
  readonly upcomingBookings?: DepartureChoice['upcomingBookings'] | null | undefined;
  readonly toUserId?: string | null | undefined;
  readonly ifNobodyIsFree?: DepartureChoice['ifNobodyIsFree'] | undefined;
  readonly reason?: string | null | undefined;
}

/** Ends a membership as an input says; what is no id of a user is nobody's. */
async function ended(
  context: GraphQLContext,
  group: Group,
  target: MembershipTarget,
  { upcomingBookings: what, toUserId, ifNobodyIsFree, reason }: ChoiceInput,
): Promise<{ readonly groupId: string; readonly departed?: Departed | undefined }> {
  const level = group.kind;
  if (what === 'REASSIGN' || what === 'CANCEL') {
    requireScopes(context, [...write[level], ...bookingWrite[level]], `upcomingBookings: ${what}`);
  }
  const choice = {
    upcomingBookings: what ?? 'KEEP',
    toUserId: toUserId == null ? null : (idOf('user', toUserId) ?? NO_ID),
    ifNobodyIsFree: ifNobodyIsFree ?? null,
    reason: reason ?? null,
  };
  const by = { userId: target.actorId, ...calledFrom(context) };
  return { groupId: target.groupId, departed: await endMembership(context.em, group, target, choice, by) };
}

type Ended = Awaited<ReturnType<typeof ended>>;

function outcomeFields(t: Parameters<PayloadFields<Ended>>[0], level: GroupLevel) {
  const count = (name: Exclude<keyof Departed, 'withoutHost'>, description: string) =>
    t.int({
      nullable: true,
      requires: { [level]: bookings[level] },
      description,
      resolve: ({ departed }) => departed?.[name],
    });
  return {
    reassignedBookingCount: count('reassigned', 'How many bookings were reassigned to another host.'),
    releasedBookingCount: count('released', 'How many bookings go on with their other hosts.'),
    cancelledBookingCount: count('cancelled', 'How many bookings were cancelled.'),
    keptBookingCount: count('kept', `Bookings that they still host. ${COUNTED}`),
    eventTypesWithoutHost: t.field({
      type: [DepartureEventType],
      nullable: true,
      price: { max: MAX_NAMED },
      requires: { [level]: eventTypes[level] },
      description: `Event types that nobody hosts any more: they are not offered until somebody does. ${NAMED}`,
      resolve: ({ departed }) => departed?.withoutHost,
    }),
  };
}

const WHO = {
  team: 'Removes somebody from a team, or lets you leave, or decline an invitation.',
  organization:
    'Removes somebody from an organization and from its teams, or lets you leave, or decline an invitation.',
};
const AND_THEN = 'They host its event types no more; `upcomingBookings` says what becomes of those that are booked.';

for (const level of GROUPS) {
  mutation(`${level}MembershipDelete`, {
    description: `${WHO[level]} ${AND_THEN}`,
    requires: enteringAt(level, write),
    errors: END_MEMBERSHIP_CODES,
    input: (t) => ({ ...pathFields(t, level), membershipId: t.id({ required: true }), ...choiceFields(t, level) }),
    resolve: async (given, context) => {
      const input = await withinOrganization(level, given, context);
      const { group, groupId, actorId } = actorInGroup(level, input, context);
      const membershipId = requireMembershipId(group, String(input['membershipId']));
      const done = await ended(context, group, { groupId, actorId, membershipId }, given);
      return { membershipId: publicId('membership', membershipId), ...done };
    },
    payload: (t) => ({
      membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }),
      ...outcomeFields(t as never, level),
    }),
  });
}

mutation('organizationUserRemove', {
  description: `Removes somebody from the organization and from its teams, who does not stand above you. Their account stays theirs. ${AND_THEN}`,
  requires: entering('ORGANIZATION', writes('MEMBERSHIP', ['ORGANIZATION'])),
  errors: END_MEMBERSHIP_CODES,
  input: (t) => ({
    ...pathFields(t, 'organization'),
    userId: t.id({ required: true, description: 'The member, by their id (`usr_…`).' }),
    ...choiceFields(t, 'organization'),
  }),
  resolve: async (given, context) => {
    const { userId } = given;
    const administrator = actorInGroup('organization', given, context);
    const end = (target: MembershipTarget) => ended(context, administrator.group, target, given);
    return { userId, ...(await deleteOrganizationUser(context.em, administrator, requireUserNamed(userId), end)) };
  },
  payload: (t) => ({
    userId: t.exposeID('userId', { nullable: true, requires: INHERIT }),
    ...outcomeFields(t as never, 'organization'),
  }),
});

const UNLESS_BOOKED =
  'Nothing is deleted while bookings of its own are upcoming or under way, pending ones too: cancel them first. Bookings that members have of a MANAGED event type stay theirs.';

const IN_PARTS = `Of more than ${BOOKINGS_AT_ONCE} bookings, the oldest go first: where the mutation is stopped by then, as it takes too long or somebody books the team, those are gone, and the same mutation goes on with the rest.`;

const deletedTeam: PayloadFields<{ readonly teamId: string }> = (t) => ({
  teamId: t.exposeID('teamId', { nullable: true, requires: INHERIT }),
});

mutation('teamDelete', {
  description: `Deletes a team that you own, with everything that belongs to it. ${UNLESS_BOOKED}`,
  inParts: IN_PARTS,
  requires: entering('TEAM', writes('PROFILE', ['TEAM'])),
  errors: DELETE_TEAM_CODES,
  input: ownTeamFields,
  resolve: async ({ teamId, organizationId }, context) => {
    await deleteTeam(context.em, teamTargetOf({ teamId, organizationId }, context));
    return { teamId };
  },
  payload: deletedTeam,
});

mutation('organizationTeamDelete', {
  description: `Deletes a team of an organization that you administer, with everything that belongs to it. ${UNLESS_BOOKED}`,
  inParts: IN_PARTS,
  requires: entering('ORGANIZATION', writes('PROFILE', ['ORGANIZATION'])),
  errors: DELETE_TEAM_CODES,
  input: (t) => ({ organizationId: t.id({ required: true }), teamId: t.id({ required: true }) }),
  resolve: async ({ organizationId, teamId }, context) => {
    await deleteTeam(context.em, teamTargetOf({ organizationId, teamId }, context, 'ADMINISTRATOR'));
    return { teamId };
  },
  payload: deletedTeam,
});
