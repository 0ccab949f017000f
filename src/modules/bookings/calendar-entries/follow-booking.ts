import { instantOf } from '../../../core/instant.ts';
import { selectColumns } from '../../../database/columns.ts';
import { NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, insertInto } from '../../../database/statements.ts';
import type { CalendarAccounts } from '../../calendars/connections/calendar-accounts.ts';
import { CalendarConnection } from '../../calendars/connections/calendar-connection.entity.ts';
import { CalendarFailure, type KeptEntry } from '../../calendars/connections/calendar-provider.ts';
import { ACCOUNT_COLUMNS, type StoredAccount } from '../../calendars/connections/stored-account.ts';
import { icsUid } from '../../calendars/ics-uid.rules.ts';
import type { BookingRow } from '../booking.queries.ts';
import { BookingReference } from '../conferencing/booking-reference.entity.ts';
import { findAsItIsNow } from '../followed-booking.queries.ts';
import { CalendarEntry } from './calendar-entry.entity.ts';
import { entryOf } from './calendar-entry.rules.ts';
import type { EntryToFollow } from './plan-calendar-entries.ts';

/** The calendar that has the entry or, without one, is to get it. */
interface HostCalendar extends StoredAccount {
  readonly calendarId: string;
  readonly externalCalendarId: string;
  readonly entry: (KeptEntry & { readonly bookingChangedAt: string }) | null;
}

/**
 * Makes the calendar of a host follow a booking: as it is now, whatever has happened to it since this was asked for. Of one
 * booking and host one at a time; done twice, the second changes nothing. Without a calendar, nothing is done.
 * @returns undefined once the calendar follows; else why not, and it is to be tried again
 */
export async function followBooking(
  em: Em,
  asked: EntryToFollow,
  accounts: CalendarAccounts,
): Promise<CalendarFailure | undefined> {
  const calendar = await findCalendar(em, asked);
  if (!calendar) return undefined;
  const booking = await findAsItIsNow(em, asked);
  try {
    if (standsInCalendar(booking, asked.hostId)) await write(em, asked, calendar, booking, accounts);
    else if (calendar.entry) await remove(em, asked, calendar, calendar.entry, accounts);
    await refer(em, asked, booking, calendar);
    return undefined;
  } catch (error) {
    if (error instanceof CalendarFailure) return error;
    throw error;
  }
}

/** Once it is agreed on, and not before. */
function standsInCalendar(
  booking: Pick<BookingRow, 'status' | 'hostIds'> | undefined,
  hostId: string,
): booking is BookingRow {
  return booking?.status === 'ACCEPTED' && booking.hostIds.includes(hostId);
}

async function write(
  em: Em,
  { hostId, icsId }: EntryToFollow,
  calendar: HostCalendar,
  booking: BookingRow,
  accounts: CalendarAccounts,
): Promise<void> {
  const { entry, externalCalendarId, calendarId } = calendar;
  if (entry && instantOf(entry.bookingChangedAt).equals(instantOf(booking.updatedAt))) return;
  const written = entryOf(booking);
  const { externalId, etag } = await accounts.use(em, calendar, (provider, authorization) =>
    provider.write(authorization, externalCalendarId, written, entry ?? undefined),
  );
  const kept = await changed(
    em,
    sql`insert into calendar_entries (user_id, ics_id, calendar_id, external_id, etag, booking_changed_at)
        select c.user_id, ${icsId}::uuid, c.id, ${externalId}::text, ${etag}::text, ${booking.updatedAt}::timestamptz
        from connected_calendars c where c.user_id = ${hostId} and c.id = ${calendarId}
        on conflict (user_id, ics_id) do update
        set external_id = excluded.external_id, etag = excluded.etag, booking_changed_at = excluded.booking_changed_at`,
  );
  // The account was disconnected meanwhile: nobody would take the entry out again.
  if (kept === 0) await takeOut(em, calendar, { externalId }, accounts);
}

async function remove(
  em: Em,
  { hostId, icsId }: EntryToFollow,
  calendar: HostCalendar,
  entry: KeptEntry,
  accounts: CalendarAccounts,
): Promise<void> {
  await takeOut(em, calendar, entry, accounts);
  await changed(em, deleteFrom(CalendarEntry, { userId: hostId, icsId }));
}

function takeOut(
  em: Em,
  calendar: HostCalendar,
  entry: Pick<KeptEntry, 'externalId'>,
  accounts: CalendarAccounts,
): Promise<void> {
  return accounts.use(em, calendar, (provider, authorization) => provider.remove(authorization, entry));
}

/**
 * What the booking shows as a reference. An entry is known by the booking's UID in every calendar, so the entries of several
 * hosts are one, and it goes with the booking when that moves.
 */
async function refer(
  em: Em,
  { ownerId, id: bookingId, icsId }: EntryToFollow,
  booking: BookingRow | undefined,
  { provider }: HostCalendar,
): Promise<void> {
  const id = icsUid(icsId);
  if (booking?.status !== 'ACCEPTED' || booking.id !== bookingId)
    await changed(em, deleteFrom(BookingReference, { ownerId, bookingId, id }));
  if (booking?.status !== 'ACCEPTED') return;
  const reference = { ownerId, bookingId: booking.id, id, app: `${provider.toLowerCase()}-calendar`, createdAt: NOW };
  await changed(
    em,
    insertInto(BookingReference)
      .values(reference)
      .onConflict((earlier) => earlier.doNothing()),
  );
}

function findCalendar(em: Em, { hostId, icsId }: EntryToFollow): Promise<HostCalendar | undefined> {
  return row(
    em,
    sql<HostCalendar>`
      select ${selectColumns(CalendarConnection, ACCOUNT_COLUMNS, 'a')}, c.id as "calendarId",
        c.external_id as "externalCalendarId", case when e.ics_id is not null then json_build_object(
          'externalId', e.external_id, 'etag', e.etag, 'bookingChangedAt', e.booking_changed_at) end as entry
      from connected_calendars c
      join calendar_connections a on a.user_id = c.user_id and a.id = c.connection_id
      left join calendar_entries e on e.user_id = c.user_id and e.ics_id = ${icsId} and e.calendar_id = c.id
      where c.user_id = ${hostId} and (e.ics_id is not null or (c.is_destination and not exists (
        select 1 from calendar_entries other where other.user_id = c.user_id and other.ics_id = ${icsId})))`,
  );
}
