import type { TypeParam } from '@pothos/core';
import { isTeam, type OwnedId, publicId } from '../../core/id.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { LONG_TEXT, SMALL, URL_TEXT, WITH_ITS_EDGE } from '../../graphql/limits/price.ts';
import { apart, containing, equal, listFilter } from '../../graphql/list-filter.ts';
import { addRowFields, type Fields, rowInterface, rowType } from '../../graphql/row.ts';
import { INHERIT, reads, writes } from '../../scopes/declare.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { User } from '../accounts/accounts.graphql.ts';
import { resource } from '../levels/resource.graphql.ts';
import { bookingUrl } from './booking-url.rules.ts';
import {
  CREATE_EVENT_TYPE_CODES,
  createEventType,
  deleteEventType,
  UPDATE_EVENT_TYPE_CODES,
  updateEventType,
} from './event-type.commands.ts';
import { EventType as EventTypeEntity } from './event-type.entity.ts';
import { EVENT_TYPES } from './event-type.queries.ts';
import { MAX_EVENT_TYPES } from './event-type.rules.ts';
import { MAX_HOSTS, MAX_PRIORITY, MAX_WEIGHT } from './event-type-host.rules.ts';
import { findHosts, type HostRow } from './event-type-hosts.ts';
import { eventTypePatchFieldsAt, newEventTypeFieldsAt } from './event-type-input.graphql.ts';
import {
  AttendeePolicy,
  BookingField,
  BookingLimits,
  BookingWindow,
  Confirmation,
  Location,
  Recurrence,
  SchedulingType,
  Seats,
} from './event-type-values.graphql.ts';
import { findBookingPlaces } from './public/public-event-type.queries.ts';
import { MAX_FIELDS } from './settings/booking-field.rules.ts';
import { MAX_EMBED_ORIGINS } from './settings/embed-origin.rules.ts';
import { MAX_LOCATIONS } from './settings/location.rules.ts';
import { MAX_LENGTHS } from './settings/scheduling.rules.ts';

/** The fields by which an event type presents itself: the same to those who manage it and to bookers. */
export function presentedFields(requires: Requirement): Fields<typeof EventTypeEntity> {
  return (t) => ({
    slug: t.column('slug', { requires, description: 'Its name in addresses, unique for its owner.' }),
    title: t.column('title', { requires, description: 'The title that bookers and calendars show.' }),
    description: t.column('description', {
      price: LONG_TEXT,
      requires,
      description: 'What bookers should know of it, as plain text. Null: nothing.',
    }),
    color: t.column('color', { requires, description: 'As `#rrggbb`, such as `#1a7f37`. Null: none.' }),
    durationInMinutes: t.column('durationInMinutes', {
      requires,
      description: 'How long a booking takes, unless another length is chosen.',
    }),
    durationInMinutesOptions: t.column('durationInMinutesOptions', {
      price: { max: MAX_LENGTHS },
      type: ['Int'],
      requires,
      description: 'The lengths to choose from, `durationInMinutes` among them; empty when there is no choice.',
    }),
  });
}

/**
 * The fields that say what an event type asks of bookers and allows them: the same to those who manage it and to
 * bookers.
 */
export function bookingRuleFields(requires: Requirement): Fields<typeof EventTypeEntity> {
  return (t) => ({
    bookingFields: t.column('bookingFields', {
      type: [BookingField] as unknown as TypeParam<Types>,
      price: { max: MAX_FIELDS, weight: SMALL },
      requires,
      description: 'The questions to the booker, in this order.',
    }),
    confirmation: t.column('confirmation', {
      type: Confirmation,
      requires,
      description: 'Whether a booking waits for a host to confirm it.',
    }),
    recurrence: t.column('recurrence', {
      type: Recurrence,
      requires,
      description: 'How it repeats: one request books a whole series. Null: it does not.',
    }),
    seats: t.column('seats', {
      type: Seats,
      requires,
      description: 'How many people can book the same slot. Null: one.',
    }),
    requiresBookerEmailVerification: t.column('requiresBookerEmailVerification', {
      requires,
      description: 'Whether the booker proves their e-mail address by a code: see `bookerEmailVerificationRequest`.',
    }),
    requiresAuthentication: t.column('requiresAuthentication', {
      requires,
      description: 'Whether only somebody signed in can book.',
    }),
    allowsGuests: t.column('allowsGuests', {
      requires,
      description: 'Whether bookers can bring guests; with seats they never can.',
    }),
    cancellationPolicy: t.column('cancellationPolicy', {
      type: AttendeePolicy,
      requires,
      description: 'Until when attendees can cancel. Hosts always can.',
    }),
    reschedulingPolicy: t.column('reschedulingPolicy', {
      type: AttendeePolicy,
      requires,
      description: 'Until when attendees can reschedule. Hosts always can.',
    }),
  });
}

