import { describe, expect, test } from 'vitest';
import {
  ATTENDEE_CODES,
  type AttendeeInput,
  attendeeMistakes,
  type BookingTexts,
  bookingTextMistakes,
  reasonMistake,
  tidyAttendee,
} from '../../../src/modules/bookings/attendee.rules.ts';

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

test('a reason may be missing or empty, not endless', () => {
  expect([null, '', 'ill\nagain', 'a'.repeat(1_000)].map((reason) => reasonMistake(['reason'], reason))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  expect(reasonMistake(['reason'], 'a'.repeat(1_001))).toMatchObject({ code: 'TOO_LONG', path: ['reason'] });
});
