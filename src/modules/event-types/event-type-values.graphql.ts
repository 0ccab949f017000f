import type { EnumRef } from '@pothos/core';
import { builder, type Types } from '../../graphql/builder.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { PUBLIC, reads } from '../../scopes/declare.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import type { ManagingTeam } from './managed-event-type.rules.ts';
import {
  BOOKING_FIELD_TYPES,
  type BookingField as BookingFieldShape,
  CHARACTERS_OF_AN_OPTION,
  MAX_ANSWER,
  MAX_OPTIONS,
} from './settings/booking-field.rules.ts';
import type {
  BookingLimit as BookingLimitShape,
  BookingLimits as BookingLimitsShape,
} from './settings/booking-limit.rules.ts';
import { BOOKING_WINDOW_TYPES, type BookingWindow as BookingWindowShape } from './settings/booking-window.rules.ts';
import { LOCATION_TYPES, type OfferedLocation, placeIn } from './settings/location.rules.ts';
import { FREQUENCIES, type Recurrence as RecurrenceShape } from './settings/recurrence.rules.ts';
import {
  ATTENDEE_POLICY_TYPES,
  type AttendeePolicy as AttendeePolicyShape,
  CONFIRMATION_TYPES,
  type Confirmation as ConfirmationShape,
  SCHEDULING_TYPES,
  type Seats as SeatsShape,
} from './settings/scheduling.rules.ts';

export const SchedulingType = builder.enumType('SchedulingType', {
  description:
    'Which hosts attend a booking of a team’s event type. A MANAGED one is not booked itself: every host has an event type of their own that follows it.',
  values: describedValues(SCHEDULING_TYPES, {
    ROUND_ROBIN: 'One host in turn, by priority and weight, and the mandatory ones.',
    COLLECTIVE: 'All hosts together: a slot is offered when all of them are free.',
    MANAGED: 'Each host by themselves, with an event type of their own that follows this one: see `children`.',
  }),
});

const data = reads('EVENT_TYPE');

export const BookingFieldType = builder.enumType('BookingFieldType', {
  description: 'What a question to the booker takes as an answer, in `responses`.',
  values: describedValues(BOOKING_FIELD_TYPES, {
    TEXT: `A text in one line, of at most ${MAX_ANSWER.line} characters.`,
    TEXTAREA: `A text in several lines, of at most ${MAX_ANSWER.lines} characters.`,
    NUMBER: 'A number, not a text: `3`.',
    PHONE: 'A phone number with its country code, such as `+4930123456`.',
    EMAIL: 'An e-mail address.',
    MULTI_EMAIL: `A list of at most ${MAX_ANSWER.emails} e-mail addresses.`,
    SELECT: 'One of `options`, chosen from a menu.',
    MULTI_SELECT: 'A list of some of `options`, chosen from a menu.',
    CHECKBOX: 'A list of some of `options`, each with a box to tick.',
    RADIO: 'One of `options`, all of them shown.',
    BOOLEAN: '`true` or `false`. If it is required, it must be `true`.',
    URL: 'An https address.',
    ADDRESS: `A postal address, in several lines of at most ${MAX_ANSWER.line} characters together.`,
  }),
});

/** Whoever is asked a question may read it, so it is of one type for everybody, as other values are below. */
export const BookingField = fieldType('BookingField', {
  type: BookingFieldType,
  description: 'A question to the booker.',
  slug: 'The key of the answer in the `responses` of a booking.',
  label: 'The question, as the booker reads it.',
  isRequired: 'Whether an answer is required; for a BOOLEAN, the answer `true`.',
});

/** The type of questions, and what it says of them. */
interface Questions {
  readonly type: EnumRef<Types, BookingFieldShape['type']>;
  readonly description: string;
  readonly slug: string;
  readonly label: string;
  readonly isRequired: string;
}

/** The object type of questions that are answered as booking fields are. */
export function fieldType(name: string, { type, description, ...says }: Questions) {
  return builder.objectRef<BookingFieldShape>(name).implement({
    description,
    fields: (t) => ({
      slug: t.exposeString('slug', { requires: PUBLIC, description: says.slug }),
      type: t.expose('type', { type, requires: PUBLIC, description: 'What it takes as an answer.' }),
      label: t.exposeString('label', { requires: PUBLIC, description: says.label }),
      isRequired: t.exposeBoolean('isRequired', { requires: PUBLIC, description: says.isRequired }),
      options: t.stringList({
        price: { max: MAX_OPTIONS, characters: CHARACTERS_OF_AN_OPTION },
        requires: PUBLIC,
        description: 'The answers to choose from; empty for types without a choice.',
        resolve: ({ options }) => [...options],
      }),
      placeholder: t.exposeString('placeholder', {
        nullable: true,
        requires: PUBLIC,
        description: 'What stands in the empty field, as an example. Null: nothing.',
      }),
    }),
  });
}

export const ConfirmationType = builder.enumType('ConfirmationType', {
  description: 'When a host has to confirm a booking: never, always, or when it is made shortly before its start.',
  values: describedValues(CONFIRMATION_TYPES, {
    NEVER: 'Never: a booking is ACCEPTED at once.',
    ALWAYS: 'Always: a booking is PENDING until a host confirms or declines it.',
    SHORT_NOTICE: 'Only for bookings made less than `noticeInMinutes` before their start.',
  }),
});

