import type { OwnedId } from '../../../core/id.ts';
import { LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { Booking } from '../booking.entity.ts';
import type { BookedLocation } from '../booking-location.rules.ts';
import { findAsItIsNow } from '../followed-booking.queries.ts';
import { factsOf } from '../locked-booking.ts';
import type { MeetingToFollow } from './follow-meeting.ts';

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
