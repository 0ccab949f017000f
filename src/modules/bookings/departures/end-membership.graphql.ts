import { idOf, NO_ID, publicId } from '../../../core/id.ts';
import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { calledFrom, type GraphQLContext } from '../../../graphql/context.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { requireScopes } from '../../../graphql/guard/require-scopes.ts';
import { mutation, type PayloadFields } from '../../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { enteringAt, type GroupLevel } from '../../levels/level.graphql.ts';
import { actorInGroup, pathFields, withinOrganization } from '../../levels/owner-of-input.graphql.ts';
import { type MembershipTarget, requireMembershipId } from '../../memberships/membership.commands.ts';
import { deleteOrganizationUser, requireUserNamed } from '../../memberships/organization-user.ts';
import type { Group } from '../../organizations/group.ts';
import { reasonField } from '../booking-input.graphql.ts';
import { COUNTED, DepartureEventType, GROUPS, NAMED } from './departure.graphql.ts';
import { MAX_NAMED } from './departure.queries.ts';
import {
  DEPARTURE_BOOKINGS,
  DEPARTURE_OTHERWISE,
  type DepartureChoice,
  MAX_SETTLED_BOOKINGS,
} from './departure-choice.rules.ts';
import { type Departed, END_MEMBERSHIP_CODES, endMembership } from './end-membership.ts';

const bookings = reads('BOOKING');
const eventTypes = reads('EVENT_TYPE');
const write = writes('MEMBERSHIP');
const bookingWrite = writes('BOOKING');

const DepartureBookings = builder.enumType('DepartureBookings', {
  description: 'What happens to upcoming bookings of somebody who leaves a group, for its event types that they host.',
  values: describedValues(DEPARTURE_BOOKINGS, {
    KEEP: 'They still host them.',
    REASSIGN:
      'Each gets another host of its event type who has time then. Where others host it as well and nobody takes turns, they do it without them.',
    CANCEL:
      'They are cancelled, with the reason. Where others host them as well and nobody takes turns, they do it without them.',
  }),
});

const DepartureOtherwise = builder.enumType('DepartureOtherwise', {
  description: 'What happens to bookings that should be reassigned but that nobody is free for.',
  values: describedValues(DEPARTURE_OTHERWISE, {
    KEEP: 'They still host them.',
    CANCEL: 'They are cancelled, with the reason.',
  }),
});

function choiceFields(t: InputBuilder, level: GroupLevel) {
  return {
    bookings: t.field({
      type: DepartureBookings,
      description: `What becomes of their upcoming bookings, of which \`departure\` says how many there are: KEEP if left out. Of more than ${MAX_SETTLED_BOOKINGS}, nothing but KEEP can be chosen. An app that chooses anything else needs \`${bookingWrite[level].join(' ')}\` as well, or is answered \`INSUFFICIENT_SCOPE\`.`,
    }),
    hostId: t.id({
      description: 'With REASSIGN: who takes them over, by their id (`usr_…`); each time whose turn it is if left out.',
    }),
    otherwise: t.field({
      type: DepartureOtherwise,
      description:
        'With REASSIGN: what becomes of those that nobody has time for. Left out: then nothing is done, and the answer is `HOST_NOT_AVAILABLE`.',
    }),
    reason: reasonField(t, 'The reason, which hosts and attendees are told. Needed where bookings are cancelled.'),
  };
}

interface ChoiceInput {
  readonly bookings?: DepartureChoice['bookings'] | null | undefined;
  readonly hostId?: string | null | undefined;
  readonly otherwise?: DepartureChoice['otherwise'] | undefined;
  readonly reason?: string | null | undefined;
}

/** Ends a membership as an input says; what is no id of a user is nobody's. */
async function ended(
  context: GraphQLContext,
  group: Group,
  target: MembershipTarget,
  { bookings: what, hostId, otherwise, reason }: ChoiceInput,
): Promise<{ readonly groupId: string; readonly departed?: Departed | undefined }> {
  const level = group.kind;
  if (what === 'REASSIGN' || what === 'CANCEL') {
    requireScopes(context, [...write[level], ...bookingWrite[level]], `bookings: ${what}`);
  }
  const choice = {
    bookings: what ?? 'KEEP',
    hostId: hostId == null ? null : (idOf('user', hostId) ?? NO_ID),
    otherwise: otherwise ?? null,
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
    reassignedBookingCount: count('reassigned', 'Bookings that have another host now.'),
    releasedBookingCount: count('released', 'Bookings that their other hosts do without them.'),
    cancelledBookingCount: count('cancelled', 'Bookings that were cancelled.'),
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
const AND_THEN = 'They host its event types no more; `bookings` says what becomes of those that are booked.';

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

mutation('organizationUserDelete', {
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
