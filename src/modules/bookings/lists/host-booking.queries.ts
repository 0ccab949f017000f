/**
 * lists/ shows hosts their bookings: filtered, sorted, a page at a time, always by an index of the host. It may import
 * no other room.
 */
import type { OwnedId } from '../../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../../core/page.ts';
import { byTime } from '../../../database/by-time.ts';
import type { RowOf } from '../../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../../database/each.ts';
import { pageLimit, pagesInPlace } from '../../../database/keyset.ts';
import { read } from '../../../database/read.ts';
import type { Selection } from '../../../database/selection.ts';
import { type Em, sql } from '../../../database/sql.ts';
import type { Booking } from '../booking.entity.ts';
import type { BookingStatus } from '../booking-transitions.rules.ts';
import { directionOf, hostRow, OF_HOST } from './booking-condition.queries.ts';
import { type BookingFilter, type BookingOrder, rangesOf } from './booking-list.rules.ts';
import { scanBookings } from './booking-scan.queries.ts';

/** A booking as far as it was selected. */
export type ShownBooking = RowOf<typeof Booking>;

/** A booking in a list, with the key of its place there. */
export type ListedBooking = ShownBooking & { readonly sortTime: string };

/** A page of the bookings of a host, through whichever event types. The request's key has two columns. @throws Problem BAD_INPUT */
export async function listHostBookings(
  em: Em,
  hostId: string,
  filter: BookingFilter,
  order: BookingOrder,
  request: PageRequest,
  selection: Selection<typeof Booking>,
): Promise<Page<ListedBooking>> {
  // Their own name leaves out nothing.
  const narrowed = filter.hostId === hostId ? { ...filter, hostId: null } : filter;
  const found = await scanBookings(em, { hostId, filter: narrowed, ranges: rangesOf(filter), order, request });
  const direction = directionOf(order, request);
  const selected = selection.with('ownerId', 'id');
  const fetched = await read(
    em,
    sql<ListedBooking>`
      select ${selected.from('b')}, page.sort_time as "sortTime"
      from (
        select found.booking_id, found.sort_time from ${found}
        order by found.sort_time ${direction}, found.booking_id ${direction} limit ${pageLimit(request)}
      ) page
      cross join lateral (
        select b.* from ${hostRow(hostId, sql`page.booking_id`)}
        join bookings b on b.owner_id = h.owner_id and b.id = h.booking_id limit 1
      ) b
      order by page.sort_time ${direction}, page.booking_id ${direction}`,
  );
  return cutPage(fetched, request);
}

/** Whether a filter and an order need no more than an index of the host that begins with the status. */
export function isAlongIndex({ by }: BookingOrder, { status, ...others }: BookingFilter): boolean {
  if (status?.length === 0 || (by !== 'START' && by !== 'UPDATED')) return false;
  return Object.values(others).every((value) => value == null);
}

/**
 * The same for several hosts at once, where `isAlongIndex`: one walk along the index for each status, which are merged as
 * they go, so that hardly more is read than is shown.
 */
export async function listAlongIndex(
  em: Em,
  hostIds: readonly string[],
  statuses: readonly BookingStatus[],
  order: BookingOrder,
  request: PageRequest,
  selection: Selection<typeof Booking>,
): Promise<Map<string, Page<ListedBooking>>> {
  const time = order.by === 'UPDATED' ? OF_HOST.UPDATED : OF_HOST.START;
  const { within, orderAndLimit } = byTime(
    order.isDescending ? 'NEWEST_FIRST' : 'OLDEST_FIRST',
    time,
    OF_HOST.id,
    request,
  );
  const direction = directionOf(order, request);
  const walks = statuses.map(
    (status) => sql`(
      select h.owner_id, h.booking_id, ${time} as sort_time from booking_hosts h
      where h.user_id = wanted.id and h.status = ${sql.lit(status)} and ${within} ${orderAndLimit}
    )`,
  );
  // With one host alone, no column needs to tell whose a row is. Sorted rows are narrow; the full ones are then looked
  // up in their order.
  const isOfOne = hostIds.length === 1;
  const selected = selection.with('ownerId', 'id');
  const fetched = await read(
    em,
    sql<ForEach<ListedBooking>>`
      select ${isOfOne ? sql`` : sql`page.place as "foundFor", `}${selected.from('b')}, page.sort_time as "sortTime"
      from (
        select wanted.place::int as place, listed.* from ${eachOf({ id: hostIds })}
        cross join lateral (
          select * from (${sql.join(walks, sql` union all `)}) found
          order by found.sort_time ${direction}, found.booking_id ${direction} limit ${pageLimit(request)}
        ) listed
        order by listed.sort_time ${direction}, listed.booking_id ${direction}
      ) page
      cross join lateral (
        select * from bookings b where b.owner_id = page.owner_id and b.id = page.booking_id limit 1
      ) b
      order by page.sort_time ${direction}, page.booking_id ${direction}`,
  );
  return pagesInPlace(fetched, hostIds, request);
}

/** A booking by its key, for one of its hosts. */
export interface HostedLookUp extends OwnedId {
  readonly hostId: string;
}

/** Each of these bookings that has this user among its hosts, in their order. */
export async function findHostBookings(
  em: Em,
  lookUps: readonly HostedLookUp[],
  selection: Selection<typeof Booking>,
): Promise<(ShownBooking | undefined)[]> {
  const wanted = eachOf({
    host_id: lookUps.map(({ hostId }) => hostId),
    owner_id: lookUps.map(({ ownerId }) => ownerId),
    id: lookUps.map(({ id }) => id),
  });
  const selected = selection.with('ownerId', 'id');
  const found = await read(
    em,
    sql<ForEach<ShownBooking>>`
      select ${FOUND_FOR}, ${selected.from('b')}
      from ${wanted}
      cross join lateral ${hostRow(sql`wanted.host_id`, sql`wanted.id`)}
      join bookings b on b.owner_id = h.owner_id and b.id = h.booking_id
      where h.owner_id = wanted.owner_id`,
  );
  return inPlace(found, lookUps.length);
}

/** A booking, if this user is one of its hosts. */
export async function findHostBooking(
  em: Em,
  hostId: string,
  { ownerId, id }: OwnedId,
  selection: Selection<typeof Booking>,
): Promise<ShownBooking | undefined> {
  const [found] = await findHostBookings(em, [{ hostId, ownerId, id }], selection);
  return found;
}
