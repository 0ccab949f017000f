import { SLUG_IN_WORDS } from '../../../core/text.ts';
import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { MAX_FIELDS, MAX_LABEL_LENGTH, MAX_OPTION_LENGTH, MAX_OPTIONS } from '../settings/booking-field.rules.ts';
import { BookingFieldType } from '../values/booking-field.graphql.ts';

const ANSWERS = 'What it takes as an answer.';
const QUESTION = `The question, as the booker reads it: at most ${MAX_LABEL_LENGTH} characters.`;

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

/** The questions of a new event type. */
export function newBookingFields(t: InputBuilder) {
  return {
    bookingFields: t.field({
      type: [BookingFieldInput],
      description: `Questions to the booker, in this order: at most ${MAX_FIELDS}. None, if left out.`,
    }),
  };
}

/** How the questions of an event type change. */
export function bookingFieldPatchFields(t: InputBuilder) {
  return {
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
      description: `What stands in the empty field, as an example: at most ${MAX_LABEL_LENGTH} characters. Null: nothing.`,
    }),
  };
}
