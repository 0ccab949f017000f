import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { reads } from '../../scopes/declare.ts';
import { findBookingPlaces } from './booking-url.queries.ts';
import { bookingUrl } from './booking-url.rules.ts';
import { type EventTypeRow, eventTypePages, findEventTypes } from './event-type.queries.ts';
import { findHosts, type HostRow } from './event-type-host.queries.ts';
import {
  BookingField,
  BookingLimits,
  BookingWindow,
  Confirmation,
  CutOff,
  Location,
  Recurrence,
  SchedulingType,
  Seats,
} from './event-type-values.graphql.ts';

const data = reads('EVENT_TYPE');

/** What each owner offers: a user or a team. Whether the caller may see it is decided where the owner was loaded. */
export const loadEventTypes = batched(({ em }, ownerIds, args: PageArguments) =>
  eventTypePages(em, ownerIds, pageRequest(args)),
);
export const loadEventType = batched(({ em }, ownerIds, id: string) => findEventTypes(em, ownerIds, id));
/** Where an owner is booked, as it stands in addresses. */
export const loadBookingPlace = batched(({ em }, ownerIds) => findBookingPlaces(em, ownerIds));
const loadHosts = batched(({ em }, eventTypeIds) => findHosts(em, eventTypeIds));

/** Somebody who is booked with an event type of their team's. */
export const EventTypeUser = builder
  .objectRef<Pick<HostRow, 'userId' | 'name' | 'username'>>('EventTypeHostUser')
  .implement({
    fields: (t) => ({
      id: t.exposeID('userId', { requires: data }),
      name: t.exposeString('name', { requires: data }),
      username: t.exposeString('username', { requires: data, description: 'In the addresses of their booking pages.' }),
    }),
  });

const EventTypeHost = builder.objectRef<HostRow>('EventTypeHost').implement({
  description: 'A member of the team who is booked with its event type.',
  fields: (t) => ({
    user: t.field({ type: EventTypeUser, requires: data, resolve: (host) => host }),
    isMandatory: t.exposeBoolean('isMandatory', {
      requires: data,
      description: 'Attends every booking of a round-robin event type.',
    }),
    priority: t.exposeInt('priority', { requires: data, description: '0 to 4; the highest goes first.' }),
    weight: t.exposeInt('weight', { requires: data, description: 'The share among hosts of one priority.' }),
  }),
});

export const EventType = builder.objectRef<EventTypeRow>('EventType').implement({
  description: 'Something that can be booked with a user or a team.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    ownerId: t.exposeID('ownerId', { requires: data, description: 'The user or the team whose it is.' }),
    slug: t.exposeString('slug', { requires: data, description: 'Its name in addresses, unique for its owner.' }),
    title: t.exposeString('title', { requires: data }),
    description: t.exposeString('description', { nullable: true, requires: data }),
    hidden: t.exposeBoolean('hidden', {
      requires: data,
      description: 'Whether the public lists leave it out; its private links lead to it.',
    }),
    color: t.exposeString('color', { nullable: true, requires: data, description: 'As `#rrggbb`.' }),
    metadata: t.expose('metadata', { type: 'Metadata', requires: data }),
    bookingUrl: t.string({
      nullable: true,
      requires: data,
      description: 'Where it is booked. Null when it is MANAGED, since its children are, and when its owner is gone.',
      resolve: async ({ ownerId, slug, schedulingType }, _args, context) => {
        if (schedulingType === 'MANAGED') return null;
        const place = await loadBookingPlace(context, ownerId, undefined);
        return place === undefined ? null : bookingUrl(context.publicUrl, place, slug);
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ updatedAt }) => Temporal.Instant.from(updatedAt),
    }),
  }),
});

