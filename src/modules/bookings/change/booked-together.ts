import { anyOf } from '../../../database/expressions.ts';
import { type Em, rows } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { lockOwner } from '../../teams/lock-owner.ts';
import { Booking } from '../booking.entity.ts';
import { type BookingRow, findBookings } from '../booking.queries.ts';
import { findSeriesNow } from '../booking-series.queries.ts';
import { findAsItIsNow } from '../followed-booking.queries.ts';
import { bookingNotFound } from '../locked-booking.ts';

/** Each booking of a series, or the one, wherever it has moved; in order of their starts. */
export async function bookedTogether(em: Em, linked: BookingRow): Promise<readonly BookingRow[]> {
  const { ownerId, recurringId } = linked;
  if (recurringId === null) return [(await findAsItIsNow(em, linked)) ?? linked];
  const series = await findSeriesNow(em, { ownerId, id: recurringId });
  return findBookings(
    em,
    ownerId,
    series.map(({ id }) => id),
  );
}

/**
 * The same, which nobody else changes until the transaction ends: those of each look by their ids, as every command locks several.
 * What one of them has moved to meanwhile is made later, so its id is greater. @throws Problem NOT_FOUND
 */
export async function lockTogether(em: Em, linked: BookingRow): Promise<readonly BookingRow[]> {
  const { ownerId } = linked;
  if (!(await lockOwner(em, ownerId))) throw bookingNotFound(linked);
  const lockedIds = new Set<string>();
  for (;;) {
    const bookings = await bookedTogether(em, linked);
    const ids = bookings.map(({ id }) => id).filter((id) => !lockedIds.has(id));
    if (ids.length === 0) return bookings;
    const those = selectFrom(Booking, { ownerId }).where('id', '=', anyOf(ids));
    await rows(em, those.select('id').orderBy('id').forNoKeyUpdate());
    for (const id of ids) lockedIds.add(id);
  }
}
