import { describe, expect, test } from 'vitest';
import { fittingSms, plainForSms, smsParts } from '../../src/core/sms-text.ts';

describe('a text is sent in so many parts', () => {
  test.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['ä'.repeat(306), 2],
    ['ä'.repeat(307), 3],
    // Two places each, of which none is divided.
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['ж'.repeat(70), 1],
    ['ж'.repeat(71), 2],
    ['ж'.repeat(134), 2],
    ['👋'.repeat(35), 1],
    ['👋'.repeat(66), 2],
    ['👋'.repeat(67), 3],
    [`${'a'.repeat(69)}ж`, 1],
    [`${'a'.repeat(70)}ж`, 2],
    ['', 1],
  ])('%j: %i', (text, parts) => expect(smsParts(text)).toBe(parts));
});

test('signs that look the same are written in the shorter alphabet', () => {
  const text = plainForSms('10:00\u202fAM – “Grace’s” …');
  expect(text).toBe('10:00 AM - "Grace\'s" ...');
  expect(smsParts(text.repeat(6))).toBe(1);
});

test('a text that is too long is cut off, between characters as people see them', () => {
  expect(fittingSms('a'.repeat(306), 2)).toBe('a'.repeat(306));
  expect(fittingSms('a'.repeat(307), 2)).toBe(`${'a'.repeat(303)}...`);
  const family = '👨‍👩‍👧';
  expect(fittingSms(family.repeat(20), 2)).toBe(`${family.repeat(16)}...`);
  expect(fittingSms(`${'a'.repeat(160)} ж`, 1)).toBe(`${'a'.repeat(157)}...`);
});
