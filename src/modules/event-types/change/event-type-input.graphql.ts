import { SLUG_IN_WORDS, URL_IN_WORDS } from '../../../core/text.ts';
import { builder, type Types } from '../../../graphql/builder.ts';
import type { LevelName } from '../../levels/reach.ts';
import { MAX_TEXT } from '../event-type.rules.ts';
import { HOST_DEFAULTS, MAX_PRIORITY, MAX_WEIGHT } from '../event-type-host.rules.ts';
import {
  BookingFieldType,
  BookingWindowKind,
  ConfirmationKind,
  Frequency,
  LocationType,
  SchedulingType,
} from '../event-type-values.graphql.ts';
import {
  MAX_LABEL_LENGTH as MAX_FIELD_LABEL,
  MAX_FIELDS,
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
} from '../settings/booking-field.rules.ts';
import { EVENT_TYPE_DEFAULTS } from '../settings/event-type-scheduling.rules.ts';
import { MAX_ADDRESS_LENGTH, MAX_LABEL_LENGTH, MAX_LOCATIONS } from '../settings/location.rules.ts';
import { MAX_OCCURRENCES } from '../settings/recurrence.rules.ts';
import {
  DAY_IN_MINUTES,
  MAX_INTERVAL,
  MAX_LENGTHS,
  MAX_LIMIT_COUNT,
  MAX_SEATS,
  MAX_WINDOW_DAYS,
  YEAR_IN_MINUTES,
} from '../settings/scheduling-input.rules.ts';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

const LocationInput = builder.inputType('LocationInput', {
  description: 'Where it can take place.',
  fields: (t) => ({
    id: t.id({
      description:
        'The id of the location that it is, or changes (`loc_…`); what is left out of it stays. Without one, the location that has this type and value, or a new one.',
    }),
    type: t.field({
      type: LocationType,
      required: true,
      description: 'Who says where it is; whether there is a value.',
    }),
    value: t.string({
      description: `The address of at most ${MAX_ADDRESS_LENGTH} characters, the https link, the phone number such as \`+4930123456\`, or the slug of the app such as \`zoom\`; left out where the attendee says it.`,
    }),
    label: t.string({
      description: `What everybody sees of it, at most ${MAX_LABEL_LENGTH} characters; null takes it away.`,
    }),
  }),
});

const ANSWERS = 'What it takes as an answer.';
const QUESTION = `The question, as the booker reads it: at most ${MAX_FIELD_LABEL} characters.`;

const BookingFieldInput = builder.inputType('BookingFieldInput', {
  description: 'A question to the booker.',
  fields: (t) => ({
    ...bookingFieldFields(t),
    type: t.field({ type: BookingFieldType, required: true, description: ANSWERS }),
    label: t.string({ required: true, description: QUESTION }),
  }),
});

const BookingFieldPatchInput = builder.inputType('BookingFieldPatchInput', {
  description: 'A new field, which needs type and label, or what is to change of the one that has this slug.',
  fields: (t) => ({
    ...bookingFieldFields(t),
    type: t.field({ type: BookingFieldType, description: ANSWERS }),
    label: t.string({ description: QUESTION }),
  }),
});

const BookingWindowInput = builder.inputType('BookingWindowInput', {
  description: 'How far ahead it can be booked, in dates of its zone.',
  fields: (t) => ({
    kind: t.field({
      type: BookingWindowKind,
      required: true,
      description: 'Which of the other fields it needs: `days`, or `from` and `to`.',
    }),
    days: t.int({ description: `For ROLLING_DAYS and BUSINESS_DAYS: 1 to ${MAX_WINDOW_DAYS}.` }),
    from: t.field({
      type: 'Date',
      description: 'For DATE_RANGE: the first date, as `YYYY-MM-DD`, such as `2026-12-01`.',
    }),
    to: t.field({ type: 'Date', description: 'For DATE_RANGE: the last date, as `YYYY-MM-DD`, such as `2026-12-31`.' }),
  }),
});

const BookingLimitInput = builder.inputType('BookingLimitInput', {
  description: 'What is left out stays; null takes the limit away.',
  fields: (t) => ({
    count: t.int({ description: `The most bookings that start in the period: 1 to ${MAX_LIMIT_COUNT}.` }),
    minutes: t.int({ description: `The most minutes that they last together: 1 to ${YEAR_IN_MINUTES}.` }),
  }),
});

