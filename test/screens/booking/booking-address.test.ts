import { expect, test } from 'vitest';
import { zoneSaid } from '../../../src/screens/booking/booking-address.ts';

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['America/New York', 'America/New_York'],
  [' new  york ', 'America/New_York'],
  ['Reykj', 'Atlantic/Reykjavik'],
  ['utc', 'UTC'],
])('“%s” is the zone %s', (said, zone) => {
  expect(zoneSaid(said)).toBe(zone);
});

test.each(['Kolkata', 'Calcutta'])('a city is known by its former name too: %s', (said) => {
  const noon = Temporal.Instant.from('2026-06-01T12:00:00Z');
  expect(noon.toZonedDateTimeISO(zoneSaid(said) ?? 'UTC').offset).toBe('+05:30');
});

test.each(['Atlantis', 'san', '', ' ', '+01:00', '\0', '../etc', 'x'.repeat(300)])(
  '“%s” is none, or could be several',
  (said) => {
    expect(zoneSaid(said)).toBeUndefined();
  },
);
