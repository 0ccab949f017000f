import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { createSchedule } from './create-schedule.ts';
import { deleteSchedule } from './delete-schedule.ts';
import { findDefaultSchedules, SCHEDULES, type ScheduleRow } from './schedule.queries.ts';
import { DateOverride, newScheduleFields, schedulePatchFields, WeeklyHours } from './schedule-hours.graphql.ts';
import { SCHEDULE_MISTAKES } from './schedule-input.rules.ts';
import { ownSchedules } from './schedule-owner.ts';
import { updateSchedule } from './update-schedule.ts';
import { findOfUsers, userPages } from './user-list.queries.ts';

const data = reads('SCHEDULE');
const read = reads('SCHEDULE', ['USER']);
const write = entering('USER', writes('SCHEDULE', ['USER']));

const loadSchedules = batched(({ em }, userIds, args: PageArguments) =>
  userPages(em, SCHEDULES, userIds, pageRequest(args)),
);
const loadSchedule = batched(({ em }, userIds, id: string) => findOfUsers(em, SCHEDULES, userIds, id));
const loadDefaultSchedule = batched(({ em }, userIds) => findDefaultSchedules(em, userIds));

export const Schedule = builder.objectRef<ScheduleRow>('Schedule').implement({
  description: 'When somebody can be booked.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    userId: t.exposeID('userId', { requires: data, description: 'The user whose it is.' }),
    name: t.exposeString('name', { requires: data }),
    timeZone: t.exposeString('timeZone', { requires: data, description: 'An IANA name, such as `Europe/Berlin`.' }),
    isDefault: t.exposeBoolean('isDefault', {
      requires: data,
      description: 'Whether it counts where no schedule is named. Exactly one of a user’s schedules does.',
    }),
    availability: t.field({
      type: [WeeklyHours],
      requires: data,
      description: 'The hours of an ordinary week. Hours that overlap count once.',
      resolve: ({ availability }) => [...availability],
    }),
    overrides: t.field({
      type: [DateOverride],
      requires: data,
      description: 'The dates that differ from an ordinary week; the hours of several entries for a date add up.',
      resolve: ({ overrides }) => [...overrides],
    }),
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

export const ScheduleConnection = connectionOf(Schedule);

builder.objectFields(Viewer, (t) => ({
  schedules: t.field({
    type: ScheduleConnection,
    nullable: true,
    description: 'Your schedules, oldest first.',
    requires: read,
    args: pageArguments(),
    resolve: async ({ id }, args, context) => {
      const page = await loadSchedules(context, id, args);
      return page && connection(page, (schedule) => [schedule.id]);
    },
  }),
  schedule: t.field({
    type: Schedule,
    nullable: true,
    requires: read,
    args: { id: t.arg.id({ required: true }) },
    resolve: (viewer, { id }, context) => loadSchedule(context, viewer.id, id),
  }),
  defaultSchedule: t.field({
    type: Schedule,
    nullable: true,
    description: 'The schedule that counts where none is named.',
    requires: read,
    resolve: ({ id }, _args, context) => loadDefaultSchedule(context, id, undefined),
  }),
}));

mutation('scheduleCreate', {
  description: 'Adds a schedule of yours.',
  requires: write,
  errors: [...SCHEDULE_MISTAKES, 'NOT_FOUND'],
  onceByKey: true,
  input: newScheduleFields,
  resolve: async (input, context) =>
    changedSchedule(await createSchedule(context.em, ownSchedules(requireUserId(context)), input)),
  payload: (t) => ({
    scheduleId: t.exposeID('scheduleId', { nullable: true, requires: INHERIT }),
    schedule: t.expose('schedule', { type: Schedule, nullable: true, requires: read }),
  }),
});

mutation('scheduleUpdate', {
  description: 'Changes a schedule of yours. What is left out stays as it is.',
  requires: write,
  errors: [...SCHEDULE_MISTAKES, 'DEFAULT_SCHEDULE', 'NOT_FOUND'],
  input: (t) => ({ scheduleId: t.id({ required: true }), ...schedulePatchFields(t) }),
  resolve: async ({ scheduleId, ...patch }, context) =>
    changedSchedule(await updateSchedule(context.em, ownSchedules(requireUserId(context)), scheduleId, patch)),
  payload: (t) => ({
    scheduleId: t.exposeID('scheduleId', { nullable: true, requires: INHERIT }),
    schedule: t.expose('schedule', { type: Schedule, nullable: true, requires: read }),
  }),
});

mutation('scheduleDelete', {
  description: 'Deletes a schedule of yours that is neither the default nor in use.',
  requires: write,
  errors: ['DEFAULT_SCHEDULE', 'SCHEDULE_IN_USE', 'NOT_FOUND'],
  input: (t) => ({ scheduleId: t.id({ required: true }) }),
  resolve: async ({ scheduleId }, context) => {
    await deleteSchedule(context.em, ownSchedules(requireUserId(context)), scheduleId);
    return { scheduleId };
  },
  payload: (t) => ({ scheduleId: t.exposeID('scheduleId', { nullable: true, requires: INHERIT }) }),
});

/** The payload of a mutation that has made or changed a schedule. */
export function changedSchedule(schedule: ScheduleRow): { scheduleId: string; schedule: ScheduleRow } {
  return { scheduleId: schedule.id, schedule };
}
