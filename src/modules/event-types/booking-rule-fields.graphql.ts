import type { TypeParam } from '@pothos/core';
import type { Types } from '../../graphql/builder.ts';
import { LONG_TEXT, SMALL } from '../../graphql/limits/price.ts';
import type { Fields } from '../../graphql/row.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import type { EventType } from './event-type.entity.ts';
import { MAX_FIELDS } from './settings/booking-field.rules.ts';
import { MAX_LENGTHS } from './settings/scheduling-input.rules.ts';

/** The fields by which an event type presents itself: the same to those who manage it and to bookers. */
export function presentedFields(requires: Requirement): Fields<typeof EventType> {
  return (t) => ({
    slug: t.column('slug', { requires, description: 'Its name in addresses, unique for its owner.' }),
    title: t.column('title', { requires, description: 'What it is called, to bookers and in calendars.' }),
    description: t.column('description', {
      price: LONG_TEXT,
      requires,
      description: 'What bookers should know of it, as plain text. Null: nothing.',
    }),
    color: t.column('color', { requires, description: 'As `#rrggbb`, such as `#1a7f37`. Null: none.' }),
    lengthInMinutes: t.column('lengthInMinutes', {
      requires,
      description: 'How long a booking takes, unless another length is chosen.',
    }),
    lengthInMinutesOptions: t.column('lengthInMinutesOptions', {
      price: { max: MAX_LENGTHS },
      type: ['Int'],
      requires,
      description: 'The lengths to choose from, `lengthInMinutes` among them; empty when there is no choice.',
    }),
  });
}

/** The types of the values: below a public field everything is public, so it has types of its own. */
type ValueTypes = Readonly<
  Record<'BookingField' | 'Confirmation' | 'Recurrence' | 'Seats' | 'CutOff', TypeParam<Types>>
>;

/**
 * The fields that say what an event type asks of bookers and allows them: the same to those who manage it and to
 * bookers.
 */
export function bookingRuleFields(types: ValueTypes, requires: Requirement): Fields<typeof EventType> {
  return (t) => ({
    bookingFields: t.column('bookingFields', {
      type: [types.BookingField] as unknown as TypeParam<Types>,
      price: { max: MAX_FIELDS, weight: SMALL },
      requires,
      description: 'The questions to the booker, in this order.',
    }),
    confirmation: t.column('confirmation', {
      type: types.Confirmation,
      requires,
      description: 'Whether a booking waits for a host to confirm it.',
    }),
    recurrence: t.column('recurrence', {
      type: types.Recurrence,
      requires,
      description: 'How it repeats: one request books a whole series. Null: it does not.',
    }),
    seats: t.column('seats', {
      type: types.Seats,
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
    disableGuests: t.column('disableGuests', { requires, description: 'Whether bookers can bring no guests along.' }),
    disableCancelling: t.column('disableCancelling', {
      type: types.CutOff,
      requires,
      description: 'From when on attendees cannot cancel. Null: they always can.',
    }),
    disableRescheduling: t.column('disableRescheduling', {
      type: types.CutOff,
      requires,
      description: 'From when on attendees cannot reschedule. Null: they always can.',
    }),
  });
}
