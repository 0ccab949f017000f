import { newId } from '../core/id.ts';
import { instantAt } from '../core/instant.ts';
import { databaseNow } from '../database/database-clock.ts';
import type { Em } from '../database/sql.ts';
import { NOBODY } from '../events/record-event.ts';
import { createBooking } from '../modules/bookings/book/book.ts';
import { insertBooking } from '../modules/bookings/book/insert-booking.ts';
import { listSlots } from '../modules/bookings/slots/availability.ts';
import { findEventTypeRules } from '../modules/event-types/public/event-type-rules.queries.ts';

const GUEST = { name: 'Grace Hopper', email: 'grace@guest.test', timeZone: 'UTC', locale: null, phone: null };
const WEEK_IN_MS = 7 * 24 * 60 * 60 * 1_000;

/** For each user two bookings to come, which take their time as any booking does, and one that is over. */
export async function seedBookings(em: Em, usernames: readonly string[]): Promise<void> {
  const now = instantAt(await databaseNow(em));
  for (const username of usernames) {
    const eventType = await findEventTypeRules(em, { owner: { username }, slug: 'intro' });
    if (!eventType) throw new Error(`The demo has no event type intro of ${username}.`);
    const range = { start: now.add({ hours: 24 }), end: now.add({ hours: 24 * 15 }) };
    const slots = await listSlots(em, eventType, {
      ...range,
      timeZone: 'UTC',
      lengthInMinutes: null,
      rescheduled: null,
    });
    for (const index of [3, 21]) {
      const start = instantAt(slots[index]?.start ?? Number.NaN);
      const what = { guests: [], location: null, notes: 'Looking forward to it.', responses: {}, metadata: {} };
      const how = { lengthInMinutes: null, reservationId: null, occurrences: null, idempotencyKey: null };
      await createBooking(em, eventType, { start, attendee: GUEST, ...what, ...how }, NOBODY);
    }
    // Nobody can book the past, so what is over is written as it would have been.
    const [first] = slots;
    if (!first) throw new Error(`${username} has no slots.`);
    const past = { start: first.start - 2 * WEEK_IN_MS, end: first.end - 2 * WEEK_IN_MS };
    const rest = {
      hostIds: eventType.hosts.map(({ userId }) => userId),
      location: null,
      guestEmails: [],
      heldGuestEmails: [],
      seats: null,
      metadata: {},
    };
    const attendees = [{ ...GUEST, notes: null, responses: {}, seatId: null, verified: false }];
    await insertBooking(em, eventType, { id: newId(), status: 'ACCEPTED', attendees, ...past, ...rest });
  }
}
