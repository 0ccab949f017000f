import { builder, type Types } from '../../../graphql/builder.ts';
import type { LevelName } from '../../levels/reach.ts';
import {
  BookingFieldType,
  BookingWindowKind,
  ConfirmationKind,
  Frequency,
  LocationType,
  SchedulingType,
} from '../event-type-values.graphql.ts';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

const LocationInput = builder.inputType('LocationInput', {
  fields: (t) => ({
    id: t.id({
      description:
        'That of the location that it is, or changes; what is left out of it stays. Without one, the location that has this type and value, or a new one.',
    }),
    type: t.field({ type: LocationType, required: true }),
    value: t.string({
      description: 'The address, https link, phone number or slug of the app; left out where the attendee says it.',
    }),
    label: t.string({ description: 'What everybody sees of it, at most 100 characters; null takes it away.' }),
  }),
});

const BookingFieldInput = builder.inputType('BookingFieldInput', {
  description: 'A question to the booker.',
  fields: (t) => ({
    ...bookingFieldFields(t),
    type: t.field({ type: BookingFieldType, required: true }),
    label: t.string({ required: true }),
  }),
});

const BookingFieldPatchInput = builder.inputType('BookingFieldPatchInput', {
  description: 'A new field, which needs type and label, or what is to change of the one that has this slug.',
  fields: (t) => ({ ...bookingFieldFields(t), type: t.field({ type: BookingFieldType }), label: t.string() }),
});

const BookingWindowInput = builder.inputType('BookingWindowInput', {
  description: 'How far ahead it can be booked, in dates of its zone.',
  fields: (t) => ({
    kind: t.field({ type: BookingWindowKind, required: true }),
    days: t.int({ description: 'For ROLLING_DAYS and BUSINESS_DAYS: 1 to 3660.' }),
    from: t.string({ description: 'For DATE_RANGE: the first date, as `YYYY-MM-DD`.' }),
    to: t.string({ description: 'For DATE_RANGE: the last date, as `YYYY-MM-DD`.' }),
  }),
});

const BookingLimitInput = builder.inputType('BookingLimitInput', {
  description: 'What is left out stays; null takes the limit away.',
  fields: (t) => ({
    count: t.int({ description: 'The most bookings that start in the period.' }),
    minutes: t.int({ description: 'The most minutes that they last together.' }),
  }),
});

const BookingLimitsInput = builder.inputType('BookingLimitsInput', {
  description: 'Limits by period of the calendar. What is left out stays; null takes a period’s limits away.',
  fields: (t) => ({
    day: t.field({ type: BookingLimitInput }),
    week: t.field({ type: BookingLimitInput }),
    month: t.field({ type: BookingLimitInput }),
    year: t.field({ type: BookingLimitInput }),
  }),
});

const ConfirmationInput = builder.inputType('ConfirmationInput', {
  fields: (t) => ({
    kind: t.field({ type: ConfirmationKind, required: true }),
    noticeInMinutes: t.int({ description: 'For SHORT_NOTICE: bookings made less than so long before need it.' }),
  }),
});

const RecurrenceInput = builder.inputType('RecurrenceInput', {
  fields: (t) => ({
    frequency: t.field({ type: Frequency, required: true }),
    interval: t.int({
      required: true,
      description: 'How many days, weeks, months or years lie between two occurrences: 1 to 12.',
    }),
    occurrences: t.int({ required: true, description: 'The most bookings of one series: 2 to 52.' }),
  }),
});

const SeatsInput = builder.inputType('SeatsInput', {
  fields: (t) => ({
    perSlot: t.int({ required: true, description: '1 to 1000.' }),
    showAttendees: t.boolean({ required: true, description: 'Whether attendees see each other’s names.' }),
  }),
});

const CutOffInput = builder.inputType('CutOffInput', {
  fields: (t) => ({
    minutesBefore: t.int({ description: 'In the last minutes before the start; if left out or null, at all.' }),
  }),
});

const EventTypeHostInput = builder.inputType('EventTypeHostInput', {
  description: 'A member of the team to book, or what is to change of one who is a host.',
  fields: (t) => ({
    userId: t.id({ required: true }),
    isMandatory: t.boolean({ description: 'Attends every booking of a round-robin event type. False, if left out.' }),
    priority: t.int({ description: '0 to 4, the highest goes first. 2, if left out.' }),
    weight: t.int({ description: 'The share among hosts of one priority: 1 to 10000. 100, if left out.' }),
  }),
});

/** What a user's event type can be created with. */
function newEventTypeFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    scheduleId: scheduleField(t),
    slug: t.string({ required: true }),
    title: t.string({ required: true }),
    lengthInMinutes: t.int({ required: true, description: '1 to 1440.' }),
    bookingFields: t.field({ type: [BookingFieldInput] }),
  };
}

