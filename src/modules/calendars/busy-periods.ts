import { instantText } from '../../core/instant.ts';
import { changed, type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { deleteFrom } from '../../database/statements.ts';
import type { Interval } from '../schedules/interval.rules.ts';
import type { BusyTime } from './busy-calendar.rules.ts';
import { BusyPeriod } from './busy-period.entity.ts';
import { icsIdOf } from './ics-uid.rules.ts';
import { rangeOf } from './next-reading.ts';

/**
 * SQL, for `from … where`: the busy periods `p` of the user `u` in a range, but those for which `isOwn` is true: they may be
 * bookings of ours, which `p.ics_id` names.
 */
export function busyPeriodsIn(during: RawBuilder<unknown>, isOwn: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`busy_periods p where p.user_id = u.id and p.during && ${during} and (p.ics_id is null or not ${isOwn})`;
}

/** Where busy times come from: a feed, or a calendar of a connection. */
interface BusySource {
  readonly userId: string;
  readonly sourceId: string;
}

/**
 * Replaces the busy times of a source by those that it has now; empty periods count for nothing. `during`: the new ones are
 * about this time alone, and those of any other time stay. It runs in a transaction that has locked the source's own row, so
 * that neither an older answer nor a source that is gone leaves anything behind.
 */
export async function replaceBusyPeriods(
  em: Em,
  { userId, sourceId }: BusySource,
  periods: readonly BusyTime[],
  during?: Interval,
): Promise<void> {
  const kept = oneForEachTime(periods);
  const isAbout = during ? sql`p.during && ${rangeOf(during)}` : sql`true`;
  // A period that reaches into this time keeps its rest.
  const rest = during
    ? sql`union all select unnest(tstzmultirange(during) - tstzmultirange(${rangeOf(during)})), ics_id from gone`
    : sql``;
  // Periods that have not changed are not written again: most changes of a calendar are an event or two.
  await changed(
    em,
    sql`with said as materialized (
          select tstzrange(starts_at, ends_at) as during, ics_id
          from unnest(${kept.map(({ start }) => instantText(start))}::timestamptz[],
            ${kept.map(({ end }) => instantText(end))}::timestamptz[],
            ${kept.map(({ icsId }) => icsId)}::uuid[]) as period(starts_at, ends_at, ics_id)
        ), gone as (
          delete from busy_periods p where p.user_id = ${userId} and p.source_id = ${sourceId}
            and ${isAbout} and p.during not in (select during from said)
          returning p.during, p.ics_id
        )
        insert into busy_periods as p (user_id, source_id, during, ics_id)
        select ${userId}::uuid, ${sourceId}::uuid, during, (array_agg(ics_id))[1]
        from (select during, ics_id from said ${rest}) as known group by during
        on conflict (user_id, source_id, during) do update set ics_id = excluded.ics_id
          where p.ics_id is distinct from excluded.ics_id`,
  );
}

/** Forgets all that a source has said: in the transaction that removes it, after the removal of its own row. */
export async function dropBusyPeriods(em: Em, { userId, sourceId }: BusySource): Promise<void> {
  await changed(em, deleteFrom(BusyPeriod, { userId, sourceId }));
}

/** An event that is no booking stands for all of its time. */
function oneForEachTime(periods: readonly BusyTime[]): (Interval & { readonly icsId: string | null })[] {
  const byTime = new Map<string, Interval & { readonly icsId: string | null }>();
  for (const { start, end, icsUid } of periods) {
    if (start >= end) continue;
    const key = `${start}/${end}`;
    const [known, icsId] = [byTime.get(key), icsUid === null ? null : icsIdOf(icsUid)];
    byTime.set(key, { start, end, icsId: known && known.icsId !== icsId ? null : icsId });
  }
  return [...byTime.values()];
}
