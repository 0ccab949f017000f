/**
 * booked/ is the booking that somebody holds the link to: seeing, moving and cancelling it. It may import booking/
 * and kit/.
 */
import { Hono } from 'hono';
import { eventTypeRoutes } from '../booking/booking.routes.ts';
import { asEmbedded } from '../booking/booking-layout.ts';
import { admitVisitors, type BookingEnv, type BookingPagesSettings } from '../booking/booking-visitor.ts';
import { routesOf } from '../kit/page.ts';
import { BOOKED_PATH, bookingPage } from './booking-page.ts';
import { cancelPage } from './cancel.ts';
import { guestsPage } from './guests.ts';
import { mailAnswerPage } from './mail-answer.ts';
import { reschedulePage } from './reschedule.ts';

/** The pages for bookers: what `bookingUrl` and private links lead to, a booking by its uid, and what ends mails of strangers. */
export function bookingRoutes(settings: BookingPagesSettings): Hono {
  const routes = new Hono<BookingEnv>();
  routes.use(BOOKED_PATH, asEmbedded);
  for (const path of ['/bookings/*', '/mails/*']) routes.use(path, admitVisitors(settings));
  const pages = [bookingPage, cancelPage, reschedulePage, guestsPage, mailAnswerPage];
  routes.route(
    '/',
    routesOf(
      settings,
      pages.map((declare) => declare(settings)),
    ),
  );
  return new Hono().route('/', eventTypeRoutes(settings)).route('/', routes);
}
