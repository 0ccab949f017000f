import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Team } from '../teams/team.entity.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

/**
 * A booking in the list of one of its hosts, sharded by the host: whatever the list filters and sorts by is repeated here,
 * so that a page is short scans of one index, also for somebody who is booked through many teams. The start and the last
 * change have indexes by status, whose scans are merged: a status that few bookings have is not searched for along the
 * years. Two orders need none: the end follows the start within a day, and ids are in the order of creation. Written with
 * the booking, by saveBooking and insertBooking alone.
 */
export const BookingHost = defineEntity({
  name: 'BookingHost',
  tableName: 'booking_hosts',
  indexes: [
    // The index has the other columns that filters ask for, so that rows which are passed over cost little.
    {
      name: 'booking_hosts_start_idx',
      expression:
        'create index booking_hosts_start_idx on booking_hosts (user_id, status, starts_at, booking_id) include (owner_id, ends_at, updated_at, event_type_id)',
    },
    {
      name: 'booking_hosts_updated_idx',
      expression: 'create index booking_hosts_updated_idx on booking_hosts (user_id, status, updated_at, booking_id)',
    },
    // This index has bookings of teams alone. Filters use it to find the event types through which somebody is booked,
    // and round robin to count.
    {
      name: 'booking_hosts_team_event_type_idx',
      expression:
        'create index booking_hosts_team_event_type_idx on booking_hosts (user_id, team_id, event_type_id, status, booking_id) where team_id is not null',
    },
    {
      name: 'booking_hosts_team_id_idx',
      expression: 'create index booking_hosts_team_id_idx on booking_hosts (team_id) where team_id is not null',
    },
  ],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    /** In the order in which bookings are made. */
    bookingId: p.uuid().primary(),
    /** The booking's shard. */
    ownerId: p.uuid(),
    eventTypeId: p.uuid(),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    startsAt: p.type(InstantType),
    endsAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
    absent: p.boolean(),
    status: p.text().$type<BookingStatus>(),
  },
});
