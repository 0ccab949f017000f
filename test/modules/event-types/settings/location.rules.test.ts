import { describe, expect, test } from 'vitest';
import { EVENT_TYPE_CODES } from '../../../../src/modules/event-types/event-type.rules.ts';
import {
  type GivenLocation,
  givenLocationMistakes,
  LOCATION_CODES,
  type Location,
  locationMistakes,
  type OfferedLocation,
  patchedLocations,
  placeIn,
} from '../../../../src/modules/event-types/settings/location.rules.ts';

const ROOM: Location = { type: 'ADDRESS', value: 'Unter den Linden 1\n10117 Berlin' };

describe('locations are accepted:', () => {
  test.each<[string, readonly Location[]]>([
    ['none', []],
    ['an address', [ROOM]],
    ['two addresses', [ROOM, { ...ROOM, value: 'Next door' }]],
    ['a link', [{ type: 'LINK', value: 'https://meet.example.com/ada' }]],
    ['a phone number', [{ type: 'PHONE', value: '+4930123456' }]],
    ['a conferencing app', [{ type: 'CONFERENCING', value: 'zoom' }]],
    [
      'those that the attendee says',
      [
        { type: 'ATTENDEE_ADDRESS', value: null },
        { type: 'ATTENDEE_PHONE', value: null },
        { type: 'ATTENDEE_CHOICE', value: null },
      ],
    ],
  ])('%s', (_, locations) => {
    expect(locationMistakes(['locations'], locations)).toEqual([]);
  });
});

describe('a location is refused when', () => {
  test.each<[string, Location, string, string]>([
    ['its address is missing', { type: 'ADDRESS', value: null }, 'REQUIRED', 'locations.1.address'],
    ['its link is no https', { type: 'LINK', value: 'javascript:alert(1)' }, 'INVALID_URL', 'locations.1.url'],
    ['its phone number is local', { type: 'PHONE', value: '030123456' }, 'INVALID_PHONE', 'locations.1.phone'],
    ['its app is no name', { type: 'CONFERENCING', value: '../zoom' }, 'INVALID_SLUG', 'locations.1.app'],
    [
      'it is for the attendee to say',
      { type: 'ATTENDEE_PHONE', value: '+4930123456' },
      'NOT_POSSIBLE',
      'locations.1.phone',
    ],
    ['it is there twice', ROOM, 'DUPLICATE', 'locations.1'],
  ])('%s', (_, location, code, path) => {
    const mistakes = locationMistakes(['locations'], [ROOM, location]);
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(LOCATION_CODES).toContain(code);
  });

  test('there are too many', () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ ...ROOM, value: `Room ${index}` }));
    expect(locationMistakes(['locations'], many)).toMatchObject([{ code: 'TOO_MANY' }]);
    expect(locationMistakes(['locations'], many.slice(1))).toEqual([]);
  });
});

const LINK: OfferedLocation = { id: 'loc_link', type: 'LINK', value: 'https://meet.example/ada', label: 'Zoom' };
const PHONE: OfferedLocation = { id: 'loc_phone', type: 'PHONE', value: '+4930123456', label: null };
const THEIRS: OfferedLocation = { id: 'loc_theirs', type: 'ATTENDEE_CHOICE', value: null, label: null };
const STORED = [LINK, PHONE, THEIRS];

function given({ value, ...location }: OfferedLocation): GivenLocation {
  return { ...location, ...placeIn(location.type, value) };
}

describe('a location that is stored', () => {
  test.each<[string, readonly GivenLocation[], readonly object[]]>([
    [
      'has a new id, and no label if none is given',
      [{ type: 'ADDRESS', address: ' Room 1 ' }],
      [{ id: 'new', type: 'ADDRESS', value: 'Room 1', label: null }],
    ],
    [
      'has the label that it is given',
      [{ type: 'ADDRESS', address: 'Room 1', label: ' Office ' }],
      [{ label: 'Office' }],
    ],
    ['keeps its id and label where type and value are the same', [{ type: 'LINK', url: LINK.value }], [LINK]],
    ['is the same however its number is written', [{ type: 'PHONE', phone: '+49 30 123456' }], [PHONE]],
    [
      'keeps its id where that is named',
      [{ id: LINK.id, type: 'LINK', url: 'https://meet.example/2' }],
      [{ ...LINK, value: 'https://meet.example/2' }],
    ],
    ['keeps what is left out', [{ id: LINK.id, type: 'LINK' }], [LINK]],
    [
      'has no value of another type',
      [{ id: LINK.id, type: 'ATTENDEE_PHONE' }],
      [{ ...LINK, type: 'ATTENDEE_PHONE', value: null }],
    ],
    [
      'loses the label that is null, or empty',
      [
        { id: LINK.id, type: 'LINK', label: null },
        { type: 'ATTENDEE_CHOICE', label: ' ' },
      ],
      [{ ...LINK, label: null }, THEIRS],
    ],
    ['changes its place and keeps its id', STORED.toReversed().map(given), STORED.toReversed()],
    [
      'gives way to the one that names its id',
      [
        { type: 'LINK', url: LINK.value },
        { id: LINK.id, type: 'LINK', url: 'https://meet.example/2' },
      ],
      [
        { ...LINK, id: 'new', label: null },
        { ...LINK, value: 'https://meet.example/2' },
      ],
    ],
  ])('%s', (_, said, stored) => {
    expect(patchedLocations(STORED, said, () => 'new')).toMatchObject(stored);
    expect(givenLocationMistakes(['locations'], STORED, said)).toEqual([]);
  });

  test.each<[string, GivenLocation, string, string]>([
    ['names an id that is not there', { id: 'loc_other', type: 'LINK' }, 'UNKNOWN_LOCATION', 'locations.1.id'],
    ['names the id of another', { id: LINK.id, type: 'PHONE' }, 'DUPLICATE', 'locations.1.id'],
    ['has a part of another type', { type: 'PHONE', url: 'https://a.example' }, 'NOT_POSSIBLE', 'locations.1.url'],
    ['has a long label', { type: 'PHONE', label: 'x'.repeat(101) }, 'TOO_LONG', 'locations.1.label'],
    ['has a label of two lines', { type: 'PHONE', label: 'a\nb' }, 'INVALID_TEXT', 'locations.1.label'],
  ])('is refused when it %s', (_, given, code, path) => {
    const mistakes = givenLocationMistakes(['locations'], STORED, [{ id: LINK.id, type: 'LINK' }, given]);
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(EVENT_TYPE_CODES).toContain(code);
  });
});
