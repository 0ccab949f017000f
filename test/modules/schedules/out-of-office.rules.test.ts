import { describe, expect, test } from 'vitest';
import {
  OUT_OF_OFFICE_CODES,
  type OutOfOffice,
  outOfOfficeMistakes,
} from '../../../src/modules/schedules/out-of-office.rules.ts';

const ABSENCE: OutOfOffice = {
  start: Temporal.Instant.from('2026-12-24T00:00Z'),
  end: Temporal.Instant.from('2026-12-27T00:00Z'),
  reason: 'Vacation',
  notes: null,
  redirectToUserId: null,
};
const after = (hours: number) => ABSENCE.start.add({ hours });

describe('out of office is accepted', () => {
  test.each<[string, Partial<OutOfOffice>]>([
    ['for some days', {}],
    ['for a minute, without a reason', { end: ABSENCE.start.add({ minutes: 1 }), reason: null }],
    ['for two years, with notes in lines', { end: after(731 * 24), notes: 'Back in\nJanuary' }],
  ])('%s', (_, changes) => {
    expect(outOfOfficeMistakes({ ...ABSENCE, ...changes })).toEqual([]);
  });
});

describe('out of office is refused when', () => {
  test.each<[string, Partial<OutOfOffice>, string, string]>([
    ['it ends before it starts', { end: after(-1) }, 'INVERTED_RANGE', 'end'],
    ['it ends as it starts', { end: after(0) }, 'INVERTED_RANGE', 'end'],
    ['it lasts for ever', { end: after(731 * 24 + 1) }, 'RANGE_TOO_LONG', 'end'],
    ['its reason has two lines', { reason: 'a\nb' }, 'INVALID_TEXT', 'reason'],
    ['its notes are a book', { notes: 'a'.repeat(2_001) }, 'TOO_LONG', 'notes'],
  ])('%s', (_, changes, code, path) => {
    expect(outOfOfficeMistakes({ ...ABSENCE, ...changes })).toMatchObject([{ code, path: [path] }]);
    expect(OUT_OF_OFFICE_CODES).toContain(code);
  });
});
