/**
 * booked/ is the booking that somebody holds the link to: seeing, moving and cancelling it. It may import booking/
 * and kit/.
 */
import { Hono } from 'hono';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { eventTypeRoutes } from '../booking/event-type.routes.ts';
import { bookingPageRoutes } from './booking-page.routes.ts';
import { mailAnswerRoutes } from './mail-answer.routes.ts';

/** The pages for bookers: what `bookingUrl` and private links lead to, a booking by its uid, and what ends mails of strangers. */
export function bookingRoutes(settings: BookingPagesSettings): Hono {
  const routes = new Hono();
  routes.route('/', eventTypeRoutes(settings));
  routes.route('/', bookingPageRoutes(settings));
  routes.route('/', mailAnswerRoutes(settings));
  return routes;
}
