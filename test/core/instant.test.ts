import { describe, expect, test } from 'vitest';
import { instantFrom } from '../../src/core/instant.ts';

describe('a time from outside', () => {
  test.each([
    ['the first', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['the last', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['the last, cut and not rounded', '9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
    ['cut where it is before 1970 too', '1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['with the greatest offsets', '2026-12-01T09:00:00+23:59', '2026-11-30T09:01:00Z'],
    ['with the greatest offsets, the other way', '2026-12-01T09:00:00-23:59', '2026-12-02T08:59:00Z'],
    ['with an offset that nobody knows', '2026-12-01T09:00:00-00:00', '2026-12-01T09:00:00Z'],
    ['in the year when the calendar skipped ten days', '1582-10-10T00:00:00Z', '1582-10-10T00:00:00Z'],
    ['on a leap day', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
  ])('is taken: %s', (_, text, taken) => {
    expect(instantFrom(text)?.toString()).toBe(taken);
  });

  test.each([
    ['the year 0', '0000-12-31T23:59:59Z'],
    ['the year 0 by its offset', '0001-01-01T00:00:00+00:01'],
    ['the year 10000 by its offset', '9999-12-31T23:59:59-00:01'],
    ['a year of six digits', '+010000-01-01T00:00:00Z'],
    ['the last that JavaScript knows', '+275760-09-13T00:00:00Z'],
    ['a year before the first', '-000001-01-01T00:00:00Z'],
    ['minus zero', '-000000-01-01T00:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an hour 24', '2026-12-01T24:00:00Z'],
    ['a day that does not exist', '2026-02-30T00:00:00Z'],
    ['an offset that does not exist', '2026-12-01T09:00:00+24:00'],
    ['an offset with seconds', '2026-12-01T09:00:00+01:00:00'],
    ['ten digits of a second', '2026-12-01T09:00:00.0000000001Z'],
    ['no offset', '2026-12-01T09:00:00'],
    ['a zone', '2026-12-01T09:00:00+01:00[Europe/Berlin]'],
    ['no seconds', '2026-12-01T09:00Z'],
    ['a date', '2026-12-01'],
    ['small letters', '2026-12-01t09:00:00z'],
    ['other digits', '２０２６-12-01T09:00:00Z'],
    ['white space', ' 2026-12-01T09:00:00Z\n'],
    ['nothing', ''],
  ])('is none: %s', (_, text) => {
    expect(instantFrom(text)).toBeUndefined();
  });
});
