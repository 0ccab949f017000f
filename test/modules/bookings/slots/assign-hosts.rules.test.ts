import { describe, expect, test } from 'vitest';
import { nextInTurn } from '../../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import type { Host } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { at, between } from '../../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from '../support/a-slot-request.ts';
import { assignHosts } from '../support/at-once.ts';

const NINE = at('2026-06-15T09:00Z');
const hosts = (...changes: Partial<Host>[]) =>
  changes.map((change, index) => aHost({ userId: 'abc'[index] ?? '?', ...change }));

describe('it is the turn of', () => {
  test.each<[string, Partial<Host>[], string]>([
    [
      'the host with the highest priority',
      [{ priority: 1 }, { priority: 3, lastBookedAt: NINE }, { priority: 2 }],
      'b',
    ],
    ['the host who was booked least recently', [{ lastBookedAt: 3 }, { lastBookedAt: 1 }, { lastBookedAt: 2 }], 'b'],
    ['the host who was never booked', [{ lastBookedAt: 1 }, {}, { lastBookedAt: 2 }], 'b'],
    ['the heaviest weight, with nothing booked', [{ weight: 100 }, { weight: 300 }, { weight: 200 }], 'b'],
    [
      'the host who is furthest behind their share',
      [
        { weight: 100, bookingCount: 1 },
        { weight: 300, bookingCount: 2 },
      ],
      'b',
    ],
    [
      'the host who is furthest behind, although booked last',
      [
        { weight: 200, lastBookedAt: 9 },
        { weight: 100, bookingCount: 1 },
      ],
      'a',
    ],
    [
      'the host who was booked least recently, when shares are even',
      [
        { weight: 100, bookingCount: 0, lastBookedAt: 2 },
        { weight: 200, bookingCount: 1, lastBookedAt: 1 },
      ],
      'b',
    ],
    [
      'the host who was booked least recently, when weights are equal, whatever was booked before',
      [
        { bookingCount: 9, lastBookedAt: 1 },
        { bookingCount: 0, lastBookedAt: 2 },
      ],
      'a',
    ],
    ['the first id, when nothing tells them apart', [{ userId: 'z' }, { userId: 'y' }], 'y'],
  ])('%s', (_, changes, expected) => {
    expect(nextInTurn(hosts(...changes))?.userId).toBe(expected);
    expect(nextInTurn(hosts(...changes).toReversed())?.userId).toBe(expected);
  });

  test('the host who is furthest behind, also while those of another weight are away', () => {
    const [a, b, c] = hosts(
      { weight: 300, bookingCount: 9, lastBookedAt: 1 },
      { weight: 300, bookingCount: 2, lastBookedAt: 2 },
      { weight: 100 },
    ) as [Host, Host, Host];
    expect(nextInTurn([a, b], [a, b, c])?.userId).toBe('b');
    const away = { ...c, outOfOffice: [between('2026-06-15T00:00Z/2026-06-16T00:00Z')] };
    const request = aSlotRequest({ eventType: { schedulingType: 'ROUND_ROBIN' }, hosts: [a, b, away] });
    expect(assignHosts(request, NINE)?.hostIds).toEqual(['b']);
    // Those of another priority take no turns with them.
    expect(nextInTurn([a, b], [a, b, { ...c, priority: 1 }])?.userId).toBe('a');
  });

  test('nobody among nobody', () => {
    expect(nextInTurn([])).toBeUndefined();
  });
});

test('bookings follow the weights over time', () => {
  let pool = hosts({ weight: 100 }, { weight: 300 }, { weight: 200 });
  for (let turn = 0; turn < 60; turn += 1) {
    const chosen = nextInTurn(pool);
    pool = pool.map((host) =>
      host === chosen ? { ...host, bookingCount: host.bookingCount + 1, lastBookedAt: turn } : host,
    );
  }
  expect(pool.map(({ bookingCount }) => bookingCount)).toEqual([10, 30, 20]);
});

describe('a booking is attended by', () => {
  const busy = { busy: [between('2026-06-15T09:00Z/2026-06-15T10:00Z')] };
  const roundRobin = { schedulingType: 'ROUND_ROBIN' } as const;

  test.each<[string, Parameters<typeof aSlotRequest>[0], string | undefined]>([
    ['its only host', {}, 'ada'],
    ['everybody', { eventType: { schedulingType: 'COLLECTIVE' }, hosts: hosts({}, {}) }, 'a b'],
    [
      'nobody when one of all is busy',
      { eventType: { schedulingType: 'COLLECTIVE' }, hosts: hosts({}, busy) },
      undefined,
    ],
    ['one in turn', { eventType: roundRobin, hosts: hosts({ lastBookedAt: 2 }, { lastBookedAt: 1 }) }, 'b'],
    [
      'one in turn who has time',
      { eventType: roundRobin, hosts: hosts({ lastBookedAt: 2 }, { lastBookedAt: 1, ...busy }) },
      'a',
    ],
    [
      'a lower priority when the higher is busy',
      { eventType: roundRobin, hosts: hosts({ priority: 0 }, { priority: 4, ...busy }) },
      'a',
    ],
    [
      'the mandatory hosts and one in turn',
      { eventType: roundRobin, hosts: hosts({ isMandatory: true }, {}, { isMandatory: true }) },
      'a c b',
    ],
    [
      'nobody when a mandatory host is busy',
      { eventType: roundRobin, hosts: hosts({ isMandatory: true, ...busy }, {}) },
      undefined,
    ],
    [
      'nobody when only mandatory hosts have time',
      { eventType: roundRobin, hosts: hosts({ isMandatory: true }, busy) },
      undefined,
    ],
  ])('%s', (_, changes, expected) => {
    expect(assignHosts(aSlotRequest(changes), NINE)?.hostIds.join(' ')).toBe(expected);
  });

  test('the hosts that it had, when it is moved and they have time', () => {
    const replaces = { id: 'old', hostIds: ['b'], ...between('2026-06-14T09:00Z/2026-06-14T09:30Z') };
    const pool = hosts({ lastBookedAt: 1 }, { lastBookedAt: 2 });
    const moved = aSlotRequest({ eventType: roundRobin, hosts: pool, replaces });
    expect(assignHosts(moved, NINE)?.hostIds).toEqual(['b']);
    const [first, second] = pool;
    if (!first || !second) throw new Error('The pool is empty.');
    expect(assignHosts({ ...moved, hosts: [first, { ...second, ...busy }] }, NINE)?.hostIds).toEqual(['a']);
  });

  test('the hosts of the booking whose seat it takes', () => {
    const time = between('2026-06-15T09:00Z/2026-06-15T09:30Z');
    const request = aSlotRequest({
      eventType: { ...roundRobin, seats: { perSlot: 2, showsAttendees: false } },
      hosts: hosts({}, { occupied: [time] }),
      seated: [{ id: 'session', hostIds: ['b'], perSlot: 2, taken: 1, ...time }],
    });
    expect(assignHosts(request, NINE)).toEqual({ ...time, hostIds: ['b'], joins: 'session' });
    expect(assignHosts({ ...request, seated: [] }, NINE)).toEqual({ ...time, hostIds: ['a'], joins: null });
  });
});