const data = reads('EVENT_TYPE');

const EventTypeHost = builder.objectRef<HostRow>('EventTypeHost').implement({
  description: 'A member of the team who is booked with its event type.',
  fields: (t) => ({
    user: t.expose('user', {
      type: User,
      price: WITH_ITS_EDGE,
      requires: data,
      description: 'The user who hosts it.',
    }),
    isMandatory: t.exposeBoolean('isMandatory', {
      requires: data,
      description: 'Whether the host attends every booking of a round-robin event type.',
    }),
    priority: t.exposeInt('priority', { requires: data, description: `0 to ${MAX_PRIORITY}; the highest goes first.` }),
    weight: t.exposeInt('weight', {
      requires: data,
      description: `The host’s share of bookings among hosts of the same priority, relative to theirs: 1 to ${MAX_WEIGHT}. Bookings count since the host was added or changed, within the current month.`,
    }),
  }),
});

export const OfferedEventType = rowInterface(EventTypeEntity, 'OfferedEventType', {
  description: 'An event type, as bookers see it.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'eventType', { requires: INHERIT }),
    ...presentedFields(INHERIT)(t),
    ...bookingRuleFields(INHERIT)(t),
  }),
});

/** Where an owner is booked, as it stands in addresses. */
export const loadBookingPlace = batched(({ em }, ownerIds) => findBookingPlaces(em, ownerIds));
const loadHosts = batched(({ em }, eventTypes: readonly OwnedId[]) => findHosts(em, eventTypes));

