import { type Em, rows, sql } from '../../database/sql.ts';
import { BOOKING_COLUMNS, type BookingRow } from './booking.queries.ts';
import { findSeries } from './booking-series.queries.ts';

/** A host as a receiver of mails. */
export interface MailedHost {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
  readonly locale: string;
  readonly timeFormat: 12 | 24;
  readonly isSuspended: boolean;
}

export async function findMailedHosts(em: Em, ids: readonly string[]): Promise<readonly MailedHost[]> {
  return rows(
    em,
    sql<MailedHost>`select id, name, email, time_zone as "timeZone", locale, time_format as "timeFormat",
          suspended_at is not null as "isSuspended"
        from users where id = any(${ids}::text[]) order by array_position(${ids}::text[], id)`,
  );
}

/** The bookings that were made together with the first one, which is among them, in their order. */
export async function findBookedTogether(em: Em, first: BookingRow): Promise<readonly BookingRow[]> {
  const uids = (await findSeries(em, first)).map(({ uid }) => uid);
  return rows(
    em,
    sql<BookingRow>`select ${BOOKING_COLUMNS} from bookings b
        where b.owner_id = ${first.ownerId} and b.uid = any(${uids}::text[]) and b.rescheduled_from_uid is null
        order by b.starts_at`,
  );
}
