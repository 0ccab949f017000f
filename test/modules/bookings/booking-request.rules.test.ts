import { describe, expect, test } from 'vitest';
import {
  ATTENDEE_CODES,
  type AttendeeInput,
  answerText,
  attendeeMistakes,
  BOOKING_LOCATION_CODES,
  type BookingTexts,
  bookingTextMistakes,
  decideHostsLocation,
  decideLocation,
  GUEST_CODES,
  type GuestList,
  guestMistakes,
  type LocationChoice,
  tidyAttendee,
} from '../../../src/modules/bookings/booking-request.rules.ts';

import {
  type Location,
  type LocationType,
  type OfferedLocation,
  type Place,
  placeIn,
} from '../../../src/modules/event-types/settings/location.rules.ts';

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

test.each([
  [true, 'de-AT', 'Ja'],
  [false, 'de', 'Nein'],
  [true, 'fr', 'Yes'],
  [2.5, 'de', '2.5'],
  [['a', 'b'], 'de', 'a, b'],
])('%j is said to a reader of %s as "%s"', (answer, locale, text) => {
  expect(answerText(answer, locale)).toBe(text);
});

function offered(id: string, type: LocationType, value: string | null): OfferedLocation {
  return { id, type, value, label: `Label of ${id}` };
}

const ROOM = offered('room', 'ADDRESS', 'Room 1');
const OTHER_ROOM = offered('other-room', 'ADDRESS', 'Room 2');
const ZOOM = offered('zoom', 'CONFERENCING', 'zoom');
const LINK = offered('link', 'LINK', 'https://meet.example/1');
const OTHER_LINK = offered('other-link', 'LINK', 'https://meet.example/2');
const THEIR_PHONE = offered('their-phone', 'ATTENDEE_PHONE', null);
const THEIR_CHOICE = offered('their-choice', 'ATTENDEE_CHOICE', null);

/** The part of a location that a booking keeps. */
function place({ type, value }: Location): Location {
  return { type, value };
}

/** The same, as a booker says it. */
function said({ type, value }: Location): LocationChoice {
  return { type, ...placeIn(type, value) };
}

function named(id: string, said: Place = {}): LocationChoice {
  return { id, type: null, ...said };
}

describe('a booking takes place', () => {
  test.each<[string, readonly OfferedLocation[], LocationChoice | null, Location | null]>([
    ['nowhere in particular, if nothing is offered', [], null, null],
    ['at the first location, if none is chosen', [ROOM, ZOOM], null, place(ROOM)],
    ['where it is chosen', [ROOM, ZOOM], said(ZOOM), place(ZOOM)],
    ['where its type says, if only one has it', [ROOM, ZOOM], { type: 'CONFERENCING' }, place(ZOOM)],
    ['in the room that is chosen', [ROOM, OTHER_ROOM], said(OTHER_ROOM), place(OTHER_ROOM)],
    ['at the second of two links, by its id', [LINK, OTHER_LINK], named('other-link'), place(OTHER_LINK)],
    [
      'where id, type and value say, if they say the same',
      [LINK, OTHER_LINK],
      { id: 'link', ...said(LINK) },
      place(LINK),
    ],
    [
      'where the attendee says, by the id',
      [ROOM, THEIR_CHOICE],
      named('their-choice', { address: 'My place' }),
      { type: 'ATTENDEE_CHOICE', value: 'My place' },
    ],
    [
      'by the phone of the attendee',
      [ROOM, THEIR_PHONE],
      { type: 'ATTENDEE_PHONE', phone: '+49 30 123456' },
      { type: 'ATTENDEE_PHONE', value: '+4930123456' },
    ],
    [
      'where the attendee says',
      [THEIR_CHOICE],
      { type: 'ATTENDEE_CHOICE', address: 'My place' },
      { type: 'ATTENDEE_CHOICE', value: 'My place' },
    ],
  ])('%s', (_, locations, choice, location) => {
    expect(decideLocation(['location'], locations, choice)).toEqual({ kind: 'DECIDED', location });
  });
});

