import { describe, expect, test } from 'vitest';
import type { SlotRequest } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { aSchedule, at, between } from '../../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from '../support/a-slot-request.ts';
import { isOpen } from '../support/at-once.ts';
import { openSlots } from '../support/open-slots.ts';

const MONDAY = '2026-06-15T00:00Z/2026-06-16T00:00Z';

/** The starts of the open slots, as `HH:MM` in a zone. */
function starts(request: SlotRequest, timeZone = 'UTC'): string {
  return openSlots(request)
    .map(({ start }) => Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timeZone))
    .map((local) => local.toPlainTime().toString({ smallestUnit: 'minute' }))
    .join(' ');
}

/** The open slots as `HH:MM` in UTC with the hosts who could attend. */
function startsAndHosts(request: SlotRequest): string[] {
  return openSlots(request).map(
    ({ start, hostIds }) => `${new Date(start).toISOString().slice(11, 16)} ${hostIds.join('+')}`,
  );
}

/** Ada works from nine to one, unless the test says otherwise. */
function morning(changes: Parameters<typeof aHost>[0] = {}): ReturnType<typeof aHost> {
  return aHost({ schedule: aSchedule('UTC', ['09:00-13:00']), ...changes });
}

describe('slots follow each other', () => {
  test.each<[string, Parameters<typeof aSlotRequest>[0], string]>([
    ['by their length', { eventType: { durationInMinutes: 60 } }, '09:00 10:00 11:00 12:00'],
    ['by the interval', { eventType: { durationInMinutes: 90, slotIntervalInMinutes: 60 } }, '09:00 10:00 11:00'],
    [
      'by the length that is asked for',
      { eventType: { durationInMinutesOptions: [30, 120] }, durationInMinutes: 120 },
      '09:00 11:00',
    ],
    ['not at all in a length that is not offered', { durationInMinutes: 31 }, ''],
    [
      'and start in the range, wherever they end',
      { eventType: { durationInMinutes: 60 }, range: between('2026-06-15T10:00Z/2026-06-15T11:01Z') },
      '10:00 11:00',
    ],
    [
      'from the opening of the hours',
      { hosts: [aHost({ schedule: aSchedule('UTC', ['09:10-10:30']) })] },
      '09:10 09:40',
    ],
    [
      'from the opening of each hours',
      { hosts: [aHost({ schedule: aSchedule('UTC', ['09:10-10:00', '10:20-11:00']) })] },
      '09:10 10:20',
    ],
    [
      'and keep their times when something is in the way',
      {
        eventType: { durationInMinutes: 60 },
        hosts: [morning({ busy: [between('2026-06-15T09:30Z/2026-06-15T10:10Z')] })],
      },
      '11:00 12:00',
    ],
  ])('%s', (_, changes, expected) => {
    expect(starts(aSlotRequest({ hosts: [morning()], ...changes }))).toBe(expected);
  });

  test('over midnight, where the hours of two days touch', () => {
    const schedule = aSchedule('UTC', ['00:00-00:30', '23:00-24:00']);
    const request = aSlotRequest({
      eventType: { durationInMinutes: 60, slotIntervalInMinutes: 30 },
      hosts: [aHost({ schedule })],
      range: between('2026-06-15T12:00Z/2026-06-16T12:00Z'),
    });
    expect(starts(request)).toBe('23:00 23:30');
  });
});