/** What of a user's event type can be changed. */
function eventTypePatchFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    scheduleId: scheduleField(t),
    slug: t.string(),
    title: t.string(),
    lengthInMinutes: t.int({ description: '1 to 1440.' }),
    bookingFieldsSet: t.field({
      type: [BookingFieldPatchInput],
      description: 'Adds booking fields and changes those with these slugs. All others stay as they are.',
    }),
    bookingFieldsRemove: t.stringList({ description: 'The slugs of booking fields to remove, before others are set.' }),
    bookingFieldsOrder: t.stringList({
      description: 'Slugs of booking fields that come first, in this order; the others follow in theirs.',
    }),
  };
}

/** The same for a team's, whose hosts are booked by schedules of their own. */
function newTeamEventTypeFields(t: InputBuilder) {
  const { scheduleId: _, ...fields } = newEventTypeFields(t);
  return {
    ...fields,
    schedulingType: t.field({ type: SchedulingType, description: 'ROUND_ROBIN, if left out.' }),
    assignAllMembers: t.boolean({
      description: 'Whether every member is a host, later ones too. If left out, when no hosts are named.',
    }),
    hosts: t.field({
      type: [EventTypeHostInput],
      description: 'Members to book. With assignAllMembers: those who are not mandatory, priority 2 and weight 100.',
    }),
  };
}

function teamEventTypePatchFields(t: InputBuilder) {
  const { scheduleId: _, ...fields } = eventTypePatchFields(t);
  return {
    ...fields,
    schedulingType: t.field({ type: SchedulingType }),
    assignAllMembers: t.boolean({ description: 'Whether every member is a host, later ones too.' }),
    hostsSet: t.field({
      type: [EventTypeHostInput],
      description: 'Adds hosts and changes those who are. All others stay as they are.',
    }),
    hostsRemove: t.idList({ description: 'The users who are no longer hosts; removed before others are set.' }),
  };
}

function commonFields(t: InputBuilder) {
  return {
    description: t.string(),
    hidden: t.boolean({ description: 'Whether the public lists leave it out; its private links lead to it.' }),
    color: t.string({ description: 'As `#rrggbb`.' }),
    metadata: t.field({ type: 'Metadata', description: 'Replaces all keys.' }),
    lengthInMinutesOptions: t.intList({
      description: 'The lengths to choose from, `lengthInMinutes` among them; empty for no choice. Replaces all.',
    }),
    locations: t.field({
      type: [LocationInput],
      description: 'From which the attendee chooses; the first is the default. Replaces all.',
    }),
    slotIntervalInMinutes: t.int({ description: 'From one slot to the next: 1 to 1440; null is the length booked.' }),
    minimumBookingNoticeInMinutes: t.int({ description: '0 to 527040. A new event type has 120.' }),
    bufferBeforeInMinutes: t.int({ description: '0 to 1440.' }),
    bufferAfterInMinutes: t.int({ description: '0 to 1440.' }),
    bookingWindow: t.field({ type: BookingWindowInput, description: 'Null lifts it.' }),
    bookingLimits: t.field({ type: BookingLimitsInput, description: 'Null lifts all.' }),
    confirmation: t.field({ type: ConfirmationInput }),
    recurrence: t.field({ type: RecurrenceInput, description: 'Null ends it. Not together with seats.' }),
    seats: t.field({ type: SeatsInput, description: 'Null ends them. Not together with recurrence.' }),
    requiresBookerEmailVerification: t.boolean({ description: 'Whether the booker proves their e-mail address.' }),
    requiresAuthentication: t.boolean({ description: 'Whether only somebody signed in can book.' }),
    disableGuests: t.boolean(),
    disableCancelling: t.field({ type: CutOffInput, description: 'Null allows it.' }),
    disableRescheduling: t.field({ type: CutOffInput, description: 'Null allows it.' }),
    successRedirectUrl: t.string({ description: 'Where the booker is sent afterwards: an https address.' }),
  };
}

function bookingFieldFields(t: InputBuilder) {
  return {
    slug: t.string({ required: true, description: 'The key of the answer in the `responses` of a booking.' }),
    required: t.boolean(),
    options: t.stringList({ description: 'For SELECT, MULTISELECT, CHECKBOX and RADIO. Replaces all.' }),
    placeholder: t.string(),
  };
}

function scheduleField(t: InputBuilder) {
  return t.id({ description: 'One of the user’s own schedules; null is their default.' });
}

/** What an event type can be created with at each level: a team has hosts, a member of an organization a schedule too. */
export function newEventTypeFieldsAt(t: InputBuilder, level: LevelName) {
  const [own, team] = [newEventTypeFields(t), newTeamEventTypeFields(t)];
  const fields = { user: own, team, organization: { ...team, scheduleId: own.scheduleId } }[level];
  return fields as typeof own & typeof team;
}

/** What of an event type can be changed at each level. */
export function eventTypePatchFieldsAt(t: InputBuilder, level: LevelName) {
  const [own, team] = [eventTypePatchFields(t), teamEventTypePatchFields(t)];
  const fields = { user: own, team, organization: { ...team, scheduleId: own.scheduleId } }[level];
  return fields as typeof own & typeof team;
}
