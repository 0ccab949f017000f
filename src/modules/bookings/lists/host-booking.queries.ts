/**
 * lists/ shows hosts their bookings: filtered, sorted, a page at a time, always by an index of the host. It may import
 * no other room.
 */
import type { OwnedId } from '../../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../../core/page.ts';
import type { RowOf } from '../../../database/columns.ts';
import { pageLimit } from '../../../database/keyset.ts';
import { read, readOne } from '../../../database/read.ts';
import type { Selection } from '../../../database/selection.ts';
import { type Em, sql } from '../../../database/sql.ts';
import type { Booking } from '../booking.entity.ts';
import { directionOf, hostRow } from './booking-condition.queries.ts';
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
  const fetched = await read(
    em,
    sql<ListedBooking>`
      select ${selection.with('ownerId', 'id').from('b')}, page.sort_time as "sortTime"
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

/** A booking, if this user is one of its hosts. */
export async function findHostBooking(
  em: Em,
  hostId: string,
  { ownerId, id }: OwnedId,
  selection: Selection<typeof Booking>,
): Promise<ShownBooking | undefined> {
  return readOne(
    em,
    sql<ShownBooking>`
      select ${selection.with('ownerId', 'id').from('b')}
      from ${hostRow(hostId, sql`${id}`)}
      join bookings b on b.owner_id = h.owner_id and b.id = h.booking_id
      where h.owner_id = ${ownerId}`,
  );
}
