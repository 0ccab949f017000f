import { instantOf } from '../../../core/instant.ts';
import { selectColumns, selectColumnsAs } from '../../../database/columns.ts';
import { changed, type Em, fromNow, row, rows, sql } from '../../../database/sql.ts';
import { deleteFrom, updateTable } from '../../../database/statements.ts';
import { type Postponed, postponed, type Turns } from '../../../limits/owner-turns.ts';
import type { CalendarAccounts } from '../../calendars/connections/calendar-accounts.ts';
import { CalendarConnection, ConnectedCalendar } from '../../calendars/connections/calendar-connection.entity.ts';
import {
  ACCOUNT_COLUMNS,
  leaveAlone,
  type StoredAccount,
  serverOf,
} from '../../calendars/connections/calendar-connection.queries.ts';
import type { NewEntry } from '../../calendars/connections/calendar-connection.rules.ts';
import {
  CalendarFailure,
  type CalendarProvider,
  type KeptEntry,
} from '../../calendars/connections/calendar-provider.ts';
import { icsUid } from '../../calendars/ics-uid.rules.ts';
import { type CalendarNote, icsOfNote } from '../add-to-calendar.rules.ts';
import { type BookingRow, findAsItIsNow } from '../booking.queries.ts';
import { placeText } from '../booking-location.rules.ts';
import { BookingReference } from '../conferencing/conferencing.entity.ts';
import { CalendarEntry } from './calendar-entry.entity.ts';
import { awaitAccount, awaitHost, type EntryToFollow, forgetMissed, isWrittenFor } from './missed-entries.ts';

/** A calendar that has the entry, may have it, or is to get it. */
interface HostCalendar extends StoredAccount {
  readonly calendarId: string;
  readonly externalCalendarId: string;
  readonly isDestination: boolean;
  /** Whether anything is written for the host. */
  readonly isWritten: boolean;
  /** For so long its server wants to be left alone. */
  readonly restSeconds: number;
  readonly entry: NotedEntry | null;
}

/** `externalId` null: it was about to be written. */
interface NotedEntry extends Pick<KeptEntry, 'etag'> {
  readonly externalId: string | null;
  readonly bookingChangedAt: string | null;
  readonly missedAt: string | null;
}

/**
 * Makes the calendars of a host follow a booking: as it is now, whatever has happened to it since this was asked for. It stands in the
 * one that has it or, if there is none, in the destination, and what may have got into another one is taken out. Of one
 * booking and host one at a time; done twice, the second changes nothing. Without a calendar, nothing is done; while nothing is
 * written for the host, or their account does not let us in, it is noted that they wait.
 * `hosts`: turns of the servers that are asked; left out, it needs none.
 * @returns undefined once they follow; else why not, or in how many seconds there may be a turn, and it is to be tried again
 */
export async function followBooking(
  em: Em,
  asked: EntryToFollow,
  accounts: CalendarAccounts,
  hosts?: Turns,
): Promise<CalendarFailure | Postponed | undefined> {
  const calendars = await findCalendars(em, asked);
  const home =
    calendars.find(({ entry }) => entry !== null && entry.externalId !== null) ??
    calendars.find(({ isDestination }) => isDestination);
  const about = home ?? calendars[0];
  if (!about) return undefined;
  if (!about.isWritten) {
    const noted = calendars.filter(({ entry }) => entry !== null);
    const isNoted = await awaitHost(em, asked, noted.length > 0 ? noted : [about]);
    return isNoted ? undefined : postponed(SOON_SECONDS);
  }
  const servers = { accounts, hosts };
  try {
    const booking = await findAsItIsNow(em, asked);
    const stands = standsInCalendar(booking, asked.hostId);
    if (stands && home) await write(em, asked, home, booking, servers);
    for (const other of calendars) {
      if (other.entry && !(stands && other === home)) await remove(em, asked, other, booking, servers);
    }
    await refer(em, asked, booking, about);
    const missed = calendars.filter(({ entry }) => entry != null && entry.missedAt !== null);
    if (missed.length > 0)
      await forgetMissed(
        em,
        asked,
        missed.map(({ calendarId }) => calendarId),
      );
    return undefined;
  } catch (error) {
    if (error instanceof NoTurn) return postponed(error.inSeconds);
    if (error instanceof ShutOut)
      return (await awaitAccount(em, asked, error.calendarId)) ? undefined : postponed(SOON_SECONDS);
    if (error instanceof CalendarFailure) return error;
    throw error;
  }
}

interface Servers {
  readonly accounts: CalendarAccounts;
  /** Undefined: no turn is needed. */
  readonly hosts: Turns | undefined;
}

/** A calendar's server has no turn for us, or wants to be left alone. */
class NoTurn extends Error {
  override readonly name = 'NoTurn';
  readonly inSeconds: number;

