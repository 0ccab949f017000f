import { describe, expect, test } from 'vitest';
import { startMistake } from '../../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import { SLOT_RANGE_CODES, slotRangeMistakes } from '../../../../src/modules/bookings/slots/slot-range.rules.ts';

const NOW = Temporal.Instant.from('2026-06-15T09:00Z');
const inDays = (days: number) => NOW.add({ hours: days * 24 });

describe('a range of slots is', () => {
  test.each([
    ['a minute', NOW, NOW.add({ minutes: 1 })],
    ['three months', NOW, inDays(93)],
    ['partly over', inDays(-10), inDays(10)],
    ['in ten years', inDays(3_650), inDays(3_700)],
  ])('accepted: %s', (_, start, end) => {
    expect(slotRangeMistakes(start, end, NOW)).toEqual([]);
  });

  test.each([
    ['empty', NOW, NOW, 'INVERTED_RANGE'],
    ['inverted', inDays(1), NOW, 'INVERTED_RANGE'],
    ['longer than three months', NOW, inDays(94), 'RANGE_TOO_LONG'],
    [
      'as long as time',
      Temporal.Instant.from('0000-01-01T00:00Z'),
      Temporal.Instant.from('9999-12-31T00:00Z'),
      'RANGE_TOO_LONG',
    ],
    ['in a thousand years', inDays(365_000), inDays(365_001), 'TOO_FAR_AHEAD'],
  ])('refused: %s', (_, start, end, code) => {
    expect(slotRangeMistakes(start, end, NOW)).toMatchObject([{ code, path: ['end'] }]);
    expect(SLOT_RANGE_CODES).toContain(code);
  });
});

test('a start is refused when it is too far ahead, and not when it is over: the slot rules say that better', () => {
  expect(startMistake(['start'], Temporal.Instant.from('9999-12-31T23:59:59Z'), NOW)).toMatchObject({
    code: 'TOO_FAR_AHEAD',
  });
  expect(startMistake(['start'], inDays(4_000), NOW)).toBeUndefined();
  expect(startMistake(['start'], Temporal.Instant.from('0000-01-01T00:00Z'), NOW)).toBeUndefined();
});
