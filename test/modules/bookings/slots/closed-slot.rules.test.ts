import { describe, expect, test } from 'vitest';
import { SLOT_CODES } from '../../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import { at, between } from '../../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from '../support/a-slot-request.ts';
import { closedAt, closedBecause } from '../support/at-once.ts';

const NINE = at('2026-06-15T09:00Z');
const AT_NINE = between('2026-06-15T09:00Z/2026-06-15T09:30Z');
const DAY = { unit: 'day', ...between('2026-06-15T00:00Z/2026-06-16T00:00Z') } as const;

describe('a start is refused because', () => {
  const reserved = { ...AT_NINE, reservationId: 'theirs' };
  const booked = { ...AT_NINE, bookingId: 'theirs' };
  const limited = { bookingLimits: { day: { maxBookings: 1 } } };

  test.each<[string, Parameters<typeof aSlotRequest>[0], string]>([
    ['its length is not offered', { durationInMinutes: 45 }, 'DURATION_NOT_OFFERED'],
    ['a managed parent is not booked', { eventType: { schedulingType: 'MANAGED' } }, 'NOT_BOOKABLE'],
    ['there is nobody to book', { hosts: [] }, 'NOT_BOOKABLE'],
    ['it is over', { now: NINE + 1 }, 'SLOT_IN_PAST'],
    ['it is too soon', { now: NINE - 60_000, eventType: { minimumBookingNoticeInMinutes: 2 } }, 'NOTICE_TOO_SHORT'],
    ['it is too late', { eventType: { bookingWindow: { type: 'ROLLING_DAYS', days: 13 } } }, 'OUTSIDE_BOOKING_WINDOW'],
    ['enough is booked', { eventType: limited, counted: [{ ...DAY, count: 1, minutes: 30 }] }, 'LIMIT_REACHED'],
    [
      'the last booking of its day is reserved',
      { eventType: limited, counted: [{ ...DAY, count: 1, minutes: 30, reserved: { count: 1, minutes: 30 } }] },
      'SLOT_RESERVED',
    ],
    [
      'enough is booked, whatever is reserved besides',
      { eventType: limited, counted: [{ ...DAY, count: 2, minutes: 60, reserved: { count: 1, minutes: 30 } }] },
      'LIMIT_REACHED',
    ],
    [
      'it is booked on a day whose last booking is reserved',
      {
        eventType: limited,
        counted: [{ ...DAY, count: 1, minutes: 30, reserved: { count: 1, minutes: 30 } }],
        hosts: [aHost({ occupied: [booked, reserved] })],
      },
      'SLOT_TAKEN',
    ],
    [
      'nobody works then, on a day whose last booking is reserved',
      {
        eventType: limited,
        counted: [{ ...DAY, count: 1, minutes: 30, reserved: { count: 1, minutes: 30 } }],
        hosts: [aHost({ outOfOffice: [AT_NINE] })],
      },
      'SLOT_NOT_OFFERED',
    ],
    ['nobody works then', { hosts: [aHost({ outOfOffice: [AT_NINE] })] }, 'SLOT_NOT_OFFERED'],
    ['the time is booked', { hosts: [aHost({ occupied: [booked] })] }, 'SLOT_TAKEN'],
    ['a calendar says busy', { hosts: [aHost({ busy: [AT_NINE] })] }, 'SLOT_TAKEN'],
    ['the time is both booked and reserved', { hosts: [aHost({ occupied: [booked, reserved] })] }, 'SLOT_TAKEN'],
    ['the time is reserved', { hosts: [aHost({ occupied: [reserved] })] }, 'SLOT_RESERVED'],
    [
      'all seats are taken',
      {
        eventType: { seats: { perSlot: 1, showsAttendees: false } },
        hosts: [aHost({ occupied: [booked] })],
        seated: [{ id: 'theirs', hostIds: ['ada'], perSlot: 1, taken: 1, ...AT_NINE }],
      },
      'SLOT_TAKEN',
    ],
    [
      'of two hosts one has reserved and one booked time',
      {
        eventType: { schedulingType: 'ROUND_ROBIN' },
        hosts: [aHost({ occupied: [booked] }), aHost({ userId: 'bob', occupied: [reserved] })],
      },
      'SLOT_RESERVED',
    ],
  ])('%s', (_, changes, code) => {
    const mistake = closedBecause(aSlotRequest(changes), NINE);
    expect(mistake).toMatchObject({ code });
    expect(mistake?.message).toMatch(/^[A-Z].*\.$/);
    expect(SLOT_CODES).toContain(code);
  });

  test('it is between two slots', () => {
    expect(closedBecause(aSlotRequest(), NINE + 60_000)).toEqual({
      code: 'SLOT_NOT_OFFERED',
      message: 'The start 2026-06-15T09:01:00Z is not offered; ask for the slots.',
      path: ['start'],
    });
  });
});

