import { changed, sql } from '../../../database/sql.ts';
import type { Sweep } from '../../../database/sweep.ts';

/** Forgets from which networks strangers have booked, once nothing more goes by the time of their bookings. */
export const forgetNetworks: Sweep = (em, limit) =>
  changed(
    em,
    sql`update booking_attendees set booked_from = null where (owner_id, booking_id, id) in (
          select owner_id, booking_id, id from booking_attendees
          where booked_from is not null and starts_at < now() - interval '32 days' order by starts_at limit ${limit}::int
          for update skip locked)`,
  );
