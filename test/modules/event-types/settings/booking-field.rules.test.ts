import { describe, expect, test } from 'vitest';
import {
  BOOKING_FIELD_CODES,
  BOOKING_FIELD_TYPES,
  type BookingField,
  type BookingFieldsPatch,
  bookingFieldMistakes,
  patchedBookingFields,
} from '../../../../src/modules/event-types/settings/booking-field.rules.ts';

const FIELD: BookingField = {
  slug: 'topic',
  type: 'TEXT',
  label: 'Topic',
  isRequired: true,
  options: [],
  placeholder: null,
};
const CHOICE: BookingField = { ...FIELD, slug: 'size', type: 'SELECT', options: ['S', 'M'], placeholder: 'Size' };

describe('booking fields are accepted:', () => {
  test.each(BOOKING_FIELD_TYPES)('%s', (type) => {
    const options = ['SELECT', 'MULTI_SELECT', 'CHECKBOX', 'RADIO'].includes(type) ? ['a', 'b'] : [];
    expect(bookingFieldMistakes(['bookingFields'], [{ ...FIELD, type, options }])).toEqual([]);
  });

  test('fifty of them', () => {
    const fields = Array.from({ length: 50 }, (_, index) => ({ ...FIELD, slug: `topic-${index}` }));
    expect(bookingFieldMistakes(['bookingFields'], fields)).toEqual([]);
  });
});

describe('booking fields are refused when', () => {
  test.each<[string, readonly BookingField[], string, string]>([
    ['a slug cannot be a key', [{ ...FIELD, slug: '__proto__' }], 'INVALID_SLUG', 'bookingFields.0.slug'],
    ['a slug is there twice', [FIELD, { ...CHOICE, slug: 'topic' }], 'DUPLICATE', 'bookingFields.1.slug'],
    ['a label is missing', [{ ...FIELD, label: '' }], 'REQUIRED', 'bookingFields.0.label'],
    [
      'a placeholder is endless',
      [{ ...FIELD, placeholder: 'a'.repeat(201) }],
      'TOO_LONG',
      'bookingFields.0.placeholder',
    ],
    ['a choice has no options', [{ ...CHOICE, options: [] }], 'REQUIRED', 'bookingFields.0.options'],
    ['a text has options', [{ ...FIELD, options: ['a'] }], 'NOT_POSSIBLE', 'bookingFields.0.options'],
    ['an option is there twice', [{ ...CHOICE, options: ['S', 'M', 'S'] }], 'DUPLICATE', 'bookingFields.0.options.2'],
    ['an option cannot be seen', [{ ...CHOICE, options: ['\u200d'] }], 'INVALID_TEXT', 'bookingFields.0.options.0'],
    [
      'there are too many options',
      [{ ...CHOICE, options: Array.from({ length: 101 }, (_, index) => `${index}`) }],
      'TOO_MANY',
      'bookingFields.0.options',
    ],
    [
      'there are too many',
      Array.from({ length: 51 }, (_, index) => ({ ...FIELD, slug: `f-${index}` })),
      'TOO_MANY',
      'bookingFields',
    ],
  ])('%s', (_, fields, code, path) => {
    const mistakes = bookingFieldMistakes(['bookingFields'], fields);
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(BOOKING_FIELD_CODES).toContain(code);
  });
});

const TOPIC: BookingField = {
  slug: 'topic',
  type: 'TEXT',
  label: 'Topic',
  isRequired: true,
  options: [],
  placeholder: 'Say',
};
const SIZE: BookingField = {
  slug: 'size',
  type: 'SELECT',
  label: 'Size',
  isRequired: false,
  options: ['S', 'M'],
  placeholder: null,
};
const NOTES: BookingField = {
  slug: 'notes',
  type: 'TEXTAREA',
  label: 'Notes',
  isRequired: false,
  options: [],
  placeholder: null,
};
const STORED = [TOPIC, SIZE, NOTES];

describe('booking fields', () => {
  test.each<[string, BookingFieldsPatch, readonly BookingField[]]>([
    ['stay as they are without a change', {}, STORED],
    [
      'stay as they are with empty changes',
      { bookingFieldsSet: [], bookingFieldsRemove: null, bookingFieldsOrder: [] },
      STORED,
    ],
    [
      'change where they stand',
      { bookingFieldsSet: [{ slug: 'size', label: ' Big ' }] },
      [TOPIC, { ...SIZE, label: 'Big' }, NOTES],
    ],
    ['keep what null cannot empty', { bookingFieldsSet: [{ slug: 'topic', label: null, isRequired: null }] }, STORED],
    [
      'lose a placeholder by null',
      { bookingFieldsSet: [{ slug: 'topic', placeholder: null }] },
      [{ ...TOPIC, placeholder: null }, SIZE, NOTES],
    ],
    [
      'keep their options under another type with a choice',
      { bookingFieldsSet: [{ slug: 'size', type: 'RADIO' }] },
      [TOPIC, { ...SIZE, type: 'RADIO' }, NOTES],
    ],
    [
      'lose them under a type without',
      { bookingFieldsSet: [{ slug: 'size', type: 'TEXT' }] },
      [TOPIC, { ...SIZE, type: 'TEXT', options: [] }, NOTES],
    ],
    [
      'are added at the end',
      { bookingFieldsSet: [{ slug: 'new', type: 'URL', label: 'New' }] },
      [...STORED, { slug: 'new', type: 'URL', label: 'New', isRequired: false, options: [], placeholder: null }],
    ],
    ['are removed by slug', { bookingFieldsRemove: ['topic', 'notes'] }, [SIZE]],
    [
      'are removed before they are set anew, and forget what they were',
      { bookingFieldsRemove: ['topic'], bookingFieldsSet: [{ slug: 'topic', type: 'TEXT', label: 'T' }] },
      [SIZE, NOTES, { ...TOPIC, label: 'T', isRequired: false, placeholder: null }],
    ],
    ['come in the order that is given, the others in theirs', { bookingFieldsOrder: ['notes'] }, [NOTES, TOPIC, SIZE]],
  ])('%s', (_, patch, fields) => {
    expect(patchedBookingFields(STORED, patch)).toEqual({ fields, mistakes: [] });
  });
});

describe('changes to booking fields are refused when', () => {
  test.each<[string, BookingFieldsPatch, string]>([
    [
      'a new one has no type',
      { bookingFieldsSet: [{ slug: 'new', label: 'New' }] },
      'REQUIRED bookingFieldsSet.0.type',
    ],
    [
      'a removed one is set anew without a label',
      { bookingFieldsRemove: ['topic'], bookingFieldsSet: [{ slug: 'topic', type: 'TEXT' }] },
      'REQUIRED bookingFieldsSet.0.label',
    ],
    [
      'a choice is left without options',
      { bookingFieldsSet: [{ slug: 'topic', type: 'SELECT' }] },
      'REQUIRED bookingFieldsSet.0.options',
    ],
    [
      'one is set twice',
      { bookingFieldsSet: [{ slug: 'topic' }, { slug: 'topic' }] },
      'DUPLICATE bookingFieldsSet.1.slug',
    ],
    ['what is removed is not there', { bookingFieldsRemove: ['gone'] }, 'UNKNOWN_FIELD bookingFieldsRemove.0'],
    ['what is to come first is not there', { bookingFieldsOrder: ['gone'] }, 'UNKNOWN_FIELD bookingFieldsOrder.0'],
  ])('%s', (_, patch, mistake) => {
    const { mistakes } = patchedBookingFields(STORED, patch);
    expect(mistakes.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual([mistake]);
  });
});