describe('a slot is not open when', () => {
  const hour = { durationInMinutes: 60 };

  test.each<[string, Parameters<typeof aSlotRequest>[0], string]>([
    ['it is over', { eventType: hour, now: at('2026-06-15T10:00:00.001Z') }, '11:00 12:00'],
    [
      'its notice is too short',
      { eventType: { ...hour, minimumBookingNoticeInMinutes: 120 }, now: at('2026-06-15T08:00Z') },
      '10:00 11:00 12:00',
    ],
    ['it lies beyond rolling days', { eventType: { ...hour, bookingWindow: { type: 'ROLLING_DAYS', days: 13 } } }, ''],
    ['it lies beyond business days', { eventType: { ...hour, bookingWindow: { type: 'BUSINESS_DAYS', days: 9 } } }, ''],
    [
      'it lies before the first date',
      {
        eventType: { ...hour, bookingWindow: { type: 'DATE_RANGE', firstDate: '2026-06-16', lastDate: '2026-06-20' } },
      },
      '',
    ],
    [
      'it ends after the last date, in the zone of the event type',
      {
        eventType: {
          ...hour,
          timeZone: 'Asia/Tokyo',
          bookingWindow: { type: 'DATE_RANGE', firstDate: '2026-06-01', lastDate: '2026-06-15' },
        },
        hosts: [aHost({ schedule: aSchedule('UTC', ['12:30-16:30']) })],
      },
      '12:30 13:30',
    ],
    [
      'the host is out of office',
      { eventType: hour, hosts: [morning({ outOfOffice: [between('2026-06-15T10:00Z/2026-06-15T10:01Z')] })] },
      '09:00 11:00 12:00',
    ],
    [
      'the day is off',
      { eventType: hour, hosts: [aHost({ schedule: aSchedule('UTC', ['09:00-13:00'], { '2026-06-15': [] }) })] },
      '',
    ],
    [
      'the host is booked',
      { eventType: hour, hosts: [morning({ occupied: [between('2026-06-15T10:00Z/2026-06-15T11:00Z')] })] },
      '09:00 11:00 12:00',
    ],
    [
      'a calendar says busy',
      { eventType: hour, hosts: [morning({ busy: [between('2026-06-15T10:59Z/2026-06-15T11:01Z')] })] },
      '09:00 12:00',
    ],
    [
      'its buffer before would be in the way',
      {
        eventType: { ...hour, bufferBeforeInMinutes: 5 },
        hosts: [morning({ occupied: [between('2026-06-15T10:00Z/2026-06-15T11:00Z')] })],
      },
      '09:00 12:00',
    ],
    [
      'its buffer after would be in the way',
      {
        eventType: { ...hour, bufferAfterInMinutes: 5 },
        hosts: [morning({ occupied: [between('2026-06-15T10:00Z/2026-06-15T11:00Z')] })],
      },
      '11:00 12:00',
    ],
    ['nobody can be booked', { eventType: hour, hosts: [] }, ''],
    ['the event type is a managed parent', { eventType: { ...hour, schedulingType: 'MANAGED' } }, ''],
  ])('%s', (_, changes, expected) => {
    expect(starts(aSlotRequest({ hosts: [morning()], ...changes }))).toBe(expected);
  });

  test.each<[string, Parameters<typeof aSlotRequest>[0], string]>([
    ['nothing is in the way', { eventType: hour }, '09:00 10:00 11:00 12:00'],
    [
      'its notice is just kept',
      { eventType: { ...hour, minimumBookingNoticeInMinutes: 120 }, now: at('2026-06-15T07:00Z') },
      '09:00 10:00 11:00 12:00',
    ],
    ['it starts now', { eventType: hour, now: at('2026-06-15T10:00Z') }, '10:00 11:00 12:00'],
    [
      'it lies on the last of the rolling days',
      { eventType: { ...hour, bookingWindow: { type: 'ROLLING_DAYS', days: 14 } } },
      '09:00 10:00 11:00 12:00',
    ],
    [
      'it lies on the last business day',
      { eventType: { ...hour, bookingWindow: { type: 'BUSINESS_DAYS', days: 10 } } },
      '09:00 10:00 11:00 12:00',
    ],
    [
      'buffers reach out of the hours and of office',
      {
        eventType: { ...hour, bufferBeforeInMinutes: 60, bufferAfterInMinutes: 60 },
        hosts: [morning({ outOfOffice: [between('2026-06-15T08:00Z/2026-06-15T09:00Z')] })],
      },
      '09:00 10:00 11:00 12:00',
    ],
    [
      'buffers just touch what is in the way',
      {
        eventType: { ...hour, bufferBeforeInMinutes: 60 },
        hosts: [morning({ occupied: [between('2026-06-15T09:00Z/2026-06-15T10:00Z')] })],
      },
      '11:00 12:00',
    ],
    [
      'what is in the way is nothing',
      {
        eventType: hour,
        hosts: [
          morning({
            busy: [between('2026-06-15T10:30Z/2026-06-15T10:30Z'), between('2026-06-15T12:00Z/2026-06-15T11:00Z')],
          }),
        ],
      },
      '09:00 10:00 11:00 12:00',
    ],
    [
      'what is in the way is replaced',
      {
        eventType: hour,
        hosts: [morning({ occupied: [{ ...between('2026-06-15T10:00Z/2026-06-15T11:00Z'), bookingId: 'old' }] })],
        replaces: { id: 'old', hostIds: ['ada'], ...between('2026-06-15T10:00Z/2026-06-15T11:00Z') },
      },
      '09:00 10:00 11:00 12:00',
    ],
    [
      'what is in the way is one’s own reservation',
      {
        eventType: hour,
        hosts: [morning({ occupied: [{ ...between('2026-06-15T10:00Z/2026-06-15T11:00Z'), reservationId: 'mine' }] })],
        reservationId: 'mine',
      },
      '09:00 10:00 11:00 12:00',
    ],
  ])('but is when %s', (_, changes, expected) => {
    expect(starts(aSlotRequest({ hosts: [morning()], ...changes }))).toBe(expected);
  });

  test("somebody else's booking and reservation stay in the way", () => {
    const occupied = [
      { ...between('2026-06-15T10:00Z/2026-06-15T11:00Z'), bookingId: 'other' },
      { ...between('2026-06-15T11:00Z/2026-06-15T12:00Z'), reservationId: 'theirs' },
    ];
    const replaces = { id: 'old', hostIds: ['ada'], ...between(MONDAY) };
    const request = aSlotRequest({ eventType: hour, hosts: [morning({ occupied })], replaces, reservationId: 'mine' });
    expect(starts(request)).toBe('09:00 12:00');
  });
});

