import { type Selected, selectColumns } from '../../../database/columns.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { type AppSlug, type Rooms, roomOf } from '../../conferencing/conferencing-app.rules.ts';
import { Booking } from '../booking.entity.ts';
import { setLink } from './set-link.ts';

const WAITING = selectColumns(Booking, ['id', 'icsId'], 'b');

/**
 * SQL: the app in which the booking `b` meets, of those that are `offered`: its owner must have connected it; of a team that has
 * none, its first host. The one that its location names comes first, then the default. Nothing is made in an account of somebody who
 * is suspended; a meeting that is there already follows its booking, as those who come to it have its link.
 */
export function chosenApp(offered: readonly AppSlug[], columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select ${columns} from conferencing_apps a
    where a.owner_id in (b.owner_id, coalesce(b.host_ids[1], b.owner_id)) and a.app = any(${offered}::text[])
      and (a.connection_id is null or not exists (select from users s where s.id = a.owner_id and s.suspended_at is not null))
    order by a.owner_id = b.owner_id desc, a.app = b.location->>'value' desc, a.is_default desc limit 1`;
}

/**
 * Gives those of the bookings that are accepted and take place in the service's own app the links of their rooms; again, it
 * changes nothing. Nothing is called, so that they are there before anybody is told. `offered`: all apps.
 */
export async function giveRooms(
  em: Em,
  ownerId: string,
  bookingIds: readonly string[],
  rooms: Rooms,
  offered: readonly AppSlug[],
): Promise<void> {
  const waiting = await rows(
    em,
    sql<Selected<typeof WAITING>>`
      select ${WAITING} from bookings b
      where b.owner_id = ${ownerId} and b.status = 'ACCEPTED' and b.location->>'type' = 'CONFERENCING'
        and b.location->>'url' is null
        and b.id = any(${bookingIds}::uuid[])
        and (${chosenApp(offered, sql`a.app`)}) = 'video'`,
  );
  for (const { id: bookingId, icsId } of waiting) {
    const room = roomOf(rooms, icsId);
    await setLink(em, { ownerId, id: bookingId }, { app: 'video', ...room });
  }
}
