import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BOOKING_FIELD_TYPES,
  type BookingField,
  type BookingFieldType,
} from '../../../../src/modules/event-types/settings/booking-field.rules.ts';
import {
  RESPONSE_CODES,
  responseMistakes,
  tidyResponses,
} from '../../../../src/modules/event-types/settings/field-answers.rules.ts';

const CHOICES: readonly BookingFieldType[] = ['SELECT', 'MULTI_SELECT', 'CHECKBOX', 'RADIO'];

function aField(type: BookingFieldType, changes: Partial<BookingField> = {}): BookingField {
  const options = CHOICES.includes(type) ? ['S', 'M', 'L'] : [];
  return { slug: 'answer', type, label: 'The question', isRequired: false, options, placeholder: null, ...changes };
}

function codesOf(field: BookingField, responses: Readonly<Record<string, unknown>>): string[] {
  return responseMistakes(['responses'], [field], responses).map(({ code, path }) => `${code} ${path?.join('.')}`);
}

describe('an answer is accepted:', () => {
  test.each<[BookingFieldType, unknown]>([
    ['TEXT', 'Relativity 🦊'],
    ['TEXTAREA', 'a\nb'],
    ['ADDRESS', 'Street 1\nTown'],
    ['NUMBER', -1.5],
    ['NUMBER', 0],
    ['PHONE', '+4930123456'],
    ['EMAIL', 'ada@example.com'],
    ['MULTI_EMAIL', ['ada@example.com', 'bob@example.com']],
    ['SELECT', 'M'],
    ['RADIO', 'S'],
    ['MULTI_SELECT', ['M', 'S']],
    ['CHECKBOX', ['L']],
    ['BOOLEAN', true],
    ['BOOLEAN', false],
    ['URL', 'https://example.com/'],
  ])('%s %j', (type, answer) => {
    expect(codesOf(aField(type), { answer })).toEqual([]);
  });

  test('also where one is required', () => {
    expect(codesOf(aField('TEXT', { isRequired: true }), { answer: 'a' })).toEqual([]);
    expect(codesOf(aField('NUMBER', { isRequired: true }), { answer: 0 })).toEqual([]);
    expect(codesOf(aField('BOOLEAN', { isRequired: true }), { answer: true })).toEqual([]);
  });

  test.each(BOOKING_FIELD_TYPES)('%s without one, if none is required', (type) => {
    for (const responses of [{}, { answer: null }, { answer: ' ' }, { answer: [] }]) {
      expect(codesOf(aField(type), responses)).toEqual([]);
    }
  });
});

describe('an answer is refused:', () => {
  test.each<[BookingFieldType, unknown, string]>([
    ['TEXT', 'a\nb', 'INVALID_TEXT responses.answer'],
    ['TEXT', 'a'.repeat(501), 'TOO_LONG responses.answer'],
    ['TEXT', 5, 'INVALID_RESPONSE responses.answer'],
    ['TEXT', { toString: 'a' }, 'INVALID_RESPONSE responses.answer'],
    ['TEXTAREA', '\0', 'INVALID_TEXT responses.answer'],
    ['ADDRESS', '\ud800', 'INVALID_TEXT responses.answer'],
    ['NUMBER', '5', 'INVALID_RESPONSE responses.answer'],
    ['NUMBER', NaN, 'INVALID_RESPONSE responses.answer'],
    ['PHONE', 'call me', 'INVALID_PHONE responses.answer'],
    ['EMAIL', 'ada', 'INVALID_EMAIL responses.answer'],
    ['MULTI_EMAIL', 'ada@example.com', 'INVALID_RESPONSE responses.answer'],
    ['MULTI_EMAIL', ['ada@example.com', 'bob'], 'INVALID_EMAIL responses.answer.1'],
    ['MULTI_EMAIL', Array.from({ length: 21 }, () => 'ada@example.com'), 'TOO_MANY responses.answer'],
    ['SELECT', 'XL', 'INVALID_RESPONSE responses.answer'],
    ['RADIO', ['S'], 'INVALID_RESPONSE responses.answer'],
    ['MULTI_SELECT', ['S', 'XL'], 'INVALID_RESPONSE responses.answer.1'],
    ['MULTI_SELECT', ['S', 'S', 'S', 'S'], 'TOO_MANY responses.answer'],
    ['CHECKBOX', [true], 'INVALID_RESPONSE responses.answer'],
    ['BOOLEAN', 'true', 'INVALID_RESPONSE responses.answer'],
    ['URL', 'http://example.com', 'INVALID_URL responses.answer'],
  ])('%s %j', (type, answer, mistake) => {
    expect(codesOf(aField(type), { answer })).toEqual([mistake]);
    expect(RESPONSE_CODES).toContain(mistake.split(' ')[0]);
  });

  test.each(BOOKING_FIELD_TYPES)('%s without one, if one is required', (type) => {
    for (const responses of [{}, { answer: null }, { answer: ' ' }, { answer: [] }]) {
      expect(codesOf(aField(type, { isRequired: true }), responses)).toEqual(['REQUIRED responses.answer']);
    }
  });

  test('a box that must be ticked and is not', () => {
    expect(codesOf(aField('BOOLEAN', { isRequired: true }), { answer: false })).toEqual(['REQUIRED responses.answer']);
  });

  test('one to a question that was not asked, once however many there are', () => {
    const stray = JSON.parse('{"__proto__": 1, "other": 2}') as Record<string, unknown>;
    expect(codesOf(aField('TEXT'), stray)).toEqual(['UNKNOWN_FIELD responses']);
  });
});

test('a slug that every object has is no answer', () => {
  expect(codesOf(aField('TEXT', { slug: 'constructor', isRequired: true }), {})).toEqual([
    'REQUIRED responses.constructor',
  ]);
  expect(codesOf(aField('TEXT', { slug: 'constructor', isRequired: true }), { constructor: 'a' })).toEqual([]);
});

test('answers are tidied to one spelling, and blank ones are left out', () => {
  const fields = [
    aField('PHONE', { slug: 'phone' }),
    aField('TEXTAREA', { slug: 'text' }),
    aField('MULTI_SELECT', { slug: 'sizes' }),
  ];
  const typed = {
    phone: '+49 30 123456',
    text: ' a\r\nb ',
    sizes: [' S', 5],
    none: null,
    blank: ' ',
    empty: [],
    no: false,
    zero: 0,
  };
  expect(tidyResponses(fields, typed)).toEqual({
    phone: '+4930123456',
    text: 'a\nb',
    sizes: ['S', 5],
    no: false,
    zero: 0,
  });
});

test('any JSON is refused or accepted, and never throws', () => {
  const fields = BOOKING_FIELD_TYPES.map((type) => aField(type, { slug: type.toLowerCase() }));
  const slug = fc.oneof(fc.constantFrom(...fields.map((field) => field.slug)), fc.string());
  fc.assert(
    fc.property(fc.dictionary(slug, fc.jsonValue()), (responses) => {
      const tidied = tidyResponses(fields, responses);
      for (const { code, message } of responseMistakes(['responses'], fields, tidied)) {
        expect(RESPONSE_CODES).toContain(code);
        expect(message.length).toBeLessThan(300);
      }
    }),
  );
});
