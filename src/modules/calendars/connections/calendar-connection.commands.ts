import { newId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { selectColumns } from '../../../database/columns.ts';
import { changed, type Em, LATER, NOW, row, rows, sql } from '../../../database/sql.ts';
import { deleteFrom, insertInto, selectFrom, updateTable } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../../limits/kept-rows.ts';
import { Connection } from '../../connections/connection.entity.ts';
import { endConnection } from '../../connections/end-connection.ts';
import { notFoundHere } from '../../levels/change-owned.ts';
import { own } from '../../levels/reach.ts';
import { lockOwnerAlone } from '../../teams/lock-owner.ts';
import { dropBusyPeriods } from '../busy-periods.ts';
import { CalendarConnection, ConnectedCalendar } from './calendar-connection.entity.ts';
import { isOpenedBy, type StoredAccount } from './calendar-connection.queries.ts';
import {
  type CalendarProviderName,
  keptCalendars,
  type ListedCalendar,
  MAX_CONNECTIONS,
} from './calendar-connection.rules.ts';

/** An account elsewhere: no two connections of a user have the same. */
interface AccountName {
  readonly userId: string;
  readonly provider: CalendarProviderName;
  /** The host that keeps it. Null or left out: its provider has one alone. */
  readonly server?: string | null;
  readonly account: string;
}

/** The secret that opens an account; exactly one of the two is null. */
interface OpenedBy {
  /** The sealed password. */
  readonly credentials: string | null;
  /** The id of the tokens, which are stored already. */
  readonly accessId: string | null;
}

const HEALTHY = { failingSince: null, notifiedAt: null, refusedAt: null, askedAt: null, answeredAt: null };

export const SELECT_CALENDAR_CODES = ['NOT_FOUND'] as const;

export const SET_DESTINATION_CODES = ['NOT_FOUND', 'NOT_POSSIBLE'] as const;

export const DISCONNECT_CODES = ['NOT_FOUND'] as const;

/** An account that has let us in, with what it has. */
interface NewConnection extends AccountName {
  readonly listed: readonly ListedCalendar[];
  /** The credentials of the account, as the row of this id is to hold them. */
  readonly opened: (id: string) => Promise<OpenedBy>;
}

/**
 * Keeps a connection with its calendars. Connected again, an account gets its new credentials and keeps what was chosen among
 * its calendars. Of the first account, the primary calendar becomes the destination of bookings.
 * @returns the connection's id. @throws Problem NOT_FOUND, TOO_MANY, NO_CALENDARS
 */
export async function connectCalendars(em: Em, connection: NewConnection): Promise<string> {
  const { userId, provider, server = null, account, listed, opened } = connection;
  if (listed.length === 0)
    throw new Problem(
      'NO_CALENDARS',
      `The account ${JSON.stringify(account)} has no calendars; create one there first.`,
    );
  return em.transactional(async (inner) => {
    await lockOwnerAlone(inner, own(userId));
    const hasOthers = await row(inner, selectFrom(CalendarConnection, { userId }).select('id').limit(1));
    const known = await row(
      inner,
      selectFrom(CalendarConnection, { userId, provider, server, account }).select(['id', 'accessId']),
    );
    const id = known?.id ?? newId();
    const by = await opened(id);
    if (known) {
      await changed(
        inner,
        updateTable(CalendarConnection, { userId, id }).set({ ...by, ...HEALTHY, updatedAt: LATER }),
      );
      if (known.accessId !== null)
        await changed(inner, deleteFrom(Connection, { ownerId: userId, id: known.accessId }));
      await recordEvent(inner, userId, { type: 'CALENDAR_ACCOUNT_RECONNECTED', calendarAccountId: id });
    } else {
      await requireRoom(inner, connection);
      const made = { userId, id, provider, server, account, ...by, createdAt: NOW, updatedAt: NOW };
      await changed(inner, insertInto(CalendarConnection).values(made));
      await recordEvent(inner, userId, { type: 'CALENDAR_ACCOUNT_CONNECTED', calendarAccountId: id });
    }
    await keepCalendars(inner, { userId, id }, listed, 0);
    await readAnew(inner, userId, id);
    if (!hasOthers) await setFallbackDestination(inner, userId);
    return id;
  });
}

/** An account has let us in again by the password that it had refused: it is read, and what waits for it is written. */
export async function reviveConnection(em: Em, account: StoredAccount): Promise<void> {
  const { userId, id } = account;
  await em.transactional(async (inner) => {
    await lockOwnerAlone(inner, own(userId));
    const healthy = updateTable(CalendarConnection, { userId, id }).set({ ...HEALTHY, updatedAt: LATER });
    // Connected anew meanwhile, it is another one, and disconnected, it is to stay so.
    if ((await changed(inner, healthy.where(isOpenedBy(account)).where('refusedAt', 'is not', null))) === 0) return;
    await readAnew(inner, userId, id);
    await recordEvent(inner, userId, { type: 'CALENDAR_ACCOUNT_RECONNECTED', calendarAccountId: id });
  });
}

const KEPT: KeptRows = { what: 'connected accounts', most: MAX_CONNECTIONS, advice: 'disconnect one first' };

/** Whether there is room for this account among a user's, if it is a new one. @throws Problem TOO_MANY */
export async function requireRoom(em: Em, { userId, provider, server = null, account }: AccountName): Promise<void> {
  const others = sql`calendar_connections
    where user_id = ${userId} and (provider, server, account) is distinct from (${provider}, ${server}::text, ${account})`;
  const found = await row(em, sql<{ isRoom: boolean }>`select ${hasRoom(KEPT, others)} as "isRoom"`);
  if (!found?.isRoom) throw tooManyKept(KEPT);
}

/** A calendar that its provider lists no more, and which is forgotten. */
interface GoneCalendar {
  readonly name: string;
  readonly selected: boolean;
  readonly isDestination: boolean;
}

/**
 * The calendars of an account as its provider lists them now: new ones are there, others are changed, and those that have been
 * missing for `timeoutInSeconds` are forgotten with their busy times. Of a new account, the primary one is selected. In a
 * transaction that has locked the user.
 */
export async function keepCalendars(
  em: Em,
  { userId, id: connectionId }: { readonly userId: string; readonly id: string },
  listed: readonly ListedCalendar[],
  timeoutInSeconds: number,
): Promise<GoneCalendar[]> {
  const kept = keptCalendars(listed);
  const missing = sql`c.user_id = ${userId} and c.connection_id = ${connectionId}
    and c.external_id not in (select external_id from listed)`;
  const isLong = sql`coalesce(c.missing_since, now()) <= now() - make_interval(secs => ${timeoutInSeconds})`;
  const gone = await rows(
    em,
    sql<GoneCalendar & { readonly id: string }>`
      with listed as (
        select * from unnest(${kept.map(() => newId())}::uuid[], ${kept.map(({ externalId }) => externalId)}::text[],
          ${kept.map(({ name }) => name)}::text[], ${kept.map(({ isPrimary }) => isPrimary)}::boolean[],
          ${kept.map(({ isReadOnly }) => isReadOnly)}::boolean[]) as l(id, external_id, name, is_primary, is_read_only)
      ), gone as (
        delete from connected_calendars c where ${missing} and ${isLong}
        returning c.id, c.name, c.selected, c.is_destination
      ), missed as (
        update connected_calendars c set missing_since = now() where ${missing} and not ${isLong} and c.missing_since is null
      ), kept as (
        insert into connected_calendars as c (user_id, id, connection_id, external_id, name, is_primary, is_read_only, selected,
          is_destination, next_read_at, created_at, updated_at)
        select ${userId}::uuid, l.id, ${connectionId}::uuid, l.external_id, l.name, l.is_primary, l.is_read_only,
          l.is_primary and not exists (
            select 1 from connected_calendars known where known.user_id = ${userId} and known.connection_id = ${connectionId}),
          false, now(), now(), now()
        from listed l
        on conflict (user_id, connection_id, external_id) do update set name = excluded.name,
          is_primary = excluded.is_primary, is_read_only = excluded.is_read_only, missing_since = null,
          updated_at = greatest(now(), c.updated_at + interval '1 microsecond')
        where (c.name, c.is_primary, c.is_read_only, c.missing_since) is distinct from
          (excluded.name, excluded.is_primary, excluded.is_read_only, null::timestamptz)
      )
      select ${selectColumns(ConnectedCalendar, ['id', 'name', 'selected', 'isDestination'], 'gone')} from gone order by id`,
  );
  // After that statement: it has waited for those who were reading them, and does not see what they have left.
  for (const { id } of gone) await dropBusyPeriods(em, { userId, sourceId: id });
  return gone.map(({ name, selected, isDestination }) => ({ name, selected, isDestination }));
}

/** Whether the events of a calendar make its user busy. They are read in the background. @throws Problem NOT_FOUND */
export async function selectCalendar(em: Em, userId: string, id: string, selected: boolean): Promise<void> {
  await em.transactional(async (inner) => {
    if (!(await beginReading(inner, userId, id, selected))) throw notFoundHere('calendar', { ownerId: userId, id });
    if (!selected) await dropBusyPeriods(inner, { userId, sourceId: id });
  });
}

/** Reads the selected calendars of an account anew, at once. */
export async function readAnew(em: Em, userId: string, connectionId: string): Promise<void> {
  const selected = selectFrom(ConnectedCalendar, { userId, connectionId, selected: true }).select('id');
  for (const { id } of await rows(em, selected)) await beginReading(em, userId, id, true);
}

/** Has a user's bookings written to a calendar; null: to none. @throws Problem NOT_FOUND, NOT_POSSIBLE */
export async function setDestinationCalendar(em: Em, userId: string, id: string | null): Promise<void> {
  await em.transactional(async (inner) => {
    await lockOwnerAlone(inner, own(userId));
    if (id !== null) await requireWritable(inner, userId, id);
    const before = updateTable(ConnectedCalendar, { userId, isDestination: true });
    await changed(inner, before.set({ isDestination: false, updatedAt: LATER }));
    if (id === null) return;
    await changed(inner, updateTable(ConnectedCalendar, { userId, id }).set({ isDestination: true, updatedAt: LATER }));
  });
}

/**
 * Where a user has no destination, that is the primary calendar of their oldest connection, of those that can be written to.
 * In a transaction that has locked the user.
 */
export async function setFallbackDestination(em: Em, userId: string): Promise<void> {
  const first = sql<string>`(select id from connected_calendars where user_id = ${userId} and not is_read_only
    order by connection_id, is_primary desc, id limit 1)`;
  const hasNone = sql<boolean>`not exists (
    select 1 from connected_calendars where user_id = ${userId} and is_destination)`;
  const changedTo = { isDestination: true, updatedAt: LATER };
  await changed(em, updateTable(ConnectedCalendar, { userId }).set(changedTo).where('id', '=', first).where(hasNone));
}

/**
 * Forgets a connection: its credentials, its calendars, and when they said that their user is busy. Was one of them the
 * destination of bookings, another connection's takes its place. @throws Problem NOT_FOUND
 */
export async function disconnectCalendars(em: Em, userId: string, id: string): Promise<void> {
  await em.transactional(async (inner) => {
    await lockOwnerAlone(inner, own(userId));
    const calendars = await rows(
      inner,
      selectFrom(ConnectedCalendar, { userId, connectionId: id }).select(['id', 'isDestination']).forUpdate(),
    );
    const gone = await row(inner, deleteFrom(CalendarConnection, { userId, id }).returning('accessId'));
    if (!gone) throw notFoundHere('calendarAccount', { ownerId: userId, id });
    if (gone.accessId !== null) await endConnection(inner, { ownerId: userId, id: gone.accessId });
    for (const calendar of calendars) await dropBusyPeriods(inner, { userId, sourceId: calendar.id });
    if (calendars.some(({ isDestination }) => isDestination)) await setFallbackDestination(inner, userId);
  });
}

/** Locks the row, so that an answer that is on its way leaves nothing behind. @returns whether there is such a calendar */
async function beginReading(em: Em, userId: string, id: string, selected: boolean): Promise<boolean> {
  const readingId = selected ? newId() : null;
  const unread = {
    readState: null,
    keptObjects: null,
    unreadableEventCount: 0,
    sealedUnreadable: null,
    readAt: null,
    expandedAt: null,
    nextReadAt: NOW,
    askedAt: null,
    answeredAt: null,
    restingUntil: null,
    failures: 0,
    error: null,
    notifiedAt: null,
  };
  const count = await changed(
    em,
    updateTable(ConnectedCalendar, { userId, id }).set({ selected, readingId, ...unread, updatedAt: LATER }),
  );
  if (count > 0 && readingId !== null)
    await recordEvent(em, userId, { type: 'CALENDAR_SELECTED', calendarId: id, readingId });
  return count > 0;
}

async function requireWritable(em: Em, ownerId: string, id: string): Promise<void> {
  const found = await row(em, selectFrom(ConnectedCalendar, { userId: ownerId, id }).select(['name', 'isReadOnly']));
  if (!found) throw notFoundHere('calendar', { ownerId, id });
  if (!found.isReadOnly) return;
  const message = `The calendar ${JSON.stringify(found.name)} can only be read; choose one that can be written to.`;
  throw new Problem('NOT_POSSIBLE', message, ['calendarId']);
}
