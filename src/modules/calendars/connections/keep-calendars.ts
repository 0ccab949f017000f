import { newId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { dropBusyPeriods } from '../busy-periods.ts';
import { keptCalendars, type ListedCalendar } from './calendar-connection.rules.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';

/** A calendar that its provider lists no more, and which is forgotten. */
export interface GoneCalendar {
  readonly name: string;
  readonly selected: boolean;
  readonly isDestination: boolean;
}

/**
 * The calendars of an account as its provider lists them now: new ones are there, others are changed, and those that have been
 * missing for `timeoutInSeconds` are forgotten with their busy times. Of a new account, the primary one is selected. In a
 * transaction that has locked the calendars of the user.
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
