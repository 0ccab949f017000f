/**
 * event-types/ owns what can be booked with a user or a team: event-type.commands.ts changes it, managed-event-types.ts
 * hands a team's event types to its members, private-links.ts opens hidden ones. settings/ judges what owners enter,
 * public/ is what bookers see.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { metadataCheck } from '../../database/updates.ts';
import { denormalizedColumn, denormalizedIndex, denormalizingTrigger } from '../organizations/organization.entity.ts';
import { Schedule } from '../schedules/schedule.entity.ts';
import { ownerCheck, ownerColumns, Team, TeamMembership } from '../teams/team.entity.ts';
import type { BookingField } from './settings/booking-field.rules.ts';
import type { BookingLimits } from './settings/booking-limit.rules.ts';
import type { BookingWindow } from './settings/booking-window.rules.ts';
import type { OfferedLocation } from './settings/location.rules.ts';
import type { Recurrence } from './settings/recurrence.rules.ts';
import type { AttendeePolicy, Confirmation, SchedulingType, Seats } from './settings/scheduling.rules.ts';

/**
 * Something that can be booked with a user or a team. Sharded by its owner: every key starts with `owner_id`, and the
 * public id carries it, so that a look-up by id alone finds the shard. What is read and checked as a whole stands in the
 * row: an event type is booked from one statement.
 */
export const EventType = defineEntity({
  name: 'EventType',
  tableName: 'event_types',
  uniques: [
    { name: 'event_types_owner_id_slug_key', properties: ['ownerId', 'slug'] },
    {
      name: 'event_types_owner_id_parent_id_key',
      expression:
        'create unique index event_types_owner_id_parent_id_key on event_types (owner_id, parent_id) where parent_id is not null',
    },
  ],
  triggers: [denormalizingTrigger('event_types', 'OWNER')],
  // Lists of an owner need none but for hidden ones: ids are made in the order of time, so the primary key is their order. The next
  // three are for those of organizations, two serve the deletion of an owner, one that of a schedule, the last the end of a membership.
  indexes: [
    { name: 'event_types_is_hidden_idx', properties: ['ownerId', 'isHidden', 'id'] },
    denormalizedIndex('event_types', 'owner_id'),
    denormalizedIndex('event_types', 'owner_id', 'slug'),
    denormalizedIndex('event_types', 'owner_id', 'is_hidden'),
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
    {
      name: 'event_types_children_idx',
      expression:
        'create index event_types_children_idx on event_types (parent_team_id, parent_id, owner_id) where parent_team_id is not null',
    },
    {
      name: 'event_types_membership_id_idx',
      expression:
        'create index event_types_membership_id_idx on event_types (membership_id) where membership_id is not null',
    },
  ],
  checks: [
    metadataCheck('event_types'),
    ownerCheck('event_types'),
    {
      name: 'event_types_team_check',
      expression: '(team_id is null) = (scheduling_type is null) and not (assigns_all_members and team_id is null)',
    },
    {
      name: 'event_types_parent_check',
      expression:
        'num_nonnulls(parent_team_id, parent_id, membership_id) in (0, 3) and (parent_id is null or user_id is not null)',
    },
  ],
  properties: {
    ...ownerColumns(),
    ...denormalizedColumn(),
    slug: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    durationInMinutes: p.integer(),
    durationInMinutesOptions: p.json<readonly number[]>().defaultRaw(`'[]'`),
    isHidden: p.boolean(),
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
    confirmation: p.json<Confirmation>().defaultRaw(`'{"type": "NEVER"}'`),
    recurrence: p.json<Recurrence>().nullable(),
    seats: p.json<Seats>().nullable(),
    requiresBookerEmailVerification: p.boolean().defaultRaw('false'),
    requiresAuthentication: p.boolean().defaultRaw('false'),
    allowsGuests: p.boolean().defaultRaw('true'),
    cancellationPolicy: p.json<AttendeePolicy>().defaultRaw(`'{"type": "ALWAYS"}'`),
    reschedulingPolicy: p.json<AttendeePolicy>().defaultRaw(`'{"type": "ALWAYS"}'`),
    successRedirectUrl: p.text().nullable(),
    embedOrigins: p.json<readonly string[]>().defaultRaw(`'[]'`),
    /** Null for an event type of a user. */
    schedulingType: p.text().$type<SchedulingType>().nullable(),
    assignsAllMembers: p.boolean().defaultRaw('false'),
    /**
     * The team's managed event type that a child follows. No foreign key leads there: the two have different owners,
     * and between sharded tables a key must contain the shard. The command that deletes the parent deletes its
     * children, too.
     */
    parentTeam: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    parentId: p.uuid().nullable(),
    /** The membership by which its owner belongs to that team: the copy goes with it. */
    membership: () => p.manyToOne(TeamMembership).deleteRule('cascade').nullable().index(false),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** A member of a team who is booked with one of its event types, sharded by the team; goes with the membership. */
export const EventTypeHost = defineEntity({
  name: 'EventTypeHost',
  tableName: 'event_type_hosts',
  indexes: [{ name: 'event_type_hosts_membership_id_idx', properties: ['membership'] }],
  properties: {
    eventType: () => p.manyToOne(EventType).joinColumns('owner_id', 'event_type_id').deleteRule('cascade').index(false),
    ownerId: p.uuid().primary(),
    eventTypeId: p.uuid().primary(),
    userId: p.uuid().primary(),
    membership: () => p.manyToOne(TeamMembership).deleteRule('cascade').index(false),
    isMandatory: p.boolean(),
    priority: p.integer(),
    weight: p.integer(),
    /** They take turns with this part since then: since they became a host, or since it last changed. */
    turnsSince: p.type(InstantType).defaultRaw('now()'),
  },
});
