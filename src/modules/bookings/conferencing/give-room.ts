import type { OwnedId } from '../../../core/id.ts';
import { type Selected, selectColumns } from '../../../database/columns.ts';
import { LATER } from '../../../database/expressions.ts';
import { changed, type Em, rows, sql } from '../../../database/sql.ts';
import { type Rooms, roomOf } from '../../conferencing/conferencing-app.rules.ts';
import { Booking } from '../booking.entity.ts';
import { hostIdsOf } from '../host-ids.queries.ts';

const WAITING = selectColumns(Booking, ['id', 'icsId'], 'b');

/**
 * Gives a booking that is accepted and takes place in a conferencing app the link of its room, with those of its series; again,
 * it changes nothing. Its owner must have connected the app; of a team that has none, its first host. Nothing is called, so that
 * the link is there before anybody is mailed.
 */
export async function giveRoom(em: Em, { ownerId, id }: OwnedId, rooms: Rooms): Promise<void> {
  const waiting = await rows(
    em,
    sql<Selected<typeof WAITING>>`
      select ${WAITING} from bookings b
      where b.owner_id = ${ownerId} and b.status = 'ACCEPTED' and b.location->>'type' = 'CONFERENCING'
        and b.location->>'url' is null
        and (b.id = ${id} or b.recurring_id = (select recurring_id from bookings where owner_id = ${ownerId} and id = ${id}))
        and (
          select a.app from conferencing_apps a
          where a.owner_id in (b.owner_id, coalesce(b.host_ids[1], b.owner_id))
          order by a.owner_id = b.owner_id desc, a.app = b.location->>'value' desc, a.is_default desc limit 1
        ) = 'video'`,
  );
  for (const { id: bookingId, icsId } of waiting) {
    const { id: roomId, url } = roomOf(rooms, icsId);
    await changed(
      em,
      sql`with given as (
            update bookings b set location = b.location || jsonb_build_object('url', ${url}::text), updated_at = ${LATER}
            where b.owner_id = ${ownerId} and b.id = ${bookingId} and b.location->>'type' = 'CONFERENCING'
              and b.location->>'url' is null
            returning b.id, ${hostIdsOf('b')} as host_ids
          ), dated as (
            update booking_hosts h set updated_at = ${LATER} from given
            where h.user_id = any(given.host_ids) and h.booking_id = given.id
          )
          insert into booking_references (owner_id, booking_id, id, app, url, created_at)
          select ${ownerId}::uuid, given.id, ${roomId}::text, 'video', ${url}::text, now() from given
          on conflict do nothing`,
    );
  }
}
