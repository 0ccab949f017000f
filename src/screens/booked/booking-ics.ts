import { Hono } from 'hono';
import { Problem } from '../../core/problem.ts';
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
import type { BookingKey, Uids } from '../../modules/bookings/booking-key.rules.ts';
import { holdsTime } from '../../modules/bookings/booking-transitions.rules.ts';
import { confirmationFor, idOfKey } from '../../modules/bookings/public/public-booking.rules.ts';
import { attributed } from '../../modules/event-types/managed-event-type.rules.ts';

interface IcsSettings {
  readonly em: Em;
  readonly uids: Uids;
  /** The sender of the service's mails: `Name <address>` or an address alone. */
  readonly mailFrom: string;
}

/** `GET /bookings/<code>.ics`: a booking for a calendar, to anybody with the code of its file; with `?series`, all that take place of its series. */
export function bookingIcsRoutes({ em, uids, mailFrom }: IcsSettings): Hono {
  const organizerAddress = addressOfMailbox(mailFrom);
  const routes = new Hono();
  routes.get('/bookings/:file{[^/]+\\.ics}', async (c) => {
    const key = uids.readFile(c.req.param('file').slice(0, -'.ics'.length));
    if (!key) throw noFile();
    const isSeries = c.req.query('series') !== undefined;
    const file = await (isSeries ? fileOfSeries : fileOf)(em.fork(), key, organizerAddress);
    if (file === undefined) throw noFile();
    return c.body(file, 200, {
      // Anybody who learns the address can read the booking, so it stays out of shared caches and of other sites.
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': `attachment; filename="${isSeries ? 'bookings' : 'booking'}.ics"`,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  return routes;
}

/** The same answer for a text that is no code, and for one whose booking is gone. */
function noFile(): Problem {
  return new Problem('NOT_FOUND', 'There is no calendar file here: the address is mistyped, or it was ended.');
}

async function fileOf(em: Em, key: BookingKey, organizerAddress: string): Promise<string | undefined> {
  const booking = await findInCalendar(em, key);
  const invitation = booking && invitationTo(booking, key);
  return invitation && icsOf(invitation, organizerAddress);
}

/**
 * The file of a series, by the code of the first booking, whose page leads to the others; undefined for every
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
  const confirmation = confirmationFor(booking, key.isSeat ? key : { ownerId, id }, idOfKey);
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
