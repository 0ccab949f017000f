import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Team } from '../teams/team.entity.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

/**
 * A booking in the list of one of its hosts, sharded by the host: whatever the list filters and sorts by is repeated here,
 * so that a page is one scan of one index, also for somebody who is booked through many teams. Written with the booking,
 * by saveBooking and insertBooking alone.
 */
export const BookingHost = defineEntity({
  name: 'BookingHost',
  tableName: 'booking_hosts',
  indexes: [
    { name: 'booking_hosts_start_idx', properties: ['user', 'startsAt', 'bookingUid'] },
    { name: 'booking_hosts_end_idx', properties: ['user', 'endsAt', 'bookingUid'] },
    { name: 'booking_hosts_created_idx', properties: ['user', 'createdAt', 'bookingUid'] },
    { name: 'booking_hosts_updated_idx', properties: ['user', 'updatedAt', 'bookingUid'] },
    // Round robin counts by it.
    { name: 'booking_hosts_event_type_idx', properties: ['user', 'eventTypeId', 'createdAt'] },
    {
      name: 'booking_hosts_team_id_idx',
      expression: 'create index booking_hosts_team_id_idx on booking_hosts (team_id) where team_id is not null',
    },
  ],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    bookingUid: p.text().primary(),
    /** The booking's shard. */
    ownerId: p.text(),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    eventTypeId: p.text(),
    status: p.text().$type<BookingStatus>(),
    startsAt: p.type(InstantType),
    endsAt: p.type(InstantType),
    absent: p.boolean(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
