import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { MAX_OCCURRENCES } from '../settings/recurrence.rules.ts';
import { MAX_INTERVAL, MAX_SEATS, YEAR_IN_MINUTES } from '../settings/scheduling-input.rules.ts';
import { ConfirmationKind, Frequency } from '../values/booking-rule.graphql.ts';

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

/** The inputs that say what its bookings are like, and what bookers and attendees may do. */
export function bookingRuleInputs(t: InputBuilder) {
  return {
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
  };
}
