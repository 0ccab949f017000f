/** values/ owns the types of what an event type holds, a file for each subject; input/ has what changes them. */
import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { PUBLIC, reads } from '../../../scopes/declare.ts';
import type { Requirement } from '../../../scopes/requirement.ts';
import {
  CONFIRMATION_KINDS,
  type Confirmation as ConfirmationShape,
  type CutOff as CutOffShape,
  type Seats as SeatsShape,
} from '../settings/event-type-scheduling.rules.ts';
import { FREQUENCIES, type Recurrence as RecurrenceShape } from '../settings/recurrence.rules.ts';

const data = reads('EVENT_TYPE');

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