describe('a location is refused when', () => {
  test.each<[string, readonly OfferedLocation[], LocationChoice | null, string, string]>([
    ['nothing is offered', [], said(ROOM), 'LOCATION_NOT_OFFERED', 'location'],
    ['its type is not offered', [ROOM], said(ZOOM), 'LOCATION_NOT_OFFERED', 'location'],
    ['it is another room', [ROOM], said(OTHER_ROOM), 'LOCATION_NOT_OFFERED', 'location'],
    ['its type leaves it open', [ROOM, OTHER_ROOM], { type: 'ADDRESS' }, 'LOCATION_NOT_OFFERED', 'location'],
    ['its id is another one’s', [LINK], named('other-link'), 'LOCATION_NOT_OFFERED', 'location'],
    [
      'its type is not that of its id',
      [LINK, ROOM],
      { id: 'link', type: 'ADDRESS' },
      'LOCATION_NOT_OFFERED',
      'location',
    ],
    [
      'its value is not that of its id',
      [LINK, OTHER_LINK],
      { ...said(OTHER_LINK), id: 'link' },
      'LOCATION_NOT_OFFERED',
      'location',
    ],
    ['it has neither id nor type', [ROOM], { type: null, address: 'Room 1' }, 'LOCATION_NOT_OFFERED', 'location'],
    [
      'it has a part of another type',
      [LINK],
      { type: 'LINK', phone: '+4930123456' },
      'LOCATION_NOT_OFFERED',
      'location.phone',
    ],
    [
      'it has a part of another type than its id',
      [LINK],
      named('link', { app: 'zoom' }),
      'LOCATION_NOT_OFFERED',
      'location',
    ],
    ['the attendee does not say where', [THEIR_CHOICE], null, 'REQUIRED', 'location.address'],
    [
      'the attendee says too much',
      [THEIR_CHOICE],
      { type: 'ATTENDEE_CHOICE', address: 'a'.repeat(501) },
      'TOO_LONG',
      'location.address',
    ],
    ['the phone is none', [THEIR_PHONE], { type: 'ATTENDEE_PHONE', phone: '030' }, 'INVALID_PHONE', 'location.phone'],
  ])('%s', (_, locations, choice, code, path) => {
    const outcome = decideLocation(['location'], locations, choice);
    expect(outcome).toMatchObject({ kind: 'REFUSED', mistake: { code, path: path.split('.') } });
    expect(BOOKING_LOCATION_CODES).toContain(code);
  });
});

test('no message tells the value of a location, which only those who have booked may know', () => {
  for (const choice of [named('nowhere'), { id: 'link', type: 'LINK', url: 'https://guess.example' } as const]) {
    expect(JSON.stringify(decideLocation(['location'], [LINK], choice))).not.toContain('meet.example');
  }
});

describe('a host says that a booking takes place', () => {
  test.each<[string, LocationChoice, Location]>([
    ['anywhere', { type: 'ADDRESS', address: 'Elsewhere' }, { type: 'ADDRESS', value: 'Elsewhere' }],
    ['at one of the locations, by its id', named('other-link'), place(OTHER_LINK)],
  ])('%s', (_, choice, location) => {
    expect(decideHostsLocation(['location'], [LINK, OTHER_LINK], choice)).toEqual({ kind: 'DECIDED', location });
  });

  test.each<[string, LocationChoice]>([
    ['at an id that is not offered', named('room')],
    ['at an id of another type', { id: 'link', type: 'PHONE' }],
    ['nowhere', { type: null }],
  ])('but not %s', (_, choice) => {
    expect(decideHostsLocation(['location'], [LINK, OTHER_LINK], choice)).toMatchObject({
      kind: 'REFUSED',
      mistake: { code: 'LOCATION_NOT_OFFERED', path: ['location'] },
    });
  });
});
