/** busy/ tells users when they cannot be booked. It may import slots/. */

import { instantOf, instantText } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { TIME_ZONE_IN_WORDS, timeZoneMistake } from '../../../core/text.ts';
import { read } from '../../../database/lanes.ts';
import { type Em, sql } from '../../../database/sql.ts';
import { builder } from '../../../graphql/builder.ts';
import { costOfItem } from '../../../graphql/limits/cost.ts';
import { reads } from '../../../scopes/declare.ts';
import { Viewer } from '../../accounts/accounts.graphql.ts';
import { busyPeriodsIn } from '../../calendars/busy-periods.ts';
import { MAX_DAYS, slotRangeMistakes } from '../slots/slot-range.rules.ts';

const data = reads('APPS', ['USER']);

interface BusyTimeShape extends BusyPeriod {
  readonly timeZone: string;
}

const BusyTime = builder.objectRef<BusyTimeShape>('BusyTime').implement({
  description: 'Time in which you cannot be booked: because of a booking, or because a calendar of yours says so.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      requires: data,
      description: 'The start, not before `start` of the range.',
      resolve: ({ start }) => instantOf(start),
    }),
    end: t.field({
      type: 'DateTime',
      requires: data,
      description: 'The end, when they are free again; not after `end` of the range.',
      resolve: ({ end }) => instantOf(end),
    }),
    date: t.field({
      type: 'Date',
      requires: data,
      description: 'The date of its start in the requested time zone, as `YYYY-MM-DD`, such as `2026-12-01`.',
      resolve: ({ start, timeZone }) => instantOf(start).toZonedDateTimeISO(timeZone).toPlainDate().toString(),
    }),
  }),
});

builder.objectField(Viewer, 'busyTimes', (t) =>
  t.field({
    type: [BusyTime],
    nullable: true,
    description: `When you cannot be booked: your bookings, pending ones too, with the buffers of their event types, and the events of your ICS feeds; at most ${MAX_DAYS} days at a time. In order, and merged where they overlap or touch, so that no event can be told from another. Of times that are over nothing is kept; nothing is read of calendars for more than 400 days ahead.`,
    requires: data,
    price: { range: ['start', 'end'], oneAtATime: true },
    args: {
      start: t.arg({ type: 'DateTime', required: true, description: 'What ends before it is left out.' }),
      end: t.arg({
        type: 'DateTime',
        required: true,
        description: `What starts from then on is left out; at most ${MAX_DAYS} days after \`start\`.`,
      }),
      timeZone: t.arg({ type: 'TimeZone', description: `For \`date\`: ${TIME_ZONE_IN_WORDS}. UTC if left out.` }),
    },
    resolve: async ({ id }, { start: from, end: to, timeZone: zone }, { em, budget }, info) => {
      const timeZone = zone ?? 'UTC';
      const found = await findBusyTimes(em, id, { from, to, timeZone });
      // One for each day is counted already.
      const more = found.length - Math.ceil(to.since(from).total('hours') / 24);
      if (more > 0) budget.spend(more * costOfItem(info, 1), 'ask for fewer days at a time');
      return found.map((time) => ({ ...time, timeZone }));
    },
  }),
);

/** RFC 3339, as the database writes it. */
export interface BusyPeriod {
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
): Promise<readonly BusyPeriod[]> {
  const zone = timeZoneMistake(['timeZone'], timeZone);
  Problem.throwIfAny(zone ? [zone] : slotRangeMistakes(from, to));
  const range = sql`tstzrange(${instantText(from.epochMilliseconds)}::timestamptz, ${instantText(to.epochMilliseconds)}::timestamptz)`;
  return read(
    em,
    sql<BusyPeriod>`
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