describe('limits close a period when', () => {
  const day = { unit: 'day', ...between(MONDAY) } as const;
  const replaces = { id: 'old', hostIds: ['ada'], ...between('2026-06-15T14:00Z/2026-06-15T15:00Z') };
  const OPEN = '09:00 10:00 11:00 12:00';

  test.each<[string, Parameters<typeof aSlotRequest>[0], string]>([
    [
      'its count is reached',
      { eventType: { bookingLimits: { day: { maxBookings: 2 } } }, counted: [{ ...day, count: 2, minutes: 120 }] },
      '',
    ],
    [
      '(not when one is left)',
      { eventType: { bookingLimits: { day: { maxBookings: 3 } } }, counted: [{ ...day, count: 2, minutes: 120 }] },
      OPEN,
    ],
    [
      'its minutes would be passed',
      { eventType: { bookingLimits: { day: { maxMinutes: 179 } } }, counted: [{ ...day, count: 2, minutes: 120 }] },
      '',
    ],
    [
      '(not when they are just reached)',
      { eventType: { bookingLimits: { day: { maxMinutes: 180 } } }, counted: [{ ...day, count: 2, minutes: 120 }] },
      OPEN,
    ],
    [
      '(not when the booking that is moved is one of them)',
      {
        eventType: { bookingLimits: { day: { maxBookings: 2, maxMinutes: 120 } } },
        counted: [{ ...day, count: 2, minutes: 120 }],
        replaces,
      },
      OPEN,
    ],
    [
      'the booking that is moved is of the next one',
      {
        eventType: { bookingLimits: { day: { maxBookings: 2 } } },
        counted: [{ ...day, count: 2, minutes: 120 }],
        replaces: { ...replaces, start: day.end, end: day.end + 3_600_000 },
      },
      '',
    ],
    ['nobody has counted', { eventType: { bookingLimits: { day: { maxBookings: 2 } } }, counted: [] }, ''],
    [
      'one unit of several is full',
      {
        eventType: { bookingLimits: { day: { maxBookings: 9 }, week: { maxBookings: 2 } } },
        counted: [
          { ...day, count: 0, minutes: 0 },
          { ...day, unit: 'week', count: 2, minutes: 60 },
        ],
      },
      '',
    ],
  ])('%s', (_, changes, expected) => {
    const eventType = { durationInMinutes: 60, ...changes?.eventType };
    expect(starts(aSlotRequest({ hosts: [morning()], ...changes, eventType }))).toBe(expected);
  });

  test('and leave the other periods open', () => {
    const range = between('2026-06-15T00:00Z/2026-06-17T00:00Z');
    const tuesday = { unit: 'day', ...between('2026-06-16T00:00Z/2026-06-17T00:00Z') } as const;
    const counted = [
      { ...day, count: 1, minutes: 60 },
      { ...tuesday, count: 0, minutes: 0 },
    ];
    const eventType = { durationInMinutes: 120, bookingLimits: { day: { maxBookings: 1 } } };
    const slots = openSlots(aSlotRequest({ eventType, hosts: [morning()], range, counted }));
    expect(slots.map(({ start }) => start)).toEqual([at('2026-06-16T09:00Z'), at('2026-06-16T11:00Z')]);
  });
});