test('an open start is not refused', () => {
  expect(closedBecause(aSlotRequest(), NINE)).toBeUndefined();
});

describe('what closes a start is', () => {
  const booked = { ...AT_NINE, bookingId: 'theirs' };
  const reserved = { ...AT_NINE, reservationId: 'kept' };
  const ada = { hostId: 'ada' };
  const before = between('2026-06-15T08:30Z/2026-06-15T09:00Z');

  test.each<[string, Parameters<typeof aSlotRequest>[0], readonly object[]]>([
    [
      'a rule',
      { now: NINE - 60_000, eventType: { minimumBookingNoticeInMinutes: 2 } },
      [{ kind: 'RULE', code: 'NOTICE_TOO_SHORT' }],
    ],
    [
      'every rule',
      { now: NINE + 1, eventType: { minimumBookingNoticeInMinutes: 2 } },
      [
        { kind: 'RULE', code: 'SLOT_IN_PAST' },
        { kind: 'RULE', code: 'NOTICE_TOO_SHORT' },
      ],
    ],
    ['a booking', { hosts: [aHost({ occupied: [booked] })] }, [{ kind: 'BOOKING', ...ada, bookingId: 'theirs' }]],
    [
      'the booking that only its buffer is in the way of',
      { eventType: { bufferBeforeInMinutes: 5 }, hosts: [aHost({ occupied: [{ ...before, bookingId: 'theirs' }] })] },
      [{ kind: 'BOOKING', ...ada, bookingId: 'theirs' }],
    ],
    [
      'a reservation',
      { hosts: [aHost({ occupied: [reserved] })] },
      [{ kind: 'RESERVATION', ...ada, reservationId: 'kept' }],
    ],
    ['a calendar', { hosts: [aHost({ busy: [AT_NINE] })] }, [{ kind: 'CALENDAR', ...ada, during: AT_NINE }]],
    ['an absence', { hosts: [aHost({ outOfOffice: [AT_NINE] })] }, [{ kind: 'OUT_OF_OFFICE', ...ada }]],
    [
      'each host’s own reason',
      {
        eventType: { schedulingType: 'ROUND_ROBIN' },
        hosts: [aHost({ occupied: [booked] }), aHost({ userId: 'bob', busy: [AT_NINE] })],
      },
      [
        { kind: 'BOOKING', ...ada, bookingId: 'theirs' },
        { kind: 'CALENDAR', hostId: 'bob', during: AT_NINE },
      ],
    ],
    [
      'the host of several who cannot attend',
      { eventType: { schedulingType: 'COLLECTIVE' }, hosts: [aHost(), aHost({ userId: 'bob', busy: [AT_NINE] })] },
      [{ kind: 'CALENDAR', hostId: 'bob', during: AT_NINE }],
    ],
  ])('%s', (_, changes, closedBy) => {
    expect(closedAt(aSlotRequest(changes), NINE)?.closedBy).toEqual(closedBy);
  });

  test.each<[string, number, readonly object[]]>([
    ['the grid of slots', NINE + 60_000, [{ kind: 'GRID' }]],
    ['the hours', at('2026-06-15T20:00Z'), [{ kind: 'HOURS', ...ada }]],
  ])('%s', (_, start, closedBy) => {
    expect(closedAt(aSlotRequest(), start)?.closedBy).toEqual(closedBy);
  });
});
