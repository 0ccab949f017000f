import { describe, expect, test } from 'vitest';
import { phoneMistake, tidyPhone } from '../../src/core/phone.ts';

describe('a phone number is', () => {
  test.each([
    ['+4930123456', '+4930123456'],
    ['+1 (415) 555-2671', '+14155552671'],
    [' +44.20.7946.0958 ', '+442079460958'],
    ['+49 30/123456', '+4930123456'],
    ['+49\u00a030\u2011123456', '+4930123456'],
    // Fictional ones, and those of ranges that are not given to anybody yet, are numbers too.
    ['+15550100000', '+15550100000'],
    ['+299123456', '+299123456'],
  ])('accepted in its one spelling: %s', (text, number) => {
    expect(tidyPhone(text)).toBe(number);
    expect(tidyPhone(number)).toBe(number);
    expect(phoneMistake(['phone'], number)).toBeUndefined();
  });

  // ITU-T E.123 §7.2 says not to write the zero that is dialled within a country alone, and people do.
  test.each([
    ['+49(0)301234567', '+49301234567'],
    ['+49 (0) 30 1234567', '+49301234567'],
    ['+49 0 30 1234567', '+49301234567'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['+7 (8) 495 1234567', '+74951234567'],
    // In Italy it is dialled from everywhere.
    ['+39 06 698 1234', '+39066981234'],
  ])('dialled without what is dialled at home alone: %s', (text, number) => {
    expect(tidyPhone(text)).toBe(number);
  });

  test.each([
    ['', 'does not begin with +'],
    ['030123456', 'does not begin with +'],
    ['0049 30 123456', 'does not begin with +'],
    ['+0301234567', 'does not begin with +'],
    ['+999123456789', 'does not begin with +'],
    ['+49abc1234', 'does not begin with +'],
    ['\0', 'does not begin with +'],
    ['+49', 'does not begin with +'],
    ['+1415555', 'too few digits'],
    ['+123456789012345', 'too many digits'],
    ['+49 30 123456 ext. 7', 'has an extension'],
    ['+4930123456;ext=7', 'has an extension'],
    [' '.repeat(100_000), 'more than 60 characters'],
    [`+49${'0'.repeat(100_000)}`, 'more than 60 characters'],
  ])('refused, with the reason: %j', (text, problem) => {
    expect(tidyPhone(text)).toBe(text);
    expect(phoneMistake(['phone'], text)).toMatchObject({
      code: 'INVALID_PHONE',
      path: ['phone'],
      message: expect.stringContaining(problem),
    });
  });

  test('never kept in another spelling than its one', () => {
    expect(phoneMistake(['phone'], '+49 30 123456')).toMatchObject({ code: 'INVALID_PHONE' });
  });
});
