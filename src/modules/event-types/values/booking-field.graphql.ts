import type { EnumRef } from '@pothos/core';
import { builder, type Types } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { PUBLIC, reads } from '../../../scopes/declare.ts';
import type { Requirement } from '../../../scopes/requirement.ts';
import {
  BOOKING_FIELD_TYPES,
  type BookingField as BookingFieldShape,
  CHARACTERS_OF_AN_OPTION,
  MAX_ANSWER,
  MAX_OPTIONS,
} from '../settings/booking-field.rules.ts';

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
