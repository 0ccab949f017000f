import { instantText } from '../../../../core/instant.ts';
import { readOne } from '../../../../database/read.ts';
import { type Em, sql } from '../../../../database/sql.ts';
import { bookingAddress } from '../../../event-types/booking-url.rules.ts';
import { hasBookingPage } from '../../../event-types/public/public-event-type.queries.ts';
import { areColleagues } from '../../../schedules/colleague.ts';
import type { Interval } from '../../../schedules/interval.rules.ts';
import type { StandIn } from './days-away.rules.ts';

/** The limit lasts for a month or three; a user who enters more has the first of them shown. */
const MOST_ABSENCES = 100;

/**
 * Finds the colleagues whom people are sent to when they would book a user within a time of absence: colleagues still, not
 * suspended, with a booking page that is public. In order of the absences; those that send nobody are left out.
 */
export async function findStandIns(em: Em, userId: string, { start, end }: Interval): Promise<readonly StandIn[]> {
  const during = sql`tstzrange(${instantText(start)}::timestamptz, ${instantText(end)}::timestamptz)`;
  const found = await readOne(
    em,
    sql<{ standIns: readonly StandIn[] }>`
      select coalesce(json_agg(away), '[]') as "standIns" from (
        select round(date_part('epoch', o.starts_at) * 1000) as start, round(date_part('epoch', o.ends_at) * 1000) as "end",
          c.name, c.username
        from out_of_office o join users c on c.id = o.redirect_to_id
        where o.user_id = ${userId} and tstzrange(o.starts_at, o.ends_at) && ${during} and c.suspended_at is null
          and ${areColleagues(sql`o.user_id`, sql`c.id`)} and ${hasBookingPage(sql`c.id`)}
        order by o.starts_at, o.id limit ${MOST_ABSENCES}
      ) away`,
  );
  // A name that begins the addresses of teams leads nowhere.
  return (found?.standIns ?? []).filter(({ username }) => bookingAddress(username) !== undefined);
}
