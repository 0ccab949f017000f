import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Schedule } from '../schedules/schedule.entity.ts';
import { Team } from '../teams/team.entity.ts';
import type { BookingField } from './booking-field.rules.ts';
import type { BookingLimits } from './booking-limit.rules.ts';
import type { BookingWindow } from './booking-window.rules.ts';
import type { Confirmation, CutOff, SchedulingType, Seats } from './event-type-scheduling.rules.ts';
import type { OfferedLocation } from './location.rules.ts';
import type { Recurrence } from './recurrence.rules.ts';

/**
 * Something that can be booked with a user or a team. Sharded by its owner: every key starts with `owner_id`, and the
 * public id carries it, so that a look-up by id alone finds the shard. What is read and checked as a whole stands in the
 * row: an event type is booked from one statement.
 */
export const EventType = defineEntity({
  name: 'EventType',
  tableName: 'event_types',
  uniques: [{ name: 'event_types_owner_id_slug_key', properties: ['ownerId', 'slug'] }],
  // Lists need none: ids are made in the order of time, so the primary key is the order of an owner's list. The first two
  // serve the deletion of an owner, the third that of a schedule.
  indexes: [
    {
      name: 'event_types_user_id_idx',
      expression: 'create index event_types_user_id_idx on event_types (user_id) where user_id is not null',
    },
    {
      name: 'event_types_team_id_idx',
      expression: 'create index event_types_team_id_idx on event_types (team_id) where team_id is not null',
    },
    {
      name: 'event_types_schedule_id_idx',
      expression:
        'create index event_types_schedule_id_idx on event_types (owner_id, schedule_id) where schedule_id is not null',
    },
  ],
  checks: [
    {
      name: 'event_types_owner_check',
      expression: 'num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id)',
    },
    {
      name: 'event_types_team_check',
      expression: '(team_id is null) = (scheduling_type is null) and not (assign_all_members and team_id is null)',
    },
  ],
  properties: {
    ownerId: p.text().primary(),
    id: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').nullable().index(false),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    slug: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    lengthInMinutes: p.integer(),
    lengthInMinutesOptions: p.json<readonly number[]>().defaultRaw(`'[]'`),
    hidden: p.boolean(),
    color: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    locations: p.json<readonly OfferedLocation[]>().defaultRaw(`'[]'`),
    bookingFields: p.json<readonly BookingField[]>().defaultRaw(`'[]'`),
    /** The owner's own, so that the key also says whose it must be; null is their default schedule. */
    schedule: () =>
      p
        .manyToOne(Schedule)
        .joinColumns('owner_id', 'schedule_id')
        .nullable()
        .deleteRule('no action')
        .updateRule('no action')
        .index(false),
    slotIntervalInMinutes: p.integer().nullable(),
    minimumBookingNoticeInMinutes: p.integer().defaultRaw('120'),
    bufferBeforeInMinutes: p.integer().defaultRaw('0'),
    bufferAfterInMinutes: p.integer().defaultRaw('0'),
    bookingWindow: p.json<BookingWindow>().nullable(),
    bookingLimits: p.json<BookingLimits>().defaultRaw(`'{}'`),
    confirmation: p.json<Confirmation>().defaultRaw(`'{"kind": "NONE"}'`),
    recurrence: p.json<Recurrence>().nullable(),
    seats: p.json<Seats>().nullable(),
    requiresBookerEmailVerification: p.boolean().defaultRaw('false'),
    requiresAuthentication: p.boolean().defaultRaw('false'),
    disableGuests: p.boolean().defaultRaw('false'),
    disableCancelling: p.json<CutOff>().nullable(),
    disableRescheduling: p.json<CutOff>().nullable(),
    successRedirectUrl: p.text().nullable(),
    /** Null for a user's. */
    schedulingType: p.text().$type<SchedulingType>().nullable(),
    assignAllMembers: p.boolean().defaultRaw('false'),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