export const EventType = rowType(EventTypeEntity, 'EventType', {
  description: 'A kind of meeting that can be booked with a user or a team.',
  interfaces: [OfferedEventType],
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'eventType', { requires: data }),
    ownerId: t.from(['ownerId'], {
      type: 'ID',
      requires: data,
      description: 'The user or the team that owns it.',
      resolve: ({ ownerId }) => publicId(isTeam(ownerId) ? 'team' : 'user', ownerId),
    }),
    ...presentedFields(data)(t),
    isHidden: t.column('isHidden', {
      requires: data,
      description: 'Whether the public lists leave it out; its private links lead to it.',
    }),
    metadata: t.column('metadata', {
      type: 'Metadata',
      requires: data,
      description: 'What apps keep with it; bookers do not see it.',
    }),
    bookingUrl: t.from(['ownerId', 'slug', 'schedulingType'], {
      price: URL_TEXT,
      type: 'URL',
      nullable: true,
      requires: data,
      description: 'Where it is booked. Null when it is MANAGED, since its children are, and when its owner is gone.',
      resolve: async ({ ownerId, slug, schedulingType }, _args, context) => {
        if (schedulingType === 'MANAGED') return null;
        const place = await loadBookingPlace(context, ownerId, undefined);
        return place === undefined ? null : bookingUrl(context.publicUrl, place, slug);
      },
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

addRowFields(EventType, EventTypeEntity, (t) => ({
  scheduleId: t.ownedId(['ownerId', 'scheduleId'], 'schedule', {
    requires: data,
    description:
      'The id of the schedule that decides when it can be booked. Null: the default schedule of the user who is booked.',
  }),
  slotIntervalInMinutes: t.column('slotIntervalInMinutes', {
    requires: data,
    description: 'The time between the starts of two slots. Null: the length of the booking.',
  }),
  minimumBookingNoticeInMinutes: t.column('minimumBookingNoticeInMinutes', {
    requires: data,
    description: 'A slot can be booked until this many minutes before its start.',
  }),
  bufferBeforeInMinutes: t.column('bufferBeforeInMinutes', {
    requires: data,
    description: 'How long hosts are kept free before each booking.',
  }),
  bufferAfterInMinutes: t.column('bufferAfterInMinutes', {
    requires: data,
    description: 'How long hosts are kept free after each booking.',
  }),
  bookingWindow: t.column('bookingWindow', {
    type: BookingWindow,
    requires: data,
    description: 'How far ahead it can be booked. Null: no limit.',
  }),
  bookingLimits: t.column('bookingLimits', {
    type: BookingLimits,
    requires: data,
    description: 'How much of it can be booked in a day, a week, a month and a year.',
  }),
}));

addRowFields(EventType, EventTypeEntity, bookingRuleFields(data));

addRowFields(EventType, EventTypeEntity, (t) => ({
  locations: t.column('locations', {
    type: [Location],
    price: { max: MAX_LOCATIONS, weight: SMALL },
    requires: data,
    description: 'The locations that the attendee can choose from. The first is the default.',
  }),
  successRedirectUrl: t.column('successRedirectUrl', {
    type: 'URL',
    price: URL_TEXT,
    requires: data,
    description: 'The https address that the booker is sent to afterwards. Null: none.',
  }),
  embedOrigins: t.column('embedOrigins', {
    type: ['String'],
    price: { max: MAX_EMBED_ORIGINS, weight: SMALL },
    requires: data,
    description:
      'The websites whose pages may show the booking page in a frame, at `bookingUrl` with `embed=1`: each by scheme and host, such as `https://www.example.com`.',
  }),
}));

addRowFields(EventType, EventTypeEntity, (t) => ({
  schedulingType: t.column('schedulingType', {
    type: SchedulingType,
    requires: data,
    description: 'How hosts of a team’s event type are booked. Null: it belongs to a user.',
  }),
  assignsAllMembers: t.column('assignsAllMembers', {
    requires: data,
    description: 'Whether every member of the team is a host; those who are not named have priority 2 and weight 100.',
  }),
  hosts: t.from(['ownerId', 'id', 'schedulingType'], {
    type: [EventTypeHost],
    price: { max: MAX_HOSTS, weight: SMALL },
    requires: data,
    description: 'The members of the team who are named as hosts; empty for a user’s event type.',
    resolve: async ({ ownerId, id, schedulingType }, _args, context) =>
      schedulingType === null ? [] : [...((await loadHosts(context, { ownerId, id }, undefined)) ?? [])],
  }),
}));

resource({
  type: EventType,
  owned: EVENT_TYPES,
  belongsTo: 'OWNER',
  reads: data,
  writes: writes('EVENT_TYPE'),
  list: {
    name: 'eventTypes',
    filter: listFilter('EventType', {
      slug: equal('slug', 'String', 'With this slug, such as `intro`.'),
      isHidden: apart('isHidden', equal('isHidden', 'Boolean', 'Only hidden ones, or only others.')),
      text: containing(['title', 'slug', 'description'], 'its title, slug or description'),
    }),
    describes: {
      user: 'What you offer yourself, oldest first; your teams list their own.',
      team: 'What the team offers, oldest first. Null unless you administer it.',
      organization:
        'The event types of its teams and members, by owner, except hidden ones of members whose role stands above yours. Null unless you administer it.',
    },
  },
  create: {
    input: newEventTypeFieldsAt,
    errors: CREATE_EVENT_TYPE_CODES,
    errorsAt: { organization: ['BAD_INPUT'] },
    run: createEventType,
    describes: {
      user: `Creates an event type of yours. You can have ${MAX_EVENT_TYPES} of your own.`,
      team: `Creates an event type of a team that you administer. It can have ${MAX_EVENT_TYPES}.`,
      organization: 'Creates an event type of a team or a member of an organization that you administer.',
    },
  },
  update: {
    input: eventTypePatchFieldsAt,
    errors: UPDATE_EVENT_TYPE_CODES,
    errorsAt: { user: ['MANAGED_BY_TEAM'], organization: ['MANAGED_BY_TEAM'] },
    run: updateEventType,
    describes: {
      user: 'Changes an event type of yours. What is left out stays as it is; null empties what can be empty. Of one that a team manages, only `isHidden` and `scheduleId` are yours to change.',
      team: 'Changes an event type of a team that you administer. What is left out stays as it is. The hosts’ copies of a MANAGED one follow.',
      organization: 'Changes an event type of a team or a member of an organization that you administer.',
    },
  },
  delete: {
    errorsAt: { user: ['MANAGED_BY_TEAM'], organization: ['MANAGED_BY_TEAM'] },
    run: deleteEventType,
    describes: {
      user: 'Deletes an event type of yours, unless a team manages it.',
      team: 'Deletes an event type of a team that you administer; for a MANAGED one, also its hosts’ copies.',
      organization: 'Deletes an event type of a team or a member of an organization that you administer.',
    },
  },
});
