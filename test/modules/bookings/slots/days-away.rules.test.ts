import { describe, expect, test } from 'vitest';
import {
  daysAway,
  type WorkingDay,
  workingDays,
} from '../../../../src/modules/bookings/slots/month-of-slots.queries.ts';
import type { Host } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { availabilityFrom } from '../../../../src/modules/schedules/schedule.rules.ts';
import { at, between } from '../../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from '../support/a-slot-request.ts';

const WEEK = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const;

/** In Berlin, from Monday to Friday, nine to five; 15 June 2026 is a Monday, and there it is two hours later than UTC. */
function away(times: readonly string[], { hours = '09:00-17:00', ...more }: Partial<Host> & { hours?: string } = {}) {
  const [start = '', end = ''] = hours.split('-');
  const availability = availabilityFrom([{ days: [...WEEK], start, end }]);
  const schedule = { timeZone: 'Europe/Berlin', availability, overrides: [] };
  return aHost({ schedule, outOfOffice: times.map(between), ...more });
}

/** The working days of two weeks of a reader, those away in brackets: `[15] 16`. */
function shown(host: Host, timeZone = 'Europe/Berlin', changes: Parameters<typeof aSlotRequest>[0] = {}): string {
  const startOf = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
  const range = { start: startOf('2026-06-15'), end: startOf('2026-06-29') };
  return workingDays(aSlotRequest({ hosts: [host], range, ...changes }), timeZone)
    .map(({ date, isAway }) => (isAway ? `[${date.slice(8)}]` : date.slice(8)))
    .join(' ');
}

/** From Monday to Thursday, in Berlin. */
const FOUR_DAYS = '2026-06-14T22:00Z/2026-06-18T22:00Z';

describe('a host is away on the days', () => {
  test.each<[string, readonly string[], Parameters<typeof away>[1], string]>([
    ['that absences take whole', [FOUR_DAYS], {}, '[15] [16] [17] [18] 19 22 23 24 25 26'],
    ['never, without an absence', [], {}, '15 16 17 18 19 22 23 24 25 26'],
    ['not of an afternoon off', ['2026-06-15T10:00Z/2026-06-15T22:00Z'], {}, '15 16 17 18 19 22 23 24 25 26'],
    [
      'of which two absences leave less than a slot takes',
      ['2026-06-15T06:00Z/2026-06-15T10:00Z', '2026-06-15T10:29Z/2026-06-15T22:00Z'],
      {},
      '[15] 16 17 18 19 22 23 24 25 26',
    ],
    [
      'that are away, booked or not; one that is booked alone is not',
      [FOUR_DAYS],
      { occupied: [between('2026-06-17T00:00Z/2026-06-20T00:00Z')] },
      '[15] [16] [17] [18] 19 22 23 24 25 26',
    ],
  ])('%s', (_what, times, more, days) => {
    expect(shown(away(times, more))).toBe(days);
  });

  test.each([
    // 16:00 to 01:00 of the next day: the last hour of Thursday is on the reader's Friday, on which the host is there.
    ['Asia/Tokyo', '[15] [16] [17] [18] 19 20 22 23 24 25 26 27'],
    // Nine hours before Berlin: from midnight to nine.
    ['America/Los_Angeles', '[15] [16] [17] [18] 19 22 23 24 25 26'],
    // Twelve hours later: from 21:00 to 06:00 of the next day.
    ['Pacific/Kiritimati', '[15] [16] [17] [18] 19 20 22 23 24 25 26 27'],
  ])('of a reader in %s', (timeZone, days) => {
    expect(shown(away([FOUR_DAYS], { hours: '09:00-18:00' }), timeZone)).toBe(days);
  });

  test('that could be booked at all: neither sooner than the notice, nor outside the booking window', () => {
    const now = at('2026-06-15T16:00Z');
    const soon = { now, eventType: { minimumBookingNoticeInMinutes: 24 * 60 } };
    expect(shown(away([FOUR_DAYS]), 'Europe/Berlin', soon)).toBe('[17] [18] 19 22 23 24 25 26');
    const bookingWindow = { type: 'DATE_RANGE', firstDate: '2026-06-18', lastDate: '2026-06-19' } as const;
    expect(shown(away([FOUR_DAYS]), 'Europe/Berlin', { eventType: { bookingWindow } })).toBe('[18] 19');
  });
});

/** Days of June 2026, those away with a mark: `15! 16`. */
function working(said: string): WorkingDay[] {
  return said.split(' ').map((day) => {
    const date = `2026-06-${day.replace('!', '')}`;
    return { date, from: at(`${date}T07:00Z`), isAway: day.endsWith('!') };
  });
}

describe('days away', () => {
  const bob = { ...between('2026-06-15T00:00Z/2026-06-24T00:00Z'), name: 'Bob', username: 'bob' };
  const cyd = { ...between('2026-06-17T00:00Z/2026-06-26T00:00Z'), name: 'Cyd', username: 'cyd' };

  test.each<[string, string, Parameters<typeof daysAway>[1], boolean, readonly string[]]>([
    ['go on over a weekend', '18 19! 22! 23', [], false, ['19-22']],
    ['end with a day on which the host is there', '15! 16 17!', [], false, ['15-15', '17-17']],
    [
      'end where somebody else stands in, who does as soon as nobody else',
      '15! 16! 23! 24! 25!',
      [bob, cyd],
      false,
      ['15-23 bob', '24-25 cyd'],
    ],
    ['are told apart from those for which nobody stands in', '12! 15!', [bob], false, ['12-12', '15-15 bob']],
    ['go on behind the last one', '15! 16 17!', [], true, ['15-15', '17-17…']],
    ['do not go on behind a day on which the host is there', '15! 16', [], true, ['15-15']],
  ])('%s', (_what, said, standIns, goesOn, expected) => {
    const found = daysAway(working(said), standIns, goesOn).map(({ first, last, goesOn: more, standIn }) =>
      `${first.slice(8)}-${last.slice(8)}${more ? '…' : ''} ${standIn?.username ?? ''}`.trim(),
    );
    expect(found).toEqual(expected);
  });
});