describe('when clocks change', () => {
  test.each<[string, string, string, string, string]>([
    [
      'forward, slots keep their hour',
      'Europe/Berlin',
      '09:00-11:00',
      '2026-03-29T00:00Z/2026-03-30T00:00Z',
      '09:00 10:00',
    ],
    [
      'forward by night, the skipped hour has none',
      'Europe/Berlin',
      '00:00-05:00',
      '2026-03-28T23:00Z/2026-03-29T12:00Z',
      '00:00 01:00 03:00 04:00',
    ],
    [
      'back by night, the repeated hour has two',
      'Europe/Berlin',
      '00:00-05:00',
      '2026-10-24T22:00Z/2026-10-25T12:00Z',
      '00:00 01:00 02:00 02:00 03:00 04:00',
    ],
    [
      'forward by half an hour, slots stay at full hours',
      'Australia/Lord_Howe',
      '00:00-05:00',
      '2026-10-03T12:00Z/2026-10-04T03:00Z',
      '00:00 01:00 03:00 04:00',
    ],
    [
      'back by half an hour, slots stay at full hours',
      'Australia/Lord_Howe',
      '00:00-05:00',
      '2026-04-04T12:00Z/2026-04-05T03:00Z',
      '00:00 01:00 02:00 03:00 04:00',
    ],
    [
      'over midnight, the day begins at one',
      'Africa/Cairo',
      '00:00-03:00',
      '2024-04-25T21:00Z/2024-04-26T12:00Z',
      '01:00 02:00',
    ],
    [
      'back over midnight, the evening before has an hour more',
      'America/Santiago',
      '22:00-24:00',
      '2026-04-04T12:00Z/2026-04-05T12:00Z',
      '22:00 23:00 23:00',
    ],
  ])('%s', (_, zone, hours, range, expected) => {
    const hosts = [aHost({ schedule: aSchedule(zone, [hours]) })];
    const now = at('2011-01-01T00:00Z');
    expect(
      starts(aSlotRequest({ eventType: { durationInMinutes: 60 }, hosts, now, range: between(range) }), zone),
    ).toBe(expected);
  });
});

describe('people who attend together', () => {
  const early = aHost({ userId: 'ada', schedule: aSchedule('UTC', ['08:00-12:00']) });
  const late = aHost({ userId: 'bob', schedule: aSchedule('UTC', ['09:15-17:00']) });
  const eventType = { durationInMinutes: 60, schedulingType: 'COLLECTIVE' } as const;

  test('are all there, from when the last of them opens', () => {
    const slots = openSlots(aSlotRequest({ eventType, hosts: [early, late] }));
    expect(slots.map(({ start, hostIds }) => [start, ...hostIds])).toEqual([
      [at('2026-06-15T09:15Z'), 'ada', 'bob'],
      [at('2026-06-15T10:15Z'), 'ada', 'bob'],
    ]);
  });

  test('are there only when all of them are free', () => {
    const booked = { ...late, busy: [between('2026-06-15T10:15Z/2026-06-15T10:16Z')] };
    expect(starts(aSlotRequest({ eventType, hosts: [early, booked] }))).toBe('09:15');
  });
});

describe('with round robin', () => {
  const ada = aHost({ userId: 'ada', schedule: aSchedule('UTC', ['09:00-11:00']) });
  const bob = aHost({ userId: 'bob', schedule: aSchedule('UTC', ['10:00-12:00']) });
  const cyd = aHost({ userId: 'cyd', schedule: aSchedule('UTC', ['09:30-11:30']) });
  const eventType = { durationInMinutes: 60, schedulingType: 'ROUND_ROBIN' } as const;

  test('a slot is open when one host has time, on the grid of their own', () => {
    expect(startsAndHosts(aSlotRequest({ eventType, hosts: [ada, bob, cyd] }))).toEqual([
      '09:00 ada',
      '09:30 cyd',
      '10:00 ada+bob',
      '10:30 cyd',
      '11:00 bob',
    ]);
  });

  test('mandatory hosts are always there, with one of the others', () => {
    const hosts = [ada, bob, { ...cyd, isMandatory: true }];
    expect(startsAndHosts(aSlotRequest({ eventType: { ...eventType, slotIntervalInMinutes: 30 }, hosts }))).toEqual([
      '09:30 cyd+ada',
      '10:00 cyd+ada+bob',
      '10:30 cyd+bob',
    ]);
  });

  test('mandatory hosts alone suffice when there are no others', () => {
    const hosts = [ada, bob].map((host) => ({ ...host, isMandatory: true }));
    expect(startsAndHosts(aSlotRequest({ eventType, hosts }))).toEqual(['10:00 ada+bob']);
  });
});

