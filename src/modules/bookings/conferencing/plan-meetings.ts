import { selectColumns } from '../../../database/columns.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import type { OAuthApp } from '../../conferencing/conferencing-app.rules.ts';
import { Booking } from '../booking.entity.ts';
import type { MeetingToFollow } from './follow-meeting.ts';
import { chosenApp } from './give-rooms.ts';

export interface PlannedFollowing extends Omit<MeetingToFollow, 'by'> {
  /** Whether a link is to come of it, for which others wait. */
  readonly isWaiting: boolean;
  /** The app that makes the meeting. */
  readonly app: OAuthApp;
}

/**
 * Chooses from these bookings those whose meetings in accounts have to follow: they have one, or may get one. `apps`:
 * those with accounts.
 */
export async function planMeetings(
  em: Em,
  ownerId: string,
  bookingIds: readonly string[],
  apps: readonly OAuthApp[],
): Promise<PlannedFollowing[]> {
  if (apps.length === 0) return [];
  const owners = sql`b.owner_id, coalesce(b.host_ids[1], b.owner_id)`;
  return rows(
    em,
    sql<PlannedFollowing>`
      select ${selectColumns(Booking, ['ownerId', 'id', 'icsId'], 'b')}, (need.link or need.other_link) as "isWaiting",
        coalesce((${chosenApp(apps, sql`a.app`)}), ${apps[0]}::text) as app
      from bookings b
      cross join lateral (
        select meets and b.location->>'url' is null as link, meets and exists (
            select 1 from conferencing_meetings m where m.owner_id = b.owner_id and m.ics_id = b.ics_id
              and m.url = b.location->>'url' and m.holder_id not in (${owners})) as other_link
        from (select b.status = 'ACCEPTED' and b.location->>'type' = 'CONFERENCING' and b.ends_at > now() as meets) as is_on
      ) as need
      where b.owner_id = ${ownerId}
        and b.id = any(${bookingIds}::uuid[])
        and (exists (select 1 from conferencing_meetings m where m.owner_id = b.owner_id and m.ics_id = b.ics_id)
          or (need.link and exists (
            select 1 from conferencing_apps a where a.owner_id in (${owners}) and a.app = any(${apps}::text[]))))
      order by b.starts_at, b.id`,
  );
}
