import { Hono } from 'hono';
import { addressOfMailbox } from '../../core/text.ts';
import type { Em } from '../../database/sql.ts';
import { findBooking } from '../../modules/bookings/booking.queries.ts';
import { confirmationFor } from '../../modules/bookings/booking-confirmation.rules.ts';
import { icsOf } from '../../modules/bookings/ics.rules.ts';
import { bookingNotFound, requireBookingKey } from '../../modules/bookings/locked-booking.ts';
import { attributed } from '../../modules/event-types/managed/managing-team.rules.ts';

export interface IcsSettings {
  readonly em: Em;
  /** The sender of the service's mails: `Name <address>` or an address alone. */
  readonly mailFrom: string;
}

/** `GET /bookings/<uid>.ics`: a booking for a calendar, as anybody with the uid may see it. */
export function bookingIcsRoutes({ em, mailFrom }: IcsSettings): Hono {
  const organizerAddress = addressOfMailbox(mailFrom);
  const routes = new Hono();
  routes.get('/bookings/:file{[^/]+\\.ics}', async (c) => {
    const uid = c.req.param('file').slice(0, -'.ics'.length);
    const key = requireBookingKey(uid);
    const booking = await findBooking(em.fork(), key);
    const confirmation = booking && confirmationFor(booking, key);
    if (!confirmation) throw bookingNotFound(key);
    const { icsId, icsSequence, createdAt, updatedAt, managedBy } = booking;
    const description = attributed(confirmation.description, managedBy);
    const invitation = { ...confirmation, description, icsId, icsSequence, createdAt, updatedAt };
    return c.body(icsOf(invitation, organizerAddress), 200, {
      // Anybody who learns the address can open the booking, so it stays out of shared caches and of other sites.
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': 'attachment; filename="booking.ics"',
      'Content-Type': 'text/calendar; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  return routes;
}
