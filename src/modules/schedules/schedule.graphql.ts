import type { Selection } from '../../database/selection.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { rowType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { Person, people } from '../accounts/person.graphql.ts';
import { PERSON } from '../accounts/person.queries.ts';
import { resource } from '../levels/resource.graphql.ts';
import { CREATE_SCHEDULE_CODES, createSchedule } from './create-schedule.ts';
import { DELETE_SCHEDULE_CODES, deleteSchedule } from './delete-schedule.ts';
import { Schedule as ScheduleEntity } from './schedule.entity.ts';
import { findDefaultSchedules, SCHEDULES } from './schedule.queries.ts';
import { DateOverride, newScheduleFields, schedulePatchFields, WeeklyHours } from './schedule-hours.graphql.ts';
import { MAX_OVERRIDES, MAX_WEEKLY_HOURS } from './schedule-input.rules.ts';
import { UPDATE_SCHEDULE_CODES, updateSchedule } from './update-schedule.ts';

const data = reads('SCHEDULE');

export const Schedule = rowType(ScheduleEntity, 'Schedule', {
  description: 'A schedule: the hours in which somebody can be booked.',
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'schedule', { requires: data }),
    userId: t.id('userId', 'user', { requires: data, description: 'The user who owns it.' }),
    user: t.part(PERSON, { type: Person, requires: people, description: 'The user who owns it.' }),
    name: t.column('name', { requires: data, description: 'What its owner calls it; bookers do not see it.' }),
    timeZone: t.column('timeZone', {
      type: 'TimeZone',
      requires: data,
      description: 'An IANA name, such as `Europe/Berlin`.',
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
    describes: {
      user: 'Your schedules, oldest first.',
      team: 'The schedules of its members, by member. Null unless you administer it.',
      organization: 'The schedules of its members, by member. Null unless you administer it.',
    },
  },
  lookUp: { name: 'schedule', describes: { user: 'A schedule of yours. Null when there is none such.' } },
  create: {
    input: newScheduleFields,
    errors: CREATE_SCHEDULE_CODES,
    run: createSchedule,
    describes: {
      user: 'Adds a schedule of yours.',
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
