import { describe, expect, test } from 'vitest';
import {
  BOOKING_FIELD_CODES,
  BOOKING_FIELD_TYPES,
  type BookingField,
  bookingFieldMistakes,
} from '../../../../src/modules/event-types/settings/booking-field.rules.ts';

const FIELD: BookingField = {
  slug: 'topic',
  type: 'TEXT',
  label: 'Topic',
  required: true,
  options: [],
  placeholder: null,
};
const CHOICE: BookingField = { ...FIELD, slug: 'size', type: 'SELECT', options: ['S', 'M'], placeholder: 'Size' };

describe('booking fields are accepted:', () => {
  test.each(BOOKING_FIELD_TYPES)('%s', (type) => {
    const options = ['SELECT', 'MULTISELECT', 'CHECKBOX', 'RADIO'].includes(type) ? ['a', 'b'] : [];
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
