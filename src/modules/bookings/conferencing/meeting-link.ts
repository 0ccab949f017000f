import type { OwnedId } from '../../../core/id.ts';
import { type Selected, selectColumns } from '../../../database/columns.ts';
import { changed, type Em, LATER, NOW, type RawBuilder, row, rows, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import { type AppSlug, type Rooms, roomOf } from '../../conferencing/conferencing-app.rules.ts';
import { Booking, hostIdsOf } from '../booking.entity.ts';
import { findAsItIsNow, findBooking } from '../booking.queries.ts';
import type { BookedLocation } from '../booking-location.rules.ts';
import { factsOf } from '../stored-booking.ts';

/** A booking whose meetings in accounts are to follow it. */
export interface MeetingToFollow extends OwnedId {
  readonly icsId: string;
  /** The actor who has made or changed it: mails about its link count for them. */
  readonly by: Actor;
}

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

/** Where a booking meets, in an app. */
interface MeetingLink {
  readonly app: string;
  /** The app's id of the meeting. */
  readonly id: string;
  readonly url: string;
}

interface LinkOptions {
  /** The links that it may take the place of; without them, only that of none. */
  readonly replaces?: readonly string[];
  /**
   * The actor who is named when others, who have heard of the booking already, are notified of its new place: the mails
   * count for them.
   */
  readonly notifyBy?: Actor;
}

/**
 * Gives its link to an accepted booking that takes place in an app, also in `references`, where it replaces the old
 * one. A second call changes nothing.
 * @returns whether it has changed something
 */
export async function setLink(
  em: Em,
  { ownerId, id }: OwnedId,
  link: MeetingLink,
  { replaces = [], notifyBy }: LinkOptions = {},
): Promise<boolean> {
  return em.transactional(async (inner) => {
    const set = await row(
      inner,
      sql`with given as (
            update bookings b set location = b.location - 'awaits' || jsonb_build_object('url', ${link.url}::text),
              ics_sequence = ics_sequence + ${notifyBy ? 1 : 0}::int, updated_at = ${LATER}
            where b.owner_id = ${ownerId} and b.id = ${id} and b.status = 'ACCEPTED' and b.location->>'type' = 'CONFERENCING'
              and (b.location->>'url' is null or b.location->>'url' = any(${replaces}::text[]))
              and b.location->>'url' is distinct from ${link.url}
            returning b.id, ${hostIdsOf('b')} as host_ids
          ), dated as (
            update booking_hosts h set updated_at = ${LATER} from given
            where h.user_id = any(given.host_ids) and h.booking_id = given.id
          ), referred as (
            insert into booking_references (owner_id, booking_id, id, app, url, created_at)
            select ${ownerId}::uuid, given.id, ${link.id}::text, ${link.app}::text, ${link.url}::text, now() from given
            on conflict do nothing
          ), gone as (
            delete from booking_references r using given
            where r.owner_id = ${ownerId} and r.booking_id = given.id and r.id <> ${link.id} and r.url = any(${replaces}::text[])
          )
          select 1 from given`,
    );
    if (set && notifyBy) await notify(inner, { ownerId, id }, notifyBy);
    return set !== undefined;
  });
}

async function notify(em: Em, { ownerId, id }: OwnedId, by: Actor): Promise<void> {
  const booking = await findBooking(em, { ownerId, id });
  if (!booking) return;
  await recordEvent(em, ownerId, { type: 'BOOKING_LOCATION_CHANGED', booking: factsOf(booking), by });
}

/** Notes that the link of a booking is still to come, by what people call the app: mails, pages and calendars say so. */
export async function awaitLink(em: Em, booking: OwnedId, name: string): Promise<void> {
  const location = sql<BookedLocation>`location || jsonb_build_object('awaits', ${name}::text)`;
  const noted = withoutLink(booking).set({ location, updatedAt: LATER });
  await changed(em, noted.where(sql<boolean>`location->>'awaits' is null`));
}

/** The link that a booking waits for will not come: its hosts are told. One that has it by now, or waits for none, stays as it is. */
export async function giveUpLink(em: Em, asked: MeetingToFollow): Promise<void> {
  await em.transactional(async (inner) => {
    const booking = await findAsItIsNow(inner, asked);
    if (!booking) return;
    const location = sql<BookedLocation>`location - 'awaits'`;
    const given = withoutLink(booking).set({ location, updatedAt: LATER }).where('endsAt', '>', NOW);
    if ((await changed(inner, given.where(sql<boolean>`location->>'awaits' is not null`))) === 0) return;
    const { by } = asked;
    await recordEvent(inner, booking.ownerId, { type: 'BOOKING_LINK_MISSED', booking: factsOf(booking), by });
  });
}

function withoutLink({ ownerId, id }: OwnedId) {
  const isInApp = sql<boolean>`location->>'type' = 'CONFERENCING' and location->>'url' is null`;
  return updateTable(Booking, { ownerId, id, status: 'ACCEPTED' }).where(isInApp);
}
