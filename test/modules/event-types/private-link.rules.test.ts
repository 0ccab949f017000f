import { describe, expect, test } from 'vitest';
import {
  isExpired,
  PRIVATE_LINK_CODES,
  type PrivateLink,
  privateLinkMistakes,
  usesAllowed,
} from '../../../src/modules/event-types/private-link.rules.ts';

const NOW = Temporal.Instant.from('2026-06-15T12:00Z');
const LATER = NOW.add({ milliseconds: 1 });
const LINK: PrivateLink = { expiresAt: null, maxUsageCount: null, usageCount: 0 };

describe('a private link', () => {
  test.each<[string, PrivateLink, boolean]>([
    ['without limits serves once', LINK, false],
    ['without limits serves no more than once', { ...LINK, usageCount: 1 }, true],
    ['with a time serves until then, however often', { ...LINK, expiresAt: LATER, usageCount: 1_000 }, false],
    ['with a time no longer serves at that time', { ...LINK, expiresAt: NOW }, true],
    ['with a count serves so often', { ...LINK, maxUsageCount: 3, usageCount: 2 }, false],
    ['with a count serves no more often', { ...LINK, maxUsageCount: 3, usageCount: 3 }, true],
    ['with both serves until the first of them: the time', { expiresAt: NOW, maxUsageCount: 3, usageCount: 0 }, true],
    [
      'with both serves until the first of them: the count',
      { expiresAt: LATER, maxUsageCount: 3, usageCount: 3 },
      true,
    ],
    ['with both serves within both', { expiresAt: LATER, maxUsageCount: 3, usageCount: 2 }, false],
  ])('%s', (_, link, expired) => {
    expect(isExpired(link, NOW)).toBe(expired);
  });

  test('says how often it serves', () => {
    expect(usesAllowed(LINK)).toBe(1);
    expect(usesAllowed({ ...LINK, maxUsageCount: 3 })).toBe(3);
    expect(usesAllowed({ ...LINK, expiresAt: LATER })).toBeUndefined();
  });
});

describe('a new private link is', () => {
  test.each<[string, Partial<PrivateLink>]>([
    ['without limits', {}],
    ['with both', { expiresAt: LATER, maxUsageCount: 1 }],
  ])('accepted %s', (_, changes) => {
    expect(privateLinkMistakes({ ...LINK, ...changes }, NOW)).toEqual([]);
  });

  test.each<[string, Partial<PrivateLink>, string, string]>([
    ['its time is over', { expiresAt: NOW }, 'IN_THE_PAST', 'expiresAt'],
    ['it would never serve', { maxUsageCount: 0 }, 'OUT_OF_RANGE', 'maxUsageCount'],
  ])('refused when %s', (_, changes, code, path) => {
    expect(privateLinkMistakes({ ...LINK, ...changes }, NOW)).toMatchObject([{ code, path: [path] }]);
    expect(PRIVATE_LINK_CODES).toContain(code);
  });
});
