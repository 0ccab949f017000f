import { expect, test } from 'vitest';
import { restWanted, waitOf } from '../../src/outbound/retry-after.ts';

test.each([
  [null, 0],
  ['30', 30],
  ['2026-12-01T09:01:30Z', 90],
  ['2026-12-01T08:00:00Z', 0],
  ['2026-12-02T00:00:00Z', 21_600],
  ['999999999', 21_600],
  ['-5', 0],
  ['Tue, 01 Dec 2026 09:01:30 GMT', 0],
  ['soon', 0],
])('Retry-After: %s asks for %i seconds', (text, seconds) => {
  expect(waitOf(text, Date.parse('2026-12-01T09:00:00Z'))).toBe(seconds);
});

test.each([
  ['120', 120],
  ['Tue, 01 Dec 2026 09:01:30 GMT', 90],
  ['Tue, 01 Dec 2026 08:00:00 GMT', 0],
  ['Tue, 41 Xyz 2026 09:01:30 GMT', 0],
  ['soon', 0],
])('an answer of nine o’clock with Retry-After: %s asks for %i seconds', (text, seconds) => {
  expect(restWanted(new Headers({ 'retry-after': text, date: 'Tue, 01 Dec 2026 09:00:00 GMT' }))).toBe(seconds);
});

test('a date without the date of the answer asks for nothing', () => {
  expect(restWanted(new Headers({ 'retry-after': 'Tue, 01 Dec 2026 09:01:30 GMT' }))).toBe(0);
  expect(restWanted(new Headers())).toBe(0);
});
