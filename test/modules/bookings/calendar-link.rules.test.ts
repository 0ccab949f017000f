import { expect, test } from 'vitest';
import { type CalendarEntry, calendarLinks } from '../../../src/modules/bookings/calendar-link.rules.ts';

const ENTRY: CalendarEntry = {
  title: 'Talk & more',
  description: 'Bring #1 ✏️',
  start: Temporal.Instant.from('2026-12-01T09:00:00Z'),
  end: Temporal.Instant.from('2026-12-01T09:30:00.500Z'),
  location: { type: 'LINK', value: 'https://meet.example/1?a=b&c' },
  icsUrl: 'https://gatehouse.test/bookings/bkg_1.ics',
};

function parametersOf(entry: CalendarEntry, calendar: string): Record<string, string> {
  const link = calendarLinks(entry).find((one) => one.calendar === calendar);
  return Object.fromEntries(new URL(link?.url ?? '').searchParams);
}

test('Google is told of a meeting in UTC, with whatever its texts hold', () => {
  expect(parametersOf(ENTRY, 'GOOGLE')).toEqual({
    action: 'TEMPLATE',
    text: 'Talk & more',
    dates: '20261201T090000Z/20261201T093000Z',
    details: 'Bring #1 ✏️',
    location: 'https://meet.example/1?a=b&c',
  });
});

test.each(['OUTLOOK', 'OFFICE_365'])('%s is told of it in RFC 3339', (calendar) => {
  expect(parametersOf(ENTRY, calendar)).toMatchObject({
    rru: 'addevent',
    subject: 'Talk & more',
    startdt: '2026-12-01T09:00:00Z',
    location: 'https://meet.example/1?a=b&c',
  });
});

test('missing values are left out, and long ones are cut between characters', () => {
  const entry = { ...ENTRY, description: '👩'.repeat(5_000), location: null };
  expect(parametersOf(entry, 'GOOGLE')).not.toHaveProperty('location');
  expect(parametersOf(entry, 'GOOGLE')['details']).toBe('👩'.repeat(500));
});

test('any other calendar is led to the calendar object', () => {
  expect(calendarLinks(ENTRY).find(({ calendar }) => calendar === 'ICS')?.url).toBe(ENTRY.icsUrl);
});
