import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId, timeOfId } from '../../../../src/core/id.ts';
import {
  encodeCursor,
  type Page,
  type PageArguments,
  type PageRequest,
  pageRequest,
} from '../../../../src/core/page.ts';
import { Selection } from '../../../../src/database/columns.ts';
import { rows, sql } from '../../../../src/database/sql.ts';
import { Booking } from '../../../../src/modules/bookings/booking.entity.ts';
import { BOOKING_STATUSES } from '../../../../src/modules/bookings/booking-transitions.rules.ts';
import type { BookingFilter, BookingOrder } from '../../../../src/modules/bookings/lists/booking-list.rules.ts';
import { bookingPages, type ListedBooking } from '../../../../src/modules/bookings/lists/list-bookings.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { idMadeAt } from '../../../support/ids.ts';
import { newHosts, times } from '../support/booked-hosts.ts';
import { ORDERS } from '../support/booking-questions.ts';

const COUNT = 120;
const MINUTE = 60_000;
const FIRST = Date.parse('2030-01-01T00:00:00Z');

interface Made {
  readonly id: string;
  readonly eventTypeId: string;
  readonly status: string;
  readonly START: number;
  readonly END: number;
  readonly UPDATED_AT: number;
  readonly CREATED_AT: number;
}

let database: TestDatabase;
let hostId: string;
let made: readonly Made[];
let eventTypeIds: readonly string[];
beforeAll(async () => {
  database = await openTestDatabase();
  const em = database.em.fork();
  [hostId = ''] = await newHosts(em, 1);
  eventTypeIds = [newId(), newId(), newId()];
  // Long ones over short ones, many of the same start or end, in no order of their ids.
  // Each of a millisecond of its own, in which it is told by its creation.
  const now = Date.now();
  made = times(COUNT, (n): Made => {
    const id = idMadeAt(now + n);
    const start = FIRST + ((n * 37) % 60) * 45 * MINUTE;
    const length = [15, 30, 60, 240, 1_440][n % 5] ?? 0;
    return {
      id,
      eventTypeId: eventTypeIds[n % 7 === 0 ? 2 : n % 2] ?? '',
      status: BOOKING_STATUSES[n % 4] ?? '',
      START: start,
      END: start + length * MINUTE,
      UPDATED_AT: FIRST + ((n * 53) % 40) * MINUTE,
      CREATED_AT: timeOfId(id),
    };
  });
  const stored = JSON.stringify(made);
  await rows(
    em,
    sql`insert into bookings (owner_id, id, user_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id,
          created_at, updated_at)
        select ${hostId}::uuid, (m->>'id')::uuid, ${hostId}::uuid, (m->>'eventTypeId')::uuid, 'Talk', m->>'status', ${instant('START')},
          ${instant('END')}, array[${hostId}::uuid], (m->>'id')::uuid, ${instant('CREATED_AT')}, ${instant('UPDATED_AT')}
        from jsonb_array_elements(${stored}::jsonb) m`,
  );
  await rows(
    em,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, event_type_id, status, starts_at, ends_at, updated_at, absent)
        select user_id, id, owner_id, event_type_id, status, starts_at, ends_at, updated_at, false from bookings`,
  );
  await rows(
    em,
    sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone, absent)
        select owner_id, id, id, starts_at, 'N', 'A@example.test', 'UTC', false from bookings`,
  );
});
afterAll(() => database.close());

const FILTERS: Readonly<Record<string, () => [BookingFilter, (one: Made) => boolean]>> = {
  nothing: () => [{}, () => true],
  'two statuses': () => [
    { statuses: ['PENDING', 'CANCELLED'] },
    ({ status }) => status === 'PENDING' || status === 'CANCELLED',
  ],
  'an event type': () => [
    { eventTypeIds: [{ ownerId: hostId, id: eventTypeIds[2] ?? '' }] },
    ({ eventTypeId }) => eventTypeId === eventTypeIds[2],
  ],
  'its end': () => [
    { end: { from: at(FIRST + 600 * MINUTE), to: at(FIRST + 2_000 * MINUTE) } },
    ({ END }) => END >= FIRST + 600 * MINUTE && END < FIRST + 2_000 * MINUTE,
  ],
  'its creation': () => [
    { createdAt: { from: at(made[20]?.CREATED_AT ?? 0), to: at(made[90]?.CREATED_AT ?? 0) } },
    ({ CREATED_AT }) => CREATED_AT >= (made[20]?.CREATED_AT ?? 0) && CREATED_AT < (made[90]?.CREATED_AT ?? 0),
  ],
  'its attendee': () => [{ attendeeEmail: 'a@EXAMPLE.test' }, () => true],
};

describe.each(Object.keys(FILTERS))('a list narrowed by %s', (name) => {
  test.each(ORDERS)('page by page, both ways, is all of it in its order: $by, $isDescending', async (order) => {
    const [filter, isMeant] = FILTERS[name]?.() ?? [{}, () => true];
    const expected = made
      .filter(isMeant)
      .toSorted((a, b) => a[order.by] - b[order.by] || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);
    if (order.isDescending) expected.reverse();
    for (const list of [alone, withOthers]) {
      expect(await allPages(list, filter, order, 'first')).toEqual(expected);
      expect(await allPages(list, filter, order, 'last')).toEqual(expected.toReversed());
    }
  });
});

/** SQL: a time of `m`. */
function instant(name: string) {
  return sql`to_timestamp((m->>${name})::bigint / 1000.0)`;
}

function at(epochMilliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
}

type List = (filter: BookingFilter, order: BookingOrder, request: PageRequest) => Promise<Page<ListedBooking>>;

const SELECTION = new Selection(Booking, ['id']);

const alone: List = (filter, order, request) => pageOf([hostId], filter, order, request);

const withOthers: List = (filter, order, request) => pageOf([newUserId(), hostId], filter, order, request);

/** The page of the last of these hosts; the others have none. */
async function pageOf(hosts: readonly string[], ...question: Parameters<List>): Promise<Page<ListedBooking>> {
  const pages = await bookingPages(database.em.fork(), { level: 'user' }, hosts, ...question, SELECTION);
  const [page, ...nobodys] = hosts.map((id) => pages.get(id)).toReversed();
  expect(nobodys.flatMap((one) => one?.rows)).toEqual([]);
  if (!page) throw new Error('There is no page.');
  return page;
}

/** The ids of all pages, in the order in which they are read. */
async function allPages(
  list: List,
  filter: BookingFilter,
  order: BookingOrder,
  end: 'first' | 'last',
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page: PageArguments = end === 'first' ? { first: 7, after: cursor } : { last: 7, before: cursor };
    const found = await list(filter, order, pageRequest(page, ['TIME', 'UUID']));
    const read = end === 'first' ? found.rows : found.rows.toReversed();
    ids.push(...read.map(({ id }) => id));
    const last = read.at(-1);
    if (!last || !(end === 'first' ? found.hasNextPage : found.hasPreviousPage)) return ids;
    cursor = encodeCursor([last.sortTime, last.id]);
  }
}
