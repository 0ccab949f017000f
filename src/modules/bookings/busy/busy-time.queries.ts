/** busy/ tells users when they cannot be booked. It may import slots/. */
import { instantText } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { timeZoneMistake } from '../../../core/text.ts';
import { read } from '../../../database/read.ts';
import { type Em, sql } from '../../../database/sql.ts';
import { busyPeriodsIn } from '../../calendars/busy-periods.ts';
import { slotRangeMistakes } from '../slots/slot-request.rules.ts';

/** RFC 3339, as the database writes it. */
export interface BusyTime {
  readonly start: string;
  readonly end: string;
}

/**
 * When somebody cannot be booked because of their bookings, pending ones too and with their buffers, or because a calendar of
 * theirs says so: in order, merged where times overlap or touch, and cut to the range. @throws Problem INVERTED_RANGE, RANGE_TOO_LONG, INVALID_TIME_ZONE
 */
export async function findBusyTimes(
  em: Em,
  userId: string,
  { from, to, timeZone }: { readonly from: Temporal.Instant; readonly to: Temporal.Instant; readonly timeZone: string },
): Promise<readonly BusyTime[]> {
  const zone = timeZoneMistake(['timeZone'], timeZone);
  Problem.throwIfAny(zone ? [zone] : slotRangeMistakes(from, to, undefined, ['to']));
  const range = sql`tstzrange(${instantText(from.epochMilliseconds)}::timestamptz, ${instantText(to.epochMilliseconds)}::timestamptz)`;
  return read(
    em,
    sql<BusyTime>`
      select lower(merged.during) as start, upper(merged.during) as end
      from users u
      cross join lateral (
        select range_agg(busy.during) * tstzmultirange(${range}) as times from (
          select t.during from occupied_times t
          where t.host_id = u.id and t.during && ${range} and t.expires_at is null
          union all
          select p.during from ${busyPeriodsIn(range, sql<boolean>`false`)}
        ) busy
      ) all_of
      cross join lateral unnest(all_of.times) as merged(during)
      where u.id = ${userId}
      order by merged.during`,
  );
}
