import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageRequest } from '../../../src/core/page.ts';
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import { findBooking } from '../../../src/modules/bookings/booking.queries.ts';
import {
  findConferencingSessions,
  findRecordings,
  findReferences,
  findTranscripts,
} from '../../../src/modules/bookings/conferencing/booking-media.queries.ts';
import {
  type BookingFilter,
  type BookingOrder,
  rangesBeside,
  rangesOf,
} from '../../../src/modules/bookings/lists/booking-list.rules.ts';
import { WHOLE_BOOKING } from '../../../src/modules/bookings/lists/booking-parts.queries.ts';
import { bookingPages, findListed } from '../../../src/modules/bookings/lists/list-bookings.queries.ts';
import { listSlots } from '../../../src/modules/bookings/slots/availability.ts';
import { findHostedEventTypes } from '../../../src/screens/hosting/bookings.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { paced } from '../../support/pace.ts';
import { type Cost, costOf, PLAN_MODES } from '../../support/plans.ts';
import { eventTypeOf, slotOn } from './support/booked-hosts.ts';
import { FILTERS, ORDERS, pagesOf } from './support/booking-questions.ts';
import { ATTENDEES, fillBookings } from './support/many-bookings.ts';

const BOOKINGS = 50_000;
/** Pages of 8 kB that a page of 25 bookings may look at, with everything that is shown of them. */
const PAGE = 1_500;
/** The same along an index of the host's bookings that holds what is filtered by, from one end to the other, twice for the end. */
const WALK = 2_500;
/** The same where a thousand bookings are read and sorted. */
const FEW = 8_000;