export const Frequency = builder.enumType('Frequency', {
  description: 'The unit of the interval between two bookings of a series, at the same time on the clock.',
  values: describedValues(FREQUENCIES, {
    DAILY: 'Every `interval` days.',
    WEEKLY: 'Every `interval` weeks.',
    MONTHLY: 'Every `interval` months; in a shorter month, on its last day.',
    YEARLY: 'Every `interval` years; from 29 February, on 28 February of other years.',
  }),
});

// Values of event types, which everybody may read of one that they were shown: what leads to them has its scopes, or is public.

export const Confirmation = builder.objectRef<ConfirmationShape>('Confirmation').implement({
  description: 'Whether a host has to confirm a booking.',
  fields: (t) => ({
    type: t.expose('type', {
      type: ConfirmationType,
      requires: PUBLIC,
      description: 'Which bookings a host has to confirm.',
    }),
    noticeInMinutes: t.int({
      nullable: true,
      requires: PUBLIC,
      description:
        'For SHORT_NOTICE: a booking has to be confirmed if it is made less than this many minutes before its start.',
      resolve: (confirmation) => (confirmation.type === 'SHORT_NOTICE' ? confirmation.noticeInMinutes : null),
    }),
  }),
});

export const Recurrence = builder.objectRef<RecurrenceShape>('Recurrence').implement({
  description: 'A booking that repeats at an interval of days, weeks, months or years.',
  fields: (t) => ({
    frequency: t.expose('frequency', { type: Frequency, requires: PUBLIC, description: 'The unit of `interval`.' }),
    interval: t.exposeInt('interval', {
      requires: PUBLIC,
      description: 'How many days, weeks, months or years lie between two of them.',
    }),
    occurrences: t.exposeInt('occurrences', { requires: PUBLIC, description: 'The most bookings of one series.' }),
  }),
});

export const Seats = builder.objectRef<SeatsShape>('Seats').implement({
  description: 'How many people can book the same slot one by one.',
  fields: (t) => ({
    perSlot: t.exposeInt('perSlot', { requires: PUBLIC, description: 'How many people can book one slot.' }),
    showsAttendees: t.exposeBoolean('showsAttendees', {
      requires: PUBLIC,
      description: 'Whether attendees see each other’s names.',
    }),
  }),
});

export const AttendeePolicyType = builder.enumType('AttendeePolicyType', {
  description: 'When attendees can cancel or reschedule by themselves.',
  values: describedValues(ATTENDEE_POLICY_TYPES, {
    ALWAYS: 'At any time before the end.',
    WITH_NOTICE: 'Until `noticeInMinutes` before the start.',
    NEVER: 'Never: they have to ask a host.',
  }),
});

export const AttendeePolicy = builder.objectRef<AttendeePolicyShape>('AttendeePolicy').implement({
  description: 'Until when attendees can cancel or reschedule by themselves.',
  fields: (t) => ({
    type: t.expose('type', { type: AttendeePolicyType, requires: PUBLIC, description: 'When they can.' }),
    noticeInMinutes: t.int({
      nullable: true,
      requires: PUBLIC,
      description: 'For WITH_NOTICE: how many minutes before the start is the last time. Null for the others.',
      resolve: (policy) => (policy.type === 'WITH_NOTICE' ? policy.noticeInMinutes : null),
    }),
  }),
});

export const BookingWindowType = builder.enumType('BookingWindowType', {
  description: 'How the days on which an event type can be booked are bounded.',
  values: describedValues(BOOKING_WINDOW_TYPES, {
    ROLLING_DAYS: 'Today and as many days after it as `days` says.',
    BUSINESS_DAYS: 'Today and all days up to the Monday to Friday that `days` counts to; weekends between are in it.',
    DATE_RANGE: 'From one date to another, both included.',
  }),
});

export const BookingWindow = builder.objectRef<BookingWindowShape>('BookingWindow').implement({
  description: 'How far ahead an event type can be booked, in dates of its zone.',
  fields: (t) => ({
    type: t.expose('type', {
      type: BookingWindowType,
      requires: data,
      description: 'Which of the other fields count: `days`, or `firstDate` and `lastDate`.',
    }),
    days: t.int({
      nullable: true,
      requires: data,
      description: 'How many days ahead, for ROLLING_DAYS and BUSINESS_DAYS. Null for DATE_RANGE.',
      resolve: (window) => (window.type === 'DATE_RANGE' ? null : window.days),
    }),
    firstDate: t.field({
      type: 'Date',
      nullable: true,
      requires: data,
      description: 'For DATE_RANGE: the first date, as `YYYY-MM-DD`. Null for the other kinds.',
      resolve: (window) => (window.type === 'DATE_RANGE' ? window.firstDate : null),
    }),
    lastDate: t.field({
      type: 'Date',
      nullable: true,
      requires: data,
      description: 'For DATE_RANGE: the last date, as `YYYY-MM-DD`. Null for the other kinds.',
      resolve: (window) => (window.type === 'DATE_RANGE' ? window.lastDate : null),
    }),
  }),
});

