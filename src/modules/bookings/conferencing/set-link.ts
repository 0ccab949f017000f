import type { OwnedId } from '../../../core/id.ts';
import { LATER } from '../../../database/expressions.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import { findBooking } from '../booking.queries.ts';
import { hostIdsOf } from '../host-ids.queries.ts';
import { factsOf } from '../locked-booking.ts';

/** Where a booking meets, in an app. */
export interface MeetingLink {
  readonly app: string;
  /** The app's id of the meeting. */
  readonly id: string;
  readonly url: string;
}

export interface LinkOptions {
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
