import type { OwnedId } from '../../../core/id.ts';
import { selectColumnsAs } from '../../../database/columns.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { Booking } from '../booking.entity.ts';
import type { BookingChange } from '../booking-changes.ts';
import { bookingIdsOf } from '../followed-booking.queries.ts';
import { hostIdsOf } from '../host-ids.queries.ts';

/** A booking that the calendar of somebody who hosts it, or has hosted it, is to follow. */
export interface EntryToFollow extends OwnedId {
  readonly icsId: string;
  readonly hostId: string;
}

/**
 * Finds the hosts whose calendars have to follow an event: they have a calendar for it, or an entry of it. Whether
 * anything is still written for them is decided when it would be.
 */
export async function planCalendarEntries(em: Em, event: BookingChange): Promise<EntryToFollow[]> {
  const others = event.type === 'BOOKING_REASSIGNED' ? [event.fromHostId, event.toHostId] : [];
  const hostIds = [...event.booking.hostIds, ...others.filter((id) => id !== null)];
  return rows(
    em,
    sql<EntryToFollow>`select distinct ${selectColumnsAs(Booking, { ownerId: 'ownerId', id: 'id', icsId: 'icsId' }, 'b')}, host.id as "hostId"
      from bookings b
      cross join lateral unnest(${hostIdsOf('b')} || ${hostIds}::uuid[]) as host(id)
      where b.owner_id = ${event.ownerId} and b.id = any(${await bookingIdsOf(em, event)}::uuid[])
        and (exists (select 1 from connected_calendars c where c.user_id = host.id and c.is_destination)
          or exists (select 1 from calendar_entries e where e.user_id = host.id and e.ics_id = b.ics_id))`,
  );
}