builder.objectFields(EventType, (t) => ({
  lengthInMinutes: t.exposeInt('lengthInMinutes', { requires: data }),
  lengthInMinutesOptions: t.intList({
    requires: data,
    description: 'The lengths to choose from, `lengthInMinutes` among them; empty when there is no choice.',
    resolve: ({ lengthInMinutesOptions }) => [...lengthInMinutesOptions],
  }),
  scheduleId: t.exposeID('scheduleId', {
    nullable: true,
    requires: data,
    description: 'Null: the default schedule of whoever is booked.',
  }),
  slotIntervalInMinutes: t.exposeInt('slotIntervalInMinutes', {
    nullable: true,
    requires: data,
    description: 'From the start of one slot to that of the next; null is the length booked.',
  }),
  minimumBookingNoticeInMinutes: t.exposeInt('minimumBookingNoticeInMinutes', { requires: data }),
  bufferBeforeInMinutes: t.exposeInt('bufferBeforeInMinutes', { requires: data }),
  bufferAfterInMinutes: t.exposeInt('bufferAfterInMinutes', { requires: data }),
  bookingWindow: t.field({
    type: BookingWindow,
    nullable: true,
    requires: data,
    description: 'Null: as far ahead as anybody likes.',
    resolve: ({ bookingWindow }) => bookingWindow,
  }),
  bookingLimits: t.field({ type: BookingLimits, requires: data, resolve: ({ bookingLimits }) => bookingLimits }),
}));

builder.objectFields(EventType, (t) => ({
  locations: t.field({
    type: [Location],
    requires: data,
    description: 'From which the attendee chooses; the first is the default.',
    resolve: ({ locations }) => [...locations],
  }),
  bookingFields: t.field({
    type: [BookingField],
    requires: data,
    description: 'What the booker is asked, in this order.',
    resolve: ({ bookingFields }) => [...bookingFields],
  }),
  confirmation: t.field({ type: Confirmation, requires: data, resolve: ({ confirmation }) => confirmation }),
  recurrence: t.field({
    type: Recurrence,
    nullable: true,
    requires: data,
    resolve: ({ recurrence }) => recurrence,
  }),
  seats: t.field({
    type: Seats,
    nullable: true,
    requires: data,
    description: 'Null: a slot is one booking.',
    resolve: ({ seats }) => seats,
  }),
  requiresBookerEmailVerification: t.exposeBoolean('requiresBookerEmailVerification', { requires: data }),
  requiresAuthentication: t.exposeBoolean('requiresAuthentication', {
    requires: data,
    description: 'Whether only somebody signed in can book.',
  }),
  disableGuests: t.exposeBoolean('disableGuests', { requires: data }),
  disableCancelling: t.field({
    type: CutOff,
    nullable: true,
    requires: data,
    description: 'Null: attendees can cancel at any time.',
    resolve: ({ disableCancelling }) => disableCancelling,
  }),
  disableRescheduling: t.field({
    type: CutOff,
    nullable: true,
    requires: data,
    description: 'Null: attendees can reschedule at any time.',
    resolve: ({ disableRescheduling }) => disableRescheduling,
  }),
  successRedirectUrl: t.exposeString('successRedirectUrl', {
    nullable: true,
    requires: data,
    description: 'Where the booker is sent afterwards.',
  }),
}));

builder.objectFields(EventType, (t) => ({
  schedulingType: t.field({
    type: SchedulingType,
    nullable: true,
    requires: data,
    description: 'Null: it is a user’s and not a team’s.',
    resolve: ({ schedulingType }) => schedulingType,
  }),
  assignAllMembers: t.exposeBoolean('assignAllMembers', {
    requires: data,
    description: 'Whether every member of the team is a host; those who are not named have priority 2 and weight 100.',
  }),
  hosts: t.field({
    type: [EventTypeHost],
    requires: data,
    description: 'The members of the team who are named as hosts; empty for a user’s event type.',
    resolve: async ({ id, schedulingType }, _args, context) =>
      schedulingType === null ? [] : [...((await loadHosts(context, id, undefined)) ?? [])],
  }),
}));

export const EventTypeConnection = connectionOf(EventType);
