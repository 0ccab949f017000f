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
import { BOOKING_WINDOW_KINDS, type BookingWindow as BookingWindowShape } from './settings/booking-window.rules.ts';
import { LOCATION_TYPES, type OfferedLocation } from './settings/location.rules.ts';
import { FREQUENCIES, type Recurrence as RecurrenceShape } from './settings/recurrence.rules.ts';
import {
  CONFIRMATION_KINDS,
  type Confirmation as ConfirmationShape,
  type CutOff as CutOffShape,
  SCHEDULING_TYPES,
  type Seats as SeatsShape,
} from './settings/scheduling.rules.ts';

export const SchedulingType = builder.enumType('SchedulingType', {
  description:
    'Who attends: one host in turn and the mandatory ones; all hosts; or, MANAGED, each host by themselves: it is not booked itself, but every host has an event type of their own that follows it.',
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
    MULTIEMAIL: `A list of at most ${MAX_ANSWER.emails} e-mail addresses.`,
    SELECT: 'One of `options`, chosen from a menu.',
    MULTISELECT: 'A list of some of `options`, chosen from a menu.',
    CHECKBOX: 'A list of some of `options`, each with a box to tick.',
    RADIO: 'One of `options`, all of them shown.',
    BOOLEAN: '`true` or `false`. If it is required, it must be `true`.',
    URL: 'An https address.',
    ADDRESS: `A postal address, in several lines of at most ${MAX_ANSWER.line} characters together.`,
  }),
});

// Below a public field everything is public, so these exist twice: for callers who may read the event type, and for everybody.
const OF_BOOKING = {
  type: BookingFieldType,
  description: 'A question to the booker.',
  slug: 'The key of the answer in the `responses` of a booking.',
  label: 'The question, as the booker reads it.',
  required: 'Whether nobody can book without an answer; of a BOOLEAN, without `true`.',
};
export const BookingField = fieldType('BookingField', data, OF_BOOKING);
export const PublicBookingField = fieldType('PublicBookingField', PUBLIC, OF_BOOKING);

/** The type of questions, and what it says of them. */
interface Questions {
  readonly type: EnumRef<Types, BookingFieldShape['type']>;
  readonly description: string;
  readonly slug: string;
  readonly label: string;
  readonly required: string;
}

/** The object type of questions that are answered as booking fields are. */
export function fieldType(name: string, requires: Requirement, { type, description, ...says }: Questions) {
  return builder.objectRef<BookingFieldShape>(name).implement({
    description,
    fields: (t) => ({
      slug: t.exposeString('slug', { requires, description: says.slug }),
      type: t.expose('type', { type, requires, description: 'What it takes as an answer.' }),
      label: t.exposeString('label', { requires, description: says.label }),
      required: t.exposeBoolean('required', { requires, description: says.required }),
      options: t.stringList({
        price: { max: MAX_OPTIONS, characters: CHARACTERS_OF_AN_OPTION },
        requires,
        description: 'The answers to choose from; empty for types without a choice.',
        resolve: ({ options }) => [...options],
      }),
      placeholder: t.exposeString('placeholder', {
        nullable: true,
        requires,
        description: 'What stands in the empty field, as an example. Null: nothing.',
      }),
    }),
  });
}

