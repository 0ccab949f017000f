import { describe, expect, test } from 'vitest';
import {
  BOOKING_LOCATION_CODES,
  decideHostsLocation,
  decideLocation,
  type LocationChoice,
} from '../../../src/modules/bookings/booking-location.rules.ts';
import {
  type Location,
  type LocationType,
  type OfferedLocation,
  type Place,
  placeIn,
} from '../../../src/modules/event-types/settings/location.rules.ts';

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
