import { newId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, insertInto, selectFrom, updateTable } from '../../../database/statements.ts';
import { Connection } from '../../connections/connection.entity.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import {
  type CalendarProviderName,
  keptCalendars,
  type ListedCalendar,
  MAX_CONNECTIONS,
} from './calendar-connection.rules.ts';
import { setFallbackDestination } from './destination-calendar.ts';
import { lockCalendars } from './lock-calendars.ts';
import { readAnew } from './select-calendar.ts';

/** An account elsewhere: no two connections of a user have the same. */
export interface AccountName {
  readonly userId: string;
  readonly provider: CalendarProviderName;
  readonly account: string;
}

/** One of them is null. */
interface OpenedBy {
  /** Sealed. */
  readonly credentials: string | null;
  /** Tokens, which are stored already. */
  readonly accessId: string | null;
}

/** An account that has let us in, with what it has. */
export interface NewConnection extends AccountName {
  readonly listed: readonly ListedCalendar[];
  /** What opens the account, as the row of this id is to hold it. */
  readonly opened: (id: string) => Promise<OpenedBy>;
}

/**
 * Keeps a connection with its calendars. Connected again, an account gets its new credentials and keeps what was chosen among
 * its calendars. Of the first account, the primary calendar becomes the destination of bookings.
 * @returns the connection's id. @throws Problem NOT_FOUND, TOO_MANY, NOT_POSSIBLE for an account without calendars
 */
export async function connectCalendars(em: Em, connection: NewConnection): Promise<string> {
  const { userId, provider, account, listed, opened } = connection;
  if (listed.length === 0)
    throw new Problem('NOT_POSSIBLE', `The account ${JSON.stringify(account)} has no calendars; make one there first.`);
  return em.transactional(async (inner) => {
    const hasOthers = await lockCalendars(inner, userId);
    const known = await row(
      inner,
      selectFrom(CalendarConnection, { userId, provider, account }).select(['id', 'accessId']),
    );
    const id = known?.id ?? newId();
    const by = await opened(id);
    if (known) {
      await changed(inner, updateTable(CalendarConnection, { userId, id }).set({ ...by, updatedAt: LATER }));
      if (known.accessId !== null)
        await changed(inner, deleteFrom(Connection, { ownerId: userId, id: known.accessId }));
    } else {
      await requireRoom(inner, connection);
      const made = { userId, id, provider, account, ...by, createdAt: NOW, updatedAt: NOW };
      await changed(inner, insertInto(CalendarConnection).values(made));
    }
    await keepCalendars(inner, { userId, id }, listed);
    await readAnew(inner, userId, id);
    if (!hasOthers) await setFallbackDestination(inner, userId);
    return id;
  });
}

/** The calendars of an account as its provider lists them now. Of a new account, the primary one is selected. */
async function keepCalendars(
  em: Em,
  { userId, id: connectionId }: { readonly userId: string; readonly id: string },
  listed: readonly ListedCalendar[],
): Promise<void> {
  const kept = keptCalendars(listed);
  await changed(
    em,
    sql`with listed as (
          select * from unnest(${kept.map(() => newId())}::uuid[], ${kept.map(({ externalId }) => externalId)}::text[],
            ${kept.map(({ name }) => name)}::text[], ${kept.map(({ isPrimary }) => isPrimary)}::boolean[],
            ${kept.map(({ isReadOnly }) => isReadOnly)}::boolean[]) as l(id, external_id, name, is_primary, is_read_only)
        ), gone as (
          delete from connected_calendars c where c.user_id = ${userId} and c.connection_id = ${connectionId}
            and c.external_id not in (select external_id from listed)
          returning c.id
        ), forgotten as (
          delete from busy_periods p where p.user_id = ${userId} and p.source_id in (select id from gone)
        )
        insert into connected_calendars as c (user_id, id, connection_id, external_id, name, is_primary, is_read_only, selected,
          is_destination, next_read_at, created_at, updated_at)
        select ${userId}::uuid, l.id, ${connectionId}::uuid, l.external_id, l.name, l.is_primary, l.is_read_only,
          l.is_primary and not exists (
            select 1 from connected_calendars known where known.user_id = ${userId} and known.connection_id = ${connectionId}),
          false, now(), now(), now()
        from listed l
        on conflict (user_id, connection_id, external_id) do update set name = excluded.name,
          is_primary = excluded.is_primary, is_read_only = excluded.is_read_only, failures = 0, next_read_at = now(),
          updated_at = ${LATER_OF_CALENDAR}`,
  );
}

const LATER_OF_CALENDAR = sql`greatest(now(), c.updated_at + interval '1 microsecond')`;

/** Whether there is room for this account among a user's, if it is a new one. @throws Problem TOO_MANY */
export async function requireRoom(em: Em, { userId, provider, account }: AccountName): Promise<void> {
  const others = await row(
    em,
    selectFrom(CalendarConnection, { userId })
      .where(sql<boolean>`(provider, account) <> (${provider}, ${account})`)
      .select(sql<number>`count(*)::int`.as('count')),
  );
  if ((others?.count ?? 0) < MAX_CONNECTIONS) return;
  throw new Problem('TOO_MANY', `There are ${MAX_CONNECTIONS} connections, which is the most; disconnect one first.`);
}
