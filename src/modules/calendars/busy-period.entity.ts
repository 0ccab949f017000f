/**
 * calendars/ knows when calendars elsewhere say that somebody is busy, whatever kind of calendar it is. Bookings read the
 * periods; they are written by replaceBusyPeriods alone.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';

/**
 * A time in which a calendar of a user's has an event. Sharded by its user, like their schedules. Periods of one source may
 * overlap, and those of several sources do.
 */
export const BusyPeriod = defineEntity({
  name: 'BusyPeriod',
  tableName: 'busy_periods',
  indexes: [
    {
      name: 'busy_periods_during_idx',
      expression: 'create index busy_periods_during_idx on busy_periods using gist (user_id, during)',
    },
  ],
  checks: [
    {
      name: 'busy_periods_during_check',
      expression: 'not isempty(during) and not lower_inf(during) and not upper_inf(during)',
    },
  ],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    /** The id of the feed, or of the calendar, that says so. */
    sourceId: p.uuid().primary(),
    during: p.string().columnType('tstzrange').primary(),
    /** A booking of ours has this as its `icsId`, if the event's UID has the form of one; null for any other event. */
    icsId: p.uuid().nullable(),
  },
});