export const ConfirmationKind = builder.enumType('ConfirmationKind', {
  description: 'When a host has to confirm a booking: never, always, or when it is made shortly before its start.',
  values: describedValues(CONFIRMATION_KINDS, {
    NONE: 'Never: a booking is ACCEPTED at once.',
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

// Below a public field everything is public, so these exist twice: for callers who may read the event type, and for everybody.
export const Confirmation = confirmationType('Confirmation', data);
export const PublicConfirmation = confirmationType('PublicConfirmation', PUBLIC);
export const Recurrence = recurrenceType('Recurrence', data);
export const PublicRecurrence = recurrenceType('PublicRecurrence', PUBLIC);
export const Seats = seatsType('Seats', data);
export const PublicSeats = seatsType('PublicSeats', PUBLIC);
export const CutOff = cutOffType('CutOff', data);
export const PublicCutOff = cutOffType('PublicCutOff', PUBLIC);

function confirmationType(name: string, requires: Requirement) {
  return builder.objectRef<ConfirmationShape>(name).implement({
    description: 'Whether a host has to confirm a booking.',
    fields: (t) => ({
      kind: t.expose('kind', { type: ConfirmationKind, requires, description: 'For which bookings.' }),
      noticeInMinutes: t.int({
        nullable: true,
        requires,
        description: 'Of SHORT_NOTICE: bookings made less than so long before their start need it.',
        resolve: (confirmation) => (confirmation.kind === 'SHORT_NOTICE' ? confirmation.noticeInMinutes : null),
      }),
    }),
  });
}

function recurrenceType(name: string, requires: Requirement) {
  return builder.objectRef<RecurrenceShape>(name).implement({
    description: 'A booking that repeats at an interval of days, weeks, months or years.',
    fields: (t) => ({
      frequency: t.expose('frequency', { type: Frequency, requires, description: 'The unit of `interval`.' }),
      interval: t.exposeInt('interval', {
        requires,
        description: 'How many days, weeks, months or years lie between two of them.',
      }),
      occurrences: t.exposeInt('occurrences', { requires, description: 'The most bookings of one series.' }),
    }),
  });
}

function seatsType(name: string, requires: Requirement) {
  return builder.objectRef<SeatsShape>(name).implement({
    description: 'How many people can book the same slot one by one.',
    fields: (t) => ({
      perSlot: t.exposeInt('perSlot', { requires, description: 'How many people can book one slot.' }),
      showAttendees: t.exposeBoolean('showAttendees', {
        requires,
        description: 'Whether attendees see each other’s names.',
      }),
    }),
  });
}

function cutOffType(name: string, requires: Requirement) {
  return builder.objectRef<CutOffShape>(name).implement({
    description: 'What attendees can do no longer: at all, or in the last minutes before the start.',
    fields: (t) => ({
      minutesBefore: t.exposeInt('minutesBefore', { nullable: true, requires, description: 'Null: at all.' }),
    }),
  });
}

export const BookingWindowKind = builder.enumType('BookingWindowKind', {
  description: 'A number of days from today, all days up to a number of Mondays to Fridays from today, or two dates.',
  values: describedValues(BOOKING_WINDOW_KINDS, {
    ROLLING_DAYS: 'Today and as many days after it as `days` says.',
    BUSINESS_DAYS: 'Today and all days up to the Monday to Friday that `days` counts to; weekends between are in it.',
    DATE_RANGE: 'From one date to another, both included.',
  }),
});

export const BookingWindow = builder.objectRef<BookingWindowShape>('BookingWindow').implement({
  description: 'How far ahead an event type can be booked, in dates of its zone.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: BookingWindowKind,
      requires: data,
      description: 'Which of the other fields count: `days`, or `from` and `to`.',
    }),
    days: t.int({
      nullable: true,
      requires: data,
      description: 'Of ROLLING_DAYS and BUSINESS_DAYS.',
      resolve: (window) => (window.kind === 'DATE_RANGE' ? null : window.days),
    }),
    from: t.field({
      type: 'Date',
      nullable: true,
      requires: data,
      description: 'Of DATE_RANGE: the first date, as `YYYY-MM-DD`.',
      resolve: (window) => (window.kind === 'DATE_RANGE' ? window.from : null),
    }),
    to: t.field({
      type: 'Date',
      nullable: true,
      requires: data,
      description: 'Of DATE_RANGE: the last date, as `YYYY-MM-DD`.',
      resolve: (window) => (window.kind === 'DATE_RANGE' ? window.to : null),
    }),
  }),
});

const BookingLimit = builder.objectRef<BookingLimitShape>('BookingLimit').implement({
  description: 'The most bookings that start in a period, and the most minutes that they last together.',
  fields: (t) => ({
    count: t.int({
      nullable: true,
      requires: data,
      description: 'The most bookings. Null: any number.',
      resolve: ({ count }) => count,
    }),
    minutes: t.int({
      nullable: true,
      requires: data,
      description: 'The most minutes, buffers not counted. Null: any number.',
      resolve: ({ minutes }) => minutes,
    }),
  }),
});

export const BookingLimits = builder.objectRef<BookingLimitsShape>('BookingLimits').implement({
  description: 'Limits by period of the calendar; null where there is none.',
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
  CONFERENCING: 'In a meeting that a conferencing app makes; the value is the slug of the app.',
  ATTENDEE_ADDRESS: 'At a postal address that the attendee says.',
  ATTENDEE_PHONE: 'The host calls a number that the attendee says.',
  ATTENDEE_CHOICE: 'Wherever the attendee says, in words of their own.',
};

export const LocationType = builder.enumType('LocationType', {
  description: 'Where a meeting takes place: said by the host, by the attendee, or made by a conferencing app.',
  values: describedValues(LOCATION_TYPES, LOCATIONS_IN_WORDS),
});

export const Location = builder.objectRef<OfferedLocation>('Location').implement({
  description: 'Where an event type can take place, as who manages it sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The id with which a booker chooses it. It never changes.' }),
    label: t.exposeString('label', { nullable: true, requires: data, description: 'What everybody sees of it.' }),
    type: t.expose('type', { type: LocationType, requires: data, description: 'Who says where it is.' }),
    value: t.exposeString('value', {
      nullable: true,
      requires: data,
      description: 'The address, link, phone number or slug of the app; null where the attendee says it.',
    }),
  }),
});

export const PublicLocation = builder.objectRef<OfferedLocation>('PublicLocation').implement({
  description: 'Where it can take place. A link and a phone number are shown with the booking, to the booker.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: PUBLIC, description: 'What `bookingCreate` takes as the choice of this one.' }),
    label: t.exposeString('label', { nullable: true, requires: PUBLIC, description: 'What the host calls it.' }),
    type: t.expose('type', { type: LocationType, requires: PUBLIC, description: 'Who says where it is.' }),
    value: t.string({
      nullable: true,
      requires: PUBLIC,
      description: 'The address or the slug of the app; otherwise null.',
      resolve: ({ type, value }) => (type === 'ADDRESS' || type === 'CONFERENCING' ? value : null),
    }),
  }),
});

export const PublicManagingTeam = builder.objectRef<ManagingTeam>('PublicManagingTeam').implement({
  description: 'A team that manages an event type of one of its members and decides its texts.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, requires: PUBLIC, description: 'Null when it is private.' }),
    organizationName: t.exposeString('organizationName', {
      nullable: true,
      requires: PUBLIC,
      description: 'Null for a stand-alone team, and when it is private.',
    }),
  }),
});

export const MANAGED_BY_DESCRIPTION =
  'The team that decides the title, the description, the locations and the links in place of the user who is booked. Null where the owner decides.';
