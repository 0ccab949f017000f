import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ATTENDEE_CODES,
  type AttendeeInput,
  answerText,
  attendeeMistakes,
  type BookingTexts,
  bookingTextMistakes,
  GUEST_CODES,
  type GuestList,
  guestMistakes,
  RESPONSE_CODES,
  responseMistakes,
  tidyAttendee,
  tidyResponses,
} from '../../../src/modules/bookings/booking-request.rules.ts';
import {
  BOOKING_FIELD_TYPES,
  type BookingField,
  type BookingFieldType,
} from '../../../src/modules/event-types/settings/booking-field.rules.ts';

const ADA: AttendeeInput = {
  name: 'Ada 🦊',
  email: 'ada@example.com',
  timeZone: 'Europe/Berlin',
  locale: null,
  phone: null,
};
const TEXTS: BookingTexts = { attendee: ADA, notes: null, metadata: {} };

describe('an attendee is accepted', () => {
  test.each<[string, Partial<AttendeeInput>]>([
    ['with name, address and zone', {}],
    ['with everything', { locale: 'de-AT', phone: '+4930123456' }],
    ['with a long name', { name: 'a'.repeat(150) }],
    ['with a company for a name', { name: 'ACME.io' }],
  ])('%s', (_, changes) => {
    expect(attendeeMistakes(['attendee'], { ...ADA, ...changes })).toEqual([]);
  });
});

describe('an attendee is refused when', () => {
  test.each<[string, Partial<AttendeeInput>, string, string]>([
    ['the name is missing', { name: '' }, 'REQUIRED', 'name'],
    ['the name is endless', { name: 'a'.repeat(151) }, 'TOO_LONG', 'name'],
    ['the name cannot be seen', { name: '\u200d' }, 'INVALID_TEXT', 'name'],
    ['the name advertises', { name: 'Win at http://evil.example/prize' }, 'INVALID_TEXT', 'name'],
    ['the address is none', { email: 'ada' }, 'INVALID_EMAIL', 'email'],
    ['the address is two', { email: 'ada@example.com,eve@example.com' }, 'INVALID_EMAIL', 'email'],
    ['the address adds a header', { email: 'ada@example.com\r\nBcc: eve@example.com' }, 'INVALID_EMAIL', 'email'],
    ['the zone is unknown', { timeZone: 'Mars/Olympus' }, 'INVALID_TIME_ZONE', 'timeZone'],
    ['the language is none', { locale: 'not a language' }, 'INVALID_LOCALE', 'locale'],
    ['the phone number is local', { phone: '030123456' }, 'INVALID_PHONE', 'phone'],
  ])('%s', (_, changes, code, field) => {
    const mistakes = attendeeMistakes(['attendee'], { ...ADA, ...changes });
    expect(mistakes.map((mistake) => [mistake.code, mistake.path])).toEqual([[code, ['attendee', field]]]);
    expect(ATTENDEE_CODES).toContain(code);
  });
});

test('an attendee is tidied to one spelling', () => {
  const typed = {
    name: ' Ada\t',
    email: ' Ada@Example.com ',
    timeZone: 'europe/berlin',
    locale: 'de-at',
    phone: '+49 (30) 123-456',
  };
  expect(tidyAttendee(typed)).toEqual({
    name: 'Ada',
    email: 'Ada@Example.com',
    timeZone: 'Europe/Berlin',
    locale: 'de-AT',
    phone: '+4930123456',
  });
  expect(tidyAttendee({ ...ADA, timeZone: 'Mars', locale: '-' })).toMatchObject({
    timeZone: 'Mars',
    locale: '-',
    phone: null,
  });
});

describe('the texts of a booking are', () => {
  test('accepted with notes in lines and metadata', () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key-${index}`, 'value']));
    expect(bookingTextMistakes({ ...TEXTS, notes: 'a\nb', metadata })).toEqual([]);
  });

  test.each<[string, Partial<BookingTexts>, string, string]>([
    ['notes are 10 MB', { notes: 'a'.repeat(10_000_000) }, 'TOO_LONG', 'notes'],
    ['notes hold control characters', { notes: 'a\u0007' }, 'INVALID_TEXT', 'notes'],
    [
      'there are 51 metadata keys',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, ''])) },
      'TOO_MANY',
      'metadata',
    ],
    ['the attendee is wrong', { attendee: { ...ADA, name: '' } }, 'REQUIRED', 'attendee.name'],
  ])('refused when %s', (_, changes, code, path) => {
    const mistakes = bookingTextMistakes({ ...TEXTS, ...changes });
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
  });
});

const LIST: GuestList = { allowsGuests: true, attendeeEmails: ['ada@example.com'], guestEmails: ['bob@example.com'] };
const emails = (count: number, prefix = 'guest') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}@example.com`);

describe('guests are accepted:', () => {
  test.each<[string, readonly string[], Partial<GuestList>]>([
    ['none', [], {}],
    ['none where guests are not wanted', [], { allowsGuests: false }],
    ['ten at once', emails(10), {}],
    ['up to thirty in all', emails(10), { guestEmails: emails(20, 'earlier') }],
  ])('%s', (_, added, changes) => {
    expect(guestMistakes(['guests'], added, { ...LIST, ...changes })).toEqual([]);
  });
});

describe('guests are refused when', () => {
  test.each<[string, readonly string[], Partial<GuestList>, string, string]>([
    ['the event type takes none', emails(1), { allowsGuests: false }, 'GUESTS_DISABLED', 'guests'],
    ['eleven come at once', emails(11), {}, 'TOO_MANY', 'guests'],
    ['there would be thirty-one', emails(10), { guestEmails: emails(21, 'earlier') }, 'TOO_MANY', 'guests'],
    ['an address is none', [...emails(1), 'nobody'], {}, 'INVALID_EMAIL', 'guests.1'],
    ['an address is missing', [''], {}, 'REQUIRED', 'guests.0'],
    ['somebody is there twice', ['eve@example.com', 'Eve@Example.com'], {}, 'DUPLICATE', 'guests.1'],
    ['somebody is a guest already', ['BOB@example.com'], {}, 'DUPLICATE', 'guests.0'],
    ['somebody is the attendee', ['ada@example.com'], {}, 'DUPLICATE', 'guests.0'],
  ])('%s', (_, added, changes, code, path) => {
    const mistakes = guestMistakes(['guests'], added, { ...LIST, ...changes });
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(GUEST_CODES).toContain(code);
  });
});

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

test.each([
  [true, 'de-AT', 'Ja'],
  [false, 'de', 'Nein'],
  [true, 'fr', 'Yes'],
  [2.5, 'de', '2.5'],
  [['a', 'b'], 'de', 'a, b'],
])('%j is said to a reader of %s as "%s"', (answer, locale, text) => {
  expect(answerText(answer, locale)).toBe(text);
});