const BookingLimit = builder.objectRef<BookingLimitShape>('BookingLimit').implement({
  description: 'The most bookings that start in a period, and the most minutes that they last together.',
  fields: (t) => ({
    maxBookings: t.int({
      nullable: true,
      requires: data,
      description: 'The most bookings. Null: any number.',
      resolve: ({ maxBookings }) => maxBookings,
    }),
    maxMinutes: t.int({
      nullable: true,
      requires: data,
      description: 'The most minutes, buffers not counted. Null: any number.',
      resolve: ({ maxMinutes }) => maxMinutes,
    }),
  }),
});

export const BookingLimits = builder.objectRef<BookingLimitsShape>('BookingLimits').implement({
  description: 'The limits for each period of the calendar. Null: no limit.',
  fields: (t) => ({
    day: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a day in the zone of the event type.',
      resolve: ({ day }) => day,
    }),
    week: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a week, which begins with the owner’s `weekStart`.',
      resolve: ({ week }) => week,
    }),
    month: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a month of the calendar.',
      resolve: ({ month }) => month,
    }),
    year: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a year of the calendar.',
      resolve: ({ year }) => year,
    }),
  }),
});

/** Describes each type of location, to those who offer it and to bookers. */
const LOCATIONS_IN_WORDS: Readonly<Record<(typeof LOCATION_TYPES)[number], string>> = {
  ADDRESS: 'At a postal address that the host names.',
  LINK: 'Behind an https link that the host names; shown to the booker once it is booked.',
  PHONE: 'The attendee calls a number that the host names; shown to the booker once it is booked.',
  CONFERENCING: 'In a meeting that a conferencing app makes.',
  ATTENDEE_ADDRESS: 'At a postal address that the attendee says.',
  ATTENDEE_PHONE: 'The host calls a number that the attendee says.',
  ATTENDEE_CHOICE: 'Wherever the attendee says, in words of their own.',
};

export const LocationType = builder.enumType('LocationType', {
  description: 'Where a meeting takes place: said by the host, by the attendee, or made by a conferencing app.',
  values: describedValues(LOCATION_TYPES, LOCATIONS_IN_WORDS),
});

/** The fields of a location that show nothing that is for those alone who have booked. */
function openPlaceFields(t: PothosSchemaTypes.ObjectFieldBuilder<Types, OfferedLocation>, requires: Requirement) {
  return {
    type: t.field({
      type: LocationType,
      requires,
      description: 'The type of the location, and who names the place.',
      resolve: ({ type }) => type,
    }),
    address: t.string({
      nullable: true,
      requires,
      description: 'Of type ADDRESS: the postal address.',
      resolve: ({ type, value }) => placeIn(type, value).address,
    }),
    app: t.string({
      nullable: true,
      requires,
      description: 'Of type CONFERENCING: the slug of the app that makes the meeting, such as `zoom`.',
      resolve: ({ type, value }) => placeIn(type, value).app,
    }),
  };
}

export const Location = builder.objectRef<OfferedLocation>('Location').implement({
  description:
    'Where an event type can take place, as who manages it sees it. `type` says which of the other fields it has; none where the attendee says it.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The id with which a booker chooses it. It never changes.' }),
    label: t.exposeString('label', { nullable: true, requires: data, description: 'The label that everybody sees.' }),
    ...openPlaceFields(t, data),
    url: t.field({
      type: 'URL',
      nullable: true,
      requires: data,
      description: 'Of type LINK: the https link.',
      resolve: ({ type, value }) => placeIn(type, value).url,
    }),
    phone: t.string({
      nullable: true,
      requires: data,
      description: 'Of type PHONE: the number to call, such as `+4930123456`.',
      resolve: ({ type, value }) => placeIn(type, value).phone,
    }),
  }),
});

export const PublicLocation = builder.objectRef<OfferedLocation>('PublicLocation').implement({
  description: 'Where it can take place. A link and a phone number are shown with the booking, to the booker.',
  fields: (t) => ({
    id: t.exposeID('id', {
      requires: PUBLIC,
      description: 'The id of the location. Send it to `bookingCreate` to choose this location.',
    }),
    label: t.exposeString('label', {
      nullable: true,
      requires: PUBLIC,
      description: 'The label that the host gave it.',
    }),
    ...openPlaceFields(t, PUBLIC),
  }),
});

export const PublicManagingTeam = builder.objectRef<ManagingTeam>('PublicManagingTeam').implement({
  description: 'A team that manages an event type of one of its members and decides its texts.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      requires: PUBLIC,
      description: 'The name of the team. Null if it is private.',
    }),
    organizationName: t.exposeString('organizationName', {
      nullable: true,
      requires: PUBLIC,
      description: 'The name of its organization. Null for a stand-alone team, and if the team is private.',
    }),
  }),
});

export const MANAGED_BY_DESCRIPTION =
  'The team that decides the title, the description, the locations and the links in place of the user who is booked. Null where the owner decides.';
