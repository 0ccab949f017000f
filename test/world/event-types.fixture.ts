import { Selection } from '../../src/database/columns.ts';
import { sql } from '../../src/database/sql.ts';
import { EventType } from '../../src/modules/event-types/event-type.entity.ts';
import { childEventTypePages } from '../../src/modules/event-types/managed-event-types.ts';
import { PrivateLink } from '../../src/modules/event-types/private-link.entity.ts';
import { privateLinkPages } from '../../src/modules/event-types/private-links.ts';
import { listPublicEventTypes } from '../../src/modules/event-types/public/public-event-type.queries.ts';
import type { World } from '../api/standings/world.ts';
import { uuidNumbered } from '../support/ids.ts';
import { did, type Fixture, type Maker, numbered, type Operation, tried } from './fixture.ts';

const newEventType = (maker: Maker) => ({ slug: maker.slug(), title: 'Talk', durationInMinutes: 30 });

export const ownEventType = async (maker: Maker) => ({
  eventTypeId: await maker.made('eventTypeCreate', newEventType(maker), 'eventTypeId'),
});

export const teamEventType = async (maker: Maker, settings: object = {}) => ({
  eventTypeId: await maker.made(
    'teamEventTypeCreate',
    { teamId: await maker.id('teams', 'sales'), ...newEventType(maker), ...settings },
    'eventTypeId',
  ),
});

const LINK_LIMITS = { expiresAt: '2031-01-01T00:00:00Z', maxUsageCount: 5 };
const LIMIT = { maxBookings: 5, maxMinutes: 300 };

/** Each setting of an event type, in as few of them as exclude each other. */
const SETTINGS = [
  {
    description: 'Words.',
    color: '#336699',
    metadata: { key: 'value' },
    durationInMinutesOptions: [30, 60],
    slotIntervalInMinutes: 15,
    bookingWindow: { type: 'ROLLING_DAYS', days: 30 },
    bookingLimits: { day: LIMIT, week: LIMIT, month: LIMIT, year: LIMIT },
    locations: [
      { type: 'LINK', url: 'https://meet.example/1', label: 'Room' },
      { type: 'ADDRESS', address: 'Main Street 1' },
      { type: 'PHONE', phone: '+4930123456' },
      { type: 'CONFERENCING', app: 'zoom' },
    ],
    bookingFields: [{ type: 'SELECT', slug: 'topic', label: 'Topic', options: ['a'], placeholder: 'Choose' }],
    confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 60 },
    cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 60 },
    reschedulingPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 60 },
    successRedirectUrl: 'https://thanks.example/',
    embedOrigins: ['https://www.example.com'],
  },
  {
    bookingWindow: { type: 'DATE_RANGE', firstDate: '2031-01-01', lastDate: '2031-02-01' },
    seats: { perSlot: 2, showsAttendees: true },
  },
  { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } },
];
const LINKS = Selection.whole(PrivateLink);

let count = 0;

function newType(teamId: string, more: object) {
  count += 1;
  return { teamId, slug: `standing-${count}`, title: 'Type', durationInMinutes: 30, ...more };
}

/** An event type of the team, made by the owner of everything. */
function teamType(world: World, level: Parameters<Operation['prepare']>[1], more: object): Promise<string> {
  return did(world.owner, 'teamEventTypeCreate', newType(world.teamOf(level), more), 'eventTypeId');
}

function ofTeamType(name: string, settings: (userId: string) => object, change: (userId: string) => object): Operation {
  return {
    name,
    needsAcceptance: true,
    prepare: async (world, level, { userId }) => {
      const eventTypeId = await teamType(world, level, settings(userId));
      const target = { teamId: world.teamOf(level), eventTypeId };
      return (actor) => tried('teamEventTypeUpdate', { ...target, ...change(userId) })(actor);
    },
  };
}

const named = (userId: string) => ({ hosts: [{ userId }] });

const managed = (userId: string) => ({ schedulingType: 'MANAGED', ...named(userId) });

const OF_TEAM: readonly Operation[] = [
  {
    name: 'make an event type with them as host',
    prepare: async (world, level, { userId }) =>
      tried('teamEventTypeCreate', newType(world.teamOf(level), named(userId))),
  },
  {
    name: 'make a managed event type for them',
    prepare: async (world, level, { userId }) =>
      tried('teamEventTypeCreate', newType(world.teamOf(level), managed(userId))),
  },
  {
    name: 'make them host of an event type',
    prepare: async (world, level, { userId }) => {
      const eventTypeId = await teamType(world, level, named(world.member.userId));
      const hostsSet = [{ userId, priority: 4 }];
      return tried('teamEventTypeUpdate', { teamId: world.teamOf(level), eventTypeId, hostsSet });
    },
  },
  ofTeamType('change what is said of them as host', named, (userId) => ({ hostsSet: [{ userId, weight: 1 }] })),
  ofTeamType('take them off the hosts', named, (userId) => ({ hostsRemove: [userId] })),
  ofTeamType('change what they have of a managed event type', managed, () => ({ title: `Other ${(count += 1)}` })),
  ofTeamType('rename what they have of a managed event type', managed, () => ({ slug: `renamed-${(count += 1)}` })),
  ofTeamType('take what they have of a managed event type', managed, () => ({ schedulingType: 'COLLECTIVE' })),
  ofTeamType('make what they host a managed event type', named, () => ({ schedulingType: 'MANAGED' })),
  {
    name: 'delete what they have of a managed event type',
    needsAcceptance: true,
    prepare: async (world, level, { userId }) => {
      const eventTypeId = await teamType(world, level, managed(userId));
      return tried('teamEventTypeDelete', { teamId: world.teamOf(level), eventTypeId });
    },
  },
];

