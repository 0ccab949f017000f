import { describe, expect, test } from 'vitest';
import {
  BOOKING_LOCATION_MISTAKES,
  decideLocation,
  type LocationChoice,
} from '../../../src/modules/bookings/booking-location.rules.ts';
import type { Location } from '../../../src/modules/event-types/location.rules.ts';

const ROOM: Location = { type: 'ADDRESS', value: 'Room 1' };
const OTHER_ROOM: Location = { type: 'ADDRESS', value: 'Room 2' };
const ZOOM: Location = { type: 'CONFERENCING', value: 'zoom' };
const THEIR_PHONE: Location = { type: 'ATTENDEE_PHONE', value: null };
const THEIR_CHOICE: Location = { type: 'ATTENDEE_CHOICE', value: null };

describe('a booking takes place', () => {
  test.each<[string, readonly Location[], LocationChoice | null, Location | null]>([
    ['nowhere in particular, if nothing is offered', [], null, null],
    ['at the first location, if none is chosen', [ROOM, ZOOM], null, ROOM],
    ['where it is chosen', [ROOM, ZOOM], ZOOM, ZOOM],
    ['where its type says, if only one has it', [ROOM, ZOOM], { type: 'CONFERENCING', value: null }, ZOOM],
    ['in the room that is chosen', [ROOM, OTHER_ROOM], OTHER_ROOM, OTHER_ROOM],
    [
      'by the phone of the attendee',
      [ROOM, THEIR_PHONE],
      { type: 'ATTENDEE_PHONE', value: '+49 30 123456' },
      { type: 'ATTENDEE_PHONE', value: '+4930123456' },
    ],
    [
      'where the attendee says',
      [THEIR_CHOICE],
      { type: 'ATTENDEE_CHOICE', value: 'My place' },
      { type: 'ATTENDEE_CHOICE', value: 'My place' },
    ],
  ])('%s', (_, offered, choice, location) => {
    expect(decideLocation(['location'], offered, choice)).toEqual({ kind: 'DECIDED', location });
  });
});

describe('a location is refused when', () => {
  test.each<[string, readonly Location[], LocationChoice | null, string, string]>([
    ['nothing is offered', [], ROOM, 'LOCATION_NOT_OFFERED', 'location'],
    ['its type is not offered', [ROOM], ZOOM, 'LOCATION_NOT_OFFERED', 'location'],
    ['it is another room', [ROOM], OTHER_ROOM, 'LOCATION_NOT_OFFERED', 'location'],
    [
      'its type leaves it open',
      [ROOM, OTHER_ROOM],
      { type: 'ADDRESS', value: null },
      'LOCATION_NOT_OFFERED',
      'location',
    ],
    ['the attendee does not say where', [THEIR_CHOICE], null, 'REQUIRED', 'location.value'],
    [
      'the attendee says too much',
      [THEIR_CHOICE],
      { type: 'ATTENDEE_CHOICE', value: 'a'.repeat(501) },
      'TOO_LONG',
      'location.value',
    ],
    ['the phone is none', [THEIR_PHONE], { type: 'ATTENDEE_PHONE', value: '030' }, 'INVALID_PHONE', 'location.value'],
  ])('%s', (_, offered, choice, code, path) => {
    const outcome = decideLocation(['location'], offered, choice);
    expect(outcome).toMatchObject({ kind: 'REFUSED', mistake: { code, path: path.split('.') } });
    expect(BOOKING_LOCATION_MISTAKES).toContain(code);
  });
});
