import { SLUG_IN_WORDS, URL_IN_WORDS } from '../../core/text.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import type { LevelName } from '../levels/reach.ts';
import { MAX_TEXT } from './event-type.rules.ts';
import { HOST_DEFAULTS, MAX_PRIORITY, MAX_WEIGHT } from './event-type-host.rules.ts';
import {
  AttendeePolicyType,
  BookingFieldType,
  BookingWindowType,
  ConfirmationType,
  Frequency,
  LocationType,
  SchedulingType,
} from './event-type-values.graphql.ts';
import { MAX_FIELDS, MAX_LABEL_LENGTH, MAX_OPTION_LENGTH, MAX_OPTIONS } from './settings/booking-field.rules.ts';
import { MAX_EMBED_ORIGINS, ORIGIN_IN_WORDS } from './settings/embed-origin.rules.ts';
import {
  MAX_ADDRESS_LENGTH,
  MAX_LABEL_LENGTH as MAX_LOCATION_LABEL_LENGTH,
  MAX_LOCATIONS,
} from './settings/location.rules.ts';
import { MAX_OCCURRENCES } from './settings/recurrence.rules.ts';
import {
  DAY_IN_MINUTES,
  EVENT_TYPE_DEFAULTS,
  MAX_INTERVAL,
  MAX_LENGTHS,
  MAX_LIMIT_COUNT,
  MAX_SEATS,
  MAX_WINDOW_DAYS,
  YEAR_IN_MINUTES,
} from './settings/scheduling.rules.ts';

const BookingWindowInput = builder.inputType('BookingWindowInput', {
  description: 'How far ahead it can be booked, in dates of its zone.',
  fields: (t) => ({
    type: t.field({
      type: BookingWindowType,
      required: true,
      description: 'Which of the other fields it needs: `days`, or `firstDate` and `lastDate`.',
    }),
    days: t.int({ description: `For ROLLING_DAYS and BUSINESS_DAYS: 1 to ${MAX_WINDOW_DAYS}.` }),
    firstDate: t.field({
      type: 'Date',
      description: 'For DATE_RANGE: the first date, as `YYYY-MM-DD`, such as `2026-12-01`.',
    }),
    lastDate: t.field({
      type: 'Date',
      description: 'For DATE_RANGE: the last date, as `YYYY-MM-DD`, such as `2026-12-31`.',
    }),
  }),
});