const BookingLimitsInput = builder.inputType('BookingLimitsInput', {
  description: 'Limits by period of the calendar. What is left out stays; null takes a period’s limits away.',
  fields: (t) => ({
    day: t.field({ type: BookingLimitInput, description: 'For a day in the zone of the event type.' }),
    week: t.field({ type: BookingLimitInput, description: 'For a week, which begins with the owner’s `weekStart`.' }),
    month: t.field({ type: BookingLimitInput, description: 'For a month of the calendar.' }),
    year: t.field({ type: BookingLimitInput, description: 'For a year of the calendar.' }),
  }),
});

const ConfirmationInput = builder.inputType('ConfirmationInput', {
  description: 'Which bookings a host has to confirm.',
  fields: (t) => ({
    kind: t.field({
      type: ConfirmationKind,
      required: true,
      description: 'None, all, or those of short notice, which needs `noticeInMinutes`.',
    }),
    noticeInMinutes: t.int({
      description: `For SHORT_NOTICE: bookings made less than so long before their start need it; 1 to ${YEAR_IN_MINUTES}.`,
    }),
  }),
});

const RecurrenceInput = builder.inputType('RecurrenceInput', {
  description: 'How it repeats: one request books a whole series.',
  fields: (t) => ({
    frequency: t.field({ type: Frequency, required: true, description: 'The unit of `interval`.' }),
    interval: t.int({
      required: true,
      description: `How many days, weeks, months or years lie between two of them: 1 to ${MAX_INTERVAL}.`,
    }),
    occurrences: t.int({ required: true, description: `The most bookings of one series: 2 to ${MAX_OCCURRENCES}.` }),
  }),
});

const SeatsInput = builder.inputType('SeatsInput', {
  description: 'How many people can book the same slot one by one.',
  fields: (t) => ({
    perSlot: t.int({ required: true, description: `How many people: 1 to ${MAX_SEATS}.` }),
    showAttendees: t.boolean({ required: true, description: 'Whether attendees see each other’s names.' }),
  }),
});

const CutOffInput = builder.inputType('CutOffInput', {
  description: 'What attendees can do no longer: at all, or in the last minutes before the start. Hosts always can.',
  fields: (t) => ({
    minutesBefore: t.int({
      description: `How many of the last minutes before the start: 1 to ${YEAR_IN_MINUTES}. If left out or null, at all.`,
    }),
  }),
});

const EventTypeHostInput = builder.inputType('EventTypeHostInput', {
  description: 'A member of the team to book, or what is to change of one who is a host.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'The member of the team, by their id (`usr_…`).' }),
    isMandatory: t.boolean({ description: 'Attends every booking of a round-robin event type. False, if left out.' }),
    priority: t.int({
      description: `0 to ${MAX_PRIORITY}, the highest goes first. ${HOST_DEFAULTS.priority}, if left out.`,
    }),
    weight: t.int({
      description: `The share among hosts of one priority: 1 to ${MAX_WEIGHT}. ${HOST_DEFAULTS.weight}, if left out.`,
    }),
  }),
});

const MINUTES = `1 to ${DAY_IN_MINUTES}`;
const SLUG = `Its name in addresses: ${SLUG_IN_WORDS}. Unique for its owner.`;
const TITLE = `What it is called, to bookers and in calendars: at most ${MAX_TEXT.title} characters in one line.`;

/** What a user's event type can be created with. */
function newEventTypeFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    metadata: t.field({ type: 'Metadata', description: 'Keys and values of your own.' }),
    scheduleId: scheduleField(t),
    slug: t.string({ required: true, description: SLUG }),
    title: t.string({ required: true, description: TITLE }),
    lengthInMinutes: t.int({ required: true, description: `How long a booking takes: ${MINUTES}.` }),
    bookingFields: t.field({
      type: [BookingFieldInput],
      description: `Questions to the booker, in this order: at most ${MAX_FIELDS}. None, if left out.`,
    }),
  };
}

/** What of a user's event type can be changed. */
function eventTypePatchFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    metadata: t.field({
      type: 'MetadataPatch',
      description: 'Keys to set or, with null, to take away; all others stay.',
    }),
    scheduleId: scheduleField(t),
    slug: t.string({ description: SLUG }),
    title: t.string({ description: TITLE }),
    lengthInMinutes: t.int({ description: `How long a booking takes: ${MINUTES}.` }),
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
    schedulingType: t.field({
      type: SchedulingType,
      description:
        'Who attends. Made MANAGED, each host gets an event type of their own; no longer MANAGED, these are deleted.',
    }),
    assignAllMembers: t.boolean({ description: 'Whether every member is a host, later ones too.' }),
    hostsSet: t.field({
      type: [EventTypeHostInput],
      description: 'Adds hosts and changes those who are. All others stay as they are.',
    }),
    hostsRemove: t.idList({
      description: 'The users who are no longer hosts, by their ids (`usr_…`); removed before others are set.',
    }),
  };
}

