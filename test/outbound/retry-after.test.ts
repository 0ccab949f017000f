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

// The three forms that a recipient has to understand (RFC 9110 §5.6.7).
test.each([
  ['120', 120],
  ['0', 0],
  ['Tue, 01 Dec 2026 09:01:30 GMT', 90],
  ['Tuesday, 01-Dec-26 09:01:30 GMT', 90],
  ['Tue Dec  1 09:01:30 2026', 90],
  ['Tue Dec 15 09:01:30 2026', 21_600],
  ['Tue, 01 Dec 2026 08:00:00 GMT', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['Sunday, 06-Nov-70 08:49:37 GMT', 21_600],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 21_600],
  ['9'.repeat(400), 21_600],
  ['Tue, 41 Xyz 2026 09:01:30 GMT', 0],
  ['Tue, 31 Feb 2026 09:01:30 GMT', 0],
  ['Tue, 01 Dec 2026 25:01:30 GMT', 0],
  ['Tue, 01 Dec 2026 09:01:30', 0],
  ['-1', 0],
  ['1.5', 0],
  ['1e9', 0],
  ['120, 120', 0],
  ['soon', 0],
  ['', 0],
])('an answer of nine o’clock with Retry-After: %s asks for %i seconds', (text, seconds) => {
  expect(restWanted(new Headers({ 'retry-after': text, date: 'Tue, 01 Dec 2026 09:00:00 GMT' }))).toBe(seconds);
});

test('a date without the date of the answer is compared with our own clock (RFC 9110 §6.6.1)', () => {
  const headers = new Headers({ 'retry-after': 'Tue, 01 Dec 2026 09:01:30 GMT' });
  expect(restWanted(headers, Date.parse('2026-12-01T09:00:00Z'))).toBe(90);
  expect(restWanted(headers, Date.parse('2026-12-01T10:00:00Z'))).toBe(0);
  expect(restWanted(new Headers())).toBe(0);
});
