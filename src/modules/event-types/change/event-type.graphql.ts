/**
 * change/ is event types as their owners see and change them, at three levels. It may import managed/ and settings/.
 */

import { isTeam, type OwnedId, publicId } from '../../../core/id.ts';
import { batched } from '../../../graphql/batch.ts';
import { SMALL, URL_TEXT } from '../../../graphql/limits/price.ts';
import { addRowFields, rowType } from '../../../graphql/row.ts';
import { reads, writes } from '../../../scopes/declare.ts';
import { resource } from '../../levels/resource.graphql.ts';
import { bookingRuleFields, presentedFields } from '../booking-rule-fields.graphql.ts';
import { findBookingPlaces } from '../booking-url.queries.ts';
import { bookingUrl } from '../booking-url.rules.ts';
import { EventType as EventTypeEntity } from '../event-type.entity.ts';
import { EVENT_TYPES } from '../event-type.queries.ts';
import { findHosts } from '../event-type-host.queries.ts';
import { MAX_HOSTS } from '../event-type-host.rules.ts';
import { eventTypePatchFieldsAt, newEventTypeFieldsAt } from '../input/event-type-input.graphql.ts';
import { MAX_EMBED_ORIGINS } from '../settings/embed-origin.rules.ts';
import { MAX_LOCATIONS } from '../settings/location.rules.ts';
import { BookingField } from '../values/booking-field.graphql.ts';
import { Confirmation, CutOff, Recurrence, Seats } from '../values/booking-rule.graphql.ts';
import { BookingLimits, BookingWindow } from '../values/booking-time.graphql.ts';
import { Location } from '../values/location.graphql.ts';
import { SchedulingType } from '../values/scheduling-type.graphql.ts';
import { CREATE_EVENT_TYPE_CODES, createEventType } from './create-event-type.ts';
import { deleteEventType } from './delete-event-type.ts';
import { EventTypeHost } from './event-type-host.graphql.ts';
import { UPDATE_EVENT_TYPE_CODES, updateEventType } from './update-event-type.ts';

const data = reads('EVENT_TYPE');

/** Where an owner is booked, as it stands in addresses. */
export const loadBookingPlace = batched(({ em }, ownerIds) => findBookingPlaces(em, ownerIds));
const loadHosts = batched(({ em }, eventTypes: readonly OwnedId[]) => findHosts(em, eventTypes));

export const EventType = rowType(EventTypeEntity, 'EventType', {
  description: 'A kind of meeting that can be booked with a user or a team.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'eventType', { requires: data }),
    ownerId: t.from(['ownerId'], {
      type: 'ID',
      requires: data,
      description: 'The user or the team that owns it.',
      resolve: ({ ownerId }) => publicId(isTeam(ownerId) ? 'team' : 'user', ownerId),
    }),
    ...presentedFields(data)(t),
    hidden: t.column('hidden', {
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
    description: 'The latest time to book, in minutes before the start.',
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

addRowFields(
  EventType,
  EventTypeEntity,
  bookingRuleFields({ BookingField, Confirmation, Recurrence, Seats, CutOff }, data),
);

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
  assignAllMembers: t.column('assignAllMembers', {
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
    describes: {
      user: 'What you offer yourself, oldest first; your teams list their own.',
      team: 'What the team offers, oldest first. Null unless you administer it.',
      organization:
        'The event types of its teams and members, by owner, except hidden ones of members whose role stands above yours. Null unless you administer it.',
    },
  },
  lookUp: {
    name: 'eventType',
    describes: {
      user: 'An event type of yours. Null when there is none such.',
      team: 'Something that the team offers. Null unless you administer it.',
      organization: 'One of the `eventTypes`. Null unless you administer it.',
    },
  },
  create: {
    input: newEventTypeFieldsAt,
    errors: CREATE_EVENT_TYPE_CODES,
    errorsAt: { organization: ['BAD_INPUT'] },
    run: createEventType,
    describes: {
      user: 'Creates an event type of yours.',
      team: 'Creates an event type of a team that you administer.',
      organization: 'Creates an event type of a team or a member of an organization that you administer.',
    },
  },
  update: {
    input: eventTypePatchFieldsAt,
    errors: UPDATE_EVENT_TYPE_CODES,
    errorsAt: { user: ['MANAGED_BY_TEAM'], organization: ['MANAGED_BY_TEAM'] },
    run: updateEventType,
    describes: {
      user: 'Changes an event type of yours. What is left out stays as it is; null empties what can be empty. Of one that a team manages, only `hidden` and `scheduleId` are yours to change.',
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