function commonFields(t: InputBuilder) {
  return {
    description: t.string({
      description: `What bookers should know of it: at most ${MAX_TEXT.description} characters. Null empties it.`,
    }),
    hidden: t.boolean({
      description: 'Whether the public lists leave it out; its private links lead to it. False at first.',
    }),
    color: t.string({ description: 'As `#rrggbb`, such as `#1a7f37`. Null: none.' }),
    lengthInMinutesOptions: t.intList({
      description: `The lengths to choose from, \`lengthInMinutes\` among them: at most ${MAX_LENGTHS}, each ${MINUTES}. Empty for no choice. Replaces all.`,
    }),
    locations: t.field({
      type: [LocationInput],
      description: `From which the attendee chooses, at most ${MAX_LOCATIONS}; the first is the default. Replaces all.`,
    }),
    slotIntervalInMinutes: t.int({ description: `From one slot to the next: ${MINUTES}; null is the length booked.` }),
    minimumBookingNoticeInMinutes: t.int({
      description: `How long before its start it must be booked at the latest: 0 to ${YEAR_IN_MINUTES}. A new event type has ${EVENT_TYPE_DEFAULTS.minimumBookingNoticeInMinutes}.`,
    }),
    bufferBeforeInMinutes: t.int({
      description: `How long hosts are kept free before each booking: 0 to ${DAY_IN_MINUTES}, 0 at first.`,
    }),
    bufferAfterInMinutes: t.int({
      description: `How long hosts are kept free after each booking: 0 to ${DAY_IN_MINUTES}, 0 at first.`,
    }),
    bookingWindow: t.field({
      type: BookingWindowInput,
      description: 'How far ahead it can be booked. Null lifts it: as far as anybody likes.',
    }),
    bookingLimits: t.field({
      type: BookingLimitsInput,
      description: 'How much of it can be booked in a period. Null lifts all.',
    }),
    confirmation: t.field({
      type: ConfirmationInput,
      description: 'Which bookings a host has to confirm; at first none.',
    }),
    recurrence: t.field({
      type: RecurrenceInput,
      description: 'A series of bookings at once. Null ends it. Not together with seats.',
    }),
    seats: t.field({
      type: SeatsInput,
      description: 'Several people in one slot. Null ends them. Not together with recurrence.',
    }),
    requiresBookerEmailVerification: t.boolean({
      description: 'Whether the booker proves their e-mail address by a code. False at first.',
    }),
    requiresAuthentication: t.boolean({ description: 'Whether only somebody signed in can book. False at first.' }),
    disableGuests: t.boolean({ description: 'Whether bookers can bring no guests along. False at first.' }),
    disableCancelling: t.field({
      type: CutOffInput,
      description: 'From when on attendees cannot cancel. Null: they always can.',
    }),
    disableRescheduling: t.field({
      type: CutOffInput,
      description: 'From when on attendees cannot reschedule. Null: they always can.',
    }),
    successRedirectUrl: t.field({
      type: 'URL',
      description: `Where the booker is sent afterwards: ${URL_IN_WORDS}. Null: nowhere.`,
    }),
  };
}

function bookingFieldFields(t: InputBuilder) {
  return {
    slug: t.string({
      required: true,
      description: `The key of the answer in the \`responses\` of a booking: ${SLUG_IN_WORDS}.`,
    }),
    required: t.boolean({ description: 'Whether nobody can book without an answer. False at first.' }),
    options: t.stringList({
      description: `For SELECT, MULTISELECT, CHECKBOX and RADIO: at most ${MAX_OPTIONS} of at most ${MAX_OPTION_LENGTH} characters. Replaces all.`,
    }),
    placeholder: t.string({
      description: `What stands in the empty field, as an example: at most ${MAX_FIELD_LABEL} characters. Null: nothing.`,
    }),
  };
}

function scheduleField(t: InputBuilder) {
  return t.id({ description: 'One of the user’s own schedules, by its id (`sch_…`); null is their default.' });
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