export const fixture: Fixture = {
  things: {
    eventType: {
      isForUnverified: true,
      make: newEventType,
      change: { title: 'Other' },
      full: null,
      many: ({ userId, teamId, eventTypeId, managedId, organizationId }, count) => [
        sql`insert into event_types (owner_id, id, user_id, organization_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at,
          updated_at)
        select ${userId}::uuid, id, ${userId}::uuid, ${organizationId}::uuid, id::text, '', 30, false, '{}', now(), now()
        from (select ${eventTypeId}::uuid as id union all select ${uuidNumbered('0')} from ${numbered(count)}) e`,
        sql`insert into event_types (owner_id, id, team_id, organization_id, scheduling_type, slug, title, duration_in_minutes, is_hidden, metadata,
          created_at, updated_at)
        select ${teamId}::uuid, ${uuidNumbered('0')}, ${teamId}::uuid, ${organizationId}::uuid, 'COLLECTIVE', n, '', 30, false, '{}', now(),
          now() from ${numbered(count)}`,
        sql`insert into event_types (owner_id, id, user_id, organization_id, parent_team_id, parent_id, membership_id, slug, title,
          duration_in_minutes, is_hidden, metadata, created_at, updated_at)
        select m.user_id, ${managedId}::uuid, m.user_id, ${organizationId}::uuid, ${teamId}::uuid, ${managedId}::uuid, m.id,
          'copy', '', 30, false, '{}', now(), now()
        from team_memberships m where m.team_id = ${teamId} and m.user_id <> ${userId}`,
      ],
    },
    privateLink: {
      make: (maker, level) => (level === 'user' ? ownEventType(maker) : teamEventType(maker)),
      change: { maxUsageCount: 3 },
      full: null,
      many: ({ userId, eventTypeId }, count) => [
        sql`insert into private_links (owner_id, event_type_id, id, secret, usage_count, created_at, updated_at)
        select ${userId}::uuid, ${eventTypeId}::uuid, ${uuidNumbered('0')}, '', 0, now(), now() from ${numbered(count)}`,
      ],
    },
  },
  fields: {
    Query: { ANYBODY: 'publicEventTypes publicEventType' },
    EventType: {
      AS_ABOVE:
        'bookingWindow bookingLimits locations bookingFields confirmation recurrence seats cancellationPolicy reschedulingPolicy hosts parent children owner schedule',
      UP_TO_OWN_STANDING: 'privateLinks webhooks',
    },
    BookingLimits: { AS_ABOVE: 'day week month year' },
    EventTypeHost: { AS_ABOVE: 'user' },
    ChildEventType: { AS_ABOVE: 'user' },
    EventTypeOwner: { AS_ABOVE: 'user team' },
    PublicEventType: {
      AS_ABOVE:
        'id slug title description managedBy durationInMinutes bookingUrl color durationInMinutesOptions locations bookingFields confirmation recurrence seats requiresBookerEmailVerification requiresAuthentication allowsGuests cancellationPolicy reschedulingPolicy',
    },
    PublicManagingTeam: { AS_ABOVE: 'name organizationName' },
    PublicLocation: { AS_ABOVE: 'id label type address app' },
    BookingField: { AS_ABOVE: 'slug type label isRequired options placeholder' },
    Confirmation: { AS_ABOVE: 'type noticeInMinutes' },
    Recurrence: { AS_ABOVE: 'frequency interval occurrences' },
    Seats: { AS_ABOVE: 'perSlot showsAttendees' },
    AttendeePolicy: { AS_ABOVE: 'type noticeInMinutes' },
  },
  lists: {
    'EventType.children': {
      lists: [
        (em, { userId, teamId, managedId }, page) =>
          childEventTypePages(em, userId, [{ ownerId: teamId, id: managedId }], page),
      ],
    },
    'EventType.privateLinks': {
      lists: [
        (em, { userId, eventTypeId }, page) =>
          privateLinkPages(em, userId, [{ ownerId: userId, id: eventTypeId }], page, LINKS),
      ],
    },
    'Query.publicEventTypes': {
      lists: [
        (em, { userId }, page) => listPublicEventTypes(em, { username: userId }, page, Selection.whole(EventType)),
      ],
    },
  },
  fillPerson: async (_filling, who) => {
    const overrides = [{ date: '2031-01-06', start: '09:00', end: '10:00' }];
    const scheduleId = await did(who, 'scheduleCreate', { name: 'Of an event type', overrides }, 'scheduleId');
    for (const [index, settings] of SETTINGS.entries()) {
      const input = { slug: `type-${index}`, title: 'Talk', durationInMinutes: 30, isHidden: index > 0, ...settings };
      const eventTypeId = await did(who, 'eventTypeCreate', { ...input, scheduleId }, 'eventTypeId');
      await did(who, 'privateLinkCreate', { eventTypeId, ...LINK_LIMITS });
    }
  },
  fillGroups: async ({ world, owner, teamId }) => {
    const hosts = [{ userId: owner.userId }, { userId: world.member.userId }];
    for (const [index, settings] of SETTINGS.entries()) {
      const input = { teamId, slug: `type-${index}`, title: 'Talk', durationInMinutes: 30, ...settings, hosts };
      const eventTypeId = await did(owner, 'teamEventTypeCreate', input, 'eventTypeId');
      await did(owner, 'teamPrivateLinkCreate', { teamId, eventTypeId, ...LINK_LIMITS });
    }
    const managed = { teamId, slug: 'managed', title: 'Talk', durationInMinutes: 30, schedulingType: 'MANAGED', hosts };
    await did(owner, 'teamEventTypeCreate', managed);
  },
  operations: { team: OF_TEAM },
};
