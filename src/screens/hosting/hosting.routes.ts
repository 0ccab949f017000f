/**
 * hosting/ is a host's day: their bookings, and answering, moving, handing on and cancelling them; when they can be booked.
 * It may import account/, booking/, event-types/ and kit/.
 */
import { Hono } from 'hono';
import { admitVisitors, type BookingEnv, type BookingPagesSettings } from '../booking/booking-visitor.ts';
import { routesOf } from '../kit/page.ts';
import { absencesPage } from './absences.ts';
import { answerPage } from './answer-link.ts';
import { bookingsPage, HOSTED_BOOKINGS_PATH } from './bookings.ts';
import { hostedBookingPage } from './hosted-booking.ts';
import { hoursPage } from './hours.ts';
import { deletionPage, schedulesPage } from './schedules.ts';
import { welcomePage } from './welcome.ts';

/** The pages of hosts. */
export function hostingRoutes(settings: BookingPagesSettings): Hono {
  const { publicUrl } = settings;
  const routes = new Hono<BookingEnv>();
  routes.use(`${HOSTED_BOOKINGS_PATH}/:booking/answer/*`, admitVisitors(settings));
  const pages = routesOf(settings, [
    welcomePage(publicUrl),
    answerPage(settings),
    bookingsPage(publicUrl),
    hostedBookingPage(settings),
    hoursPage,
    schedulesPage,
    deletionPage,
    absencesPage,
  ]);
  return new Hono().route('/', routes.route('/', pages));
}