describe('a slot with seats', () => {
  const TEN = between('2026-06-15T10:00Z/2026-06-15T11:00Z');
  const eventType = { durationInMinutes: 60, seats: { perSlot: 3, showsAttendees: false } };
  const session = { id: 'session', hostIds: ['ada'], perSlot: 3, taken: 2, ...TEN };
  const booked = morning({ occupied: [{ ...TEN, bookingId: 'session' }] });
  const seatsAtTen = (changes: Parameters<typeof aSlotRequest>[0]) => {
    const slot = openSlots(aSlotRequest({ eventType, hosts: [booked], seated: [session], ...changes })).find(
      ({ start }) => start === TEN.start,
    );
    return slot && [slot.remainingSeatCount, slot.joins, slot.hostIds];
  };

  test('is open while seats are left, in the booking that is there', () => {
    expect(seatsAtTen({})).toEqual([1, 'session', ['ada']]);
    expect(seatsAtTen({ seated: [{ ...session, taken: 3 }] })).toBeUndefined();
  });

  test('has the seats that it was booked with, whatever the event type has now', () => {
    const [more, fewer] = [10, 2].map((perSlot) => ({ ...eventType, seats: { perSlot, showsAttendees: false } }));
    if (!more || !fewer) throw new Error('There are two.');
    expect(seatsAtTen({ eventType: more })).toEqual([1, 'session', ['ada']]);
    expect(seatsAtTen({ eventType: fewer })).toEqual([1, 'session', ['ada']]);
    expect(seatsAtTen({ eventType: more, seated: [{ ...session, taken: 3 }] })).toBeUndefined();
  });

  test('has all seats where nothing is booked', () => {
    const slots = openSlots(aSlotRequest({ eventType, hosts: [booked], seated: [session] }));
    expect(slots.map(({ remainingSeatCount, joins }) => [remainingSeatCount, joins])).toEqual([
      [3, null],
      [1, 'session'],
      [3, null],
      [3, null],
    ]);
  });

  test('is joined in its own length only', () => {
    const lengths = { ...eventType, durationInMinutesOptions: [30, 60] };
    expect(seatsAtTen({ eventType: lengths })).toEqual([1, 'session', ['ada']]);
    expect(seatsAtTen({ eventType: lengths, durationInMinutes: 30 })).toBeUndefined();
  });

  test('is joined whatever the limits say, since it adds no booking', () => {
    const limited = { ...eventType, bookingLimits: { day: { maxBookings: 1 } } };
    const counted = [{ unit: 'day', ...between(MONDAY), count: 1, minutes: 60 }] as const;
    const slots = openSlots(aSlotRequest({ eventType: limited, hosts: [booked], seated: [session], counted }));
    expect(slots.map(({ joins }) => joins)).toEqual(['session']);
  });

  test('is not joined too late, nor outside the booking window', () => {
    expect(seatsAtTen({ now: TEN.start })).toEqual([1, 'session', ['ada']]);
    expect(seatsAtTen({ now: TEN.start + 1 })).toBeUndefined();
    const window = { type: 'DATE_RANGE', firstDate: '2026-06-16', lastDate: '2026-06-17' } as const;
    expect(seatsAtTen({ eventType: { ...eventType, bookingWindow: window } })).toBeUndefined();
  });

  test('fills the fullest booking first', () => {
    const other = { ...session, id: 'other', hostIds: ['bob'], taken: 1 };
    expect(seatsAtTen({ seated: [session, other] })).toEqual([1, 'session', ['ada']]);
    expect(seatsAtTen({ seated: [other, session] })).toEqual([1, 'session', ['ada']]);
  });

  test('is no seat in the booking that is moved, whose time is free again', () => {
    expect(seatsAtTen({ replaces: session })).toEqual([3, null, ['ada']]);
  });
});

test('a time is open to the millisecond', () => {
  const request = aSlotRequest();
  expect(isOpen(request, at('2026-06-15T09:30Z'))).toBe(true);
  expect(isOpen(request, at('2026-06-15T09:30Z') + 1)).toBe(false);
  expect(isOpen(request, at('2026-06-15T09:30Z') - 1)).toBe(false);
});

test('a time far away is answered like any other', () => {
  expect(isOpen(aSlotRequest(), at('9999-06-15T09:30Z'))).toBe(true);
  expect(isOpen(aSlotRequest({ now: at('-000001-01-01T00:00Z') }), at('0000-06-15T09:30Z'))).toBe(true);
});