  constructor(inSeconds: number) {
    super();
    this.inSeconds = inSeconds;
  }
}

function away(seconds: number): never {
  throw new NoTurn(seconds);
}

/** The account of a calendar lets us in no more until its user connects it again: nothing is tried meanwhile. */
class ShutOut extends Error {
  override readonly name = 'ShutOut';
  readonly calendarId: string;

  constructor({ calendarId }: HostCalendar) {
    super();
    this.calendarId = calendarId;
  }
}

/** Uses the account of a calendar in a turn of its server, and leaves that alone as long as it says. @throws NoTurn, ShutOut, CalendarFailure */
async function inTurn<Result>(
  em: Em,
  calendar: HostCalendar,
  { accounts, hosts }: Servers,
  ask: (provider: CalendarProvider, authorization: string) => Promise<Result>,
): Promise<Result> {
  const use = () => accounts.use(em, calendar, ask);
  if (hosts && calendar.restSeconds > 0) away(calendar.restSeconds);
  try {
    return await (hosts ? hosts.run(serverOf(calendar), use, away, { account: calendar.id }) : use());
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    if (hosts) leaveAlone(hosts, calendar, error);
    await noteRest(em, calendar, error.retryInSeconds ?? 0);
    // A token that is refused may be taken later; a password is not sent again.
    const isForGood = error.kind === 'REVOKED' || (error.kind === 'REFUSED' && calendar.accessId === null);
    throw isForGood ? new ShutOut(calendar) : error;
  }
}

/** Other processes know by this that a calendar is to be left alone. */
async function noteRest(em: Em, { userId, calendarId }: HostCalendar, seconds: number): Promise<void> {
  if (seconds === 0) return;
  const until = fromNow(seconds, 'secs');
  const resting = { restingUntil: until, nextReadAt: sql<string>`greatest(next_read_at, ${until})` };
  await changed(em, updateTable(ConnectedCalendar, { userId, id: calendarId }).set(resting));
}

/** Something has changed in this very moment. */
const SOON_SECONDS = 1;

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
  servers: Servers,
): Promise<void> {
  const { entry, externalCalendarId, calendarId } = calendar;
  const { bookingChangedAt } = entry ?? {};
  if (bookingChangedAt != null && instantOf(bookingChangedAt).equals(instantOf(booking.updatedAt))) return;
  if (!entry) await noteIntent(em, hostId, icsId, calendarId);
  const known = entry?.externalId == null ? undefined : { externalId: entry.externalId, etag: entry.etag };
  const written = entryOf(booking);
  const { externalId, etag } = await inTurn(em, calendar, servers, (provider, authorization) =>
    provider.write(authorization, externalCalendarId, written, known),
  );
  const noted = updateTable(CalendarEntry, { userId: hostId, icsId, calendarId });
  const kept = await changed(em, noted.set({ externalId, etag, bookingChangedAt: booking.updatedAt }));
  // The account was disconnected meanwhile: nobody would take the entry out again.
  if (kept === 0) await takeOut(em, calendar, icsId, externalId, { ...servers, hosts: undefined });
}

/** Notes that an entry is about to be written, so that it is found if the process dies before it has noted what it has written. */
async function noteIntent(em: Em, hostId: string, icsId: string, calendarId: string): Promise<void> {
  await changed(
    em,
    sql`insert into calendar_entries (user_id, ics_id, calendar_id)
        select c.user_id, ${icsId}::uuid, c.id from connected_calendars c where c.user_id = ${hostId} and c.id = ${calendarId}
        for key share of c
        on conflict do nothing`,
  );
}

/** In a calendar that several hosts have, there is one entry for all of them: it stays until none of them hosts any more. */
async function remove(
  em: Em,
  asked: EntryToFollow,
  calendar: HostCalendar,
  booking: BookingRow | undefined,
  servers: Servers,
): Promise<void> {
  const { hostId, icsId } = asked;
  const other = await findOtherOf(em, asked, calendar, booking);
  // Before it is left to them: else nobody might know that it is there.
  if (other) await noteIntent(em, other.hostId, icsId, other.calendarId);
  else await takeOut(em, calendar, icsId, calendar.entry?.externalId ?? null, servers);
  await changed(em, deleteFrom(CalendarEntry, { userId: hostId, icsId, calendarId: calendar.calendarId }));
}

interface OtherCalendar {
  readonly hostId: string;
  readonly calendarId: string;
}