const BookingLimitInput = builder.inputType('BookingLimitInput', {
  description: 'What is left out stays; null takes the limit away.',
  fields: (t) => ({
    maxBookings: t.int({ description: `The most bookings that start in the period: 1 to ${MAX_LIMIT_COUNT}.` }),
    maxMinutes: t.int({ description: `The most minutes that they last together: 1 to ${YEAR_IN_MINUTES}.` }),
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

/** Writes the value that a new event type has if it is left out; the description of an update writes nothing. */
type Initially = (value: string) => string;

/** A length, as the descriptions of inputs say it. */
const MINUTES = `1 to ${DAY_IN_MINUTES}`;

/** When it can be booked, and how much of it: lengths, slots, notice, buffers, window and limits. */
function timeFields(t: InputBuilder, initially: Initially) {
  return {
    durationInMinutesOptions: t.intList({
      description: `The lengths to choose from, \`durationInMinutes\` among them: at most ${MAX_LENGTHS}, each ${MINUTES}. Empty for no choice. Replaces all.`,
    }),
    slotIntervalInMinutes: t.int({ description: `From one slot to the next: ${MINUTES}; null is the length booked.` }),
    minimumBookingNoticeInMinutes: t.int({
      description: `A slot can be booked until this many minutes before its start: 0 to ${YEAR_IN_MINUTES}.${initially(String(EVENT_TYPE_DEFAULTS.minimumBookingNoticeInMinutes))}`,
    }),
    bufferBeforeInMinutes: t.int({
      description: `How long hosts are kept free before each booking: 0 to ${DAY_IN_MINUTES}.${initially('0')}`,
    }),
    bufferAfterInMinutes: t.int({
      description: `How long hosts are kept free after each booking: 0 to ${DAY_IN_MINUTES}.${initially('0')}`,
    }),
    bookingWindow: t.field({
      type: BookingWindowInput,
      description: 'How far ahead it can be booked. Null: no limit.',
    }),
    bookingLimits: t.field({
      type: BookingLimitsInput,
      description: 'How much of it can be booked in a period. Null lifts all.',
    }),
  };
}

const ConfirmationInput = builder.inputType('ConfirmationInput', {
  description: 'Which bookings a host has to confirm.',
  fields: (t) => ({
    type: t.field({
      type: ConfirmationType,
      required: true,
      description: 'Which: none, all, or those made at SHORT_NOTICE, which needs `noticeInMinutes`.',
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
    showsAttendees: t.boolean({ required: true, description: 'Whether attendees see each other’s names.' }),
  }),
});

const AttendeePolicyInput = builder.inputType('AttendeePolicyInput', {
  description: 'Until when attendees can cancel or reschedule by themselves. Hosts always can.',
  fields: (t) => ({
    type: t.field({
      type: AttendeePolicyType,
      required: true,
      description: 'When they can; WITH_NOTICE needs `noticeInMinutes`.',
    }),
    noticeInMinutes: t.int({
      description: `For WITH_NOTICE: how many minutes before the start is the last time; 1 to ${YEAR_IN_MINUTES}.`,
    }),
  }),
});

/** The inputs that say what its bookings are like, and what bookers and attendees may do. */
function bookingRuleInputs(t: InputBuilder, initially: Initially) {
  return {
    confirmation: t.field({
      type: ConfirmationInput,
      description: `Which bookings a host has to confirm.${initially('none')}`,
    }),
    recurrence: t.field({
      type: RecurrenceInput,
      description: 'Lets one request book a series. Null: no series. Not together with `seats`.',
    }),
    seats: t.field({
      type: SeatsInput,
      description:
        'Lets several people book the same slot. Null: one person books a slot. Not together with `recurrence`.',
    }),
    requiresBookerEmailVerification: t.boolean({
      description: `Whether the booker proves their e-mail address by a code.${initially('false')}`,
    }),
    requiresAuthentication: t.boolean({
      description: `Whether only somebody signed in can book.${initially('false')}`,
    }),
    allowsGuests: t.boolean({ description: `Whether bookers can bring guests.${initially('true')}` }),
    cancellationPolicy: t.field({
      type: AttendeePolicyInput,
      description: `Until when attendees can cancel.${initially('always')}`,
    }),
    reschedulingPolicy: t.field({
      type: AttendeePolicyInput,
      description: `Until when attendees can reschedule.${initially('always')}`,
    }),
  };
}

const BookingFieldInput = builder.inputType('BookingFieldInput', {
  description: 'A question to the booker.',
  fields: (t) => ({
    slug: t.string({
      required: true,
      description: `The key of the answer in the \`responses\` of a booking: ${SLUG_IN_WORDS}.`,
    }),
    type: t.field({ type: BookingFieldType, required: true, description: 'What it takes as an answer.' }),
    label: t.string({
      required: true,
      description: `The question, as the booker reads it: at most ${MAX_LABEL_LENGTH} characters.`,
    }),
    isRequired: t.boolean({ description: 'Whether an answer is required. Of a new field, false by default.' }),
    options: t.stringList({
      description: `For SELECT, MULTI_SELECT, CHECKBOX and RADIO: at most ${MAX_OPTIONS} of at most ${MAX_OPTION_LENGTH} characters. Replaces all.`,
    }),
    placeholder: t.string({
      description: `What stands in the empty field, as an example: at most ${MAX_LABEL_LENGTH} characters. Null: nothing.`,
    }),
  }),
});

/** The questions of a new event type. */
function newBookingFields(t: InputBuilder) {
  return {
    bookingFields: t.field({
      type: [BookingFieldInput],
      description: `Questions to the booker, in this order: at most ${MAX_FIELDS}. None, if left out.`,
    }),
  };
}

/** How the questions of an event type change. */
function bookingFieldPatchFields(t: InputBuilder) {
  return {
    bookingFieldsSet: t.field({
      type: [BookingFieldInput],
      description:
        'Adds booking fields, and changes those with these slugs, of which what is left out stays. All others stay as they are.',
    }),
    bookingFieldsRemove: t.stringList({ description: 'The slugs of booking fields to remove, before others are set.' }),
    bookingFieldsOrder: t.stringList({
      description: 'Slugs of booking fields that come first, in this order; the others follow in theirs.',
    }),
  };
}

const LocationInput = builder.inputType('LocationInput', {
  description: 'Where it can take place.',
  fields: (t) => ({
    id: t.id({
      description:
        'The id of the location that it is, or changes (`loc_…`); what is left out of it stays. Without one, the location that has this type and place, or a new one.',
    }),
    type: t.field({
      type: LocationType,
      required: true,
      description: 'The type of the location: which of the other fields it has; none where the attendee says it.',
    }),
    address: t.string({
      description: `Of type ADDRESS: the postal address, at most ${MAX_ADDRESS_LENGTH} characters.`,
    }),
    url: t.field({ type: 'URL', description: 'Of type LINK: the https link.' }),
    phone: t.string({ description: 'Of type PHONE: the number to call, such as `+4930123456`.' }),
    app: t.string({ description: 'Of type CONFERENCING: the slug of the app that makes the meeting, such as `zoom`.' }),
    label: t.string({
      description: `What everybody sees of it, at most ${MAX_LOCATION_LABEL_LENGTH} characters; null takes it away.`,
    }),
  }),
});

const EventTypeHostInput = builder.inputType('EventTypeHostInput', {
  description: 'A member of the team to book, or what is to change of one who is a host.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'The member of the team, by their id (`usr_…`).' }),
    isMandatory: t.boolean({
      description: 'Whether the host attends every booking of a round-robin event type. Default: false.',
    }),
    priority: t.int({
      description: `0 to ${MAX_PRIORITY}, the highest goes first. ${HOST_DEFAULTS.priority}, if left out.`,
    }),
    weight: t.int({
      description: `The share among hosts of one priority: 1 to ${MAX_WEIGHT}. ${HOST_DEFAULTS.weight}, if left out.`,
    }),
  }),
});

/** The inputs that say who is booked with a new event type of a team. */
function newHostFields(t: InputBuilder) {
  return {
    schedulingType: t.field({ type: SchedulingType, description: 'Which hosts attend. Default: ROUND_ROBIN.' }),
    assignsAllMembers: t.boolean({
      description: 'Whether every member is a host, later ones too. If left out, when no hosts are named.',
    }),
    hosts: t.field({
      type: [EventTypeHostInput],
      description: 'Members to book. With assignsAllMembers: those who are not mandatory, priority 2 and weight 100.',
    }),
  };
}

/** How those change who are booked with it. */
function hostPatchFields(t: InputBuilder) {
  return {
    schedulingType: t.field({
      type: SchedulingType,
      description:
        'Who attends. Made MANAGED, each host gets an event type of their own; no longer MANAGED, these are deleted.',
    }),
    assignsAllMembers: t.boolean({ description: 'Whether every member is a host, later ones too.' }),
    hostsSet: t.field({
      type: [EventTypeHostInput],
      description: 'Adds hosts and changes those who are. All others stay as they are.',
    }),
    hostsRemove: t.idList({
      description: 'The users who are no longer hosts, by their ids (`usr_…`); removed before others are set.',
    }),
  };
}

const SLUG = `Its name in addresses: ${SLUG_IN_WORDS}. Unique for its owner.`;
const TITLE = `What it is called, to bookers and in calendars: at most ${MAX_TEXT.title} characters in one line.`;
const LENGTH = `How long a booking takes: ${MINUTES}.`;

/** The input of a new event type at each level. */
export function newEventTypeFieldsAt(t: InputBuilder, level: LevelName) {
  return at(level, newEventTypeFields(t), newHostFields(t), scheduleField(t));
}

/** The input of a change of an event type at each level. */
export function eventTypePatchFieldsAt(t: InputBuilder, level: LevelName) {
  return at(level, eventTypePatchFields(t), hostPatchFields(t), scheduleField(t));
}

/** A user's own has a schedule; a team's has hosts, who are booked by schedules of their own; in an organization it may be either's. */
function at<Common extends object, Hosts extends object, Schedule extends object>(
  level: LevelName,
  common: Common,
  hosts: Hosts,
  schedule: Schedule,
) {
  const fields = {
    user: { ...common, ...schedule },
    team: { ...common, ...hosts },
    organization: { ...common, ...hosts, ...schedule },
  };
  return fields[level] as Common & Hosts & Schedule;
}

function newEventTypeFields(t: InputBuilder) {
  return {
    ...commonFields(t, (value) => ` Default: ${value}.`),
    ...newBookingFields(t),
    metadata: t.field({ type: 'Metadata', description: 'Keys and values of your own.' }),
    slug: t.string({ required: true, description: SLUG }),
    title: t.string({ required: true, description: TITLE }),
    durationInMinutes: t.int({ required: true, description: LENGTH }),
  };
}

function eventTypePatchFields(t: InputBuilder) {
  return {
    ...commonFields(t, () => ''),
    ...bookingFieldPatchFields(t),
    metadata: t.field({
      type: 'MetadataPatch',
      description: 'Keys to set or, with null, to take away; all others stay.',
    }),
    slug: t.string({ description: SLUG }),
    title: t.string({ description: TITLE }),
    durationInMinutes: t.int({ description: LENGTH }),
  };
}

function commonFields(t: InputBuilder, initially: Initially) {
  return {
    ...timeFields(t, initially),
    ...bookingRuleInputs(t, initially),
    description: t.string({
      description: `What bookers should know of it: at most ${MAX_TEXT.description} characters. Null empties it.`,
    }),
    isHidden: t.boolean({
      description: `Whether the public lists leave it out; its private links lead to it.${initially('false')}`,
    }),
    color: t.string({ description: 'As `#rrggbb`, such as `#1a7f37`. Null: none.' }),
    locations: t.field({
      type: [LocationInput],
      description: `From which the attendee chooses, at most ${MAX_LOCATIONS}; the first is the default. Replaces all.`,
    }),
    successRedirectUrl: t.field({
      type: 'URL',
      description: `Where the booker is sent afterwards: ${URL_IN_WORDS}. Null: nowhere.`,
    }),
    embedOrigins: t.stringList({
      description: `The websites whose pages may show the booking page in a frame, at most ${MAX_EMBED_ORIGINS}: each ${ORIGIN_IN_WORDS}; \`http\` for \`localhost\` and \`127.0.0.1\` only. Replaces all.${initially('none')}`,
    }),
  };
}

function scheduleField(t: InputBuilder) {
  return {
    scheduleId: t.id({
      description: 'One of the user’s own schedules, by its id (`sch_…`); null is their default.',
    }),
  };
}
