import { expect, test } from 'vitest';
import { dateTimeFormat } from '../../src/core/instant.ts';

const AT = Date.parse('2031-01-06T12:30:00Z');
const HOUR = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

test('the same format is kept once it comes again, another one for another zone or language', () => {
  dateTimeFormat('en-GB', { ...HOUR, timeZone: 'Europe/Berlin' });
  const berlin = dateTimeFormat('en-GB', { ...HOUR, timeZone: 'Europe/Berlin' });
  expect(dateTimeFormat('en-GB', { ...HOUR, timeZone: 'Europe/Berlin' })).toBe(berlin);
  const [tokyo, full] = [
    dateTimeFormat('en-GB', { ...HOUR, timeZone: 'Asia/Tokyo' }),
    dateTimeFormat('de', { dateStyle: 'full', timeZone: 'Europe/Berlin' }),
  ];
  expect([berlin, tokyo, full].map((format) => format.format(AT))).toEqual([
    '13:30',
    '21:30',
    'Montag, 6. Januar 2031',
  ]);
});

test('however many zones readers have, each reads its own time, and few formats are kept', () => {
  const shown = (minutes: number) =>
    Temporal.Instant.fromEpochMilliseconds(AT).toZonedDateTimeISO(zone(minutes)).toPlainTime();
  const first = dateTimeFormat('en-GB', { ...HOUR, timeZone: zone(0) });
  for (let minutes = 0; minutes < 600; minutes += 1) {
    const text = dateTimeFormat('en-GB', { ...HOUR, timeZone: zone(minutes) }).format(AT);
    expect(text).toBe(shown(minutes).toString({ smallestUnit: 'minute' }));
  }
  expect(dateTimeFormat('en-GB', { ...HOUR, timeZone: zone(0) })).not.toBe(first);
});

test('an unknown zone has no format, before and after others were made', () => {
  for (let time = 0; time < 2; time += 1)
    expect(() => dateTimeFormat('en-GB', { timeZone: 'Mars/Olympus' })).toThrow(RangeError);
});

function zone(minutes: number): string {
  return `+${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(count: number): string {
  return String(count).padStart(2, '0');
}
