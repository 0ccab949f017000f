/** calendar-entries/ writes bookings into the calendars of their hosts. It may import conferencing/. */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { ConnectedCalendar } from '../../calendars/connections/calendar-connection.entity.ts';

/**
 * A booking as it stands in a calendar of one of its hosts, or is about to: noted before it is written, so that nothing is left there
 * that nobody knows. A booking that moves stays the same entry. Sharded by the host.
 */
export const CalendarEntry = defineEntity({
  name: 'CalendarEntry',
  tableName: 'calendar_entries',
  indexes: [{ name: 'calendar_entries_calendar_idx', properties: ['userId', 'calendarId'] }],
  properties: {
    /** The id of the host in whose calendar it is. */
    userId: p.uuid().primary(),
    /** The id of the booking. */
    icsId: p.uuid().primary(),
    calendar: () =>
      p.manyToOne(ConnectedCalendar).joinColumns('user_id', 'calendar_id').deleteRule('cascade').index(false),
    calendarId: p.uuid().primary(),
    /** The id that the provider gave it. Null: it may be there, or not. */
    externalId: p.text().nullable(),
    etag: p.text().nullable(),
    /** As of which change of the booking it was written. */
    bookingChangedAt: p.type(InstantType).nullable(),
    /**
     * Since this time it does not follow its booking: that was tried for long, or nothing is written for the host. The
     * booking is named below.
     */
    missedAt: p.type(InstantType).nullable(),
    bookingOwner: p.uuid().nullable(),
    bookingId: p.uuid().nullable(),
  },
});
