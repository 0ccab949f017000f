import { encodeCursor, pageRequest } from '../src/core/page.ts';
import { type Em, rows, sql } from '../src/database/sql.ts';
import { findBooking } from '../src/modules/bookings/booking.queries.ts';
import {
  BOOKING_SORT_KEYS,
  type BookingSortKey,
  findHostBooking,
  listHostBookings,
} from '../src/modules/bookings/host-booking.queries.ts';
import { listSlots } from '../src/modules/bookings/slot.queries.ts';
import type { BookableEventType } from '../src/modules/event-types/event-type-rules.queries.ts';
import { connect } from '../src/persistence/connect.ts';
import { eventTypeOf, newHosts } from '../test/modules/bookings/support/booked-hosts.ts';
import { fillBookings, nodesOf, plansOf, wholeReads } from '../test/modules/bookings/support/many-bookings.ts';
import { onServer, postgresSettings } from '../test/support/settings.ts';
import { cpuMicroseconds, interleaved, wallMicroseconds } from './measure.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const MOST_RATIO = 1.2;
// Short rounds: what the machine does besides then falls on both alike.
const ROUNDS = 301;
const CALLS = 2;
const WARM_UP = 30;

/** One host with so many bookings, up to three weeks ahead. */
interface House {
  readonly em: Em;
  readonly hostId: string;
  readonly eventType: BookableEventType;
  readonly uid: string;
  /** Where the middle of its list is. */
  readonly middle: string;
  close(): Promise<void>;
}

type Question = (house: House) => Promise<unknown>;

const QUESTIONS: Readonly<Record<string, Question>> = {
  ...Object.fromEntries(BOOKING_SORT_KEYS.map((by) => [`first page by ${by}`, page(by, () => ({ first: 25 }))])),
  'last page': page('START', () => ({ last: 25 })),
  'page in the middle': page('START', ({ middle }) => ({ first: 25, after: encodeCursor([middle, 'bkg']) })),
  'look-up by uid': ({ em, uid }) => findBooking(em, uid),
  'look-up as host': ({ em, hostId, uid }) => findHostBooking(em, hostId, uid),
  'a month of slots': monthOfSlots,
};

/** What lists, look-ups and slots of a host cost with a thousand bookings and with a million, and by which indexes. */
export async function benchBookings(serverUrl: string): Promise<void> {
  const few = await openHouse(serverUrl, FEW);
  const many = await openHouse(serverUrl, MANY);
  try {
    console.log(`Bookings of a host, µs a call: ${FEW} and ${MANY} (ratio at most ${MOST_RATIO})`);
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      for (let call = 0; call < WARM_UP; call += 1) await Promise.all([ask(few), ask(many)]);
      const loads = [() => ask(many), () => ask(few)] as const;
      const { first, second, ratio } = await interleaved(ROUNDS, CALLS, loads, wallMicroseconds);
      console.log(`  ${name.padEnd(24)} ${second.toFixed(0)}, ${first.toFixed(0)}: ratio ${ratio.toFixed(2)}`);
      console.log(`    ${await indexesOf(many, ask)}`);
    }
    const cpu = (await cpuMicroseconds(50, () => monthOfSlots(many))) / 1_000;
    console.log(`  CPU of a month of slots with ${MANY} bookings: ${cpu.toFixed(1)} ms (at most 20)`);
  } finally {
    await few.close();
    await many.close();
  }
}

async function openHouse(serverUrl: string, count: number): Promise<House> {
  const name = `gatehouse_bench_${process.pid}_${count}`;
  await onServer(serverUrl, `create database ${name}`);
  const database = await connect(postgresSettings(serverUrl, name));
  const em = database.em.fork();
  const [hostId = ''] = await newHosts(em, 1);
  const eventType = eventTypeOf([hostId], { rules: { bookingLimits: { month: { count: 1_000_000 } } } });
  const newest = Temporal.Now.instant()
    .round({ smallestUnit: 'hour', roundingMode: 'floor' })
    .add({ hours: 21 * 24 });
  await fillBookings(em, { hostId, eventTypeId: eventType.id, count, newest: newest.toString() });
  await rows(em, sql`vacuum analyze`);
  return {
    em,
    hostId,
    eventType,
    uid: `bkg_u${hostId.slice(4)}${String(count / 2).padStart(42, '0')}`,
    middle: newest.subtract({ minutes: 15 * count }).toString(),
    close: async () => {
      await database.close();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

function page(by: BookingSortKey, arguments_: (house: House) => Parameters<typeof pageRequest>[0]): Question {
  return (house) => {
    const order = { by, isDescending: false };
    return listHostBookings(house.em, house.hostId, {}, order, pageRequest(arguments_(house), 2));
  };
}

async function monthOfSlots({ em, eventType }: House): Promise<unknown> {
  const start = Temporal.Now.instant();
  return listSlots(em, eventType, {
    start,
    end: start.add({ hours: 30 * 24 }),
    timeZone: 'UTC',
    lengthInMinutes: null,
    rescheduledUid: null,
  });
}

/** By what each table is read. */
async function indexesOf(house: House, ask: Question): Promise<string> {
  const plans = await plansOf(house.em, (em) => ask({ ...house, em }));
  const whole = wholeReads(plans);
  const indexes = nodesOf(plans).map((node) => node['Index Name']);
  const used = [...new Set(indexes.filter((index) => index !== undefined))];
  return whole.length > 0 ? `READS WHOLE: ${whole.join(', ')}` : `by ${used.join(', ')}`;
}
