/**
 * schedules/ owns when people are there: weekly hours, overrides, absence. Local times become instants here and nowhere
 * else.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import type { DateOverrideInput, WeeklyHoursInput } from './schedule.rules.ts';

/**
 * When somebody can be booked. Sharded by its user: every key starts with `user_id`, and the public id carries it, so
 * that a look-up by id alone finds the shard. Hours stand in the row, as they were typed and checked: they are only ever
 * read and replaced as a whole, so a schedule takes one statement.
 *
 * Whatever uses a schedule refers to it by a foreign key on (user_id, id) that restricts deletion: deleteSchedule
 * answers SCHEDULE_IN_USE when the database refuses for such a key.
 */
export const Schedule = defineEntity({
  name: 'Schedule',
  tableName: 'schedules',
  uniques: [
    {
      name: 'schedules_default_key',
      expression: 'create unique index schedules_default_key on schedules (user_id) where is_default',
    },
  ],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    name: p.text(),
    timeZone: p.text(),
    isDefault: p.boolean(),
    availability: p.json<readonly WeeklyHoursInput[]>(),
    overrides: p.json<readonly DateOverrideInput[]>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
