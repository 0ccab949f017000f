import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Team } from '../teams/team.entity.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

const OF_EVENT_TYPE = ['user', 'ownerId', 'eventTypeId', 'status'] as const;

/**
 * A booking in the list of one of its hosts, sharded by the host: whatever the list filters and sorts by is repeated here,
 * so that a page is short scans of one index, also for somebody who is booked through many teams. Each order has an index
 * by status and one by event type and status, whose scans are merged: a status that few bookings have, or an event type
 * of long ago, is not searched for along the years. Written with the booking, by saveBooking and insertBooking alone.
 */
export const BookingHost = defineEntity({
  name: 'BookingHost',
  tableName: 'booking_hosts',
  indexes: [
    // The other times are there for ranges of them, which no index has in every order.
    {
      name: 'booking_hosts_start_idx',
      expression:
        'create index booking_hosts_start_idx on booking_hosts (user_id, status, starts_at, booking_id) include (ends_at, created_at, updated_at)',
    },
    {
      name: 'booking_hosts_end_idx',
      expression:
        'create index booking_hosts_end_idx on booking_hosts (user_id, status, ends_at, booking_id) include (starts_at, created_at, updated_at)',
    },
    {
      name: 'booking_hosts_created_idx',
      expression:
        'create index booking_hosts_created_idx on booking_hosts (user_id, status, created_at, booking_id) include (starts_at, ends_at, updated_at)',
    },
    {
      name: 'booking_hosts_updated_idx',
      expression:
        'create index booking_hosts_updated_idx on booking_hosts (user_id, status, updated_at, booking_id) include (starts_at, ends_at, created_at)',
    },
    { name: 'booking_hosts_event_type_start_idx', properties: [...OF_EVENT_TYPE, 'startsAt', 'bookingId'] },
    { name: 'booking_hosts_event_type_end_idx', properties: [...OF_EVENT_TYPE, 'endsAt', 'bookingId'] },
    // Round robin counts by it.
    { name: 'booking_hosts_event_type_created_idx', properties: [...OF_EVENT_TYPE, 'createdAt', 'bookingId'] },
    { name: 'booking_hosts_event_type_updated_idx', properties: [...OF_EVENT_TYPE, 'updatedAt', 'bookingId'] },
    {
      name: 'booking_hosts_team_id_idx',
      expression: 'create index booking_hosts_team_id_idx on booking_hosts (team_id) where team_id is not null',
    },
  ],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    bookingId: p.uuid().primary(),
    /** The booking's shard. */
    ownerId: p.uuid(),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    eventTypeId: p.uuid(),
    status: p.text().$type<BookingStatus>(),
    startsAt: p.type(InstantType),
    endsAt: p.type(InstantType),
    absent: p.boolean(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
