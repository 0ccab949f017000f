/**
 * hosting/ is a host's day: their bookings, and answering, moving, handing on and cancelling them; when they can be booked.
 * It may import account/, booking/, event-types/ and kit/.
 */
import { Hono } from 'hono';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { routesOf } from '../kit/page.ts';
import { absencesPage } from './absences.ts';
import { answerRoutes } from './answer.routes.ts';
import { bookingsPage } from './bookings.ts';
import { hostedBookingPage } from './hosted-booking.ts';
import { hoursPage } from './hours.ts';
import { deletionPage, schedulesPage } from './schedules.ts';
import { welcomePage } from './welcome.ts';

/** The pages of hosts. */
export function hostingRoutes(settings: BookingPagesSettings): Hono {
  const { publicUrl } = settings;
  const pages = routesOf(settings, [
    welcomePage(publicUrl),
    bookingsPage(publicUrl),
    hostedBookingPage(settings),
    hoursPage,
    schedulesPage,
    deletionPage,
    absencesPage,
  ]);
  return new Hono().route('/', answerRoutes(settings)).route('/', pages);
}