/** Another host whose entry is in the same calendar elsewhere, or is about to be. */
async function findOtherOf(
  em: Em,
  { hostId, icsId }: EntryToFollow,
  { provider, externalCalendarId }: HostCalendar,
  booking: BookingRow | undefined,
): Promise<OtherCalendar | undefined> {
  if (booking?.status !== 'ACCEPTED') return undefined;
  const others = booking.hostIds.filter((id) => id !== hostId);
  if (others.length === 0) return undefined;
  return row(
    em,
    sql<OtherCalendar>`
      select c.user_id as "hostId", c.id as "calendarId"
      from connected_calendars c
      join calendar_connections a on a.user_id = c.user_id and a.id = c.connection_id and a.provider = ${provider}
      left join calendar_entries e on e.user_id = c.user_id and e.ics_id = ${icsId} and e.calendar_id = c.id
      where c.user_id = any(${others}::uuid[]) and c.external_id = ${externalCalendarId}
        and (e.ics_id is not null or (c.is_destination and ${isWrittenFor(sql`c.user_id`)} and not exists (
          select 1 from calendar_entries o where o.user_id = c.user_id and o.ics_id = ${icsId} and o.external_id is not null)))
      limit 1`,
  );
}

function takeOut(
  em: Em,
  calendar: HostCalendar,
  icsId: string,
  externalId: string | null,
  servers: Servers,
): Promise<void> {
  return inTurn(em, calendar, servers, async (provider, authorization) => {
    const there = externalId ?? (await provider.find(authorization, calendar.externalCalendarId, icsId));
    if (there !== undefined) await provider.remove(authorization, { externalId: there });
  });
}

/**
 * Records the entry as a reference that the booking shows. An entry is known by the booking's UID in every calendar, so
 * the entries of several hosts are one, and it goes with the booking when that moves.
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
  await changed(
    em,
    sql`insert into booking_references (owner_id, booking_id, id, app, created_at)
        select b.owner_id, b.id, ${id}::text, ${`${provider.toLowerCase()}-calendar`}::text, now()
        from bookings b where b.owner_id = ${ownerId} and b.id = ${booking.id}
        for key share of b
        on conflict do nothing`,
  );
}

const CALENDAR_COLUMNS = {
  calendarId: 'id',
  externalCalendarId: 'externalId',
  isDestination: 'isDestination',
} as const;

function findCalendars(em: Em, { hostId, icsId }: EntryToFollow): Promise<HostCalendar[]> {
  return rows(
    em,
    sql<HostCalendar>`
      select ${selectColumns(CalendarConnection, ACCOUNT_COLUMNS, 'a')}, ${selectColumnsAs(ConnectedCalendar, CALENDAR_COLUMNS, 'c')},
        ${isWrittenFor(sql`c.user_id`)} as "isWritten",
        greatest(ceil(extract(epoch from coalesce(c.resting_until, now()) - now())), 0)::float8 as "restSeconds",
        case when e.ics_id is not null then json_build_object(
          'externalId', e.external_id, 'etag', e.etag, 'bookingChangedAt', e.booking_changed_at, 'missedAt', e.missed_at) end as entry
      from connected_calendars c
      join calendar_connections a on a.user_id = c.user_id and a.id = c.connection_id
      left join calendar_entries e on e.user_id = c.user_id and e.ics_id = ${icsId} and e.calendar_id = c.id
      where c.user_id = ${hostId} and (c.is_destination or e.ics_id is not null)
      order by c.id`,
  );
}

/** The parts of a booking that its calendar entry is made of. Instants are as the database writes them. */
interface NotedBooking extends CalendarNote {
  readonly attendees: readonly { readonly name: string; readonly email: string }[];
  readonly guestEmails: readonly string[];
  /** The guests who are not invited yet. */
  readonly heldGuestEmails: readonly string[];
}

/** Makes the entry that a host reads in their own calendar. */
function entryOf(booking: NotedBooking): NewEntry {
  const { title, description, attendees, guestEmails, heldGuestEmails, location, start, end } = booking;
  const { icsId, icsSequence, createdAt, updatedAt } = booking;
  const guests = guestEmails.filter((email) => !heldGuestEmails.includes(email));
  const people = [...attendees.map(({ name, email }) => `${name} <${email}>`), ...guests];
  const [first, ...others] = attendees;
  const names = first && (others.length > 0 ? `${first.name} + ${others.length}` : first.name);
  const note: CalendarNote = {
    // A host's calendar is full of the same title.
    title: names === undefined ? title : `${title} with ${names}`,
    description: [description, ...people].filter(Boolean).join('\n'),
    location,
    start,
    end,
    icsId,
    icsSequence,
    createdAt: instantOf(createdAt).toString(),
    updatedAt: instantOf(updatedAt).toString(),
  };
  const event = { ...note, description: note.description ?? '', place: location && placeText(location) };
  return { icsId, version: note.updatedAt, ics: icsOfNote(note), event };
}
