import type { KyselyPlugin, RootOperationNode } from 'kysely';
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

const BOOKINGS = 100_000;
const BIG_TABLES = ['bookings', 'booking_hosts', 'booking_attendees', 'occupied_times'];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

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
      for (const id of hosts) await fill(em, id, eventType.id);
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
          expect(nodes(plans).filter((node) => node['Relation Name'] === 'booking_hosts')[0]?.['Node Type']).toMatch(
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
      expect(plans).toHaveLength(3);
      expect(wholeReads(plans)).toEqual([]);
    });

    test('nothing else: this check finds a table that is read whole', async () => {
      const plans = await plansOf((em) => rows(em, sql`select * from bookings where title = 'x'`));
      expect(wholeReads(plans)).toEqual(['bookings']);
    });

    /** The plans of every statement that `run` sends; none of them is carried out but the database's clock. */
    async function plansOf(run: (em: Em) => Promise<unknown>): Promise<PlanNode[]> {
      const em = database.em.fork();
      const plans: PlanNode[] = [];
      const kysely = em.getKysely().withPlugin(explaining(plans));
      em.getKysely = (() => kysely) as unknown as typeof em.getKysely;
      await run(em);
      return plans;
    }
  },
);

function explaining(plans: PlanNode[]): KyselyPlugin {
  return {
    transformQuery: ({ node }): RootOperationNode => {
      if (node.kind !== 'RawNode' || node.sqlFragments.at(-1) === ' as now') return node;
      const [first = '', ...rest] = node.sqlFragments;
      return { ...node, sqlFragments: [`explain (format json) ${first}`, ...rest] };
    },
    transformResult: async ({ result }) => {
      const explained = (result.rows as { 'QUERY PLAN'?: readonly { Plan: PlanNode }[] }[])[0]?.['QUERY PLAN'];
      if (!explained) return result;
      plans.push(...explained.map(({ Plan }) => Plan));
      return { rows: [] };
    },
  };
}

function nodes(plans: readonly PlanNode[]): PlanNode[] {
  return plans.flatMap((plan) => [plan, ...nodes(plan.Plans ?? [])]);
}

function wholeReads(plans: readonly PlanNode[]): string[] {
  return nodes(plans)
    .filter((node) => node['Node Type'].includes('Seq Scan'))
    .map((node) => node['Relation Name'] ?? '')
    .filter((table) => BIG_TABLES.includes(table));
}

/** Half-hours one after the other into the past, each with an attendee. */
async function fill(em: Em, hostId: string, eventTypeId: string): Promise<void> {
  const numbered = sql`generate_series(1, ${BOOKINGS}::int) n`;
  const uid = sql`'bkg_u' || ${hostId.slice(4)} || lpad(n::text, 42, '0')`;
  const start = sql`date_trunc('hour', now()) - n * interval '30 minutes'`;
  const end = sql`date_trunc('hour', now()) - n * interval '30 minutes' + interval '30 minutes'`;
  await rows(
    em,
    sql`insert into bookings (owner_id, uid, user_id, event_type_id, title, status, starts_at, ends_at, host_ids,
          guest_emails, metadata, ics_uid, created_at, updated_at)
        select ${hostId}, ${uid}, ${hostId}, ${eventTypeId}, 'Talk', case n % 3 when 0 then 'CANCELLED' else 'ACCEPTED' end,
          ${start}, ${end}, array[${hostId}], '{}', '{}', n::text, ${start}, ${start} from ${numbered}`,
  );
  await rows(
    em,
    sql`insert into booking_hosts (user_id, booking_uid, owner_id, event_type_id, status, starts_at, ends_at, absent,
          created_at, updated_at)
        select ${hostId}, ${uid}, ${hostId}, ${eventTypeId}, case n % 3 when 0 then 'CANCELLED' else 'ACCEPTED' end,
          ${start}, ${end}, false, ${start}, ${start} from ${numbered}`,
  );
  await rows(
    em,
    sql`insert into booking_attendees (owner_id, booking_uid, id, name, email, time_zone, responses, absent, created_at)
        select ${hostId}, ${uid}, 'att', 'N', 'n' || n || '@example.test', 'UTC', '{}', false, ${start} from ${numbered}`,
  );
  await rows(
    em,
    sql`insert into occupied_times (host_id, holder_id, during)
        select ${hostId}, ${uid}, tstzrange(${start}, ${end}) from ${numbered} where n % 3 > 0`,
  );
}
