import type { Selection } from '../../database/columns.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import { containing, listFilter } from '../../graphql/list-filter.ts';
import { rowType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { people, User, Viewer, WeekDay } from '../accounts/accounts.graphql.ts';
import { PERSON } from '../accounts/user.queries.ts';
import { resource } from '../levels/resource.graphql.ts';
import {
  CREATE_SCHEDULE_CODES,
  createSchedule,
  DELETE_SCHEDULE_CODES,
  deleteSchedule,
  UPDATE_SCHEDULE_CODES,
  updateSchedule,
} from './schedule.commands.ts';
import { Schedule as ScheduleEntity } from './schedule.entity.ts';
import { findDefaultSchedules, SCHEDULES } from './schedule.queries.ts';
import {
  type WeeklyHoursInput as Hours,
  MAX_NAME_LENGTH,
  MAX_OVERRIDES,
  MAX_SCHEDULES,
  MAX_WEEKLY_HOURS,
  type DateOverrideInput as Override,
  WEEK_DAYS,
} from './schedule.rules.ts';

const data = reads('SCHEDULE');

const WeeklyHours = builder.objectRef<Hours>('WeeklyHours').implement({
  description: 'Hours of each of these days, on the wall clock of the schedule’s zone.',
  fields: (t) => ({
    days: t.field({
      type: [WeekDay],
      price: { max: WEEK_DAYS.length },
      requires: data,
      description: 'The days that have these hours, each once.',
      resolve: ({ days }) => [...days],
    }),
    start: t.expose('start', {
      type: 'LocalTime',
      requires: data,
      description: 'The time of day, as `HH:MM`, such as `09:00`.',
    }),
    end: t.expose('end', {
      type: 'LocalTime',
      requires: data,
      description: 'As `HH:MM`; `24:00` is the end of the day.',
    }),
  }),
});

const DateOverride = builder.objectRef<Override>('DateOverride').implement({
  description: 'Hours that stand for those of the week on one date, or, without hours, a day off.',
  fields: (t) => ({
    date: t.expose('date', {
      type: 'Date',
      requires: data,
      description: 'The date, as `YYYY-MM-DD`, such as `2026-12-24`.',
    }),
    start: t.expose('start', {
      type: 'LocalTime',
      nullable: true,
      requires: data,
      description: 'The time of day, as `HH:MM`. Null on a day off.',
    }),
    end: t.expose('end', {
      type: 'LocalTime',
      nullable: true,
      requires: data,
      description: 'The time of day, as `HH:MM`. Null on a day off.',
    }),
  }),
});

const WeeklyHoursInput = builder.inputType('WeeklyHoursInput', {
  description: 'Hours of each of these days, on the wall clock of the schedule’s zone.',
  fields: (t) => ({
    days: t.field({
      type: [WeekDay],
      required: true,
      description: 'The days that have these hours: one or more, each once.',
    }),
    start: t.field({ type: 'LocalTime', required: true, description: 'The time of day, as `HH:MM`, such as `09:00`.' }),
    end: t.field({
      type: 'LocalTime',
      required: true,
      description: 'The time of day, as `HH:MM`, after the start. `24:00` is the end of the day.',
    }),
  }),
});

const DateOverrideInput = builder.inputType('DateOverrideInput', {
  description: 'Hours that stand for those of the week on one date. Without start and end, the day is off.',
  fields: (t) => ({
    date: t.field({ type: 'Date', required: true, description: 'The date, as `YYYY-MM-DD`, such as `2026-12-24`.' }),
    start: t.field({ type: 'LocalTime', description: 'The time of day, as `HH:MM`, such as `09:00`.' }),
    end: t.field({
      type: 'LocalTime',
      description: 'The time of day, as `HH:MM`, after the start. `24:00` is the end of the day.',
    }),
  }),
});

const NAME = `What you call it, which bookers do not see: at most ${MAX_NAME_LENGTH} characters in one line.`;

/** The input of a new schedule. */
function newScheduleFields(t: InputBuilder) {
  return {
    name: t.string({ required: true, description: NAME }),
    timeZone: t.field({
      type: 'TimeZone',
      description: 'The time zone: an IANA name, such as `Europe/Berlin`. Default: the user’s own.',
    }),
    isDefault: t.boolean({
      description: 'True takes the default from the schedule that has it. The first schedule is the default anyway.',
    }),
    availability: t.field({
      type: [WeeklyHoursInput],
      description: `The hours of a week: at most ${MAX_WEEKLY_HOURS} entries. Monday to Friday, 09:00 to 17:00, if left out.`,
    }),
    overrides: t.field({
      type: [DateOverrideInput],
      description: `Dates that differ from the week: at most ${MAX_OVERRIDES}. None, if left out.`,
    }),
  };
}

/** The input of a change of a schedule. */
function schedulePatchFields(t: InputBuilder) {
  return {
    name: t.string({ description: NAME }),
    timeZone: t.field({ type: 'TimeZone', description: 'The time zone: an IANA name, such as `Europe/Berlin`.' }),
    isDefault: t.boolean({
      description: 'True takes the default from the schedule that has it; false is refused for the default itself.',
    }),
    availability: t.field({
      type: [WeeklyHoursInput],
      description: `Replaces all hours of the week: at most ${MAX_WEEKLY_HOURS} entries.`,
    }),
    overrides: t.field({ type: [DateOverrideInput], description: `Replaces all overrides: at most ${MAX_OVERRIDES}.` }),
  };
}

export const Schedule = rowType(ScheduleEntity, 'Schedule', {
  description: 'A schedule: the hours in which somebody can be booked.',
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'schedule', { requires: data }),
    userId: t.id('userId', 'user', { requires: data, description: 'The user who owns it.' }),
    user: t.part(PERSON, { type: User, requires: people, description: 'The user who owns it.' }),
    name: t.column('name', { requires: data, description: 'What its owner calls it; bookers do not see it.' }),
    timeZone: t.column('timeZone', {
      type: 'TimeZone',
      requires: data,
      description: 'The time zone: an IANA name, such as `Europe/Berlin`.',
    }),
    isDefault: t.column('isDefault', {
      requires: data,
      description: 'Whether it is used where no schedule is named. Exactly one of a user’s schedules is the default.',
    }),
    availability: t.column('availability', {
      type: [WeeklyHours],
      price: { max: MAX_WEEKLY_HOURS },
      requires: data,
      description: 'The hours of an ordinary week. Hours that overlap count once.',
    }),
    overrides: t.column('overrides', {
      type: [DateOverride],
      price: { max: MAX_OVERRIDES },
      requires: data,
      description: 'The dates that differ from an ordinary week; the hours of several entries for a date add up.',
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

resource({
  type: Schedule,
  owned: SCHEDULES,
  belongsTo: 'PERSON',
  reads: data,
  writes: writes('SCHEDULE'),
  list: {
    name: 'schedules',
    filter: listFilter('Schedule', {
      text: containing(['name'], 'its name'),
    }),
    describes: {
      user: 'Your schedules, oldest first.',
      team: 'The schedules of its members, by member. Null unless you administer it.',
      organization: 'The schedules of its members, by member. Null unless you administer it.',
    },
  },
  create: {
    input: newScheduleFields,
    errors: CREATE_SCHEDULE_CODES,
    run: createSchedule,
    describes: {
      user: `Adds a schedule of yours. You can have ${MAX_SCHEDULES}.`,
      team: 'Adds a schedule of a member of a team that you administer.',
      organization: 'Adds a schedule of a member of an organization that you administer.',
    },
  },
  update: {
    input: schedulePatchFields,
    errors: UPDATE_SCHEDULE_CODES,
    run: updateSchedule,
    describes: {
      user: 'Changes a schedule of yours. What is left out stays as it is.',
      team: 'Changes a schedule of a member of a team that you administer. What is left out stays as it is.',
      organization:
        'Changes a schedule of a member of an organization that you administer. What is left out stays as it is.',
    },
  },
  delete: {
    errors: DELETE_SCHEDULE_CODES,
    run: deleteSchedule,
    describes: {
      user: 'Deletes a schedule of yours that is neither the default nor in use.',
      team: 'Deletes a schedule, neither default nor in use, of a member of a team that you administer.',
      organization:
        'Deletes a schedule, neither default nor in use, of a member of an organization that you administer.',
    },
  },
});

const loadDefaultSchedule = batched(({ em }, userIds, selection: Selection<typeof ScheduleEntity>) =>
  findDefaultSchedules(em, userIds, selection),
);

builder.objectField(Viewer, 'defaultSchedule', (t) =>
  t.field({
    type: Schedule,
    nullable: true,
    description: 'The schedule that counts where none is named.',
    requires: reads('SCHEDULE', ['USER']),
    resolve: ({ id }, _args, context, info) => loadDefaultSchedule(context, id, selectionOf(info, ScheduleEntity)),
  }),
);
