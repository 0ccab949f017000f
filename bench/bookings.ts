import { type PageArguments, pageRequest } from '../src/core/page.ts';
import type { Em } from '../src/database/sql.ts';
import { findBooking } from '../src/modules/bookings/booking.queries.ts';
import type { BookingFilter, BookingOrder } from '../src/modules/bookings/lists/booking-list.rules.ts';
import { WHOLE_BOOKING } from '../src/modules/bookings/lists/booking-parts.queries.ts';
import { bookingPages, findListed } from '../src/modules/bookings/lists/list-bookings.queries.ts';
import { listSlots } from '../src/modules/bookings/slots/availability.ts';
import { eventTypeOf } from '../test/modules/bookings/support/booked-hosts.ts';
import { FILTERS, ORDERS, pagesOf } from '../test/modules/bookings/support/booking-questions.ts';
import { type BusyHost, fillBookings } from '../test/modules/bookings/support/many-bookings.ts';
import { costOf } from '../test/support/plans.ts';
import { openFilled } from './filled.ts';
import { cpuMicroseconds, interleaved, wallMicroseconds } from './measure.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const MOST_RATIO = 1.2;
// Short rounds: what the machine does besides then falls on both alike.
const ROUNDS = 101;
const CALLS = 2;
/** Questions that take longer than so many microseconds are asked less often. */
const SLOW = 20_000;

interface House {
  readonly em: Em;
  readonly host: Awaited<ReturnType<typeof fillBookings>>;
  close(): Promise<void>;
}

type Question = (house: House) => Promise<unknown>;

const BY_START: BookingOrder = { by: 'START', isDescending: false };
const LAST_CHANGED: BookingOrder = { by: 'UPDATED_AT', isDescending: true };

const QUESTIONS: Readonly<Record<string, Question>> = {
  ...Object.fromEntries(
    Object.entries(FILTERS).flatMap(([name, of]) => [
      [`narrowed by ${name}, by start`, page(of, BY_START, () => ({ first: 25 }))],
      [`narrowed by ${name}, last changed`, page(of, LAST_CHANGED, () => ({ first: 25 }))],
    ]),
  ),
  'page in the middle': page(
    () => ({}),
    BY_START,
    (host) => pagesOf(host)['middle'] ?? {},
  ),
  'last page': page(
    () => ({}),
    BY_START,
    () => ({ last: 25 }),
  ),
  'look-up by uid': ({ em, host }) => findBooking(em, host.booking),
  'look-up as host': ({ em, host }) =>
    findListed(em, { level: 'user' }, [{ parentId: host.hostId, ...host.booking }], WHOLE_BOOKING),
  'a month of slots': monthOfSlots,
};

/**
 * Measures lists, look-ups and slots of a busy host among a thousand bookings and among a million, and by which indexes
 * they run.
 */
export async function benchBookings(serverUrl: string): Promise<void> {
  const few = await openHouse(serverUrl, FEW);
  const many = await openHouse(serverUrl, MANY);
  try {
    console.log(`Bookings, six of ten of one host, µs a call: ${FEW} and ${MANY} (ratio at most ${MOST_RATIO})`);
    for (const [name, ask] of Object.entries(QUESTIONS)) await compare(name, ask, few, many);
    await explain(many);
    const cpu = (await cpuMicroseconds(50, () => monthOfSlots(many))) / 1_000;
    console.log(`  CPU of a month of slots with ${MANY} bookings: ${cpu.toFixed(1)} ms (at most 20)`);
  } finally {
    await few.close();
    await many.close();
  }
}

async function compare(name: string, ask: Question, few: House, many: House): Promise<void> {
  const loads = [() => ask(many), () => ask(few)] as const;
  const once = await wallMicroseconds(CALLS, loads[0]);
  const rounds = once > SLOW ? 5 : ROUNDS;
  const { first, second, ratio } = await interleaved(rounds, CALLS, loads, wallMicroseconds);
  const cost = await costOf(many.em, 'force_custom_plan', (em) => ask({ ...many, em }));
  const by = cost.whole.length > 0 ? `READS WHOLE: ${cost.whole.join(', ')}` : `by ${cost.indexes.join(', ')}`;
  console.log(`  ${name.padEnd(64)} ${second.toFixed(0)}, ${first.toFixed(0)}: ratio ${ratio.toFixed(2)}`);
  console.log(`    ${cost.buffers} pages of the database, ${cost.removed} rows not wanted; ${by}`);
}

/** Every filter in every order: the first page, by which indexes, and for how long. */
async function explain({ em, host }: House): Promise<void> {
  console.log(`Plans of the first page among ${MANY} bookings: pages of the database, milliseconds, indexes`);
  for (const [name, of] of Object.entries(FILTERS)) {
    for (const order of ORDERS) {
      const ask = page(of, order, () => ({ first: 25 }));
      const { buffers, milliseconds, whole, indexes } = await costOf(em, 'force_custom_plan', (inner) =>
        ask({ em: inner, host, close }),
      );
      const by =
        whole.length > 0
          ? `READS WHOLE: ${whole.join(', ')}`
          : indexes.filter((index) => LISTED.test(index)).join(', ');
      const sorted = `${order.by}${order.isDescending ? ', descending' : ''}`;
      console.log(
        `  ${name.padEnd(46)} ${sorted.padEnd(20)} ${String(buffers).padStart(8)} ${milliseconds.toFixed(1).padStart(8)}  ${by}`,
      );
    }
  }
}

/** Beside those by which the bookings of a page are read. */
const LISTED = /^booking_(?:hosts|attendees)_(?!pkey)|^booking_hosts_pkey/;
const close = async (): Promise<void> => undefined;

async function openHouse(serverUrl: string, count: number): Promise<House> {
  const {
    em,
    what: host,
    close,
  } = await openFilled(serverUrl, `bookings_${count}`, (inner) => fillBookings(inner, count));
  return { em, host, close };
}

function page(
  filterOf: (host: BusyHost) => BookingFilter,
  order: BookingOrder,
  argumentsOf: (host: BusyHost) => PageArguments,
): Question {
  return ({ em, host }) =>
    bookingPages(
      em,
      { level: 'user' },
      [host.hostId],
      filterOf(host),
      order,
      pageRequest(argumentsOf(host), ['TIME', 'UUID']),
      WHOLE_BOOKING,
    );
}

async function monthOfSlots({ em, host }: House): Promise<unknown> {
  const start = Temporal.Now.instant();
  const limit = { maxBookings: 1_000_000 };
  const bookingLimits = { day: limit, week: limit, month: limit, year: limit };
  const eventType = eventTypeOf([host.hostId], { id: host.eventType.id, rules: { bookingLimits } });
  const end = start.add({ hours: 30 * 24 });
  return listSlots(em, eventType, { start, end, timeZone: 'UTC', durationInMinutes: null, rescheduled: null });
}
