import type { Em } from '../../../database/sql.ts';
import { findEventTypeRules } from '../../event-types/public/event-type-rules.queries.ts';
import { findBrand, lookOf } from '../../teams/team.queries.ts';
import { type BookingRow, findBooking, findBookings } from '../booking.queries.ts';
import type { BookingChange } from '../booking-changes.ts';
import { withPeopleAt } from '../followed-booking.queries.ts';
import { findBookedTogether, findMailedUsers, isAuthorVerified } from './booking-mail.queries.ts';
import { formerHosts, type Trigger } from './booking-mail-receivers.ts';

/**
 * An event with all facts that its mails need; undefined for a booking that is gone, and for all but the first of events that are
 * mailed together.
 */
export async function triggerOf(em: Em, event: BookingChange): Promise<Trigger | undefined> {
  const { ownerId } = event;
  const found = await findBooking(em, { ownerId, id: event.booking.id });
  if (!found) return undefined;
  const booking = withPeopleAt(event, found);
  const isNew = event.type === 'BOOKING_CREATED' || event.type === 'BOOKING_REQUESTED';
  const isOfSeries = isNew && booking.recurringId !== null;
  // The first booking of a series tells of all of them.
  if (isOfSeries && booking.recurringId !== booking.id) return undefined;
  if (event.type === 'BOOKING_CANCELLED' && event.together?.length === 0) return undefined;
  const previous =
    event.type === 'BOOKING_RESCHEDULED' ? await findBooking(em, { ownerId, id: event.previousId }) : undefined;
  const hostIds = [...event.booking.hostIds, ...formerHosts(event, previous)];
  const others = [event.by.userId, booking.location?.saidBy].filter((id) => id != null);
  const users = await findMailedUsers(em, [...hostIds, ...others]);
  const userIds = new Set(users.filter(({ isVerified }) => isVerified).map(({ id }) => id));
  return {
    event,
    booking,
    hosts: users.filter(({ id }) => hostIds.includes(id)),
    previous,
    series: await findTogether(em, event, booking, isOfSeries),
    fields: await findQuestions(em, booking),
    look: lookOf(await findBrand(em, ownerId)),
    verified: { isOwner: await isAuthorVerified(em, booking, userIds), userIds },
  };
}

/** Most bookings have no answers, and need no look at the questions. */
async function findQuestions(em: Em, { ownerId, eventTypeId, attendees }: BookingRow): Promise<Trigger['fields']> {
  const isAnswered = attendees.some(({ responses }) => Object.keys(responses).length > 0);
  const eventType = isAnswered ? await findEventTypeRules(em, { ownerId, id: eventTypeId }) : undefined;
  return eventType?.bookingFields ?? [];
}

async function findTogether(
  em: Em,
  event: BookingChange,
  booking: BookingRow,
  isOfSeries: boolean,
): Promise<readonly BookingRow[]> {
  if (event.type === 'BOOKING_GUESTS_RELEASED') return findBookings(em, booking.ownerId, event.bookingIds);
  if (event.type === 'BOOKING_CANCELLED' && event.together) return findBookings(em, booking.ownerId, event.together);
  return isOfSeries ? findBookedTogether(em, booking) : [booking];
}
