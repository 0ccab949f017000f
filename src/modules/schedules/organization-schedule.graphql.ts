import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import type { GroupAdministrator } from '../organizations/standing.ts';
import { createSchedule } from './create-schedule.ts';
import { deleteSchedule } from './delete-schedule.ts';
import { changedSchedule, Schedule, ScheduleConnection } from './schedule.graphql.ts';
import { SCHEDULES } from './schedule.queries.ts';
import { newScheduleFields, schedulePatchFields } from './schedule-hours.graphql.ts';
import { SCHEDULE_MISTAKES } from './schedule-input.rules.ts';
import { memberOfSchedule, memberSchedules } from './schedule-owner.ts';
import { updateSchedule } from './update-schedule.ts';
import { memberPages } from './user-list.queries.ts';

const read = reads('SCHEDULE', ['ORGANIZATION']);
const write = entering('ORGANIZATION', writes('SCHEDULE'));

const loadSchedules = batched((context, organizationIds, args: PageArguments) => {
  const by = { group: ORGANIZATION, actorId: requireUserId(context) };
  return memberPages(context.em, SCHEDULES, by, organizationIds, pageRequest(args));
});

builder.objectField(Organization, 'schedules', (t) =>
  t.field({
    type: ScheduleConnection,
    nullable: true,
    description: 'The schedules of its members, by member. Null unless you administer it.',
    requires: read,
    args: pageArguments(),
    resolve: async ({ id, role }, args, context) => {
      const page = isAtLeast(role, 'ADMIN') ? await loadSchedules(context, id, args) : undefined;
      return page && connection(page, (schedule) => [schedule.id]);
    },
  }),
);

mutation('organizationScheduleCreate', {
  description: 'Adds a schedule of a member of an organization that you administer.',
  requires: write,
  errors: [...SCHEDULE_MISTAKES, 'NOT_FOUND', 'FORBIDDEN'],
  onceByKey: true,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    userId: t.id({ required: true }),
    ...newScheduleFields(t),
  }),
  resolve: async ({ organizationId, userId, ...input }, context) => {
    const owner = memberSchedules(administrator(context, organizationId), userId);
    return changedSchedule(await createSchedule(context.em, owner, input));
  },
  payload: (t) => ({
    scheduleId: t.exposeID('scheduleId', { nullable: true, requires: INHERIT }),
    schedule: t.expose('schedule', { type: Schedule, nullable: true, requires: read }),
  }),
});

mutation('organizationScheduleUpdate', {
  description:
    'Changes a schedule of a member of an organization that you administer. What is left out stays as it is.',
  requires: write,
  errors: [...SCHEDULE_MISTAKES, 'DEFAULT_SCHEDULE', 'NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({
    organizationId: t.id({ required: true }),
    scheduleId: t.id({ required: true }),
    ...schedulePatchFields(t),
  }),
  resolve: async ({ organizationId, scheduleId, ...patch }, context) => {
    const owner = memberOfSchedule(administrator(context, organizationId), scheduleId);
    return changedSchedule(await updateSchedule(context.em, owner, scheduleId, patch));
  },
  payload: (t) => ({
    scheduleId: t.exposeID('scheduleId', { nullable: true, requires: INHERIT }),
    schedule: t.expose('schedule', { type: Schedule, nullable: true, requires: read }),
  }),
});

mutation('organizationScheduleDelete', {
  description: 'Deletes a schedule, neither default nor in use, of a member of an organization that you administer.',
  requires: write,
  errors: ['DEFAULT_SCHEDULE', 'SCHEDULE_IN_USE', 'NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({ organizationId: t.id({ required: true }), scheduleId: t.id({ required: true }) }),
  resolve: async ({ organizationId, scheduleId }, context) => {
    const owner = memberOfSchedule(administrator(context, organizationId), scheduleId);
    await deleteSchedule(context.em, owner, scheduleId);
    return { scheduleId };
  },
  payload: (t) => ({ scheduleId: t.exposeID('scheduleId', { nullable: true, requires: INHERIT }) }),
});

function administrator(context: GraphQLContext, organizationId: string): GroupAdministrator {
  return { group: ORGANIZATION, groupId: organizationId, actorId: requireUserId(context) };
}
