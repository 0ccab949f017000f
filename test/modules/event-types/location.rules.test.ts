import { describe, expect, test } from 'vitest';
import { LOCATION_MISTAKES, type Location, locationMistakes } from '../../../src/modules/event-types/location.rules.ts';

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
    ['its address is missing', { type: 'ADDRESS', value: null }, 'REQUIRED', 'locations.1.value'],
    ['its link is no https', { type: 'LINK', value: 'javascript:alert(1)' }, 'INVALID_URL', 'locations.1.value'],
    ['its phone number is local', { type: 'PHONE', value: '030123456' }, 'INVALID_PHONE', 'locations.1.value'],
    ['its app is no name', { type: 'CONFERENCING', value: '../zoom' }, 'INVALID_SLUG', 'locations.1.value'],
    [
      'it is for the attendee to say',
      { type: 'ATTENDEE_PHONE', value: '+4930123456' },
      'NOT_POSSIBLE',
      'locations.1.value',
    ],
    ['it is there twice', ROOM, 'DUPLICATE', 'locations.1'],
  ])('%s', (_, location, code, path) => {
    const mistakes = locationMistakes(['locations'], [ROOM, location]);
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(LOCATION_MISTAKES).toContain(code);
  });

  test('there are too many', () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ ...ROOM, value: `Room ${index}` }));
    expect(locationMistakes(['locations'], many)).toMatchObject([{ code: 'TOO_MANY' }]);
    expect(locationMistakes(['locations'], many.slice(1))).toEqual([]);
  });
});
