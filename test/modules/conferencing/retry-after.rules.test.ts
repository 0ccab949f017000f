import { expect, test } from 'vitest';
import { waitOf } from '../../../src/modules/conferencing/retry-after.rules.ts';

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
