/**
 * Entries that do not follow their bookings: as that was tried for long, of which their users are told; or as nothing is written for
 * their host at the moment, or their account does not let us in. They are tried again once it can be.
 */

import type { OwnedId } from '../../../core/id.ts';
import { instantOf } from '../../../core/instant.ts';
import { selectColumnsAs } from '../../../database/columns.ts';
import { ago, anyOf, changed, type Em, NOW, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { ConnectedCalendar } from '../../calendars/connections/calendar-connection.entity.ts';
import { Booking, hostIdsOf } from '../booking.entity.ts';
import { type BookingChange, bookingIdsOf, findAsItIsNow } from '../booking.queries.ts';
import { CalendarEntry } from './calendar-entry.entity.ts';

/** After this many days nobody looks for the entry there any more. */
const DAYS_TRIED = 30;
const MOST_AT_ONCE = 500;

/** SQL over a user `u`: whether their calendars are written, by the rule of mails: to nobody who is suspended, or whose address is not verified. */
const IS_WRITTEN = sql<boolean>`(u.email_verified_at is not null and u.suspended_at is null)`;

/** SQL: the same of the user with this id. */
export function isWrittenFor(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select ${IS_WRITTEN} from users u where u.id = ${userId}), false)`;
}

/**
 * Notes that these calendars of a host wait to follow a booking, as nothing is written for the host. Whoever lets the host in at this
 * very moment waits for this statement, and finds what it has noted; or it sees that they are let in.
 * @returns whether it is noted
 */
export async function awaitHost(
  em: Em,
  { hostId, icsId, ownerId, id }: EntryToFollow,
  calendars: readonly { readonly calendarId: string }[],
): Promise<boolean> {
  const calendarIds = calendars.map(({ calendarId }) => calendarId);
  const noted = await changed(
    em,
    sql`with host as (select u.id from users u where u.id = ${hostId} and not ${IS_WRITTEN} for share of u)
        insert into calendar_entries as e (user_id, ics_id, calendar_id, missed_at, booking_owner, booking_id)
        select c.user_id, ${icsId}::uuid, c.id, now(), ${ownerId}::uuid, ${id}::uuid
        from host join connected_calendars c on c.user_id = host.id and c.id = ${anyOf(calendarIds)}
        on conflict (user_id, ics_id, calendar_id) do update set missed_at = coalesce(e.missed_at, excluded.missed_at),
          booking_owner = excluded.booking_owner, booking_id = least(e.booking_id, excluded.booking_id)`,
  );
  return noted > 0;
}

/**
 * Notes the same of one whose account lets us in no more. Whoever connects it again at this very moment waits for this statement, and
 * finds what it has noted; or it sees that the account lets us in. @returns whether it is noted
 */
export async function awaitAccount(
  em: Em,
  { hostId, icsId, ownerId, id }: EntryToFollow,
  calendarId: string,
): Promise<boolean> {
  const noted = await changed(
    em,
    sql`with calendar as (
          select c.id from connected_calendars c join calendar_connections a on a.user_id = c.user_id and a.id = c.connection_id
          where c.user_id = ${hostId} and c.id = ${calendarId} and a.failing_since is not null for share of a
        )
        update calendar_entries e set missed_at = coalesce(e.missed_at, now()), booking_owner = ${ownerId}::uuid, booking_id = ${id}::uuid
        from calendar where e.user_id = ${hostId} and e.ics_id = ${icsId}::uuid and e.calendar_id = calendar.id`,
  );
  return noted > 0;
}

/** A page of what waits in the calendars of a user, one for each booking, after the one with this `icsId`. */
export function waitingEntries(em: Em, userId: string, after: string, limit: number): Promise<EntryToFollow[]> {
  return rows(
    em,
    sql<EntryToFollow>`
      select distinct on (e.ics_id) ${selectColumnsAs(CalendarEntry, ASKED, 'e')} from calendar_entries e
      where e.user_id = ${userId} and e.missed_at is not null and e.ics_id > ${after}
      order by e.ics_id limit ${limit}::int`,
  );
}

/** Notes that the calendars of a host do not follow a booking. Of all such bookings of a calendar, the first one records the event by which its user is told. */
export async function missEntry(em: Em, asked: EntryToFollow): Promise<void> {
  const { hostId: userId, icsId, ownerId: bookingOwner, id: bookingId } = asked;
  const booking = await findAsItIsNow(em, asked);
  await em.transactional(async (inner) => {
    const entries = await rows(
      inner,
      selectFrom(CalendarEntry, { userId, icsId }).select(['calendarId', 'bookingChangedAt']),
    );
    for (const { calendarId, bookingChangedAt } of entries) {
      const follows = booking && bookingChangedAt && instantOf(bookingChangedAt).equals(instantOf(booking.updatedAt));
      if (follows) continue;
      const missedAt = sql<string>`coalesce(missed_at, now())`;
      const entry = updateTable(CalendarEntry, { userId, icsId, calendarId });
      await changed(inner, entry.set({ missedAt, bookingOwner, bookingId }));
      const calendar = updateTable(ConnectedCalendar, { userId, id: calendarId }).where('writeFailedAt', 'is', null);
      if ((await changed(inner, calendar.set({ writeFailedAt: NOW }))) > 0)
        await recordEvent(inner, userId, { type: 'CALENDAR_UNWRITTEN', calendarId });
    }
  });
}

/** They follow it again, and what is noted of calendars in which nothing is missed any more is over. */
export async function forgetMissed(
  em: Em,
  { hostId: userId, icsId }: EntryToFollow,
  calendarIds: readonly string[],
): Promise<void> {
  await changed(
    em,
    updateTable(CalendarEntry, { userId, icsId }).set({ missedAt: null }).where('missedAt', 'is not', null),
  );
  await settleCalendars(em, userId, calendarIds);
}

async function settleCalendars(em: Em, userId: string, calendarIds: readonly string[]): Promise<void> {
  const isOver = sql<boolean>`write_failed_at is not null and not exists (select from calendar_entries e
    where e.user_id = ${userId} and e.calendar_id = item.id and e.missed_at is not null)`;
  const calendars = updateTable(ConnectedCalendar, { userId }).where('id', '=', anyOf(calendarIds));
  await changed(em, calendars.set({ writeFailedAt: null }).where(isOver));
}

/** Finds the entries to try again in an account that works now: the last attempt of each, once more. */
export async function missedEntries(
  em: Em,
  { ownerId: userId, calendarAccountId }: { readonly ownerId: string; readonly calendarAccountId: string },
): Promise<EntryToFollow[]> {
  const calendars = await rows(
    em,
    selectFrom(ConnectedCalendar, { userId, connectionId: calendarAccountId })
      .where('writeFailedAt', 'is not', null)
      .where(isWrittenFor(sql`${userId}::uuid`))
      .select('id'),
  );
  if (calendars.length === 0) return [];
  const ids = calendars.map(({ id }) => id);
  const old = updateTable(CalendarEntry, { userId }).where('calendarId', '=', anyOf(ids));
  await changed(em, old.set({ missedAt: null }).where('missedAt', '<', ago(DAYS_TRIED, 'days')));
  await settleCalendars(em, userId, ids);
  return rows(
    em,
    sql<EntryToFollow>`
      select ${selectColumnsAs(CalendarEntry, ASKED, 'e')} from calendar_entries e
      join calendar_connections a on a.user_id = e.user_id and a.id = ${calendarAccountId} and a.failing_since is null
      where e.user_id = ${userId} and e.calendar_id = ${anyOf(ids)} and e.missed_at is not null
      order by e.missed_at limit ${MOST_AT_ONCE}::int`,
  );
}

const ASKED = { ownerId: 'bookingOwner', id: 'bookingId', icsId: 'icsId', hostId: 'userId' } as const;

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
