import { describe, expect, test } from 'vitest';
import { phoneMistake, tidyPhone } from '../../src/core/phone.ts';

describe('a phone number is', () => {
  test.each(['+4930123456', '+1 (415) 555-2671', ' +44.20.7946.0958 ', '+123456789012345'])('accepted: %s', (text) => {
    expect(phoneMistake(['phone'], tidyPhone(text))).toBeUndefined();
  });

  test.each([
    '',
    '030123456',
    '+0301234567',
    '+49',
    '+1234567890123456',
    '+49abc1234',
    '+४९३०१२३४५६',
    '\0',
    ' '.repeat(100_000),
  ])('refused: %j', (text) => {
    expect(phoneMistake(['phone'], tidyPhone(text))).toMatchObject({ code: 'INVALID_PHONE', path: ['phone'] });
  });
});
