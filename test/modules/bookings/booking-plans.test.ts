import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeCursor, pageRequest } from '../../../src/core/page.ts';
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import { findBooking } from '../../../src/modules/bookings/booking.queries.ts';
import {
  BOOKING_SORT_KEYS,
  type BookingFilter,
  findHostBooking,
  listHostBookings,
} from '../../../src/modules/bookings/host-booking.queries.ts';
import { listSlots } from '../../../src/modules/bookings/slot.queries.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { book, eventTypeOf, newHosts, slotOn } from './support/booked-hosts.ts';
import { fillBookings, nodesOf, plansOf as plansIn, wholeReads } from './support/many-bookings.ts';

const BOOKINGS = 100_000;

// The planner of the embedded database is the same, but filling it takes a minute.
describe.runIf(isOnPostgres)(
  `with ${BOOKINGS} bookings of a host, an index is used and no table is read whole for`,
  () => {
    let database: TestDatabase;
    let hostId: string;
    let eventType: ReturnType<typeof eventTypeOf>;
    let uid: string;

    beforeAll(async () => {
      database = await openTestDatabase();
      const em = database.em.fork();
      const hosts = await newHosts(em, 2);
      hostId = hosts[0] ?? '';
      eventType = eventTypeOf([hostId], {
        rules: { bookingLimits: { month: { count: 1_000_000 } }, seats: { perSlot: 2, showAttendees: false } },
      });
      ({ uid } = await book(em, eventType, slotOn(0, '09:00')));
      const newest = Temporal.Now.instant().round({ smallestUnit: 'hour', roundingMode: 'floor' }).toString();
      for (const id of hosts) {
        await fillBookings(em, { hostId: id, eventTypeId: eventType.id, count: BOOKINGS, newest });
      }
      await rows(em, sql`analyze`);
    }, 120_000);
    afterAll(() => database?.close());

    test.each(BOOKING_SORT_KEYS)('a page of the list by %s, from the start, the middle and the end', async (by) => {
      const cursor = encodeCursor([
        Temporal.Now.instant().subtract({ hours: 20_000 }).round('second').toString(),
        'bkg',
      ]);
      for (const page of [{ first: 25 }, { first: 25, after: cursor }, { last: 25 }]) {
        for (const isDescending of [false, true]) {
          const plans = await plansOf((em) =>
            listHostBookings(em, hostId, {}, { by, isDescending }, pageRequest(page, 2)),
          );
          expect(wholeReads(plans)).toEqual([]);
          // The page comes from its index in order: nothing but the page itself is sorted.
          expect(nodesOf(plans).filter((node) => node['Relation Name'] === 'booking_hosts')[0]?.['Node Type']).toMatch(
            /Index/,
          );
        }
      }
    });

    test.each<[string, BookingFilter]>([
      ['status', { status: ['ACCEPTED'] }],
      ['attendee', { attendeeEmail: 'n77@example.test' }],
      [
        'start',
        {
          start: {
            from: Temporal.Instant.from('2020-01-01T00:00:00Z'),
            to: Temporal.Instant.from('2030-01-01T00:00:00Z'),
          },
        },
      ],
      ['creation', { created: { from: Temporal.Instant.from('2020-01-01T00:00:00Z') } }],
    ])('the list narrowed by %s', async (_, filter) => {
      const order = { by: 'START', isDescending: false } as const;
      const plans = await plansOf((em) => listHostBookings(em, hostId, filter, order, pageRequest({}, 2)));
      expect(wholeReads(plans)).toEqual([]);
    });

    test('a look-up by uid, by seat, and as host', async () => {
      expect(wholeReads(await plansOf((em) => findBooking(em, uid)))).toEqual([]);
      expect(wholeReads(await plansOf((em) => findBooking(em, uid.replace('sea', 'bkg'))))).toEqual([]);
      expect(wholeReads(await plansOf((em) => findHostBooking(em, hostId, uid)))).toEqual([]);
    });

    test('slots, with limits to count and seats to find', async () => {
      const plans = await plansOf((em) =>
        listSlots(em, eventType, {
          start: slotOn(0, '00:00'),
          end: slotOn(28, '00:00'),
          timeZone: 'UTC',
          lengthInMinutes: null,
          rescheduledUid: null,
        }),
      );
      expect(plans).toHaveLength(2);
      expect(wholeReads(plans)).toEqual([]);
    });

    test('nothing else: this check finds a table that is read whole', async () => {
      const plans = await plansOf((em) => rows(em, sql`select * from bookings where title = 'x'`));
      expect(wholeReads(plans)).toEqual(['bookings']);
    });

    const plansOf = (run: (em: Em) => Promise<unknown>) => plansIn(database.em, run);
  },
);
