/**
 * bookings/ owns meetings, from the search for a time to the recording of what was said. Its rooms follow that life:
 * slots/ finds a time, occupancy/ keeps it, book/ makes the booking, change/ alters and ends it, lists/ shows a host's,
 * public/ is what anybody may do, mails/ and conferencing/ tell and hear of it. What several rooms need stands here. It
 * may import every module but those to its right.
 */

import { defineEntity, p } from '@mikro-orm/core';
import { type RawBuilder, sql } from '../../database/sql.ts';
import { InstantType, instantCheck } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import type { ManagingTeam } from '../event-types/managed-event-type.rules.ts';
import type { Response } from '../event-types/settings/field-answers.rules.ts';
import type { Seats } from '../event-types/settings/scheduling.rules.ts';
import { denormalizedColumn } from '../organizations/organization.entity.ts';
import { ownerCheck, ownerColumns, Team } from '../teams/team.entity.ts';
import type { KeptEntry } from './booking-history.rules.ts';
import type { BookedLocation } from './booking-location.rules.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

/**
 * A meeting that is asked for, agreed on or over. Sharded by the owner of its event type, whom its id carries. The event
 * type is named without a foreign key: a booking outlives it, so what it showed when it was booked is copied here.
 */
export const Booking = defineEntity({
  name: 'Booking',
  tableName: 'bookings',
  indexes: [
    // Serves the deletion of an owner: an entry takes a few bytes, as it holds no more than the owner's id.
    {
      name: 'bookings_user_id_idx',
      expression: 'create index bookings_user_id_idx on bookings (user_id) where user_id is not null',
    },
    // A team's list, as those of hosts (below). By the start limits are counted and seats are found, too (of
    // users, by what they host); what was cancelled, however often, is not read.
    {
      name: 'bookings_team_start_idx',
      expression:
        'create index bookings_team_start_idx on bookings (team_id, status, starts_at, id) include (ends_at, updated_at, event_type_id) where team_id is not null',
    },
    {
      name: 'bookings_team_updated_idx',
      expression:
        'create index bookings_team_updated_idx on bookings (team_id, status, updated_at, id) where team_id is not null',
    },
    // The same for an organization; the owner says whether it is a team or whose membership has to be looked at. The last is
    // for the order of creation, which of a team is the primary key's.
    {
      name: 'bookings_organization_start_idx',
      expression:
        'create index bookings_organization_start_idx on bookings (organization_id, status, starts_at, id) include (owner_id, ends_at) where organization_id is not null',
    },
    {
      name: 'bookings_organization_updated_idx',
      expression:
        'create index bookings_organization_updated_idx on bookings (organization_id, status, updated_at, id) where organization_id is not null',
    },
    {
      name: 'bookings_organization_id_idx',
      expression:
        'create index bookings_organization_id_idx on bookings (organization_id, id) where organization_id is not null',
    },
  ],
  checks: [
    ownerCheck('bookings'),
    { name: 'bookings_time_check', expression: 'starts_at < ends_at' },
    // No event type takes longer; lists by the end rely on it.
    { name: 'bookings_length_check', expression: "(ends_at - starts_at) <= '24:00:00'::interval" },
    instantCheck('bookings', 'starts_at', 'ends_at'),
  ],
  properties: {
    ...ownerColumns(),
    /** The version of the uids that open it (booking-key.rules.ts): one more ends all that its attendee was given. */
    uidVersion: p.smallint().defaultRaw('0'),
    ...denormalizedColumn(),
    eventTypeId: p.uuid(),
    title: p.text(),
    description: p.text().nullable(),
    /** The team that wrote title and description, where the host's event type is managed by one. */
    managedBy: p.json<ManagingTeam>().nullable(),
    status: p.text().$type<BookingStatus>(),
    startsAt: p.type(InstantType),
    endsAt: p.type(InstantType),
    location: p.json<BookedLocation>().nullable(),
    /** Null: the owner alone, who hosts most (`hostIdsOf`). */
    hostIds: p.array().columnType('uuid[]').nullable(),
    /** Null: none, which most have; so are the next one and the metadata. */
    guestEmails: p.array().columnType('text[]').nullable(),
    /** The guests who are mailed only once the booker has verified their own address, by a link in a mail. */
    heldGuestEmails: p.array().columnType('text[]').nullable(),
    /** The event type's rule about seats when it was booked; null when it had none. */
    seats: p.json<Seats>().nullable(),
    metadata: p.json<Record<string, string>>().nullable(),
    cancellationReason: p.text().nullable(),
    rejectionReason: p.text().nullable(),
    reschedulingReason: p.text().nullable(),
    /** The reason that was given when the booking was last handed to another host. */
    reassignmentReason: p.text().nullable(),
    /** Cancelled by a host who asks for another time: until one is chosen, it can still be rescheduled. */
    rescheduleRequested: p.boolean().defaultRaw('false'),
    /** How often it was moved as a whole (`MAX_MOVES`), from one booking to the next. */
    moves: p.smallint().defaultRaw('0'),
    rescheduledFromId: p.uuid().nullable(),
    rescheduledToId: p.uuid().nullable(),
    /** The first booking of the series that it is part of. */
    recurringId: p.uuid().nullable(),
    /** The id by which calendars know it: a booking that moves keeps it, so that its entry there moves too. */
    icsId: p.uuid(),
    /** Grows with every change (RFC 5545 §3.8.7.4), from one booking to the one that it moves to as well. */
    icsSequence: p.integer().defaultRaw('0'),
    /** The history since it was made (booking-history.rules.ts), for its hosts; null: nothing has happened. */
    history: p.json<readonly KeptEntry[]>().nullable(),
    /** How many mails about the booking are held back by limits. */
    unsentMails: p.integer().defaultRaw('0'),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** SQL: who hosts the booking of this alias, in their order. Most are hosted by their owner alone, for which null stands. */
export function hostIdsOf(alias: string): RawBuilder<readonly string[]> {
  return sql`coalesce(${sql.ref(`${alias}.host_ids`)}, array[${sql.ref(`${alias}.owner_id`)}])`;
}

/** The first columns of what belongs to a booking and goes with it. */
export const OF_BOOKING = {
  booking: () => p.manyToOne(Booking).joinColumns('owner_id', 'booking_id').deleteRule('cascade').index(false),
  ownerId: p.uuid().primary(),
  bookingId: p.uuid().primary(),
};

const BOOKED_FROM_INDEX = 'booking_attendees_booked_from_idx';

/** The attendees of a booking, without its hosts and guests. With seats, each has a uid of their own. */
export const BookingAttendee = defineEntity({
  name: 'BookingAttendee',
  tableName: 'booking_attendees',
  indexes: [
    // Serves lists that are narrowed to an attendee. It begins with the address, so that it also finds the owners they
    // have met. An attendee's bookings with one owner are sorted by other times as a whole. It holds a hash of the
    // address, a third of its length; statements compare the address as well (hasEmail).
    {
      name: 'booking_attendees_start_idx',
      expression:
        'create index booking_attendees_start_idx on booking_attendees (hashtextextended(lower(email), 0), owner_id, starts_at, booking_id)',
    },
    {
      name: BOOKED_FROM_INDEX,
      expression: `create index ${BOOKED_FROM_INDEX} on booking_attendees (starts_at) where booked_from is not null`,
    },
  ],
  uniques: [
    {
      name: 'booking_attendees_seat_key',
      expression:
        'create unique index booking_attendees_seat_key on booking_attendees (owner_id, seat_id) where seat_id is not null',
    },
  ],
  properties: {
    ...OF_BOOKING,
    /** In the order of booking. */
    id: p.uuid().primary(),
    /** When the booking is, which never changes: an attendee who moves to another booking gets its time. */
    startsAt: p.type(InstantType),
    name: p.text(),
    email: p.text(),
    /** Whether they have shown that the address is theirs, or somebody signed in, whose own is verified, has named them. */
    verified: p.boolean().defaultRaw('false'),
    /**
     * The digest of the booker's network, of a team's booking that a stranger has made with an address that is not
     * verified: mails that go by the booking's time count for it. Null otherwise, and once they are over.
     */
    bookedFrom: p.text().nullable(),
    timeZone: p.text(),
    locale: p.text().nullable(),
    phone: p.text().nullable(),
    notes: p.text().nullable(),
    /** Null: none. */
    responses: p.json<Record<string, Response>>().nullable(),
    absent: p.boolean(),
    seatId: p.uuid().nullable(),
    /** The version of the uids that open the seat, as those of a booking. */
    uidVersion: p.smallint().defaultRaw('0'),
  },
});

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