// The planner of the embedded database is the same, but filling it takes a minute.
describe.runIf(isOnPostgres)(`with ${BOOKINGS} bookings, six of ten those of one host,`, () => {
  let database: TestDatabase;
  let host: Awaited<ReturnType<typeof fillBookings>>;

  beforeAll(async () => {
    database = await openTestDatabase();
    const em = database.em.fork();
    host = await em.transactional((inner) => fillBookings(inner, BOOKINGS));
    // Index-only scans need to know which pages everybody sees.
    await rows(em, sql`vacuum analyze`);
  }, paced(120_000));
  afterAll(() => database?.close());

  test.each(Object.entries(FILTERS))('every page of the list narrowed by %s costs as much as a page', async (_, of) => {
    const filter = of(host);
    const tooMuch: string[] = [];
    for (const order of ORDERS) {
      for (const [name, page] of Object.entries(pagesOf(host))) {
        const request = pageRequest(page, ['TIME', 'UUID']);
        const ask = (em: Em) =>
          bookingPages(em, { level: 'user' }, [host.hostId], filter, order, request, WHOLE_BOOKING);
        for (const { whole, buffers, indexes } of await costsOf(ask)) {
          if (whole.length === 0 && buffers < mostBuffers(filter, order)) continue;
          tooMuch.push(
            `${name} page by ${JSON.stringify(order)}: ${buffers} pages by ${indexes.join()}, ${whole.join()}`,
          );
        }
      }
    }
    expect(tooMuch).toEqual([]);
  });

  // That page orders by the start alone.
  test.each([ATTENDEES.even, ATTENDEES.rare, 'nobody@example.test'])(
    'the lists of a host’s page, narrowed by an event type and by %s, cost as much as a page',
    async (attendeeEmail) => {
      const page = pageRequest({}, ['TIME', 'UUID']);
      for (const isDescending of [false, true]) {
        for (const eventType of [host.eventType, host.rareEventType]) {
          const end = isDescending ? { to: host.newest } : { from: host.oldest };
          const filter = { statuses: ['ACCEPTED', 'PENDING'], end, eventTypeIds: [eventType], attendeeEmail } as const;
          const order = { by: 'START', isDescending } as const;
          const ask = (em: Em) =>
            bookingPages(em, { level: 'user' }, [host.hostId], filter, order, page, WHOLE_BOOKING);
          for (const { whole, buffers } of await costsOf(ask)) {
            expect(whole).toEqual([]);
            expect(buffers).toBeLessThan(WALK);
          }
        }
      }
    },
  );

  test.each<[string, (em: Em) => Promise<unknown>]>([
    ['a look-up by uid', (em) => findBooking(em, host.booking)],
    ['a look-up by the uid of a seat', (em) => findBooking(em, { ...host.booking, isSeat: true })],
    [
      'a look-up as host',
      (em) => findListed(em, { level: 'user' }, [{ parentId: host.hostId, ...host.booking }], WHOLE_BOOKING),
    ],
    ['the event types of a host', (em) => findHostedEventTypes(em, host.hostId, host.eventType)],
    ['recordings', (em) => findRecordings(em, [host.booking])],
    ['transcripts', (em) => findTranscripts(em, [host.booking])],
    ['references', (em) => findReferences(em, [host.booking])],
    ['sessions', (em) => findConferencingSessions(em, [host.booking])],
  ])('%s reads a few pages', async (_, ask) => {
    for (const cost of await costsOf(ask)) {
      expect(cost.whole).toEqual([]);
      expect(cost.buffers).toBeLessThan(50);
    }
  });

  test('slots read what lies in their range, and for limits what lies in their periods', async () => {
    const limit = { maxBookings: 1_000_000 };
    const eventType = eventTypeOf([host.hostId], {
      id: host.eventType.id,
      rules: {
        bookingLimits: { day: limit, week: limit, month: limit, year: limit },
        seats: { perSlot: 2, showsAttendees: false },
      },
    });
    const [start, end] = [slotOn(0, '00:00'), slotOn(28, '00:00')];
    const asked = { start, end, timeZone: 'UTC', durationInMinutes: null, rescheduled: null };
    for (const cost of await costsOf((em) => listSlots(em, eventType, asked))) {
      expect(cost.whole).toEqual([]);
      // At most those in the range, which are looked through for seats, and in the four periods of the limits the tenth part of
      // what this user hosts through teams: those are passed over in an index.
      expect(cost.removed).toBeLessThan(28 * 48 + ((365 + 31 + 7 + 1) * 48 * 1.2) / 10);
    }
  });

  test('this check finds a table that is read whole, and rows that nobody wants', async () => {
    const [cost] = await costsOf((em) => rows(em, sql`select * from bookings where title = 'x'`));
    expect(cost?.whole).toEqual(['bookings']);
    expect(cost?.removed).toBe(BOOKINGS);
    expect(cost?.buffers).toBeGreaterThan(1_000);
  });

  const costsOf = async (ask: (em: Em) => Promise<unknown>): Promise<Cost[]> => {
    const costs: Cost[] = [];
    for (const mode of PLAN_MODES) costs.push(await costOf(database.em, mode, ask));
    return costs;
  };
});

/**
 * No index holds these in the order of the list: few rows are read and sorted; along many rows of another time, the
 * list is walked in an index that holds both times; for another host and for the last change of an attendee's bookings,
 * each is looked up.
 */
function mostBuffers(filter: BookingFilter, order: BookingOrder): number {
  if (filter.hostId != null) return 5 * BOOKINGS;
  const isWalkedInTable = order.by === 'CREATED_AT' || order.by === 'UPDATED_AT';
  if (isWalkedInTable && Object.keys(filter).length > 0 && filter.attendeeEmail == null) return BOOKINGS;
  if (filter.eventTypeIds != null || filter.teamId != null) return WALK;
  const attended = BOOKINGS / 10;
  if (filter.attendeeEmail != null)
    return PAGE + { START: 0, END: 7 * attended, CREATED_AT: attended, UPDATED_AT: 7 * attended }[order.by];
  return rangesBeside(order, rangesOf(filter)).length > 0 ? FEW : PAGE;
}
