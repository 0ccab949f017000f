import { Hono } from 'hono';
import { addressOfMailbox } from '../../core/text.ts';
import type { Em } from '../../database/sql.ts';
import { type Invitation, icsOf, icsOfSeries } from '../../modules/bookings/add-to-calendar.rules.ts';
import {
  type BookingRow,
  findAsItIsNow,
  findBooking,
  findBookings,
  findSeriesNow,
} from '../../modules/bookings/booking.queries.ts';
import type { BookingKey } from '../../modules/bookings/booking-key.rules.ts';
import { holdsTime } from '../../modules/bookings/booking-transitions.rules.ts';
import { bookingNotFound, requireBookingKey } from '../../modules/bookings/locked-booking.ts';
import { confirmationFor } from '../../modules/bookings/public/public-booking.rules.ts';
import { attributed } from '../../modules/event-types/managed-event-type.rules.ts';

interface IcsSettings {
  readonly em: Em;
  /** The sender of the service's mails: `Name <address>` or an address alone. */
  readonly mailFrom: string;
}

/** `GET /bookings/<uid>.ics`: a booking for a calendar, as anybody with the uid may see it; with `?series`, all that take place of its series. */
export function bookingIcsRoutes({ em, mailFrom }: IcsSettings): Hono {
  const organizerAddress = addressOfMailbox(mailFrom);
  const routes = new Hono();
  routes.get('/bookings/:file{[^/]+\\.ics}', async (c) => {
    const uid = c.req.param('file').slice(0, -'.ics'.length);
    const key = requireBookingKey(uid);
    const isSeries = c.req.query('series') !== undefined;
    const file = await (isSeries ? fileOfSeries : fileOf)(em.fork(), key, organizerAddress);
    if (file === undefined) throw bookingNotFound(key);
    return c.body(file, 200, {
      // Anybody who learns the address can open the booking, so it stays out of shared caches and of other sites.
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': `attachment; filename="${isSeries ? 'bookings' : 'booking'}.ics"`,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  return routes;
}

async function fileOf(em: Em, key: BookingKey, organizerAddress: string): Promise<string | undefined> {
  const booking = await findInCalendar(em, key);
  const invitation = booking && invitationTo(booking, key);
  return invitation && icsOf(invitation, organizerAddress);
}

/**
 * The file of a series, for the holder of the first booking's uid, whose page leads to the others; undefined for every
 * other booking, and where nothing remains.
 */
async function fileOfSeries(em: Em, key: BookingKey, organizerAddress: string): Promise<string | undefined> {
  const first = key.isSeat ? undefined : await findBooking(em, key);
  if (!first || first.recurringId !== first.id) return undefined;
  const ids = (await findSeriesNow(em, first)).filter(({ status }) => holdsTime(status)).map(({ id }) => id);
  const bookings = await findBookings(em, first.ownerId, ids);
  const invitations = bookings.map((booking) => invitationTo(booking, booking)).filter((one) => one !== undefined);
  return invitations.length > 0 ? icsOfSeries(invitations, organizerAddress) : undefined;
}

/** The booking as the holder of the key may see it; if it has moved, they may see where. */
function invitationTo(booking: BookingRow, key: BookingKey): Invitation | undefined {
  const { ownerId, id, icsId, icsSequence, createdAt, updatedAt, managedBy } = booking;
  const confirmation = confirmationFor(booking, key.isSeat ? key : { ownerId, id });
  if (!confirmation) return undefined;
  const description = attributed(confirmation.description, managedBy);
  return { ...confirmation, description, icsId, icsSequence, createdAt, updatedAt };
}

/**
 * A booking that has moved is the same event in calendars, at its new time: the file of the old one would cancel it. Its page
 * leads there, too, but for one with seats, whose new uid its attendees are not told.
 */
async function findInCalendar(em: Em, key: BookingKey): Promise<BookingRow | undefined> {
  const booking = await findBooking(em, key);
  return booking && booking.rescheduledToId !== null && !booking.seats ? findAsItIsNow(em, booking) : booking;
}
